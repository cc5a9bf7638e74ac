"""Putting new instructions into a Program, and where nothing may be put in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from opcodes import instructions as ins
from opcodes.atomic import is_atomic, reason
from opcodes.blocks import regions_of_blocks
from opcodes.errors import BadBytecode, CannotSplice
from opcodes.instructions import Instruction, Label
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.program import Origin, Program, Region
from opcodes.slots import ENDS
from opcodes.untouched import depth_at

if TYPE_CHECKING:
    from typing import Any

__all__ = ["is_atomic", "splice", "splice_all"]


def splice(
    program: Program,
    index: int,
    instructions: Iterable[Instruction | Label],
    regions: Iterable[Region] = (),
    *,
    jumped_to: bool = True,
) -> Program:
    """A Program with new instructions before the one at `index`; see `Program.splice`."""
    return splice_all(program, {index: instructions}, {index: regions}, jumped_to=jumped_to)


def splice_all(
    program: Program,
    places: Mapping[int, Iterable[Instruction | Label]],
    regions: Mapping[int, Iterable[Region]] | None = None,
    *,
    jumped_to: bool = True,
    passed: frozenset[int] = frozenset(),
) -> Program:
    """Several splices at once: index -> what goes in before the instruction that has it now.

    What jumps to one of the `passed` indexes jumps past what is put in there.
    """
    for index in places:
        why = reason(program, index)
        if why is not None:
            raise CannotSplice(
                f"{program.code.co_name}, instruction {index}: nothing can be put in here: {why}"
            )
    new = {index: _New(places[index]) for index in sorted(places)}
    return _Splice(program, new, regions or {}, jumped_to, passed).program()


#: the flag of code whose variables are slots of its frame: a function's
OPTIMIZED = 1


class _New:
    """One list of new instructions; its labels are places in it."""

    def __init__(self, items: Iterable[Instruction | Label]) -> None:
        self.instructions: list[Instruction] = []
        self.labels: dict[Label, int] = {}
        for item in items:
            if isinstance(item, Label):
                self.labels[item] = len(self.instructions)
            else:
                new = item.replace()
                new.raw = None
                self.instructions.append(new)
        self.first = 0


class _Splice:
    """One Program becoming another."""

    def __init__(
        self,
        program: Program,
        new: dict[int, _New],
        regions: Mapping[int, Iterable[Region]],
        jumped_to: bool,
        passed: frozenset[int],
    ) -> None:
        self.old = program
        self.new = new
        self.regions = regions
        self.localsplus = list(program.localsplus)
        self.name = program.code.co_name
        #: old index -> the index of what is put in before it, or its own; and its own
        self.own, self.entry = _moved(
            len(program), [(index, len(each.instructions)) for index, each in new.items()]
        )
        #: where what jumped to an old index, or handled exceptions there, goes now
        self.landing = self.entry if jumped_to else self.own
        if passed and jumped_to:
            self.landing = list(self.entry)
            for index in passed:
                self.landing[index] = self.own[index]
        for index, each in new.items():
            each.first = self.entry[index]

    def program(self) -> Program:
        """The new Program."""
        old = self.old
        kept = self._kept()
        instructions: list[Instruction] = []
        done = 0
        for index, new in self.new.items():
            instructions += kept[done:index]
            instructions += self._resolved(new)
            done = index
        instructions += kept[done:]
        if old.table.facts["block_stack"]:
            jumps = [(each, "target") for each in instructions if each.targets]
            try:
                regions = regions_of_blocks(instructions, jumps, self.name)
            except BadBytecode as error:
                raise CannotSplice(str(error)) from None
        else:
            regions = (*self._new_regions(instructions), *self._old_regions())
        origin = None
        if old.origin == Origin():
            sizes = [(index, len(new.instructions)) for index, new in self.new.items()]
            origin = Origin(old, tuple([each for each in sizes if each[1]]))
        return Program(
            old.version,
            old.code,
            old.table,
            tuple(instructions),
            regions,
            tuple(self.localsplus),
            origin,
        )

    def _kept(self) -> list[Instruction]:
        """The old instructions with their targets as they are now."""
        old, landing, own = self.old.instructions, self.landing, self.own
        kept = list(old)
        for index in self.old.jumping:
            instruction = old[index]
            changes: dict[str, Any] = {}
            for operand in instruction.targets:
                target = getattr(instruction, operand)
                if target is None:
                    continue
                # within one raw instruction (3.10's YIELD_FROM), and for events, it is that very one
                inside = operand == "origin" or (
                    target < index and old[target].raw is instruction.raw and instruction.raw is not None
                )
                moved = own[target] if inside else landing[target]
                if moved != target:
                    changes[operand] = moved
            if changes:
                kept[index] = instruction.replace(**changes)
        return kept

    def _old_regions(self) -> tuple[Region, ...]:
        entry, landing = self.entry, self.landing
        return tuple(
            region._replace(start=entry[region.start], end=entry[region.end], target=landing[region.target])
            for region in self.old.regions
        )

    # -- the new instructions

    def _resolved(self, new: _New) -> list[Instruction]:
        for instruction in new.instructions:
            for operand in instruction.targets:
                target = getattr(instruction, operand)
                if target is not None:
                    setattr(instruction, operand, self._index(target, new))
            if "slot" in instruction.operands:
                instruction.slot = self._slot(instruction)  # type: ignore[attr-defined]
        return new.instructions

    def _index(self, target: int | Label, new: _New) -> int:
        if isinstance(target, Label):
            if target not in new.labels:
                raise CannotSplice(
                    f"{self.name}: {target!r} is a target and does not stand in the new instructions"
                )
            place = new.first + new.labels[target]
        elif 0 <= target < len(self.old):
            return self.own[target]
        else:
            raise CannotSplice(
                f"{self.name}: there is no instruction {target} to jump to, of {len(self.old)}"
            )
        return place

    def _slot(self, instruction: Instruction) -> int:
        """The slot that an instruction names: by number, or by name alone; a new name is a new variable."""
        slot, name = instruction.slot, instruction.name  # type: ignore[attr-defined]
        if slot is not None and slot >= 0:
            if slot < len(self.localsplus) and self.localsplus[slot] == name:
                return int(slot)
            raise CannotSplice(
                f"{self.name}: {instruction!r}: slot {slot} is not {name!r} here"
                " (give slot=None to go by name)"
            )
        if name in self.localsplus:
            return self.localsplus.index(name)
        if isinstance(
            instruction, (ins.LOAD_DEREF, ins.STORE_DEREF, ins.DELETE_DEREF, ins.LOAD_FROM_DICT_OR_DEREF)
        ):
            raise CannotSplice(f"{self.name}: {instruction!r}: there is no cell or free variable {name!r}")
        if not self.old.code.co_flags & OPTIMIZED:
            raise CannotSplice(
                f"{self.name}: {instruction!r}: a module or class body keeps its variables in a namespace,"
                " and a new one would show there (use STORE_NAME, or keep it on the stack)"
            )
        self.localsplus.append(name)
        return len(self.localsplus) - 1

    def _new_regions(self, instructions: Sequence[Instruction]) -> list[Region]:
        """The regions that come with the new instructions, given or by SETUP_FINALLY."""
        found: list[Region] = []
        for index, new in self.new.items():
            given = tuple(self.regions.get(index, ()))
            if not given and not any(isinstance(each, ins.SETUP_FINALLY) for each in new.instructions):
                continue
            depth = max(depth_at(self.old, index), 0)
            for region in given:
                start, end, target = (self._index(each, new) for each in region[:3])
                found.append(region._replace(start=start, end=end, target=target, depth=depth + region.depth))
            found += _set_up(instructions, new.first, new.first + len(new.instructions), depth)
        return found


def _moved(size: int, places: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """For each of `size` indexes, and the one behind the last, where its own instruction is now, and where
    what is put in before it begins; `places` are (index, how many are put in before it)."""
    own: list[int] = []
    entry: list[int] = []
    shift = 0
    for place, more in (*places, (size, 0)):
        own += range(len(own) + shift, place + shift)
        entry += range(len(entry) + shift, place + 1 + shift)
        shift += more
    own.append(size + shift)
    return own, entry


def _set_up(instructions: Sequence[Instruction], first: int, end: int, depth: int) -> list[Region]:
    """The regions that SETUP_FINALLY and POP_BLOCK make among the instructions first … end, where handlers
    find the exception alone. By the control flow: a block may be left at several places."""
    blocks_at: dict[int, tuple[tuple[int, int], ...]] = {}
    work: list[tuple[int, int, tuple[tuple[int, int], ...]]] = [(first, depth, ())]
    while work:
        index, depth, blocks = work.pop()
        while first <= index < end and index not in blocks_at:
            instruction = instructions[index]
            blocks_at[index] = blocks
            if isinstance(instruction, ins.SETUP_FINALLY):
                assert isinstance(instruction.target, int)
                work.append((instruction.target, depth + 1, blocks))
                blocks = (*blocks, (instruction.target, depth))
            elif isinstance(instruction, ins.POP_BLOCK):
                blocks = blocks[:-1]
            elif instruction.effects().jump is not None:
                target = instruction.target  # type: ignore[attr-defined]
                work.append((target, depth + instruction.stack_effect(jump=True), blocks))
            if instruction.opname in ENDS:
                break
            depth += instruction.stack_effect()
            index += 1
    found: list[Region] = []
    for index in sorted(blocks_at):
        if blocks_at[index]:
            target, level = blocks_at[index][-1]
            last = found[-1] if found else None
            if last and (last.end, last.target, last.depth) == (index, target, level):
                found[-1] = last._replace(end=index + 1)
            else:
                found.append(Region(index, index + 1, target, level, False, 1))
    return found
