"""What of the bytecode stays as it was when something is put into a decoded Program.

A function has many instructions, and few of them are new, or jump: those alone are looked at one by one.
Where the others stood is worked out once a code object; they are copied in runs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from opcodes.depths import depths, depths_within, disagreement
from opcodes.forms import LANDINGS
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.slots import ENDS

if TYPE_CHECKING:
    from opcodes.instructions import Instruction
    from opcodes.program import Program

#: in place of a code unit: a new instruction; what the interpreter does before the first one
NEW, IMPLICIT = -1, -2


class Untouched:
    """Where the instructions of a decoded Program stood in its bytecode.

    Attributes:
        units: for each instruction the code unit of its raw one, or IMPLICIT.
        starts: for each, the byte that what belongs to its raw one begins at: EXTENDED_ARGs, and what is
            written as nothing (as KW_NAMES).
        jumps: indexes of what jumps, with how its argument counts, and of what is IMPLICIT.
        slotted: indexes of what has a slot. Of both, the first that comes from the same raw one.
        shared: indexes of what comes from the same raw one as the instruction before it.
        wide: as `Raws.wide`.
        landed: the indexes that something jumps to.
        loops: indexes of what jumps to where certain opcodes must stand (FOR_ITER, SEND).
        depths: of the stack before each instruction, once asked for.
    """

    def __init__(self, program: Program) -> None:
        self.units: list[int] = []
        self.starts: list[int] = []
        self.jumps: dict[int, str | None] = {}
        self.slotted: list[int] = []
        self.shared: list[int] = []
        self.wide: Mapping[int, tuple[int, int]] = {}
        self.depths: list[int] | None = None
        jumping = [program.instructions[index] for index in program.jumping]
        self.landed = {getattr(each, operand) for each in jumping for operand in each.targets}
        self.loops = [index for index in program.jumping if lands(program.instructions[index])]
        row_at, cache_at = program.table.row_at, program.table.cache_at
        bytecode: bytes = program.code.co_code
        previous = None
        first = start = end = 0
        for index, instruction in enumerate(program.instructions):
            raws, unit = instruction._raws, instruction._at
            if raws is None:
                self.jumps[index] = None
                unit = IMPLICIT
            elif unit == previous:
                self.shared.append(index)
            else:
                first, previous, self.wide = index, unit, raws.wide
                opcode = bytecode[2 * unit]
                start, end = end, 2 * (unit + 1 + cache_at[opcode])
                direction = row_at[opcode].jump
                if direction is not None:
                    self.jumps[index] = direction
            self.units.append(unit)
            self.starts.append(start)
            if "slot" in instruction.operands and raws is not None:
                self.slotted.append(first)


def lands(instruction: Instruction) -> bool:
    """Whether certain opcodes must stand where an instruction jumps to."""
    return instruction.opname in LANDINGS and not instruction.pops  # type: ignore[attr-defined]


def depth_at(program: Program, index: int) -> int:
    """The depth of the stack before an instruction of a Program, -1 where control never comes."""
    depth = 0
    for instruction in program.instructions[:index]:
        if instruction.targets or instruction.opname in ENDS:
            break
        depth += instruction.stack_effect()
    else:
        return depth
    if program.origin is None or program.origin.places:
        return depths(program)[index]
    untouched = program.untouched
    if untouched.depths is None:
        untouched.depths = depths(program)
    return untouched.depths[index]


class Kept:
    """What of a Program that was spliced into is as it was: indexes now and before.

    Attributes:
        units, starts: as those of `Untouched`, with NEW for new instructions.
        stretches: (first, one past the last) of each run of new instructions.
    """

    def __init__(self, program: Program) -> None:
        assert program.origin is not None
        base, self.places = program.origin
        self.program, self.base = program, base or program
        self.before = self.base.untouched
        self.wide = self.before.wide
        self.units: list[int] = []
        self.starts: list[int] = []
        self.stretches: list[tuple[int, int]] = []
        done = 0
        for index, size in (*self.places, (len(self.base), 0)):
            self.units += self.before.units[done:index]
            self.starts += self.before.starts[done:index]
            if size:
                first = len(self.units)
                self.stretches.append((first, first + size))
                self.units += [NEW] * size
                self.starts += [0] * size
            done = index

    def now(self, indexes: Sequence[int]) -> list[int]:
        """Ascending indexes of before as they are now."""
        if not self.places:
            return list(indexes)
        found: list[int] = []
        done = shift = 0
        for place, size in (*self.places, (len(self.base) + 1, 0)):
            reached = bisect_left(indexes, place, done)
            found += [index + shift for index in indexes[done:reached]]
            done, shift = reached, shift + size
        return found

    def jumping(self) -> list[Instruction]:
        """Those of the instructions that have targets which may lead to new ones in a way that matters to how
        these are written."""
        instructions = self.program.instructions
        found = [instructions[index] for index in self.now(self.before.loops)]
        for first, end in self.stretches:
            found += [each for each in instructions[first:end] if each.targets]
        return found

    def moved_jumps(self, anew: Sequence[int]) -> list[int]:
        """Jumps that something new stands between and where they go (indexes of now), or what is IMPLICIT.
        What stands at the indexes `anew` (ascending) is written anew, and may take more."""
        found: list[int] = []
        now, before = self.program.instructions, self.base.instructions
        jumps = list(self.before.jumps)
        for index, (was, direction) in zip(self.now(jumps), self.before.jumps.items()):
            if direction is None or "target" not in before[was].targets:
                found.append(index)
                continue
            target, old = now[index].target, before[was].target  # type: ignore[attr-defined]
            first, last = (index, target) if index < target else (target, index)
            absolute = direction == "absolute"
            if target - old != (0 if absolute else index - was):
                found.append(index)
            elif anew and bisect_left(anew, 0 if absolute else first) != bisect_left(anew, last + 1):
                found.append(index)
        return found

    def split(self, borders: set[int]) -> set[int]:
        """The units of raw instructions that new ones stand in the middle of, or that are jumped into."""
        shared = self.before.shared
        between = {index for index, _ in self.places}
        return {
            self.units[now]
            for index, now in zip(shared, self.now(shared))
            if index in between or now in borders or index in self.before.landed
        }

    def depths(self) -> dict[int, int]:
        """The depth of the stack before each new instruction. CannotEncode if it does not agree with that of
        what is as it was."""
        found: dict[int, int] = {}
        for (index, _), (first, end) in zip(self.places, self.stretches):
            depth = depth_at(self.base, index)
            left: list[tuple[int, int]] = []
            found.update(zip(range(first, end), depths_within(self.program, first, end, depth, left)))
            for now, after in left:
                wanted = depth if now == end else depth_at(self.base, self.was(now))
                if wanted >= 0 and wanted != after:
                    raise disagreement(self.program, now, wanted, after)
        return found

    def was(self, index: int) -> int:
        """An index of now, of an old instruction, as it was before."""
        return index - sum(end - first for first, end in self.stretches if first <= index)
