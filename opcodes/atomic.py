"""Where nothing may stand between two instructions, because the interpreter looks at its neighbours.

Found in CPython's sources, and by putting a NOP everywhere and running its tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opcodes.forms import Form, forms_of
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.program import PROLOGUE, Raw

if TYPE_CHECKING:
    from opcodes.instructions import Instruction
    from opcodes.program import Program
    from opcodes.table import OpcodeTable

#: nothing before these, whatever stands there
_NEVER_BEFORE = {
    "END_FOR": "FOR_ITER skips the instruction it jumps to, which must be END_FOR",
    "END_ASYNC_FOR": "as the start of a handler it alone begins no line",
    "NOT_TAKEN": "its event names the instruction before it",
}
#: nothing between these two
_PAIRS = {
    ("YIELD_VALUE", "RESUME"): "the interpreter looks for the RESUME after a YIELD_VALUE",
    ("SEND", "YIELD_VALUE"): "throw() looks for the SEND before a YIELD_VALUE",
    ("ROT_FOUR", "POP_EXCEPT"): "an exception in between would find the stack out of order",
    ("LOAD_SPECIAL", "CALL"): "no interrupt may come between __enter__ and the block of a with",
    ("GET_ITER", "CALL_FUNCTION"): "setting f_lineno takes what is not called at once for a loop",
    ("GET_AITER", "CALL_FUNCTION"): "setting f_lineno takes what is not called at once for a loop",
    ("END_FOR", "POP_TOP"): "FOR_ITER skips both",
    ("END_FOR", "POP_ITER"): "its event names the instruction before it",
}
#: 3.10 tells from what stands before GET_AWAITABLE what it awaits; two instructions back after a call
_AWAITS = ("BEFORE_ASYNC_WITH", "WITH_EXCEPT_START", "CALL_FUNCTION")
_AWAITED = "GET_AWAITABLE looks at what stands before it"


def is_atomic(program: Program, index: int) -> bool:
    """Whether nothing may be put in before this instruction."""
    return reason(program, index) is not None


def reason(program: Program, index: int) -> str | None:
    """Why nothing may be put in before an instruction, None if something may."""
    instructions = program.instructions
    if not 0 <= index < len(instructions):
        return f"there is no such instruction, of {len(instructions)}"
    raw = instructions[index].raw
    before = instructions[index - 1].raw if index else None
    if raw is None:
        return None
    if raw is PROLOGUE:
        return f"CPython {program.table} does this before the first instruction"
    if raw is before:
        return None if _divides(program, index, raw) else f"{raw.opname} is one instruction"
    if raw.opname in _NEVER_BEFORE:
        return _NEVER_BEFORE[raw.opname]
    if before is None:
        return None
    if raw.opname == "FOR_ITER" and "END_FOR" in program.table.rows:
        return (
            "where it begins no line it is specialised under tracing, and a generator that ends is an event"
        )
    if raw.opname == "GET_AWAITABLE" and raw.arg is None and before.opname in _AWAITS:
        return _AWAITED
    if (before.opname, raw.opname) == ("DUP_TOP", "CALL_FUNCTION") and index + 1 < len(instructions):
        following = instructions[index + 1].raw
        return _AWAITED if following is not None and following.opname == "GET_AWAITABLE" else None
    return _PAIRS.get((before.opname, raw.opname))


def _divides(program: Program, index: int, raw: Raw) -> bool:
    """Whether each part of a raw instruction has an opcode of its own, so that they can be parted."""
    forms = forms_of(program.table)
    if raw.opname in forms.special:
        return False
    row = program.table.rows[raw.opname]
    if row.jump is not None:
        return False
    first = index
    while program.instructions[first - 1].raw is raw:
        first -= 1
    agreeing = _Agreeing(program.table)

    def lifts(form: Form, part: Instruction) -> bool:
        return form.row.lift is not None and form.row.lift(agreeing, (part,)) is not None  # type: ignore[arg-type]

    parts = []
    while first < len(program) and program.instructions[first].raw is raw:
        parts.append(program.instructions[first])
        first += 1
    return all(
        any(
            form.sequence == (part.opname,) and not form.implied and lifts(form, part)
            for form in forms.by_first.get(part.opname, ())
        )
        for part in parts
    )


class _Agreeing:
    """Stands in for an Assembler where only the kind of the operands matters."""

    def __init__(self, table: OpcodeTable) -> None:
        self.table = table

    def _zero(self, asked: object) -> int:
        return 0

    constant = name = local = deref = _zero
