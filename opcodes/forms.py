"""How canonical instructions are written: the rows of a table, by the sequences they lower to.

Where a table has no opcode for an instruction by itself, it may be spelled out in others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from opcodes import instructions as ins
from opcodes.instructions import Instruction

if TYPE_CHECKING:
    from opcodes.rows import Row
    from opcodes.table import OpcodeTable


class Form(NamedTuple):
    """A sequence of canonical instructions (their names) and the opcode that one row writes it as.

    `implied`: the opcode makes its operand a bool itself; the sequence leaves TO_BOOL out, as its operand
    is one already.
    """

    sequence: tuple[str, ...]
    opname: str
    row: Row
    opcode: int
    #: bytes of inline caches
    caches: int
    #: the second of the sequence, if it has one
    second: str | None
    implied: bool = False


#: Opcodes that read like others and are for the interpreter's own use, or for one place only.
#: At the target of FOR_ITER and SEND, unless these pop themselves.
LANDINGS = {"FOR_ITER": ("END_FOR", "POP_ITER"), "SEND": ("END_SEND",)}
#: Back to the SEND of a `yield from` or `await`: an interrupt waits until the value has arrived.
QUIET_JUMP = "JUMP_BACKWARD_NO_INTERRUPT"
_ELSEWHERE = {"GEN_START", "NOT_TAKEN", QUIET_JUMP, *(name for names in LANDINGS.values() for name in names)}

#: Opcodes that say everything that others say for some operands only.
_LAST = {"LOAD_CONST", "LOAD_FAST"}

#: What the interpreter of some version does by itself, or by its exception table.
SILENT = frozenset({"RESUME", "SETUP_FINALLY", "POP_BLOCK", "MAKE_CELL", "COPY_FREE_VARS"})


class Forms:
    """The forms of one table.

    Attributes:
        by_first: name of a canonical instruction -> the forms that begin with it, the longest first.
        plain: those of instructions with one form, of one opcode that does not jump.
        special: the forms of opcodes with a place of their own, by opcode name.
        silent: instructions that are written as nothing.
    """

    def __init__(self, table: OpcodeTable) -> None:
        self.by_first: dict[str, list[Form]] = {}
        self.special: dict[str, Form] = {}
        for opname, row in table.rows.items():
            if row.lift is None:
                continue
            for sequence in dict.fromkeys(row.sequences):
                second = sequence[1] if len(sequence) > 1 else None
                form = Form(
                    sequence, opname, row, table.opmap[opname], 2 * table.caches.get(opname, 0), second
                )
                if opname in _ELSEWHERE:
                    self.special[opname] = form
                    continue
                self._add(form)
                if sequence[0] == "TO_BOOL" and len(sequence) == 2:
                    self._add(form._replace(sequence=sequence[1:], second=None, implied=True))
        for first, forms in self.by_first.items():
            forms.sort(key=lambda form: (-len(form.sequence), form.opname != form.sequence[0]))
            if first in _LAST:
                forms.sort(key=lambda form: (-len(form.sequence), form.opname == form.sequence[0]))
        self.plain = {
            first: forms[0]
            for first, forms in self.by_first.items()
            if len(forms) == 1
            and len(forms[0].sequence) == 1
            and not forms[0].implied
            and not forms[0].row.jump
        }
        self.silent = {name for name in SILENT if name not in self.by_first}

    def _add(self, form: Form) -> None:
        self.by_first.setdefault(form.sequence[0], []).append(form)


_forms: dict[tuple[int, int], tuple[OpcodeTable, Forms]] = {}


def forms_of(table: OpcodeTable) -> Forms:
    """The forms of a table, worked out once."""
    found = _forms.get(table.version)
    if found is None or found[0] is not table:
        found = _forms[table.version] = (table, Forms(table))
    return found[1]


# -- spelled out


def _to_bool(instruction: Instruction) -> list[Instruction]:
    return [ins.TO_BOOL(), ins.UNARY_NOT(), ins.TO_BOOL(), ins.UNARY_NOT()]


def _copy(instruction: Instruction) -> list[Instruction] | None:
    depth = instruction.depth  # type: ignore[attr-defined]
    if depth == 1:
        return None
    return [*(ins.ROTATE(depth) for _ in range(depth - 1)), ins.COPY(1), ins.ROTATE(depth + 1)]


def _swap(instruction: Instruction) -> list[Instruction] | None:
    depth = instruction.depth  # type: ignore[attr-defined]
    if depth == 2:
        return None
    return [ins.ROTATE(depth), *(ins.ROTATE(depth - 1) for _ in range(depth - 2))]


def _rotate(instruction: Instruction) -> list[Instruction]:
    return [ins.SWAP(depth) for depth in range(instruction.depth, 1, -1)]  # type: ignore[attr-defined]


def _call(instruction: Instruction) -> list[Instruction] | None:
    assert isinstance(instruction, ins.CALL)
    if not instruction.names:
        return None
    return [ins.LOAD_CONST(instruction.names), ins.CALL_KW(instruction.count, instruction.head)]


#: Instructions that say the same in others, for tables without an opcode for them.
SPELLINGS: dict[str, Callable[[Instruction], list[Instruction] | None]] = {
    "TO_BOOL": _to_bool,
    "COPY": _copy,
    "SWAP": _swap,
    "ROTATE": _rotate,
    "CALL": _call,
}

#: What jumps where the other does not.
OPPOSITES = {
    "POP_JUMP_IF_TRUE": "POP_JUMP_IF_FALSE",
    "POP_JUMP_IF_FALSE": "POP_JUMP_IF_TRUE",
    "POP_JUMP_IF_NONE": "POP_JUMP_IF_NOT_NONE",
    "POP_JUMP_IF_NOT_NONE": "POP_JUMP_IF_NONE",
}
