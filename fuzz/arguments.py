"""Parameters of generated functions, and calls of them as source text.

Arguments are text and are evaluated anew for every run, so no run sees what another did to them.
"""

from __future__ import annotations

from typing import NamedTuple

from fuzz.choices import Choices
from fuzz.scopes import HINTS
from fuzz.vocabulary.literals import LITERALS

_KINDS = (
    ("int",) * 6 + ("list",) * 4 + ("str",) * 3 + ("dict",) * 3 + ("optional", "float", "bool") * 2
    + ("tuple", "set", "words", "pairs", "pair", "point", "loud", "function")
)  # fmt: skip
#: what an argument may be instead of what the program is made for
_OTHERS = ("bool", "float", "none", "str", "tuple", "int")
_MUTABLE = frozenset(["list", "dict", "set", "words", "pairs", "point", "loud"])


class Parameter(NamedTuple):
    """One parameter: `form` is "plain", "default", "keyword" (only), "rest" (*) or "keywords" (**)."""

    name: str
    kind: str
    form: str
    default: str = ""


def parameters(
    choices: Choices, kinds: tuple[str, ...] = _KINDS, table: dict[str, tuple[str, ...]] = LITERALS
) -> list[Parameter]:
    """A few parameters in an order that Python accepts."""
    found: list[Parameter] = []
    numbers: dict[str, int] = {}

    def named(kind: str) -> str:
        numbers[kind] = numbers.get(kind, 0) + 1
        return HINTS[kind] if numbers[kind] == 1 else f"{HINTS[kind]}_{numbers[kind]}"

    defaults = False
    for _ in range(1 + choices.below(4)):
        kind = choices.pick(kinds)
        defaults = defaults or choices.chance(6)
        literals = table.get(kind)
        if defaults and literals:
            found.append(Parameter(named(kind), kind, "default", choices.pick(literals)))
        elif not defaults:
            found.append(Parameter(named(kind), kind, "plain"))
    if choices.chance(6):
        found.append(Parameter("rest", "tuple", "rest"))
    if choices.chance(6):
        kind = choices.pick(kinds)
        found.append(Parameter("key", kind, "keyword", choices.pick(table[kind])))
    if choices.chance(6):
        found.append(Parameter("keys", "dict", "keywords"))
    return found


def signature(found: list[Parameter]) -> str:
    """The parameters as they stand in a `def`."""
    texts = []
    for parameter in found:
        if parameter.form == "keyword" and not any(other.form == "rest" for other in found):
            texts.append("*")
        texts.append(
            {
                "plain": parameter.name,
                "default": f"{parameter.name}={parameter.default}",
                "keyword": f"{parameter.name}={parameter.default}",
                "rest": "*rest",
                "keywords": "**keys",
            }[parameter.form]
        )
    return ", ".join(texts)


def call(
    choices: Choices,
    name: str,
    found: list[Parameter],
    literals: dict[str, tuple[str, ...]] = LITERALS,
    *,
    odd: bool = False,
) -> str:
    """A call with arguments of the right kinds; sometimes two are the same object, or one is missing.

    Args:
        odd: sometimes one is of another kind than the program is made for.
    """
    texts: list[str] = []
    shared: dict[str, str] = {}
    wrong = choices.below(24)
    for parameter in found:
        if parameter.form == "rest":
            texts.extend(choices.pick(literals["int"]) for _ in range(choices.below(3)))
            continue
        if parameter.form == "keywords":
            texts.extend(
                f"{key}={choices.pick(literals['int'])}" for key in ("left", "right")[: choices.below(3)]
            )
            continue
        if parameter.form == "default" and any(other.form == "rest" for other in found):
            pass
        elif parameter.form != "plain" and choices.below(2):
            continue
        text = choices.pick(literals[parameter.kind])
        if odd and choices.chance(14):
            text = choices.pick(literals[choices.pick(_OTHERS)])
        elif parameter.kind in _MUTABLE or parameter.kind == "array":
            if parameter.kind in shared and choices.chance(3):
                text = shared[parameter.kind]
            elif parameter.kind not in shared and sum(p.kind == parameter.kind for p in found) > 1:
                shared[parameter.kind] = f"same_{parameter.kind}"
                text = f"(same_{parameter.kind} := {text})"
        by_name = parameter.form == "keyword" or (parameter.form == "default" and not _rest(found))
        texts.append(f"{parameter.name}={text}" if by_name else text)
    if wrong == 23 and texts:
        texts.pop()
    elif wrong == 22:
        texts.append("unknown=1")
    return f"{name}({', '.join(texts)})"


def _rest(found: list[Parameter]) -> bool:
    return any(parameter.form == "rest" for parameter in found)
