"""What each stack slot holds before each instruction: an abstract run over the control flow.

A slot is known by its kind: "value", "null", "self_or_null", "value_or_null", "index" (3.15's tagged
index, or NULL, beside an iterator), "lasti" or "previous" (the exception handled before this one). The kinds
come from the names in the stack effects: a slot that goes in and comes out by the same name keeps its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from opcodes.effects import Effect
from opcodes.errors import BadBytecode
from opcodes.instructions import Instruction
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from opcodes.program import Program, Region
    from opcodes.table import OpcodeTable

Stack = tuple[str, ...]
#: slots taken; the kinds of those left, or (is there one of the taken among them?) for each its kind or
#: the number of the taken slot that it was
Plan = tuple[int, tuple[str | int, ...], bool]
#: of falling through, and of jumping
Plans = tuple[Plan, Plan | None]

KINDS = frozenset({"null", "self_or_null", "value_or_null", "index", "lasti", "previous"})
#: after these control does not go on to the next instruction
ENDS = frozenset({"JUMP", "RETURN_VALUE", "RERAISE", "RAISE_VARARGS"})
#: their jump is to a handler: its region says what that finds
SETS_UP = frozenset({"SETUP_FINALLY", "SETUP_WITH"})
#: the pair that a method is loaded as, where the NULL is the lower of the two
NULL_BELOW: Stack = ("value_or_null", "value")
PAIR = ("callable", "self_or_null")


def stack_slots(program: Program) -> tuple[Stack | None, ...]:
    """The kinds of the slots before each instruction, bottom to top; None: control never comes there."""
    return tuple(_Run(program).run())


class _Run:
    """One abstract run of a Program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.plans = _plans[not null_above(program.table)]
        self.found: list[Stack | None] = [None] * len(program)
        self.work: list[tuple[int, Stack]] = [(0, ())]

    def run(self) -> list[Stack | None]:
        """Follows every way from the first instruction until nothing changes any more."""
        instructions, handlers, found = self.program.instructions, self.program.handlers, self.found
        work, plans, end = self.work, self.plans, len(self.program)
        while work:
            index, stack = work.pop()
            while index < end:
                before = found[index]
                if before is not None:
                    if before == stack:
                        break
                    stack = self.joined(index, before, stack)
                    if before == stack:
                        break
                found[index] = stack
                instruction = instructions[index]
                handler = handlers[index]
                # Where the stack is shallower than the handler wants it, nothing is ever raised.
                if handler is not None and handler.depth <= len(stack):
                    work.append((handler.target, stack[: handler.depth] + handler_values(handler)))
                fall, jump = plans[type(instruction)](instruction)
                if jump is not None:
                    work.append((instruction.target, self.after(jump, stack, index)))  # type: ignore[attr-defined]
                if instruction.opname in ENDS:
                    break
                stack = self.after(fall, stack, index)
                index += 1
            else:
                raise BadBytecode(f"{self.place(end - 1)}: control runs off the end of the bytecode after it")
        return found

    def place(self, index: int) -> str:
        """An instruction, as errors call it."""
        instruction = self.program[index]
        code = self.program.code
        line = instruction.raw.line if instruction.raw is not None else code.co_firstlineno
        return f"{code.co_filename}:{line}, in {code.co_name}, instruction {index}, {instruction!r}"

    def joined(self, index: int, before: Stack, stack: Stack) -> Stack:
        """The stack of an instruction that control comes to on two ways."""
        if len(before) != len(stack):
            raise BadBytecode(
                f"{self.place(index)}: the stack is {len(before)} deep on one way and {len(stack)} on another"
            )
        return tuple(map(joined, before, stack))

    def after(self, plan: Plan, stack: Stack, index: int) -> Stack:
        """The stack after an instruction, on one way out."""
        taken, left, moves = plan
        rest = len(stack) - taken
        if rest < 0:
            raise BadBytecode(f"{self.place(index)}: it takes {taken} slots from a stack of {len(stack)}")
        if not moves:
            return stack[:rest] + left  # type: ignore[operator]
        return stack[:rest] + tuple([stack[rest + kind] if type(kind) is int else kind for kind in left])  # type: ignore[misc]


def handler_values(region: Region) -> Stack:
    """The kinds of what a handler finds above the depth of its region."""
    if region.lasti:
        return ("lasti", "value")
    if region.entry_values == 1:
        return ("value",)
    return ("previous",) * 3 + ("value",) * 3


def null_above(table: OpcodeTable) -> bool:
    """Whether the NULL of a pair stands above the callable: as LOAD_GLOBAL's does."""
    return ("LOAD_GLOBAL", "PUSH_NULL") in table.rows["LOAD_GLOBAL"].sequences


class _Plans(dict[type[Instruction], "Callable[[Instruction], Plans]"]):
    """For each class of instructions the function that gives an instruction's plans."""

    def __init__(self, null_below: bool) -> None:
        super().__init__()
        self.null_below = null_below

    def __missing__(self, cls: type[Instruction]) -> Callable[[Instruction], Plans]:
        """Where no size depends on an operand the plans are the same for all; else for equal operands."""
        effects, null_below = cls.effects(), self.null_below
        ways = [effects.fall]
        if effects.jump is not None and cls.opname not in SETS_UP:
            ways.append(effects.jump)
        entries = [slots for effect in ways for slots in (*effect.inputs, *effect.outputs)]
        over = tuple(name for name in cls.operands if any(name in slots.size for slots in entries))
        known: dict[Any, Plans] = {}

        def plans(instruction: Instruction) -> Plans:
            found = [_plan(effect, instruction, null_below) for effect in ways]
            return found[0], found[1] if len(found) > 1 else None

        def of_operands(instruction: Instruction) -> Plans:
            key = values_of(instruction)
            found = known.get(key)
            if found is None:
                found = known[key] = plans(instruction)
            return found

        def of_all(instruction: Instruction) -> Plans:
            return fixed

        if over:
            values_of = attrgetter(*over)
            self[cls] = of_operands
        else:
            fixed = plans(cls.__new__(cls))
            self[cls] = of_all
        return self[cls]


#: by whether the NULL of a pair is the lower of the two
_plans = {below: _Plans(below) for below in (False, True)}


def _plan(effect: Effect, instruction: Instruction, null_below: bool) -> Plan:
    taken = 0
    number_of: dict[str, int] = {}
    for slots in effect.inputs:
        number_of[slots.name] = taken
        taken += slots.count(instruction)
    if null_below and tuple(slots.name for slots in effect.outputs) == PAIR:
        return taken, NULL_BELOW, False
    left: list[str | int] = []
    for slots in effect.outputs:
        first = number_of.get(slots.name)
        for each in range(slots.count(instruction)):
            if first is not None:
                left.append(first + each)
            else:
                left.append(slots.name if slots.name in KINDS else "value")
    return taken, tuple(left), any(isinstance(kind, int) for kind in left)


def joined(one: str, other: str) -> str:
    """The kind of a slot that holds one or the other."""
    if one == other:
        return one
    if {one, other} == {"index", "null"}:
        return "index"
    return "value_or_null"
