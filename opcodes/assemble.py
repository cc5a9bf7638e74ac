"""The pools of a code object that is being written, and where its frame's slots come to stand.

What the code object has keeps its place; what is new comes after it. New variables come after the old ones,
and so before the cells and free variables, which move.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from opcodes.instructions import Instruction
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from opcodes.program import Program

#: constants that are the same for being equal; all others are known by identity
_PLAIN = frozenset({int, str, bytes, bool, type(None)})


class Assembler:
    """What a row's `lift` asks for: numbers of constants, names and slots.

    Attributes:
        table: the table that the code is written by.
        consts, names, varnames, cellvars: of the new code object.
        moved: slots of the Program from this one on have another number than before.
    """

    def __init__(self, program: Program) -> None:
        code = program.code
        self.table = program.table
        self.consts: list[Any] = list(code.co_consts)
        self.names: list[str] = list(code.co_names)
        self._constant_at: dict[Any, int] | None = None
        self._name_at: dict[str, int] | None = None
        self._place(program)

    def _place(self, program: Program) -> None:
        code, localsplus = program.code, program.localsplus
        old = tuple(code.co_varnames)
        frees = len(code.co_freevars)
        known = len(localsplus) if code.co_nlocals == len(localsplus) else _known_slots(program)
        made: set[int] = set()
        if known < len(localsplus):
            made.update(each.slot for each in program if each.opname == "MAKE_CELL")  # type: ignore[attr-defined]
        new = range(known, len(localsplus))
        new_variables = [slot for slot in new if slot not in made]
        new_cells = [slot for slot in new if slot in made]
        cells_end = known - frees
        order = [
            *range(len(old)),
            *new_variables,
            *range(len(old), cells_end),
            *new_cells,
            *range(cells_end, known),
        ]
        #: slot of the Program -> number of the slot in the new frame
        self.position = [0] * len(order)
        for position, slot in enumerate(order):
            self.position[slot] = position
        self.varnames = (*old, *(localsplus[slot] for slot in new_variables))
        self.cellvars = (*code.co_cellvars, *(localsplus[slot] for slot in new_cells))
        self._number_cells(code.co_freevars, tuple(localsplus[slot] for slot in order))
        moved_from = len(old) if new_variables else cells_end if new_cells else known
        self.moved = moved_from if moved_from < known else len(localsplus)

    def _number_cells(self, freevars: tuple[str, ...], names: tuple[str, ...]) -> None:
        frame = SimpleNamespace(
            code=SimpleNamespace(co_cellvars=self.cellvars, co_freevars=freevars), localsplus=names
        )
        positions = self.table.deref_slots(frame)  # type: ignore[arg-type]
        closed = {*self.cellvars, *freevars}
        self._cell_number = {
            position: number for number, position in enumerate(positions) if names[position] in closed
        }
        #: cells have numbers of their own (3.10), and their slots are no variables
        self._apart = not isinstance(positions, range)

    # -- asked by rows

    def constant(self, value: Any) -> int:
        """The number of a constant: of this very object, or of an equal plain one of its type."""
        if self._constant_at is None:
            self._constant_at = {
                _key(each): number for number, each in reversed(list(enumerate(self.consts)))
            }
        key = _key(value)
        number = self._constant_at.get(key)
        if number is None:
            number = self._constant_at[key] = len(self.consts)
            self.consts.append(value)
        return number

    def name(self, name: str) -> int:
        """The number of a name."""
        if self._name_at is None:
            self._name_at = {each: number for number, each in enumerate(self.names)}
        number = self._name_at.get(name)
        if number is None:
            number = self._name_at[name] = len(self.names)
            self.names.append(name)
        return number

    def local(self, instruction: Instruction) -> int | None:
        """The number of a variable's slot; None where the slot is no variable in this numbering."""
        position = self.position[instruction.slot]  # type: ignore[attr-defined]
        return None if self._apart and position in self._cell_number else position

    def deref(self, instruction: Instruction) -> int | None:
        """The number of a cell or free variable; None if the slot is neither."""
        return self._cell_number.get(self.position[instruction.slot])  # type: ignore[attr-defined]


def _known_slots(program: Program) -> int:
    """How many slots the code object itself has."""
    code = program.code
    own = set(code.co_varnames)
    return len(code.co_varnames) + sum(name not in own for name in code.co_cellvars) + len(code.co_freevars)


def _key(value: Any) -> Any:
    kind = type(value)
    return (kind, value) if kind in _PLAIN else id(value)


def changes(assembler: Assembler, program: Program) -> dict[str, Any]:
    """The parts of the code object that grew, as `CodeType.replace` takes them."""
    code = program.code
    grown: dict[str, Any] = {}
    for attribute, values in _pools(assembler):
        if len(values) > len(getattr(code, attribute)):
            grown[attribute] = tuple(values)
    if "co_varnames" in grown:
        grown["co_nlocals"] = len(assembler.varnames)
    return grown


def _pools(assembler: Assembler) -> Sequence[tuple[str, Sequence[Any]]]:
    return (
        ("co_consts", assembler.consts),
        ("co_names", assembler.names),
        ("co_varnames", assembler.varnames),
        ("co_cellvars", assembler.cellvars),
    )
