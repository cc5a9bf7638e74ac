"""The kinds of rows an opcode table is made of: how one opcode lowers, and how it is written.

A row's `lower(lowering, at, arg)` appends the canonical instructions of one raw instruction;
`lift(assembler, instructions)` is its inverse: the argument for canonical instructions that follow one
of the row's `sequences`, None if their operands do not fit it, or a list of (opname, argument) where
several raw instructions are needed. A row without `lift` is read and never written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Union

from opcodes import instructions as ins
from opcodes.instructions import Instruction
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from opcodes.assemble import Assembler
    from opcodes.lowering import Lowering

Lower = Callable[["Lowering", int, int], None]
Lifted = Union[int, "list[tuple[str, int]]", None]
Lift = Callable[["Assembler", Sequence[Instruction]], Lifted]

_new = object.__new__


class Row:
    """One opcode of one version.

    Attributes:
        sequences: each sequence of canonical instructions (names) that it can lower to.
        lower, lift: see the module.
        jump: "forward", "backward" or "absolute" for an opcode whose argument is a jump target.
    """

    __slots__ = ("constant", "jump", "lift", "lower", "sequences")

    def __init__(
        self,
        sequences: tuple[tuple[str, ...], ...],
        lower: Lower,
        lift: Lift | None = None,
        *,
        jump: str | None = None,
        constant: bool = False,
    ) -> None:
        self.sequences = sequences
        self.lower = lower
        self.lift = lift
        self.jump = jump
        #: whether it says the same for every argument
        self.constant = constant


def _same(operand: Any, value: Any) -> bool:
    """Whether an operand has this value. One may be a user's constant: its `==` is not asked."""
    return operand is value or (
        type(operand) in (int, str) and type(value) is type(operand) and operand == value
    )


def fixed(cls: type[Instruction], **operands: Any) -> Row:
    """An instruction that does not depend on the argument."""
    items = tuple(operands.items())

    def lower_plain(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(cls)
        instruction._raws = lowering.raws
        instruction._at = at
        lowering.append(instruction)

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(cls)
        instruction._raws = lowering.raws
        instruction._at = at
        for operand, value in items:
            setattr(instruction, operand, value)
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        for operand, value in items:
            if not _same(getattr(instructions[0], operand), value):
                return None
        return 0

    return Row(((cls.opname,),), lower if items else lower_plain, lift, constant=True)


def counted(cls: type[Instruction], operand: str, **operands: Any) -> Row:
    """An instruction with one operand that is the argument itself."""
    items = tuple(operands.items())

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(cls)
        instruction._raws = lowering.raws
        instruction._at = at
        setattr(instruction, operand, arg)
        for name, value in items:
            setattr(instruction, name, value)
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (instruction,) = instructions
        fits = not items or all(getattr(instruction, name) == value for name, value in items)
        return int(getattr(instruction, operand)) if fits else None

    return Row(((cls.opname,),), lower, lift)


def indexed(cls: type[Instruction], operand: str, values: Sequence[Any], **operands: Any) -> Row:
    """An instruction whose operand is looked up in a fixed sequence; None marks numbers not used."""
    items = tuple(operands.items())

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(cls)
        instruction._raws = lowering.raws
        instruction._at = at
        value = values[arg] if arg < len(values) else None
        if value is None:
            raise lowering.bad(at, f"there is no {operand} number {arg}")
        setattr(instruction, operand, value)
        for name, constant in items:
            setattr(instruction, name, constant)
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        value = getattr(instructions[0], operand)
        fits = value in values and all(getattr(instructions[0], name) == each for name, each in items)
        return values.index(value) if fits else None

    return Row(((cls.opname,),), lower, lift)


def named(cls: type[Instruction], **operands: Any) -> Row:
    """An instruction with a name of co_names."""
    items = tuple(operands.items())

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(cls)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.name = lowering.names[arg]  # type: ignore[attr-defined]
        for operand, value in items:
            setattr(instruction, operand, value)
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        (instruction,) = instructions
        fits = not items or all(getattr(instruction, operand) == value for operand, value in items)
        return assembler.name(instruction.name) if fits else None  # type: ignore[attr-defined]

    return Row(((cls.opname,),), lower, lift)


def local(cls: type[Instruction], *also: type[Instruction]) -> Row:
    """An instruction on a slot of localsplus, by number. It also writes the classes in `also`."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(cls)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.slot = arg  # type: ignore[attr-defined]
        instruction.name = lowering.localsplus[arg]  # type: ignore[attr-defined]
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        return assembler.local(instructions[0])

    return Row(tuple((each.opname,) for each in (cls, *also)), lower, lift)


def deref(cls: type[Instruction]) -> Row:
    """An instruction on the slot of a cell or free variable, in the numbering of the version."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(cls)
        instruction._raws = lowering.raws
        instruction._at = at
        slot = lowering.deref_slots[arg]
        instruction.slot = slot  # type: ignore[attr-defined]
        instruction.name = lowering.localsplus[slot]  # type: ignore[attr-defined]
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        return assembler.deref(instructions[0])

    return Row(((cls.opname,),), lower, lift)


def local_pair(first: type[Instruction], second: type[Instruction]) -> Row:
    """Two instructions on slots, their numbers packed in four bits each (3.13+). Never written."""
    high, low = local(first).lower, local(second).lower

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        high(lowering, at, arg >> 4)
        low(lowering, at, arg & 15)

    return Row(((first.opname, second.opname),), lower)


def constant() -> Row:
    """LOAD_CONST of co_consts."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.LOAD_CONST)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.value = lowering.consts[arg]
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        return assembler.constant(instructions[0].value)  # type: ignore[attr-defined]

    return Row((("LOAD_CONST",),), lower, lift)


def constant_of(values: Sequence[Any]) -> Row:
    """LOAD_CONST of a constant the interpreter itself holds."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        if arg >= len(values):
            raise lowering.bad(at, f"there is no common constant number {arg}")
        instruction = _new(ins.LOAD_CONST)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.value = values[arg]
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        value = instructions[0].value  # type: ignore[attr-defined]
        return next((number for number, each in enumerate(values) if each is value), None)

    return Row((("LOAD_CONST",),), lower, lift)


def small_int() -> Row:
    """LOAD_CONST of the argument."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(ins.LOAD_CONST)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.value = arg
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        value = instructions[0].value  # type: ignore[attr-defined]
        return value if type(value) is int and 0 <= value < 256 else None

    return Row((("LOAD_CONST",),), lower, lift)


def jump(cls: type[Instruction], direction: str, **operands: Any) -> Row:
    """An instruction that may jump; `direction` says how the argument counts. Lifts to 0: the
    assembler knows the distance."""
    items = tuple(operands.items())

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        instruction = _new(cls)
        instruction._raws = lowering.raws
        instruction._at = at
        instruction.target = lowering.jump_offset(at, arg, direction)  # type: ignore[attr-defined]
        for operand, value in items:
            setattr(instruction, operand, value)
        lowering.jumps.append((instruction, "target"))
        lowering.append(instruction)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        fits = not items or all(getattr(instructions[0], operand) == value for operand, value in items)
        return 0 if fits else None

    return Row(((cls.opname,),), lower, lift, jump=direction)


def sequence(*rows: Row) -> Row:
    """One opcode that lowers to what these rows lower to, one after the other."""
    lowers = tuple(row.lower for row in rows)
    names = tuple(row.sequences[0][0] for row in rows)
    jumps = [row.jump for row in rows if row.jump]

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        for each in lowers:
            each(lowering, at, arg)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        found = 0
        for row, instruction in zip(rows, instructions):
            arg = row.lift(assembler, (instruction,)) if row.lift is not None else None
            if not isinstance(arg, int):
                return None
            if not row.constant:
                found = arg
        return found

    constant = all(row.constant for row in rows)
    return Row((names,), lower, lift, jump=jumps[0] if jumps else None, constant=constant)


def flagged(*, clear: Row, set: Row, bit: int = 1, shift: int = 1) -> Row:
    """One row or the other by a bit of the argument, which is shifted out of it (or not: shift=0)."""
    lower_clear, lower_set = clear.lower, set.lower

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        (lower_set if arg & bit else lower_clear)(lowering, at, arg >> shift)

    def lift(assembler: Assembler, instructions: Sequence[Instruction]) -> Lifted:
        names = tuple(instruction.opname for instruction in instructions)
        for row, flag in ((clear, 0), (set, bit)):
            if names in row.sequences and row.lift is not None:
                arg = row.lift(assembler, instructions)
                if isinstance(arg, int):
                    return arg << shift | flag
        return None

    return Row(clear.sequences + set.sequences, lower, lift)


def nothing() -> Row:
    """An opcode without meaning of its own. Never written."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        pass

    return Row(((),), lower)


def never() -> Row:
    """An opcode that no code object has: the interpreter writes it into its own copies only."""

    def lower(lowering: Lowering, at: int, arg: int) -> None:
        raise lowering.bad(at, "the interpreter alone writes it")

    return Row((), lower)
