"""How deep the stack is before each instruction: `slots` without the kinds, in a tenth of its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from opcodes.errors import CannotEncode
from opcodes.instructions import Instruction
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.slots import ENDS, SETS_UP

if TYPE_CHECKING:
    from opcodes.program import Program

Net = Callable[[Instruction], int]
#: change of falling through, if it is the same for all of a class; as a function; of jumping; ends here
Nets = tuple["int | None", Net, "Net | None", bool]


class _Nets(dict[type[Instruction], Nets]):
    """For each class of instructions its net effects."""

    def __missing__(self, cls: type[Instruction]) -> Nets:
        effects = cls.effects()
        slots = (*effects.fall.inputs, *effects.fall.outputs)
        same = not any(name in each.size for each in slots for name in cls.operands)
        found = self[cls] = (
            effects.fall.net(cls.__new__(cls)) if same else None,
            effects.fall.net,
            None if effects.jump is None or cls.opname in SETS_UP else effects.jump.net,
            cls.opname in ENDS,
        )
        return found


_nets = _Nets()


def depths(program: Program) -> list[int]:
    """The number of slots before each instruction; -1: control never comes there. CannotEncode if that
    depends on the way control comes."""
    return depths_within(program, 0, len(program.instructions), 0, [])


def disagreement(program: Program, index: int, depth: int, other: int) -> CannotEncode:
    """The error where control comes with one depth and with another."""
    return CannotEncode(
        f"{program.code.co_name}, instruction {index}: the stack is {depth} deep on one way and {other} on"
        " another"
    )


def depths_within(
    program: Program, first: int, end: int, depth: int, left: list[tuple[int, int]]
) -> list[int]:
    """The same of the instructions first … end, where the depth is this before the first of them (-1: control
    does not come there). Where control leaves them, and with what depth, is added to `left`."""
    instructions, nets = program.instructions, _nets
    found = [-1] * (end - first)
    work = [
        (each.target, each.depth + each.entry_values)
        for each in program.regions
        if first <= each.target < end
    ]
    if depth >= 0:
        work.append((first, depth))
    while work:
        index, depth = work.pop()
        while first <= index < end:
            before = found[index - first]
            if before >= 0:
                if before != depth:
                    raise disagreement(program, index, before, depth)
                break
            found[index - first] = depth
            instruction = instructions[index]
            same, fall, jump, ends = nets[instruction.__class__]
            if jump is not None:
                work.append((instruction.target, depth + jump(instruction)))  # type: ignore[attr-defined]
            if ends:
                break
            depth += fall(instruction) if same is None else same
            index += 1
        else:
            left.append((index, depth))
    return found


def takes_from_below(program: Program, found: Mapping[int, int], first: int, end: int) -> bool:
    """Whether the instructions first … end take slots that were there before the first of them."""
    bottom = found[first]
    for index in range(first, end):
        instruction = program.instructions[index]
        effect = instruction.effects().fall
        if (
            found[index] >= 0
            and found[index] - sum(each.count(instruction) for each in effect.inputs) < bottom
        ):
            return True
    return False
