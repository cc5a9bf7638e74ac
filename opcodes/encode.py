"""encode: a Program to a code object of the running interpreter.

What came from the code object is written as it was, byte for byte; only jumps are counted anew. What is new
is written by the rows of the table (`stretches`), takes the position of the instruction it stands before, and
is covered by the regions the Program says. Constants, names and variables keep their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import CodeType
from typing import Any

from opcodes.assemble import Assembler, changes
from opcodes.decode import HOST
from opcodes.depths import depths, takes_from_below
from opcodes.errors import CannotEncode
from opcodes.exceptiontable import Entry, exception_table
from opcodes.forms import LANDINGS
from opcodes.instructions import Instruction
from opcodes.layout import Layout, Piece
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.positions import NOWHERE, Position, Positions, lengthened, written
from opcodes.program import PROLOGUE, Program
from opcodes.stretches import Writer, target_of
from opcodes.untouched import IMPLICIT, NEW, Kept


def encode(program: Program, *, relift: bool = False) -> CodeType:
    """The Program as a code object of the running interpreter.

    Constants that are put in may be any object; code objects with a constant that cannot be hashed cannot
    be hashed themselves, nor marshalled.

    Args:
        program: decoded from this interpreter's bytecode, and spliced into or not.
        relift: write every instruction anew by its row, not as it was (what tests of the rows do).

    Raises:
        CannotEncode: it is bytecode of another version, or has an instruction that this version cannot say.
    """
    code = program.code
    if program.version != HOST or not isinstance(code, CodeType):
        raise CannotEncode(
            f"{code.co_name} is bytecode of CPython {program.table}; this is CPython"
            f" {'.'.join(map(str, HOST))}, which runs its own only: compile the source here"
        )
    return _Encoding(program, code, relift).code_object()


class _Encoding:
    """One Program on its way to a code object."""

    def __init__(self, program: Program, code: CodeType, relift: bool) -> None:
        self.program, self.code, self.relift = program, code, relift
        self.instructions = program.instructions
        self.table = program.table
        self.bytecode = code.co_code
        #: the instructions are no longer those of the code object in their order
        self.rebuilt = relift
        #: for each instruction the code unit of its raw one; NEW or IMPLICIT
        self.units: list[int] = []
        self.wide: Mapping[int, tuple[int, int]] = {}
        #: what is known to be as it was
        self.kept = None if program.origin is None or relift else Kept(program)
        #: (first, one past the last) of each run of new instructions
        self.stretches: list[tuple[int, int]] = []
        self._find_units()
        self.assembler: Assembler | None = None
        self.depths: Mapping[int, int] = {}
        self.split: set[int] = set()
        self.stirred = False
        if self.stretches or relift:
            self._prepare()

    def code_object(self) -> CodeType:
        """The finished code object."""
        layout = self._laid_out()
        parts: dict[str, Any] = {} if self.assembler is None else changes(self.assembler, self.program)
        parts["co_code"] = layout.bytes()
        parts["co_linetable"] = self._line_table(layout)
        parts["co_stacksize"] = max(self.code.co_stacksize, self._stack_needed())
        if not self.table.facts["block_stack"]:
            parts["co_exceptiontable"] = exception_table(self._entries(layout))
        return self.code.replace(**parts)

    def _find_units(self) -> None:
        """Where the instructions were. As `raw` says, without making the raw instructions."""
        if self.kept is not None:
            self.units, self.wide, self.stretches = self.kept.units, self.kept.wide, self.kept.stretches
            return
        units, wide = self.units, {}
        for instruction in self.instructions:
            raws, at = instruction._raws, instruction._at
            if raws is not None:
                units.append(at)
            elif at is None:
                units.append(NEW)
            elif at is PROLOGUE:
                units.append(IMPLICIT)
            else:
                units.append(at.offset // 2)
                wide[at.offset // 2] = (at.start // 2, 0)
        raws = next((each._raws for each in self.instructions if each._raws is not None), None)
        self.wide = wide if raws is None else {**raws.wide, **wide} if wide else raws.wide
        self.stretches = list(_runs(units))

    # -- what new instructions ask for

    def _prepare(self) -> None:
        program = self.program
        self.assembler = Assembler(program)
        self.depths = dict(enumerate(depths(program))) if self.kept is None else self.kept.depths()
        self.borders = {bound for region in program.regions for bound in (region.start, region.end)}
        landings: dict[int, Instruction] = {}
        for instruction in self._jumping():
            for operand in instruction.targets:
                target = getattr(instruction, operand)
                if target is not None:
                    self.borders.add(target)
                    if instruction.opname in LANDINGS and not instruction.pops:  # type: ignore[attr-defined]
                        landings[target] = instruction
        self.writer = Writer(program, self.assembler, self.borders, landings)
        self.split = self._split_units() if self.kept is None else self.kept.split(self.borders)
        self.unborrowed = self._unborrowed()
        #: whether any old instruction may have to be written anew
        self.stirred = bool(self.split or self.unborrowed or self.assembler.moved < len(program.localsplus))

    def _jumping(self) -> list[Instruction]:
        """The instructions that have targets."""
        if self.kept is not None:
            return self.kept.jumping()
        return [each for each in self.instructions if each.targets]

    def _split_units(self) -> set[int]:
        """Raw instructions (their units) that new ones stand in the middle of, or that are jumped into."""
        found, last, between = set(), IMPLICIT, False
        for index, unit in enumerate(self.units):
            if unit == NEW:
                between = True
                continue
            if unit == last and unit != IMPLICIT and (between or index in self.borders):
                found.add(unit)
            last, between = unit, False
        return found

    def _unborrowed(self) -> set[int] | range:
        """Slots that may not be read by borrowing: while a borrowed reference is on the stack, new
        instructions store to the slot, or take the reference away."""
        found: set[int] = set()
        for first, end in self.stretches:
            if self.depths[first] <= 0:
                continue
            if takes_from_below(self.program, self.depths, first, end):
                return range(len(self.program.localsplus))
            for each in self.instructions[first:end]:
                if each.opname in ("STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR"):
                    found.add(each.slot)  # type: ignore[attr-defined]
        return found

    def _anew(self, unit: int, first: int, end: int) -> bool:
        """Whether old instructions (of one raw) must be written anew."""
        assert self.assembler is not None
        if unit in self.split:
            return True
        moved, unborrowed = self.assembler.moved, self.unborrowed
        for instruction in self.instructions[first:end]:
            if "slot" in instruction.operands:
                slot = instruction.slot  # type: ignore[attr-defined]
                if slot >= moved:
                    return True
                if slot in unborrowed and "BORROW" in str(self.table.opnames[self.bytecode[2 * unit]]):
                    return True
        return False

    # -- laying out

    def _laid_out(self) -> Layout:
        layout = self._lay_out(merge=not self.rebuilt)
        if self.rebuilt and not self.relift:
            layout = self._lay_out(merge=False)
        layout.place()
        if self.kept is not None and layout.has_grown():
            self.kept = None
            layout = self._lay_out(merge=not self.rebuilt)
            layout.place()
        return layout

    def _lay_out(self, merge: bool) -> Layout:
        layout = Layout(self.table, self.bytecode, self.code.co_name)
        units, wide, bytecode = self.units, self.wide, self.bytecode
        row_at, cache_at = self.table.row_at, self.table.cache_at
        stirred, relift = self.stirred, self.relift
        index, count, expected = 0, len(units), 0
        looked_at = iter(self._looked_at(merge))
        following = next(looked_at)
        while index < count:
            if index < following:
                unit, first = units[following - 1], index
                index, expected = following, 2 * (unit + 1 + cache_at[bytecode[2 * unit]])
                layout.copy_run(self.kept.starts[first:index], expected)  # type: ignore[union-attr]
                continue
            while following <= index:
                following = next(looked_at)
            unit, first = units[index], index
            index += 1
            if unit == IMPLICIT:
                layout.nothing()
                continue
            if unit == NEW or relift:
                while index < count and (units[index] == NEW or (relift and units[index] != IMPLICIT)):
                    index += 1
                layout.write(index, self.writer.write(first, index))
                continue
            while index < count and units[index] == unit:
                index += 1
            offset = 2 * unit
            opcode = bytecode[offset]
            caches = 2 * cache_at[opcode]
            begin, end = 2 * wide[unit][0] if unit in wide else offset, offset + 2 + caches
            if end == expected and unit in self.split:  # its other part: the first stands for all
                layout.write(index, self.writer.write(first, index), begin, 0)
                continue
            start = begin if begin == expected else self._after_gap(expected, begin)
            expected = end
            row = row_at[opcode]
            if stirred and self._anew(unit, first, index):
                layout.write(index, self.writer.write(first, index), start, end - start)
            elif row is not None and row.jump is not None:
                if start < begin:
                    layout.copy(0, start, begin)
                target = max(map(target_of, self.instructions[first:index]))
                jump = Piece(opcode, 0, first, caches, row.jump, target)
                jump.extend((offset - begin) // 2)
                layout.jump(index - first, jump, begin, end - begin)
            else:
                if not merge:
                    layout.close()
                layout.copy(index - first, start, end)
        if not relift and expected < len(bytecode) and self._says_nothing(expected, len(bytecode)):
            layout.copy(0, expected, len(bytecode))
        return layout

    def _looked_at(self, merge: bool) -> Iterator[int]:
        """The indexes of what is looked at one by one, in order, and the number of all; what is between is
        copied in runs."""
        kept, count = self.kept, len(self.units)
        if kept is None or not merge:
            yield from range(count + 1)
            return
        anew = [now for now in kept.now(kept.before.shared) if self.units[now] in self.split]
        anew += [self.units.index(unit) for unit in self.split]
        if self.stirred:
            anew += self._stirred(kept)
        anew.sort()
        jumps = kept.moved_jumps(anew)
        yield from sorted({*anew, *jumps, *(first for first, _ in self.stretches), count})

    def _stirred(self, kept: Kept) -> Iterator[int]:
        """The first indexes of the raw instructions that must be written anew."""
        units = self.units
        for first in kept.now(kept.before.slotted):
            end = first + 1
            while end < len(units) and units[end] == units[first]:
                end += 1
            if self._anew(units[first], first, end):
                yield first

    def _after_gap(self, expected: int, begin: int) -> int:
        """Where an instruction begins before which something is missing: what is written as nothing (as
        KW_NAMES) belongs to it; else instructions were taken out of the Program."""
        if expected < begin and self._says_nothing(expected, begin):
            return expected
        self.rebuilt = True
        return begin

    def _says_nothing(self, start: int, end: int) -> bool:
        """Whether all opcodes there lower to nothing."""
        rows, caches = self.table.row_at, self.table.cache_at
        while start < end:
            opcode = self.bytecode[start]
            row = rows[opcode]
            if row is None or row.sequences != ((),):
                return False
            start += 2 + 2 * caches[opcode]
        return True

    # -- the tables

    def _line_table(self, layout: Layout) -> bytes:
        positions = Positions(self.code, self.program.version)
        if not self.rebuilt:
            growth = layout.growth()
            if all(more > 0 for _, more in growth) and any(piece.old >= 0 for piece in layout.pieces):
                return lengthened(positions, growth)
        return written(self._spans(layout, positions), self.code.co_firstlineno, self.program.version)

    def _spans(self, layout: Layout, positions: Positions) -> list[tuple[int, Position]]:
        """(bytes, position) of each piece; a new one has that of the next old one."""
        found: list[tuple[int, Position]] = []
        position = NOWHERE
        for piece in reversed(layout.pieces):
            if piece.old >= 0:
                position = positions.at(piece.old)
            else:
                raw = self.instructions[piece.index].raw
                position = position if raw is None else raw.position
            found.append((piece.size, position))
        return found[::-1]

    def _entries(self, layout: Layout) -> Iterator[Entry]:
        """The exception table: the regions as they are if they do not overlap, else cut to pieces."""
        regions = self.program.regions
        if any(before.end > after.start for before, after in pairwise(regions)):
            regions = self._innermost()
        for start, end, target, depth, lasti, *_ in regions:
            yield layout.offset(start), layout.offset(end), layout.offset(target), depth, lasti

    def _innermost(self) -> tuple[Any, ...]:
        """Regions that do not overlap, in order: at each instruction the innermost."""
        found: list[Any] = []
        last = None
        for index, region in enumerate(self.program.handlers):
            if region is None:
                last = None
            elif region is last:
                found[-1] = found[-1]._replace(end=index + 1)
            else:
                found.append(region._replace(start=index, end=index + 1))
                last = region
        return tuple(found)

    def _stack_needed(self) -> int:
        """How deep new instructions make the stack."""
        found, needed = self.depths, 0
        if self.relift:
            return max(found.values(), default=0)
        for first, end in self.stretches:
            needed = max(needed, *[found.get(index, 0) for index in range(first, end + 1)])
        return needed


def _runs(units: list[int]) -> Iterator[tuple[int, int]]:
    """(first, one past the last) of each run of new instructions."""
    first = None
    for index, unit in enumerate(units):
        if (unit == NEW) != (first is not None):
            if first is not None:
                yield first, index
            first = index if unit == NEW else None
    if first is not None:
        yield first, len(units)
