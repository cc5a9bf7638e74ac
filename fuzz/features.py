"""The features that programs may have beyond the plain language, and which the running version parses."""

from __future__ import annotations

from functools import cache

#: Every feature beyond the plain language, with a sample that parses where a version has it.
SAMPLES: dict[str, str] = {
    "exceptions": "try: pass\nexcept Exception: pass",
    "with": "with a as b: pass",
    "generators": "def f(): x = yield from y",
    "classes": "class C(D, metaclass=M): pass",
    "match": "match x:\n    case [1, *rest]: pass",
    "async": "async def f():\n    async with a: await b",
    "imports": "from a import b",
    "scopes": "exec('x = 1')",
    "except_star": "try: pass\nexcept* ValueError: pass",
    "type_params": "def f[T: int](x: T) -> T: pass\ntype X[T] = list[T]",
    "template_strings": "t'{x!r:>3}'",
    "type_param_defaults": "class C[T = int]: pass",
    "comprehension_unpacking": "[*x for x in y]",
    "unbracketed_except": "try: pass\nexcept A, B: pass",
    "lazy_imports": "lazy import json",
}


@cache
def available() -> frozenset[str]:
    """The features whose sample the running interpreter parses."""
    found = set()
    for name, sample in SAMPLES.items():
        try:
            compile(sample, f"<sample of {name}>", "exec", dont_inherit=True)
        except SyntaxError:
            continue
        found.add(name)
    return frozenset(found)
