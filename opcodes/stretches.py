"""New canonical instructions as raw ones: the peephole that looks for the rows that write them."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING

from opcodes import instructions as ins
from opcodes.errors import CannotEncode
from opcodes.forms import LANDINGS, OPPOSITES, QUIET_JUMP, REQUIRED, SPELLINGS, Form, forms_of
from opcodes.instructions import Instruction

if TYPE_CHECKING:
    from opcodes.assemble import Assembler
    from opcodes.program import Program
    from opcodes.rows import Lifted


class Written:
    """One raw instruction to be written.

    `target` is the index of the instruction it jumps to (or, `over`, how many raw instructions it jumps
    over); `direction` how its argument counts.
    """

    __slots__ = ("arg", "direction", "index", "opname", "over", "target")

    def __init__(
        self, opname: str, arg: int, index: int, direction: str | None = None, target: int = -1, over: int = 0
    ) -> None:
        self.opname = opname
        self.arg = arg
        self.index = index
        self.direction = direction
        self.target = target
        self.over = over


class Writer:
    """Writes stretches of one Program.

    `borders` are the indexes that something jumps to, or where a region begins or ends: no opcode may be
    written across one. `landings` are those of them that FOR_ITER and SEND jump to.
    """

    def __init__(self, program: Program, assembler: Assembler, borders: set[int], landings: dict[int, str]) -> None:
        self.program = program
        self.instructions = program.instructions
        self.assembler = assembler
        self.forms = forms_of(program.table)
        self.borders = borders
        self.landings = landings

    def write(self, first: int, end: int) -> Iterator[Written]:
        """The raw instructions for the instructions first … end."""
        index = first
        while index < end:
            instruction = self.instructions[index]
            if index in self.landings:
                landed = yield from self._landing(index, end)
                if landed:
                    index += landed
                    continue
            if instruction.opname in self.forms.silent:
                index += 1
                continue
            index += yield from self._one(index, end)

    def _landing(self, index: int, end: int) -> Generator[Written, None, int]:
        """Writes the opcodes that FOR_ITER or SEND want where they jump to; returns how many instructions
        they stand for."""
        begin, comes_from = index, self.landings[index]
        for opname in LANDINGS[comes_from]:
            form = self.forms.special.get(opname)
            if form is None:
                continue
            if self._follows(form.sequence, index, end):
                yield from self._raw(form, 0, index, -1)
                index += len(form.sequence)
            elif opname in REQUIRED:
                raise CannotEncode(
                    f"{self.program.code.co_name}, instruction {index}: {comes_from} of CPython"
                    f" {self.program.table} jumps here, so {', '.join(form.sequence)} must stand here ({opname})"
                )
        return index - begin

    def _one(self, index: int, end: int) -> Generator[Written, None, int]:
        """Writes what begins at an index; returns how many instructions that was."""
        instruction = self.instructions[index]
        target = self._target(index)
        if instruction.opname == "JUMP" and QUIET_JUMP in self.forms.special and target <= index:
            if self.instructions[target].opname == "SEND":
                yield Written(QUIET_JUMP, 0, index, "backward", target)
                return 1
        for form in self.forms.by_first.get(instruction.opname, ()):
            size = len(form.sequence)
            if size > 1 and not self._follows(form.sequence, index, end):
                continue
            if form.row.jump is not None:
                target = max(map(self._target, range(index, index + size)))
                if target < 0 or form.row.jump == ("backward" if target > index else "forward"):
                    continue
            lifted = self._lift(form, self.instructions[index : index + size])
            if lifted is not None:
                yield from self._raw(form, lifted, index, target)
                return size
        yield from self._spelled(instruction, index, target)
        return 1

    def _spelled(self, instruction: Instruction, index: int, target: int) -> Iterator[Written]:
        """An instruction that no opcode says by itself."""
        opposite = OPPOSITES.get(instruction.opname)
        if opposite is not None and instruction.opname in self.forms.by_first and target <= index:
            form = self.forms.by_first[opposite.__name__][-1]
            yield Written(form.opname, 0, index, "forward", over=1)
            yield Written("JUMP_BACKWARD", 0, index, "backward", target)
            return
        spelling = SPELLINGS.get(instruction.opname)
        spelled = spelling(instruction) if spelling is not None else None
        if spelled is None:
            raise CannotEncode(
                f"{self.program.code.co_name}, instruction {index}: {instruction!r} has no opcode in CPython"
                f" {self.program.table}, nor is it made of others there; write what its compiler writes"
            )
        yield from _Spelled(self, spelled, index).write(0, len(spelled))

    def _follows(self, sequence: Sequence[str], index: int, end: int) -> bool:
        """Whether these instructions stand at index, with nothing that leads into their middle."""
        if index + len(sequence) > end:
            return False
        instructions, borders = self.instructions, self.borders
        for offset, opname in enumerate(sequence):
            if instructions[index + offset].opname != opname or (offset and index + offset in borders):
                return False
        return True

    def _lift(self, form: Form, instructions: Sequence[Instruction]) -> Lifted:
        assert form.row.lift is not None
        if form.implied:
            instructions = (_TO_BOOL, *instructions)
        return form.row.lift(self.assembler, instructions)

    def _raw(self, form: Form, lifted: Lifted, index: int, target: int) -> Iterator[Written]:
        if isinstance(lifted, list):
            for opname, arg in lifted:
                yield Written(opname, arg, index)
        elif form.row.jump is not None:
            yield Written(form.opname, 0, index, form.row.jump, target)
        else:
            assert lifted is not None
            yield Written(form.opname, lifted, index)

    def _target(self, index: int) -> int:
        """The index that an instruction jumps to, or speaks of; -1 if none."""
        instruction = self.instructions[index]
        for operand in ("target", "origin"):
            if operand in instruction.targets:
                target = getattr(instruction, operand)
                return -1 if target is None else int(target)
        return -1


class _Spelled(Writer):
    """Writes a spelling; all of it stands for the instruction at one index."""

    def __init__(self, writer: Writer, spelled: Sequence[Instruction], index: int) -> None:
        super().__init__(writer.program, writer.assembler, set(), {})
        self.instructions = tuple(spelled)
        self.origin, self.index = writer.instructions[index], index

    def write(self, first: int, end: int) -> Iterator[Written]:
        for written in super().write(first, end):
            written.index = self.index
            yield written

    def _spelled(self, instruction: Instruction, index: int, target: int) -> Iterator[Written]:
        """A spelling is not spelled again."""
        raise CannotEncode(
            f"{self.program.code.co_name}, instruction {self.index}: {self.origin!r} cannot be made of"
            f" {instruction!r} in CPython {self.program.table}, which has no opcode for that either"
        )


_TO_BOOL = ins.TO_BOOL()
