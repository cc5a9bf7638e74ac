"""Stack effects as they stand in docstrings, read once: `(left, items[count] -- result)`.

The notation is that of CPython's `Python/bytecodes.c` (its DSL is described in
`Tools/cases_generator/interpreter_definition.md`): bottom to top, a size in brackets.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from opcodes.instructions import Instruction

_EFFECT = re.compile(r"\((?P<inputs>.*?)--(?P<outputs>.*)\)\s*$")
_SLOT = re.compile(r"\s*(?P<name>\w+)\s*(?:\[(?P<size>.*)\])?\s*$")


class Slots(NamedTuple):
    """One entry of an effect: a name and how many slots it takes (an expression, or None for 1)."""

    name: str
    size: CodeType | None

    def count(self, instruction: Instruction) -> int:
        """Its number of slots for this instruction's operands."""
        if self.size is None:
            return 1
        names = {operand: getattr(instruction, operand) for operand in instruction.operands}
        return int(eval(self.size, {"__builtins__": {}}, names))


class Effect(NamedTuple):
    """What one way out of an instruction takes from the stack and leaves on it, bottom to top."""

    inputs: tuple[Slots, ...]
    outputs: tuple[Slots, ...]

    def net(self, instruction: Instruction) -> int:
        """The change of depth, in slots."""
        taken = sum(slots.count(instruction) for slots in self.inputs)
        left = sum(slots.count(instruction) for slots in self.outputs)
        return left - taken

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
        size = match["size"]
        found.append(Slots(match["name"], compile(size, "<stack effect>", "eval") if size else None))
    return tuple(found)


@lru_cache(maxsize=None)
def parse_effects(cls: type[Instruction]) -> StackEffect:
    """The effects in the docstring of an instruction class."""
    lines = [line.strip() for line in (cls.__doc__ or "").splitlines()]
    fall = parse_effect(lines[0])
    jumps = [line.removeprefix("jump:") for line in lines if line.startswith("jump:")]
    return StackEffect(fall, parse_effect(jumps[0]) if jumps else None)
