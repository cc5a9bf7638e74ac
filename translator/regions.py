"""Tracing a region: from a place of a function with its live values to the next break, or to the return.

A region that breaks is traced again up to the instruction that broke: what the machine holds there is what
the end of the region makes. Where that cannot be made again (a half-used iterator), the region ends earlier.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from opcodes import Program
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.dataflow import dataflow
from translator.errors import Unimplemented
from translator.frames import EntryFrame, Frame
from translator.instruction_translator import InstructionTranslator
from translator.live import Live
from translator.machine import stop
from translator.places import kinds_at, may_end
from translator.raised import Raised
from translator.region_ends import End, ending
from translator.sentinels import NULL
from translator.sources import Source, cell_source, local_source
from translator.symbolic.root import RootFunction
from translator.variables.functions import CellVariable
from translator.variables.input_lists import InputListVariable
from translator.variables.lazy import LazyVariable
from translator.variables.numbers import NumberVariable
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from types import CodeType, FunctionType

#: they take what lies on the stack without looking at each slot's kind
_TAKES = frozenset(
    {
        "CALL",
        "CALL_KW",
        "CALL_FUNCTION_EX",
        "POP_EXCEPT",
        "RERAISE",
        "WITH_EXCEPT_START",
        "END_ASYNC_FOR",
        "FOR_ITER",
        "SEND",
        "CLEANUP_THROW",
        "STORE_FAST",
        "LOAD_FAST_AND_CLEAR",
        "YIELD_VALUE",
        "GET_ANEXT",
    }
)
#: in a generator, what its frame is parked or left by
_LEAVES = frozenset(
    {
        "YIELD_VALUE",
        "RETURN_VALUE",
        "SEND",
        "GET_AWAITABLE",
        "GET_YIELD_FROM_ITER",
        "GET_AITER",
        "GET_ANEXT",
        "END_ASYNC_FOR",
        "CLEANUP_THROW",
        "BEFORE_ASYNC_WITH",
        "RETURN_GENERATOR",
    }
)
_LOOKS_DEEP = frozenset({"WITH_EXCEPT_START"})


class OpaqueVariable(VariableTracker):
    """What lies on the stack and is no plain value: it stays where it is, or the region ends."""

    __slots__ = ()

    kind = "what CPython keeps on the stack"


class Start:
    """The place where a region begins, and the symbols that stand for what is live there."""

    __slots__ = ("depth", "index", "kinds", "locals", "maybe", "needed", "program", "stack")

    def __init__(self, program: Program, index: int) -> None:
        self.program = program
        self.index = index
        self.kinds = kinds_at(program, index)
        facts = dataflow(program)
        #: slots that may be bound and may be unbound
        self.maybe = facts.bound[index] & facts.unbound[index]
        self.locals: list[Any] = []
        self.stack: list[Any] = []
        #: variables that must be bound, though nothing may look at them
        self.needed: list[str] = []
        self.depth = len(self.kinds)

    def fill(self, tx: Any, live: Live) -> None:
        """Makes the symbols."""
        root: RegionRoot = tx.root
        code = root.original
        cells = {*code.co_cellvars, *code.co_freevars}
        frees = dict(zip(code.co_freevars, root.closure_variables))
        for slot, name in enumerate(self.program.localsplus):
            value = live.values[slot]
            if name in frees:
                self.locals.append(frees[name])
            elif name in cells:
                self.locals.append(_own_cell(tx, name, value))
            elif value is NULL:
                self.locals.append(NULL)
            else:
                risky = bool(self.maybe >> slot & 1)
                if risky:
                    self.needed.append(name)
                self.locals.append(LazyVariable(local_source(name, free=risky), value))
        for place, kind in enumerate(self.kinds):
            if kind == "value":
                self.stack.append(LazyVariable(stack_source(place), live.stack[place]))
            else:
                self.stack.append(NULL if kind == "null" else OpaqueVariable())


def _own_cell(tx: Any, name: str, cell: Any) -> CellVariable:
    """The cell of a variable of the frame: changes of it are replayed as those of any that comes in."""
    try:
        content: Any = LazyVariable(local_source(name, free=True), cell.cell_contents)
    except ValueError:
        content = NULL
    return tx.cell_of(cell, content, cell_source(name))  # type: ignore[no-any-return]


def stack_source(place: int) -> Source:
    """A slot of the frame's stack, counted from the bottom."""
    return Source(f"S[{place}]", f"opshift_s{place}", 0)


class RegionRoot(RootFunction):
    """The function whose frame a region is of."""

    __slots__ = ("closure_variables",)

    def __init__(self, function: FunctionType, original: CodeType) -> None:
        super().__init__(function, original, [])


class RegionTranslator(InstructionTranslator):
    """The translator that knows where in the root frame it is.

    Attributes:
        root_frame: the frame that the region is of.
        root_jumps: how many jumps it has done.
        changing: names of the sources of numbers that change from call to call.
        unsure: variables of the root frame that may be bound, or not, where the region begins.
    """

    def __init__(self, root: RootFunction) -> None:
        super().__init__(root)
        self.root_frame: Any = None
        self.root_jumps = 0
        self.changing: set[str] = set()
        self.unsure: frozenset[str] = frozenset()

    def jump(self, target: int) -> None:
        self.steps_left -= 16
        if self.steps_left < 0:
            self.spend(0)
        self.steps.__setstate__(target)
        if self.frame is self.root_frame:
            self.root_jumps += 1

    def input_value(self, source: Source, value: Any) -> Any:
        if self.changing and source.name in self.changing and type(value) in (int, float):
            self.guards.type_is(source, type(value))
            return NumberVariable(source, value)
        return super().input_value(source, value)

    def unbound_local(self, name: str) -> Any:
        if self.frame is self.root_frame and name in self.unsure:
            self.unsupported(
                f"the variable {name!r}, which is not bound", "whether it is bound is not guarded"
            )
        return super().unbound_local(name)

    def unbound_cell(self, name: str, free: bool) -> Any:
        cell = self.locals[self.frame.prepared.program.localsplus.index(name)]
        if cell.live is not None:
            self.unsupported(
                f"the variable {name!r}, which is not bound", "whether it is bound is not guarded"
            )
        return super().unbound_cell(name, free)

    def catch(self, exception: BaseException, frame: Any, region: Any, index: int) -> None:
        self.root_jumps += 1
        super().catch(exception, frame, region, index)

    def handled_again(self, frame: Any, depth: int) -> None:
        if type(self.stack[frame.base + depth + 1]) is OpaqueVariable:
            self.unsupported("an exception that leaves a handler", "what was handled before it is not known")
        super().handled_again(frame, depth)

    # -- what lies on the stack where a region begins is none of the trace's own making

    def next(self, iterator: Any, instruction: Any) -> Any:
        return super().next(self._made(iterator, "the next value"), instruction)

    def list_append(self, list_: Any, item: Any) -> None:
        if type(list_) is not LazyVariable:
            return super().list_append(list_, item)
        found = self.realize(list_)
        if not isinstance(found, InputListVariable):
            self.unsupported("an item of a list that is being built", "what it is is not known")
        found.call_method(self, "append", [item], {})
        return None

    def set_add(self, set_: Any, item: Any) -> None:
        super().set_add(self._made(set_, "a new item"), item)

    def map_add(self, dict_: Any, key: Any, value: Any) -> None:
        super().map_add(self._made(dict_, "a new item"), key, value)

    def list_extend(self, list_: Any, iterable: Any) -> None:
        super().list_extend(self._made(list_, "new items"), iterable)

    def set_update(self, set_: Any, iterable: Any) -> None:
        super().set_update(self._made(set_, "new items"), iterable)

    def dict_update(self, dict_: Any, mapping: Any) -> None:
        super().dict_update(self._made(dict_, "new items"), mapping)

    def dict_merge(self, dict_: Any, mapping: Any, callable_: Any) -> None:
        super().dict_merge(self._made(dict_, "new items"), mapping, callable_)

    def exception_match(self, exception: Any, type_: Any) -> Any:
        return super().exception_match(self._made(exception, "the type"), type_)

    def group_match(self, group: Any, type_: Any) -> Any:
        return super().group_match(self._made(group, "a part"), type_)

    def set_function_attribute(self, function: Any, flag: int, value: Any) -> Any:
        for cell in self.items(value) if flag == 8 else ():
            self._made(cell, "the variable")
        return super().set_function_attribute(self._made(function, "a part"), flag, value)

    def make_function(self, code: Any, qualname: Any) -> Any:
        return super().make_function(self._made(code, "a function"), qualname)

    def build_string(self, pieces: list[Any]) -> Any:
        return super().build_string([self.realize(each) for each in pieces])

    def _made(self, value: Any, what: str) -> Any:
        """The value, if it was made in the trace."""
        if type(value) is LazyVariable:
            self.unsupported(f"{what} of {value.describe()}", "CPython has begun it")
        return value


class Stopped(BaseException):
    """The region has come to where it is to end. Nothing of that instruction is carried out."""


def _left_to_cpython(tx: Any, instruction: Any) -> Any:
    tx.unsupported(f"{instruction.opname} of a generator", "its frame is left", "")


class Walk:
    """One way through the instructions of a region.

    Attributes:
        frame: the root frame.
        end: where it ended; None if it came to the return.
        good: the places passed where it might have ended, each with how many operations there were.
    """

    def __init__(self, tx: Any, start: Start, live: Live | None, stops: frozenset[int]) -> None:
        self.tx = tx
        self.start = start
        self.stops = stops
        self.end: End | None = None
        self.good: list[tuple[int, int, int]] = []
        root = tx.root
        prepared = tx.prepare(root.code(tx))
        if live is None:
            self.locals = [*root.arguments, *prepared.unbound]
            first = 0
        else:
            root.closure_variables = root.closure(tx)
            start.fill(tx, live)
            self.locals = list(start.locals)
            first = start.index
        names = enumerate(start.program.localsplus)
        tx.unsure = frozenset(name for slot, name in names if start.maybe >> slot & 1)
        self.first = first
        self.prepared = prepared
        self.limit: tuple[int, int] | None = None
        self.watched = False
        self.frame: Any = None

    def run(self, limit: tuple[int, int] | None = None, watched: bool = False) -> Any:
        """Goes to the return (its value), or to `limit` (Stopped), or Unimplemented is raised."""
        tx = self.tx
        self.limit, self.watched = limit, watched
        frame = self.frame = Frame(self._prepared(), tx.root, tx.root.namespace, self.locals, 0, None, 1)
        frame.steps.__setstate__(self.first)
        entry = EntryFrame((stop, None), 0, None)
        frame.back, frame.base = entry, 0
        tx.root_frame = frame
        tx.enter(frame)
        tx.stack += self.start.stack
        try:
            tx.run_to_end()
        except Raised as raised:
            tx.frame = frame
            tx.unsupported(
                f"{raised.variable.describe()}, raised at {raised.where}, which leaves the function",
                "the original code raises it",
            )
        tx.no_one_left()
        return tx.pop()

    @property
    def position(self) -> tuple[int, int]:
        """Where the root frame is: how many jumps it has done, the index of its instruction."""
        return self.tx.root_jumps, self.frame.index

    def forget(self) -> None:
        """Lets go of the live values at once, whatever holds whom."""
        self.tx.forget()
        self.start.locals, self.start.stack = [], []
        self.locals = []
        self.frame = self.prepared = None

    # -- what is looked at before a step

    def _prepared(self) -> Any:
        """The root's steps, those replaced before which something is looked at."""
        opaque = any(type(each) is OpaqueVariable for each in self.start.stack) or self.start.maybe
        generates = self.prepared.generates
        if not (opaque or self.stops or self.limit or self.watched or generates):
            return self.prepared
        changed = copy.copy(self.prepared)
        steps = list(changed.steps)
        for index, (handler, instruction) in enumerate(steps):
            if opaque and instruction.opname in _TAKES:
                handler = self._guarded(handler)
            if generates and instruction.opname in _LEAVES:
                handler = _left_to_cpython
            if self.watched or index in self.stops or (self.limit and self.limit[1] == index):
                handler = self._watching(index, handler)
            steps[index] = handler, instruction
        changed.steps = tuple(steps)
        return changed

    def _guarded(self, handler: Any) -> Any:
        maybe = self.start.maybe

        def guarded(tx: Any, instruction: Any) -> Any:
            name = instruction.opname
            if name == "LOAD_FAST_AND_CLEAR":
                if maybe >> instruction.slot & 1 and tx.locals[instruction.slot] is NULL:
                    tx.unsupported("a variable that may be unbound", "whether it is is not guarded")
                return handler(tx, instruction)
            taken = sum(each.count(instruction) for each in instruction.effects().fall.inputs)
            looked = tx.stack if name in _LOOKS_DEEP else tx.stack[len(tx.stack) - taken :]
            if any(type(each) is OpaqueVariable for each in looked):
                tx.unsupported(f"{name} of what was there before", "it is CPython's own", "")
            return handler(tx, instruction)

        return guarded

    def _watching(self, index: int, handler: Any) -> Any:
        def watching(tx: Any, instruction: Any) -> Any:
            self._look(index)
            return handler(tx, instruction)

        return watching

    def _look(self, index: int) -> None:
        tx = self.tx
        here = tx.root_jumps, index
        first = tx.root_jumps == 0 and index <= self.start.index
        if not first and (here == self.limit or (index in self.stops and self.limit is None)):
            self.end = ending(tx, self.start, self.frame, index)
            raise Stopped
        if not self.watched or len(tx.stack) != self.start.depth or first:
            return
        if may_end(self.start.program, index):
            try:
                ending(tx, self.start, self.frame, index)
            except Unimplemented:
                return
            self.good.append((*here, len(tx.graph.nodes)))
