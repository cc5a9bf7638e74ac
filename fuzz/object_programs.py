"""Programs about classes and objects: members and statements at random, calls with changes in between."""

from __future__ import annotations

from hypothesis import strategies as st

from fuzz.generated import GeneratedFunction

#: members of a class; `{k}` is a number that differs from place to place
MEMBERS = [
    "value = {k}",
    "items = [{k}]",
    "def norm(self): return self.x * {k}",
    "def norm(self, by={k}): return self.x + by\n    value = {k}",
    "def norm(self): return self.value if hasattr(self, 'value') else -{k}",
    "def change(self, by={k}):\n        self.x += by\n        return self",
    "def change(self, by={k}):\n        self.y = self.x\n        self.x = by\n        log.append('changed')",
    "@property\n    def half(self): return (self.x, {k})",
    "@property\n    def half(self):\n        log.append('half')\n        return self.x\n"
    "    @half.setter\n    def half(self, new): self.x = new + {k}",
    "half = Data({k})",
    "half = NonData({k})",
    "@classmethod\n    def make(cls, x): return cls(x + {k})",
    "@staticmethod\n    def make(x): return [x, {k}]",
    "def __eq__(self, other):\n        log.append('eq')\n"
    "        return self.x == other.x if isinstance(other, A) else NotImplemented\n"
    "    def __hash__(self): return hash(self.x)",
    "def __eq__(self, other): return NotImplemented\n    __hash__ = None",
    "def __lt__(self, other): return self.x < getattr(other, 'x', {k})",
    "def __add__(self, other): return type(self)(self.x + (other.x if isinstance(other, A) else other))",
    "def __add__(self, other): return NotImplemented",
    "def __radd__(self, other): return ('radd', other, {k})",
    "def __iadd__(self, other):\n        self.x = [self.x, {k}]\n        return self",
    "def __len__(self): return {k}",
    "def __bool__(self):\n        log.append('bool')\n        return self.x != {k}",
    "def __getitem__(self, key): return (key, self.x)",
    "def __setitem__(self, key, value): self.x = key",
    "def __contains__(self, item): return item == self.x",
    "def __iter__(self): return iter([self.x, {k}])",
    "def __call__(self, *args, k={k}): return len(args) + k",
    "def __getattr__(self, name):\n        if name.startswith('__'): raise AttributeError(name)\n"
    "        log.append(name)\n        return {k}",
    "def __setattr__(self, name, new):\n        log.append(name)\n"
    "        object.__setattr__(self, name, new)",
    "def __init__(self, x, *rest):\n        self.x = x\n        self.rest = rest",
    "def __init__(self, x=0, y={k}):\n        super().__init__(x)\n        self.y = y",
    "def __new__(cls, *args):\n        made = super().__new__(cls)\n"
    "        made.born = {k}\n        return made",
]
#: statements of `f(p, q, items)`
STATEMENTS = [
    "out.append(p.norm())",
    "out.append(q.norm(2))",
    "out.append(p.change())",
    "p.x = q.x",
    "p.x += {k}",
    "q.extra = p",
    "p.value = {k}",
    "del p.x",
    "out.append(p.half)",
    "p.half = {k}",
    "out.append(p.value)",
    "out.append((p == q, p != q, p is q, p == {k}))",
    "out.append(p < q)",
    "out.append(p + {k})",
    "out.append({k} + p)",
    "p += q",
    "out.append(len(p))",
    "out.append(bool(q))",
    "out.append('yes' if p else 'no')",
    "out.append(p[{k}])",
    "p[{k}] = q",
    "out.append({k} in p)",
    "out.append([each for each in p])",
    "out.append(p(1, 2))",
    "r = A({k})\n    out.append(r)",
    "r = B({k})\n    r.change()\n    out.append(r.norm())",
    "out.append(type(p).make({k}))",
    "out.append(isinstance(p, B) or issubclass(type(q), A))",
    "out.append(hasattr(p, 'y'))",
    "out.append(getattr(p, 'rest', None))",
    "out.append(len({p, q, p}))",
    "out.append({p: {k}}[q] if p == q else 0)",
    "p.items.append({k})",
    "items.append(p)",
    "items.append(len(items))",
    "A.value = {k}",
    "table[{k}] = p.x",
    "out.append(table.get({k}))",
    "global n\n    n += {k}\n    out.append(n)",
    "bound = p.norm\n    p.x = {k}\n    out.append(bound())",
    "out.append(closure({k}))",
    "for each in items:\n        out.append(getattr(each, 'x', each))",
    "try:\n        out.append(p.nothing)\n    except AttributeError:\n        out.append('no')",
]
#: what happens between calls
CHANGES = [
    "None",
    "setattr(one, 'x', {k})",
    "setattr(two, 'x', {k}.5)",
    "setattr(A, 'value', {k})",
    "setattr(B, 'norm', lambda self, by=0: {k})",
    "setattr(one, 'value', {k})",
    "setattr(one, 'norm', lambda by=0: {k})",
    "setattr(A, 'half', property(lambda self: {k}))",
    "setattr(A, '__eq__', lambda self, other: True)",
    "table.update({{{k}: 1}})",
    "globals().update(two=one)",
    "globals().update(n={k})",
]

_HEAD = """
log = []
table = {1: 1}
n = 0
class Data:
    def __init__(self, k): self.k = k
    def __get__(self, instance, owner):
        return self if instance is None else (self.k, instance.x)
    def __set__(self, instance, value):
        log.append(value)
        instance.x = value
class NonData:
    def __init__(self, k): self.k = k
    def __get__(self, instance, owner):
        return (self.k, instance is None)
def outer():
    count = 0
    def closure(by):
        nonlocal count
        count += by
        return count
    return closure
closure = outer()
class Root:
    items = []
    def __init__(self, x=0, *rest): self.x = x
"""


def _indented(members: list[str]) -> str:
    return "".join(f"    {member}\n" for member in members) or "    pass\n"


def guarded(statement: str) -> str:
    """The statement, its exception caught."""
    inner = statement.replace("\n", "\n    ")
    return f"try:\n        {inner}\n    except Exception as error:\n        out.append(type(error).__name__)"


@st.composite
def object_functions(draw: st.DrawFn) -> GeneratedFunction:
    """A GeneratedFunction about two classes, `B` derived from `A`, that share their members at random."""
    number = st.integers(1, 3)

    def some(pool: list[str], least: int, most: int) -> list[str]:
        found = draw(st.lists(st.sampled_from(pool), min_size=least, max_size=most))
        return [
            text.replace("{k}", str(draw(number))).replace("{{", "{").replace("}}", "}") for text in found
        ]

    first, second = some(MEMBERS, 1, 7), some(MEMBERS, 1, 7)
    body = some(STATEMENTS, 2, 8)
    globals_ = [each for each in body if each.startswith("global")]
    lines = [guarded(each.replace("global n\n    ", "")) for each in body]
    source = (
        f"{_HEAD}class A(Root):\n{_indented(first)}class B(A):\n{_indented(second)}"
        "def made(class_, x):\n    made = class_(x)\n    made.y = 1\n    return made\n"
        "one, two = made(A, 1), made(B, 2)\n"
        f"def f(p, q, items):\n{'    global n' if globals_ else '    pass'}\n    out = []\n"
        f"{_indented(lines)}    return out, p, q\n"
    )
    calls = []
    for change in ["None", *some(CHANGES, 1, 3)]:
        arguments = draw(st.sampled_from(["one, two", "one, one", "two, one", "made(A, 1), made(A, 1)"]))
        calls.append(f"f(*({change}, {arguments})[1:], [1])")
    return GeneratedFunction(source, tuple(calls))
