"""New canonical instructions as raw ones: the peephole that looks for the rows that write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from opcodes import instructions as ins
from opcodes.errors import CannotEncode
from opcodes.forms import LANDINGS, OPPOSITES, QUIET_JUMP, SPELLINGS, Form, forms_of
from opcodes.instructions import Instruction
from opcodes.layout import Piece
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from opcodes.assemble import Assembler
    from opcodes.program import Program
    from opcodes.rows import Lifted


class Writer:
    """Writes stretches of one Program.

    `borders` are the indexes that something jumps to, or where a region begins or ends: no opcode may be
    written across one. `landings` are those of them that a FOR_ITER or SEND jumps to.
    """

    def __init__(
        self, program: Program, assembler: Assembler, borders: set[int], landings: dict[int, Instruction]
    ) -> None:
        self.program = program
        self.instructions = program.instructions
        self.assembler = assembler
        self.table = program.table
        self.forms = forms_of(program.table)
        self.borders = borders
        self.landings = landings

    def write(self, first: int, end: int) -> list[Piece]:
        """The raw instructions for the instructions first … end."""
        pieces: list[Piece] = []
        instructions, landings, forms = self.instructions, self.landings, self.forms
        by_first, plain, silent, assembler = forms.by_first, forms.plain, forms.silent, self.assembler
        index = first
        while index < end:
            if index in landings:
                landed = self._land(pieces, index, end)
                if landed:
                    index += landed
                    continue
            instruction = instructions[index]
            opname = instruction.opname
            only = plain.get(opname)
            if only is not None:
                lifted = only.row.lift(assembler, (instruction,))  # type: ignore[misc]
                if isinstance(lifted, int):
                    pieces.append(Piece(only.opcode, lifted, index, only.caches))
                    index += 1
                    continue
            following = instructions[index + 1].opname if index + 1 < end else None
            for form in by_first.get(opname, ()):
                if form.second is not None and form.second != following:
                    continue
                written = self._try(form, index, end)
                if written is not None:
                    pieces += written
                    index += len(form.sequence)
                    break
            else:
                if opname not in silent:
                    pieces += self._spelled(instruction, index)
                index += 1
        return pieces

    def _try(self, form: Form, index: int, end: int) -> Sequence[Piece] | None:
        """What stands at an index written as a form, None if it is not of that form."""
        size = len(form.sequence)
        if size == 1:
            group: Sequence[Instruction] = (self.instructions[index],)
        elif self._follows(form.sequence, index, end):
            group = self.instructions[index : index + size]
        else:
            return None
        target = -1
        if form.row.jump is not None:
            target = max(map(target_of, group))
            if target < 0 or form.row.jump == ("backward" if target > index else "forward"):
                return None
        lift = form.row.lift
        assert lift is not None
        lifted = lift(self.assembler, (_TO_BOOL, *group) if form.implied else group)
        if isinstance(lifted, int):
            if form.row.jump is None:
                return (Piece(form.opcode, lifted, index, form.caches),)
            quiet = self.forms.special.get(QUIET_JUMP)
            if (
                quiet
                and group[0].opname == "JUMP"
                and target <= index
                and self.instructions[target].opname == "SEND"
            ):
                form = quiet
            return (Piece(form.opcode, 0, index, form.caches, form.row.jump, target),)
        return None if lifted is None else self._several(lifted, index)

    def _several(self, lifted: Lifted, index: int) -> list[Piece]:
        assert isinstance(lifted, list)
        opmap, caches = self.table.opmap, self.table.caches
        return [Piece(opmap[opname], arg, index, 2 * caches.get(opname, 0)) for opname, arg in lifted]

    def _land(self, pieces: list[Piece], index: int, end: int) -> int:
        """Writes the opcodes that FOR_ITER or SEND want where they jump to; returns how many instructions
        they stand for."""
        begin, comes_from = index, self.landings[index]
        if isinstance(comes_from, ins.FOR_ITER):
            popped = ("POP_TOP",) * (1 + comes_from.slots)
            if not self._follows(popped, index, end):
                raise CannotEncode(
                    f"{self.program.code.co_name}, instruction {index}: FOR_ITER of CPython {self.table}"
                    f" jumps here, so here must stand {', '.join(popped)}, which it skips"
                )
        for opname in LANDINGS[comes_from.opname]:
            form = self.forms.special.get(opname)
            if form is not None and self._follows(form.sequence, index, end):
                pieces.append(Piece(form.opcode, 0, index, form.caches))
                index += len(form.sequence)
        return index - begin

    def _spelled(self, instruction: Instruction, index: int) -> list[Piece]:
        """An instruction that no opcode says by itself, in others."""
        target = target_of(instruction)
        opposite = OPPOSITES.get(instruction.opname)
        if opposite is not None and 0 <= target <= index:
            form = next(
                (form for form in self.forms.by_first.get(opposite, ()) if form.sequence == (opposite,)), None
            )
            back = next((form for form in self.forms.by_first["JUMP"] if form.row.jump == "backward"), None)
            if form is not None and back is not None:
                over = Piece(form.opcode, 0, index, form.caches, "forward")
                over.over = 1
                return [over, Piece(back.opcode, 0, index, back.caches, "backward", target)]
        spelling = SPELLINGS.get(instruction.opname)
        spelled = spelling(instruction) if spelling is not None else None
        if spelled is None:
            raise CannotEncode(
                f"{self.program.code.co_name}, instruction {index}: {instruction!r} has no opcode in CPython"
                f" {self.table}, nor is it made of others there; write what its compiler writes"
            )
        return _Spelled(self, spelled, index).write(0, len(spelled))

    def _follows(self, sequence: Sequence[str], index: int, end: int) -> bool:
        """Whether these instructions stand at index, with nothing that leads into their middle."""
        if index + len(sequence) > end:
            return False
        instructions, borders = self.instructions, self.borders
        for at, opname in enumerate(sequence, index):
            if instructions[at].opname != opname or (at > index and at in borders):
                return False
        return True


class _Spelled(Writer):
    """Writes a spelling; all of it stands for the instruction at one index."""

    def __init__(self, writer: Writer, spelled: Sequence[Instruction], index: int) -> None:
        super().__init__(writer.program, writer.assembler, set(), {})
        self.instructions = tuple(spelled)
        self.origin, self.index = writer.instructions[index], index

    def write(self, first: int, end: int) -> list[Piece]:
        pieces = super().write(first, end)
        for piece in pieces:
            piece.index = self.index
        return pieces

    def _spelled(self, instruction: Instruction, index: int) -> list[Piece]:
        """A spelling is not spelled again."""
        raise CannotEncode(
            f"{self.program.code.co_name}, instruction {self.index}: {self.origin!r} cannot be made of"
            f" {instruction!r} in CPython {self.table}, which has no opcode for that either"
        )


def target_of(instruction: Instruction) -> int:
    """The index that an instruction jumps to, or speaks of; -1 if none."""
    for operand in instruction.targets:
        if operand != "end":
            target = getattr(instruction, operand)
            return -1 if target is None else int(target)
    return -1


_TO_BOOL = ins.TO_BOOL()
