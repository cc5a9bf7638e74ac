"""The end of a region in the middle of a function: what it leaves in the frame, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.dataflow import dataflow
from translator.graph_code import Constants
from translator.sentinels import NULL
from translator.sources import cell_source
from translator.variables.functions import CellVariable
from translator.variables.sequences import TupleVariable
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.regions import Start


class End:
    """How a region ends before the instruction `index`.

    Attributes:
        keep: so many slots of the stack stay as they are.
        outputs: the values that the runner gives: those that are stored, then the stack from the top down.
        stores: for the first of them (what to write, the slot, the name).
        layout: the new slots above `keep`, bottom to top: "null" or "value".
        deletes: variables that are unbound then (slot, name, whether it may be unbound already).
    """

    __slots__ = ("deletes", "index", "keep", "layout", "outputs", "stores")

    def __init__(self, index: int, keep: int) -> None:
        self.index = index
        self.keep = keep
        self.outputs: list[Any] = []
        self.stores: list[tuple[str, int, str]] = []
        self.layout: list[str] = []
        self.deletes: list[tuple[str, int, str, bool]] = []

    @property
    def value(self) -> Any:
        """The outputs as one value."""
        if len(self.outputs) == 1:
            return self.outputs[0]
        found: TupleVariable = TupleVariable(list(self.outputs))
        return found if self.outputs else None


def ending(tx: Any, start: Start, frame: Any, index: int) -> End:
    """The end of a region here. Raises Unimplemented where what is live cannot be made again."""
    from translator.places import may_end
    from translator.result_writer import ResultWriter

    program = start.program
    if not may_end(program, index):
        tx.unsupported("the end of a region", "nothing may come between these instructions")
    nesting = dataflow(program).nesting
    if tx.handled is not None or nesting[index] != nesting[start.index]:
        tx.unsupported("the end of a region", "other blocks are open, or another exception is handled")
    stack = tx.stack[frame.base :]
    kinds: Any = program.stack[index]
    keep = 0
    while keep < len(stack) and keep < len(start.stack) and stack[keep] is start.stack[keep]:
        if (stack[keep] is NULL) is not (kinds[keep] == "null"):
            break
        keep += 1
    end = End(index, keep)
    _variables(tx, start, frame, end)
    _stack(tx, end, stack[keep:], kinds[keep:])
    writer = ResultWriter(Constants(""))
    for value in end.outputs:
        writer.look(value)
    for effect in tx.effects.log:
        writer.look(effect.target)
        for value in effect.changed_values():
            writer.look(value)
    tx.no_one_left()
    return end


def _stack(tx: Any, end: End, stack: list[Any], kinds: tuple[str, ...]) -> None:
    from translator.regions import OpaqueVariable

    values = list(stack)
    for place in range(len(values) - 1):
        # of a pair the machine has the NULL on top; some versions have it below
        if (
            values[place + 1] is NULL
            and kinds[place + 1] == "value"
            and kinds[place] in ("null", "value_or_null")
        ):
            values[place], values[place + 1] = NULL, values[place]
    for value, kind in zip(values, kinds):
        if type(value) is OpaqueVariable or (
            value is NULL and kind not in ("null", "value_or_null", "self_or_null")
        ):
            tx.unsupported("the end of a region", "what lies on the stack is CPython's own")
        if value is not NULL and kind not in ("value", "value_or_null"):
            tx.unsupported("the end of a region", f"there is {kind} on the stack")
        end.layout.append("null" if value is NULL else "value")
    end.outputs += [value for value in reversed(values) if value is not NULL]


def _variables(tx: Any, start: Start, frame: Any, end: End) -> None:
    """What is stored and what is unbound."""
    program = start.program
    facts = dataflow(program)
    code = tx.root.original
    live = facts.live[end.index]
    sure = facts.live[start.index] & ~facts.unbound[start.index]
    entering = start.locals or _at_head(tx, frame)
    outputs = end.outputs
    for slot, name in enumerate(program.localsplus):
        new, old = frame.locals[slot], entering[slot]
        if name in code.co_freevars:
            continue
        if type(new) is CellVariable:
            _cell(end, slot, name, new, old)
        elif new is not old:
            maybe = not sure >> slot & 1
            if new is NULL or not (live >> slot & 1 or _is_at_hand(new)):
                if facts.bound[start.index] >> slot & 1:
                    end.deletes.append(("fast", slot, name, maybe))
            else:
                end.stores.append(("fast", slot, name))
                outputs.append(new)


def _is_at_hand(value: Any) -> bool:
    return type(value) in PLAIN or value.source is not None


def _cell(end: End, slot: int, name: str, new: CellVariable, old: Any) -> None:
    before = old.content if type(old) is CellVariable else old
    if new.live is None and new.content is not before:
        if new.content is NULL:
            end.deletes.append(("deref", slot, name, True))
        else:
            end.stores.append(("deref", slot, name))
            end.outputs.append(new.content)


def _at_head(tx: Any, frame: Any) -> list[Any]:
    arguments = tx.root.arguments
    return [*arguments, *[NULL] * (len(frame.locals) - len(arguments))]


def name_cells(start: Start, frame: Any, original: Any) -> None:
    """From now on the cells of the root frame are those of the real one."""
    for slot, name in enumerate(start.program.localsplus):
        cell = frame.locals[slot]
        if type(cell) is CellVariable and name in original.co_cellvars and cell.source is None:
            cell.source = cell_source(name)
