"""What a Program must be before it is run, where no compiler of ours vouches for it.

CPython believes its code objects. The machine holds every depth and operand against what is there instead:
what it is handed from a file cannot make it read another frame's values, or ask the host for the impossible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from opcodes.errors import BadBytecode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import BadProgram
from translator.frames import GENERATES

if TYPE_CHECKING:
    from opcodes.program import Program

#: operands that count slots, or say how far down one is
COUNTS = ("count", "depth", "before", "after", "receiver", "exit", "exception", "callable_depth")
#: of these the slot must be there before the instruction, though its effect does not name it
DEPTHS = ("receiver", "exit", "exception", "callable_depth")
#: those that are no number of slots of the stack
OTHER_COUNTS = frozenset({"COPY_FREE_VARS", "MATCH_CLASS", "GET_AWAITABLE"})
#: by how much a step of a lowering may be deeper than the code object says
SPARE = 2
CELLS = frozenset({"LOAD_DEREF", "STORE_DEREF", "DELETE_DEREF", "LOAD_FROM_DICT_OR_DEREF"})


def verify(program: Program) -> None:
    """Nothing if the Program can be carried out; BadProgram or BadBytecode, which name the instruction."""
    sizes(program)
    variables(program)
    prologue(program)
    deepest, where = 0, 0
    for index, (instruction, slots) in enumerate(zip(program, program.stack)):
        if slots is None:
            continue
        if len(slots) > deepest:
            deepest, where = len(slots), index
        for name in DEPTHS:
            if name in instruction.operands and getattr(instruction, name) > len(slots):
                bad(program, index, f"reaches below the {len(slots)} slots of the stack")
    if deepest > program.code.co_stacksize + SPARE:
        bad(
            program,
            where,
            f"the stack is {deepest} deep before it, and the code object says"
            f" {program.code.co_stacksize} at most",
        )


def sizes(program: Program) -> None:
    """No count of slots is beyond what the code object says of its stack."""
    most = program.code.co_stacksize + SPARE
    for index, instruction in enumerate(program):
        if instruction.opname in OTHER_COUNTS:
            continue
        for name in COUNTS:
            if name in instruction.operands and getattr(instruction, name) > most:
                bad(
                    program, index, f"speaks of more slots than the {most} that the code object says it needs"
                )
        names = getattr(instruction, "names", ())
        if len(names) > getattr(instruction, "count", 0):
            bad(program, index, "names more arguments than there are")


def variables(program: Program) -> None:
    """Slots are there; what goes through a cell is one."""
    code = program.code
    slots = len(program.localsplus)
    cells = {*code.co_cellvars, *code.co_freevars}
    for index, instruction in enumerate(program):
        slot = getattr(instruction, "slot", None)
        if slot is not None and not 0 <= slot < slots:
            bad(program, index, f"speaks of a variable beyond the {slots} there are")
        if instruction.opname in CELLS and program.localsplus[slot] not in cells:  # type: ignore[index]
            bad(program, index, "speaks of a cell, and the variable is none")
        if instruction.opname == "COPY_FREE_VARS" and instruction.count != len(code.co_freevars):  # type: ignore[attr-defined]
            bad(program, index, f"the code object has {len(code.co_freevars)} free variables")


def prologue(program: Program) -> None:
    """A generator is made once, on the one way from the beginning, if the flags say that there is one."""
    generates = bool(program.code.co_flags & GENERATES)
    where = [index for index, one in enumerate(program) if one.opname == "RETURN_GENERATOR"]
    if not where:
        if generates:
            raise BadBytecode(f"{program.code.co_name}: its flags say generator, and it makes none")
        for index, instruction in enumerate(program):
            if instruction.opname == "YIELD_VALUE":
                bad(program, index, "there is no generator that could yield")
        return
    if not generates or len(where) > 1:
        bad(program, where[-1], "a generator is made where none begins")
    ways = [region.target for region in program.regions]
    for index, instruction in enumerate(program):
        targets = [getattr(instruction, operand) for operand in instruction.targets]
        if index < where[0] and (targets or instruction.opname in ("YIELD_VALUE", "SEND")):
            bad(program, index, "a generator begins after it")
        ways += [target for target in targets if target is not None]
    if any(target <= where[0] for target in ways):
        bad(program, where[0], "control comes back to where the generator is made")


def bad(program: Program, index: int, why: str) -> NoReturn:
    """The error: file, line, function, instruction."""
    instruction = program[index]
    code = program.code
    line = instruction.raw.line if instruction.raw is not None else code.co_firstlineno
    raise BadProgram(
        f"{code.co_filename}:{line}, in {code.co_name}, {instruction!r} (index {index}): {why};"
        " it is not what a compiler makes"
    )
