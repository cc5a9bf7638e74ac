"""Rows that see more than their own argument: calls, formatting, iteration, generators, blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from opcodes import instructions as ins
from opcodes.instructions import Instruction
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.rows import Lifted, Row, fixed, flagged, indexed, sequence

if TYPE_CHECKING:
    from opcodes.assemble import Assembler
    from opcodes.lowering import Lowering

_new = object.__new__

#: CPython's names for FORMAT_VALUE, CONVERT_VALUE and BUILD_INTERPOLATION's conversions
CONVERSIONS = (None, "str", "repr", "ascii")


# -- calls


def call(head: int, before: str | None = None, *, names: bool = False) -> Row:
    """CALL with its head; `before` is an opcode that must be written with it (3.11's PRECALL), `names`
    says that KW_NAMES goes before both (3.11, 3.12)."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.CALL)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.count = arg
        instruction.head = head
        instruction.names = lowering.kw_names
        if lowering.kw_names:
            lowering.kw_names = ()
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (call,) = instructions
        assert isinstance(call, ins.CALL)
        if call.head != head or (call.names and not names):
            return None
        if before is None and not call.names:
            return call.count
        parts = [("KW_NAMES", assembler.constant(call.names))] if call.names else []
        parts += [(before, call.count)] if before else []
        return [*parts, ("CALL", call.count)]

    return Row((("CALL",),), lower, lift)


def kw_names() -> Row:
    """KW_NAMES: the names of the next CALL's last arguments."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        lowering.kw_names = lowering.consts[arg]

    return Row(((),), lower)


def call_function_ex(head: int, *, keywords_always: bool) -> Row:
    """CALL_FUNCTION_EX: keywords by bit 0, or always a slot for them (3.14+)."""

    def row(keywords: bool) -> Row:
        return fixed(ins.CALL_FUNCTION_EX, head=head, keywords=keywords)

    return row(True) if keywords_always else flagged(clear=row(False), set=row(True))


def dict_merge(callable_distance: int) -> Row:
    """DICT_MERGE; the callable stands `callable_distance` further from the top than the dict."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.DICT_MERGE)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.depth = arg
        instruction.callable_depth = arg + callable_distance
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (merge,) = instructions
        assert isinstance(merge, ins.DICT_MERGE)
        return merge.depth

    return Row((("DICT_MERGE",),), lower, lift)


# -- operators


def compare(shift: int, masks: Sequence[int] = (0,) * 6) -> Row:
    """COMPARE_OP: the operator above `shift` bits; below stands the mask that the specialised forms
    look at (3.12+, `compare_masks` in CPython's compile.c), written as the compiler does."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        operators = lowering.table.compare_operators
        if arg >> shift >= len(operators):
            raise lowering.bad(at, "there is no such comparison")
        instruction = _new(ins.COMPARE_OP)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.operator = operators[arg >> shift]
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (comparison,) = instructions
        assert isinstance(comparison, ins.COMPARE_OP)
        index = assembler.table.compare_operators.index(comparison.operator)
        return index << shift | masks[index]

    return Row((("COMPARE_OP",),), lower, lift)


# -- formatting


def format_value() -> Row:
    """FORMAT_VALUE (to 3.12): the spec is evaluated before the conversion is made."""
    swap, simple, spec = fixed(ins.SWAP, depth=2), fixed(ins.FORMAT_SIMPLE), fixed(ins.FORMAT_WITH_SPEC)
    forms: dict[int, Row] = {0: simple, 4: spec}
    for number in (1, 2, 3):
        convert = fixed(ins.CONVERT_VALUE, conversion=CONVERSIONS[number])
        forms[number] = sequence(convert, simple)
        forms[4 + number] = sequence(swap, convert, swap, spec)

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        forms[arg & 7].lower(lowering, at, arg)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        names = tuple(instruction.opname for instruction in instructions)
        for number, form in forms.items():
            if names in form.sequences and form.lift and form.lift(assembler, instructions) is not None:
                return number
        return None

    return Row(tuple(row.sequences[0] for row in forms.values()), lower, lift)


def build_interpolation() -> Row:
    """BUILD_INTERPOLATION: bit 0 a spec is there, bit 1 always set, the conversion above."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.BUILD_INTERPOLATION)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.conversion = (None, "s", "r", "a")[arg >> 2 & 3]
        instruction.spec = bool(arg & 1)
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (interpolation,) = instructions
        assert isinstance(interpolation, ins.BUILD_INTERPOLATION)
        return (None, "s", "r", "a").index(interpolation.conversion) << 2 | 2 | interpolation.spec

    return Row((("BUILD_INTERPOLATION",),), lower, lift)


def unpack_ex() -> Row:
    """UNPACK_EX: names before the starred one in the low byte, after it above."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.UNPACK_EX)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.before = arg & 255
        instruction.after = arg >> 8
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (unpack,) = instructions
        assert isinstance(unpack, ins.UNPACK_EX)
        return unpack.after << 8 | unpack.before

    return Row((("UNPACK_EX",),), lower, lift)


def import_name(modes: Sequence[str]) -> Row:
    """IMPORT_NAME of 3.15: the mode in two bits, the name above."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        if arg & 3 >= len(modes):
            raise lowering.bad(at, "there is no such mode of import")
        instruction = _new(ins.IMPORT_NAME)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.name = lowering.names[arg >> 2]
        instruction.mode = modes[arg & 3]
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (statement,) = instructions
        assert isinstance(statement, ins.IMPORT_NAME)
        return assembler.name(statement.name) << 2 | modes.index(statement.mode)

    return Row((("IMPORT_NAME",),), lower, lift)


# -- iteration and generators


def yield_value(*, delegates: bool = True, ends: bool = False, depth: int = 2, argument: str = "") -> Row:
    """YIELD_VALUE. It belongs to a `yield from` or `await` when the RESUME after it says so; the receiver
    is then `depth` slots from the top. `ends`: a receiver that ends inside throw() sends control to where
    the loop's SEND goes (3.11). 3.10 has YIELD_FROM for that, and wraps an async generator's values here.

    `argument`: "depth" of exception handlers (3.12; at 1, close() need not run the generator, at more it
    does), or "delegation", 1 if there is a receiver (3.13+)."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.YIELD_VALUE)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.receiver = 0
        instruction.wraps = False
        instruction.end = None
        if delegates:
            resume = lowering.resumes_with(at, lowering.table.opmap["RESUME"])
            if resume is not None and resume & 3 >= 2:
                instruction.receiver = depth
                if ends:
                    instruction.end = _end_of_send(lowering, at)
                    lowering.jumps.append((instruction, "end"))
        else:
            instruction.wraps = bool(lowering.code.co_flags & 0x200)
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        if argument == "depth":
            return 2
        return int(argument == "delegation" and instructions[0].receiver > 0)  # type: ignore[attr-defined]

    return Row((("YIELD_VALUE",),), lower, lift)


def _end_of_send(lowering: Lowering, at: int) -> int:
    for instruction in reversed(lowering.out):
        if isinstance(instruction, ins.SEND):
            assert isinstance(instruction.target, int)
            return instruction.target
    raise lowering.bad(at, "it yields from something, and no SEND stands before it")


def yield_from() -> Row:
    """3.10's YIELD_FROM: L: SEND E; YIELD_VALUE; JUMP L; E:"""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        loop = len(lowering.out)
        send = _new(ins.SEND)
        end = lowering.end(at)
        send.target, send.depth, send.pops = end, 2, True
        value = _new(ins.YIELD_VALUE)
        value.receiver, value.wraps, value.end = 2, False, end
        back = _new(ins.JUMP)
        back.target = loop
        for instruction in (send, value, back):
            instruction._raws, instruction._at = lowering.raws, at
        lowering.out += (send, value, back)
        lowering.jumps += ((send, "target"), (value, "end"))

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        return 0

    return Row((("SEND", "YIELD_VALUE", "JUMP"),), lower, lift)


def get_awaitable_by_neighbours() -> Row:
    """3.10's GET_AWAITABLE: whose result it awaits shows in what stands before it."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.GET_AWAITABLE)
        instruction._raws = lowering.raws
        instruction._at = at
        before = lowering.before(2)
        instruction.after = ""
        if before[:1] == ["BEFORE_ASYNC_WITH"]:
            instruction.after = "__aenter__"
        elif before[:1] == ["WITH_EXCEPT_START"] or before == ["CALL_FUNCTION", "DUP_TOP"]:
            instruction.after = "__aexit__"
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        return 0

    return Row((("GET_AWAITABLE",),), lower, lift)


def resume(mask: int, points: Sequence[str | None]) -> Row:
    """RESUME; bits above `mask` speak of the exception depth, for the interpreter alone."""
    by_point = indexed(ins.RESUME, "point", points)

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        by_point.lower(lowering, at, arg & mask)

    return Row((("RESUME",),), lower, by_point.lift)


def end_async_for() -> Row:
    """END_ASYNC_FOR of 3.14+: the argument points back at the loop's SEND and is for events only."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.END_ASYNC_FOR)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.slots = 2
        instruction.origin = lowering.end(at) - 2 * arg
        lowering.jumps.append((instruction, "origin"))
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        return 0

    return Row((("END_ASYNC_FOR",),), lower, lift, jump="backward")


# -- functions


def make_function(*, qualname: bool) -> Row:
    """MAKE_FUNCTION with flags for what is on the stack (to 3.12)."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.MAKE_FUNCTION)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.flags = arg
        instruction.qualname = qualname
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (make,) = instructions
        assert isinstance(make, ins.MAKE_FUNCTION)
        return make.flags if make.qualname == qualname else None

    return Row((("MAKE_FUNCTION",),), lower, lift)


def load_closure() -> Row:
    """LOAD_CLOSURE (to 3.12): the slot holds the cell, so it is LOAD_FAST of the slot."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.LOAD_FAST)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.slot = lowering.deref_slots[arg]
        instruction.name = lowering.localsplus[instruction.slot]
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        return assembler.deref(instructions[0])

    return Row((("LOAD_FAST",),), lower, lift)


def const_key_map() -> Row:
    """BUILD_CONST_KEY_MAP (to 3.13)."""
    from opcodes.rows import counted

    return counted(ins.BUILD_CONST_KEY_MAP, "count")


def binary(operators: Sequence[str]) -> dict[str, Any]:
    """The row of BINARY_OP and the operators it is for, as `evolve` takes them."""
    return {"BINARY_OP": indexed(ins.BINARY_OP, "operator", operators)}
