"""Stack effects as they stand in docstrings, read once: `(left, items[count] -- result)`.

The notation is that of CPython's `Python/bytecodes.c` (its DSL is described in
`Tools/cases_generator/interpreter_definition.md`): bottom to top, a size in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from opcodes.instructions import Instruction

_EFFECT = re.compile(r"\((?P<inputs>.*?)--(?P<outputs>.*)\)\s*$")
#: a name in a size: an operand, but for a method call on one and Python's words
_OPERAND = re.compile(r"(?<![\w.])(?!(?:if|else|not|and|or|is|None|True|False)\b)([a-z_]\w*)")
_SLOT = re.compile(r"\s*(?P<name>\w+)\s*(?:\[(?P<size>.*)\])?\s*$")


class Slots(NamedTuple):
    """One entry of an effect: a name and how many slots it takes, an expression over the operands."""

    name: str
    size: str
    #: the size for an instruction's operands
    count: Callable[[Instruction], int]


class Effect:
    """What one way out of an instruction takes from the stack and leaves on it, bottom to top.

    `net(instruction)` is the change of depth, in slots.
    """

    __slots__ = ("inputs", "net", "outputs")

    def __init__(self, inputs: tuple[Slots, ...], outputs: tuple[Slots, ...]) -> None:
        self.inputs = inputs
        self.outputs = outputs
        left = " + ".join(slots.size for slots in outputs) or "0"
        taken = " + ".join(slots.size for slots in inputs) or "0"
        self.net: Callable[[Instruction], int] = _expression(f"{left} - ({taken})")

    def names(self, instruction: Instruction) -> tuple[int, tuple[str, ...]]:
        """(slots taken, names of the slots left, one a slot)."""
        taken = sum(slots.count(instruction) for slots in self.inputs)
        left = tuple(slots.name for slots in self.outputs for _ in range(slots.count(instruction)))
        return taken, left


class StackEffect(NamedTuple):
    """The effect of falling through, and of jumping (None: the instruction does not jump)."""

    fall: Effect
    jump: Effect | None

    def net(self, instruction: Instruction, jump: bool = False) -> int:
        """The change of depth, in slots, on that way out."""
        effect = self.jump if jump and self.jump is not None else self.fall
        return effect.net(instruction)


def _expression(text: str) -> Callable[[Instruction], int]:
    """A size over operands, as a function of the instruction; a constant one is worked out now."""
    over = _OPERAND.sub(r"instruction.\1", text)
    if over == text:
        over = str(eval(text))
    function: Callable[[Instruction], int] = eval(f"lambda instruction: {over}")
    return function


def parse_effect(text: str) -> Effect:
    """`(left, right -- result)` as an Effect. ValueError if it is not in the notation."""
    match = _EFFECT.match(text.strip())
    if match is None:
        raise ValueError(f"not a stack effect: {text!r} (write it as '(inputs -- outputs)')")
    return Effect(_slots(match["inputs"]), _slots(match["outputs"]))


def _slots(text: str) -> tuple[Slots, ...]:
    found = []
    for part in text.split(","):
        if not part.strip():
            continue
        match = _SLOT.match(part)
        if match is None:
            raise ValueError(f"not a stack slot: {part!r}")
        size = f"({match['size']})" if match["size"] else "1"
        found.append(Slots(match["name"], size, _expression(size)))
    return tuple(found)


@cache
def parse_effects(cls: type[Instruction]) -> StackEffect:
    """The effects in the docstring of an instruction class."""
    lines = [line.strip() for line in (cls.__doc__ or "").splitlines()]
    fall = parse_effect(lines[0])
    jumps = [line.removeprefix("jump:") for line in lines if line.startswith("jump:")]
    return StackEffect(fall, parse_effect(jumps[0]) if jumps else None)
