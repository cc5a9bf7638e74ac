"""New bytecode: the original instructions stay, entries stand before the first of them.

An entry is written as Python: its guards on the live values, then a call of its runner, the function
that runs the compiled graph and builds the result. The host compiles it, so each version's bytecode is
the host's own; its canonical instructions are put in at the function's head. A runner that fails gives
`FAILED`, and the original instructions follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CellType, CodeType, FunctionType
from typing import Any
from weakref import ref

import opcodes
from opcodes import Instruction, Label, Program, Region
from opcodes import instructions as ins
from opcodes.encode import encode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph_code import Constants
from translator.guards import Guard
from translator.sentinels import Sentinel
from translator.sources import CELL, KNOWN_NAMES, Source

#: what a runner, or the hook of a miss, gives for: run the original instructions
FAILED = Sentinel("FAILED")
#: what an entry gives whose guards do not hold
MISS = Sentinel("MISS")
#: prefix of the names that stand for objects; no identifier of a user's program begins so
PREFIX = "opshift_"
_PROLOGUE = frozenset({"RESUME", "MAKE_CELL", "COPY_FREE_VARS"})


class Piece:
    """Python code that stands at the head of a function: an entry, or the hook of a miss.

    Attributes:
        code: its code object, compiled by the host; what it names are parameters and closure cells.
        constants: the objects behind the names that begin with PREFIX.
    """

    __slots__ = ("code", "constants", "source", "written")

    def __init__(
        self, source: str, constants: dict[str, Any], names: Iterable[str], frees: Iterable[str]
    ) -> None:
        cells = [*constants, *frees]
        self.source = source
        indented = "".join(f"  {line}\n" for line in source.splitlines())
        # no name of a program begins so: `entry` would hide a global of that name
        text = f"def make({', '.join(cells)}):\n def opshift_entry({', '.join(names)}):\n{indented}"
        module = compile(text, "<opshift>", "exec", dont_inherit=True)
        make = next(each for each in module.co_consts if isinstance(each, CodeType))
        self.code = next(each for each in make.co_consts if isinstance(each, CodeType))
        self.constants = constants
        #: what `region_code` has made of it
        self.written: Any = None

    def function(self, like: FunctionType) -> FunctionType:
        """The code as a function of its own, with the globals and the closure of `like`."""
        own = dict(zip(like.__code__.co_freevars, like.__closure__ or ()))
        cells = tuple(
            own[name] if name not in self.constants else CellType(self._constant(name, own))
            for name in self.code.co_freevars
        )
        return FunctionType(self.code, like.__globals__, "entry", None, cells)

    def _constant(self, name: str, own: dict[str, Any]) -> Any:
        found = self.constants[name]
        return own[found.name] if type(found) is CellOf else found

    def instructions_in(
        self, program: Program, end: Label, original: Label
    ) -> tuple[list[Instruction | Label], list[tuple[Label, Label, Label, Region]]]:
        """Its instructions for the frame of `program`: on a miss to `end`, on failure to `original`.

        And its exception regions: (start, end, target, the region in its own code object).
        """
        own = opcodes.decode(self.code)
        slots = {name: slot for slot, name in enumerate(program.localsplus)}
        code = program.code
        cells = {*code.co_cellvars, *code.co_freevars}
        labels = {getattr(each, operand): Label() for each in own for operand in each.targets}
        for region in own.regions:
            for index in region[:3]:
                labels.setdefault(index, Label())
        found: list[Instruction | Label] = []
        for index, each in enumerate(own.instructions):
            if index in labels:
                found.append(labels[index])
            name = each.opname
            if name in _PROLOGUE:
                continue
            if name == "RETURN_VALUE":
                found += self._return(found, end, original)
            else:
                found.append(self._moved(index, each, slots, cells, labels))
        if len(own) in labels:
            found.append(labels[len(own)])
        regions = [(labels[each.start], labels[each.end], labels[each.target], each) for each in own.regions]
        return found, regions

    def _moved(
        self,
        index: int,
        each: Instruction,
        slots: dict[str, int],
        cells: set[str],
        labels: dict[int, Label],
    ) -> Instruction:
        """One instruction of the entry, its index there, as one of the function."""
        name = each.opname
        if name in ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF"):
            variable = each.name  # type: ignore[attr-defined]
            constant = self.constants.get(variable)
            if type(constant) is CellOf:
                return ins.LOAD_FAST(slots[constant.name], constant.name)
            if variable in self.constants:
                return ins.LOAD_CONST(constant)
            if variable in cells:
                return ins.LOAD_DEREF(slots[variable], variable)
            return ins.LOAD_FAST(slots[variable], variable)
        moved = each.replace(**{operand: labels[getattr(each, operand)] for operand in each.targets})
        moved.raw = None
        return moved

    def _return(
        self, found: list[Instruction | Label], end: Label, original: Label
    ) -> list[Instruction | Label]:
        """A result is returned, unless it is FAILED; MISS goes on to what stands behind the entry."""
        last = next((each for each in reversed(found) if isinstance(each, Instruction)), None)
        if isinstance(last, ins.LOAD_CONST) and last.value is MISS:
            found.remove(last)
            return [ins.JUMP(end)]
        failed = Label()
        return [
            ins.COPY(1),
            ins.LOAD_CONST(FAILED),
            ins.IS_OP(False),
            ins.POP_JUMP_IF_TRUE(failed),
            ins.RETURN_VALUE(),
            failed,
            ins.POP_TOP(),
            ins.JUMP(original),
        ]


def entry_piece(
    guards: list[Guard], run: Any, arguments: list[str], names: list[str], frees: tuple[str, ...]
) -> Piece:
    """An entry: if the guards hold, what the runner gives for the arguments (expressions) is returned.

    `run` is an expression-like object: a weak reference to the runner; when the runner is gone, the
    original runs.
    """
    constants, text = entry_text(guards, run, arguments, names)
    constants.values.update({CELL + name: CellOf(name) for name in frees if CELL + name in text})
    return Piece(text, constants.values, names, frees)


def entry_text(
    guards: list[Guard], run: Any, arguments: list[str], names: list[str], needed: Iterable[str] = ()
) -> tuple[Constants, str]:
    """An entry as Python. `names` are sure to be bound; `needed` are names that have to be."""
    constants = Constants(PREFIX)
    constants.values.update(KNOWN_NAMES)
    constants.values.update(
        named
        for guard in guards
        for part in guard.parts
        if type(part) is Source and part.constants
        for named in part.constants.items()
    )
    conditions = [guard.code(constants) for guard in guards]
    guarded = {part.code for guard in guards for part in guard.parts if type(part) is Source}
    unguarded = [each for each in arguments if each not in names and each not in guarded]
    unguarded += [each for each in needed if each not in unguarded]
    if unguarded:
        # a name that is only handed on may be gone: it has to be known before anything is run
        conditions.append(f"({', '.join(unguarded)},)")
    lines = [f"if not ({' and '.join(conditions) or True}):", " break"]
    if unguarded or any(guard.risky for guard in guards):
        lines = ["try:", *(f" {line}" for line in lines), f"except {constants.name(Exception)}:", " break"]
    runner = f"({constants.name(run)}() or {constants.name(gone)})"
    lines += unless_too_deep(f"{runner}({', '.join(arguments)})", constants)
    lines = ["while True:", *(f" {line}" for line in lines), f"return {constants.name(MISS)}"]
    return constants, "\n".join(lines)


def unless_too_deep(call: str, constants: Constants) -> list[str]:
    """Returns what the call gives. Where there is no room for one more frame, the original needs none."""
    return [
        "try:",
        f" return {call}",
        f"except {constants.name(RecursionError)}:",
        " pass",
        f"return {constants.name(FAILED)}",
    ]


def miss_piece(hook: Any, names: list[str], frees: tuple[str, ...]) -> Piece:
    """Calls the hook with the frame's globals and cells, and the live arguments.

    What it gives is returned, unless it is FAILED.
    """
    constants = Constants(PREFIX)
    cells = "".join(f"{constants.name(CellOf(name))}, " for name in frees)
    call = f"{constants.name(hook)}({constants.name(globals)}(), ({cells}), {', '.join(names)})"
    return Piece("\n".join(unless_too_deep(call, constants)), constants.values, names, frees)


class CellOf:
    """In the place of a constant: the cell of a free variable of the frame."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class RunnerReference(ref):  # type: ignore[type-arg]
    """A weak reference to a runner; in a listing it shows as the graph that the runner is for."""

    __slots__ = ()

    def __repr__(self) -> str:
        runner = self()
        return f"<graph of {runner.__name__}>" if runner is not None else "<graph>"


def gone(*arguments: Any) -> Any:
    """In place of a runner that no longer exists."""
    return FAILED


def with_pieces(code: CodeType, pieces: list[Piece]) -> tuple[Program, CodeType]:
    """The code object with the pieces at its head, and its Program."""
    program = opcodes.decode(code)
    new = put_in_at_head(program, pieces)
    return new, encode(new)


def put_in_at_head(program: Program, pieces: list[Piece]) -> Program:
    """The Program with the pieces before its first instruction.

    A jump of the program back to its first instruction stays one: the pieces are run once a call.
    """
    original = Label("original")
    listed: list[Instruction | Label] = []
    regions = []
    for piece in pieces:
        end = Label("next")
        instructions, own_regions = piece.instructions_in(program, end, original)
        listed += [*instructions, end]
        regions += own_regions
    listed.append(original)
    head = next(index for index, each in enumerate(program) if each.opname not in _PROLOGUE)
    moved = [Region(start, end, target, *own[3:]) for start, end, target, own in regions]  # type: ignore[arg-type]
    return program.splice(head, listed, moved, jumped_to=False)
