"""The InstructionTranslator: the machine on VariableTrackers. It captures what a function would do.

Python's semantics are absorbed on the spot, array operations become nodes of the graph, and what was
relied on becomes guards. Whatever is not known for certain gives up, by `unsupported`, at the
instruction being carried out.
"""

from __future__ import annotations

import builtins
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.calling import bind
from translator.convert_frame import original_code
from translator.errors import Unimplemented
from translator.frames import EntryFrame
from translator.graph import Graph, Node, Place
from translator.guards import Guards
from translator.machine import StackMachine, stop
from translator.numpy_rules import NumpyRules, numpy_rules
from translator.sentinels import ENTERED, NULL, STOP
from translator.side_effects import SideEffects
from translator.sources import BUILTINS, OWN_GLOBALS, Source, global_source, local_source
from translator.translator_hooks import TranslatorHooks
from translator.variables import builtins as builtin_values
from translator.variables import plain
from translator.variables.arrays import ArrayVariable
from translator.variables.functions import CellVariable, FunctionVariable, UserFunctionVariable
from translator.variables.input_lists import MOST_ITEMS, InputListVariable
from translator.variables.iterators import IteratorVariable
from translator.variables.lazy import LazyVariable
from translator.variables.mappings import InputDictVariable
from translator.variables.modules import ModuleVariable
from translator.variables.sequences import RangeVariable, TupleVariable
from translator.variables.tracker import PLAIN, VariableTracker
from translator.variables.unknown import UnknownVariable

#: where tracing ends by default: instructions, nodes, guards, items of a list that came in
MOST_STEPS = 1_000_000
MOST_NODES = 20_000
MOST_GUARDS = 2_000
MOST_FRAMES = 200

_start = itemgetter(0)


class InstructionTranslator(TranslatorHooks, StackMachine):
    """Captures one call of a function: its graph, its guards, and the value it returns.

    Attributes:
        graph: the array operations so far.
        guards: what was relied on so far.
        inputs: the array inputs that are placeholders, in order.
        sorting: lists whose sort calls a key function at the moment.
    """

    def __init__(self, root: RootFunction) -> None:
        super().__init__()
        self.root = root
        self.graph = Graph(root.place)
        self.guards = Guards()
        self.inputs: list[ArrayVariable] = []
        self.effects = SideEffects()
        self.sorting: list[Any] = []
        self.numpy: NumpyRules | None = numpy_rules()
        self.metas: dict[Node, Any] = {}
        self.variable_of: dict[Node, ArrayVariable] = {}
        self.steps_left = MOST_STEPS
        self._once: dict[str, LazyVariable] = {}
        self._places: dict[tuple[int, int], Place] = {}
        self._codes: dict[str, CodeType] = {}
        self._cells: dict[int, CellVariable] = {}
        self._lines: dict[int, list[tuple[int, int, int | None]]] = {}

    @property
    def rules(self) -> NumpyRules:
        """NumPy's rules (there is an array, so there is NumPy)."""
        assert self.numpy is not None
        return self.numpy

    def capture(self, prepared: Any = None) -> Any:
        """Walks the function from its head to its return; gives the value it returns.

        Raises Unimplemented, with the reason, where it cannot go on.
        """
        root = self.root
        prepared = prepared or self.prepare(root.code(self))
        locals_ = [*root.arguments, *prepared.unbound]
        frame = self.new_frame(prepared, root, root.globals(self), locals_)
        return self.execute(frame)

    def forget(self) -> None:
        """Lets go of the live values at once: trackers and translator hold each other."""
        self.__dict__.clear()

    # -- giving up, and budgets

    def escapes(self, exception: BaseException) -> bool:
        return True

    def unsupported(self, what: str, why: str, hint: str = "the original code runs instead") -> Any:
        """Surrenders, at the instruction being carried out."""
        raise Unimplemented(what, self.where(), why, hint)

    def where(self) -> str:
        if self.frame is not None and not self.frame.is_entry:
            return super().where()
        code = self.root.original
        return f"{code.co_filename}:{code.co_firstlineno}, in {code.co_name}"

    def missing(self, name: str) -> Any:
        return self.unsupported(f"{name}()", "the translator does not capture this instruction yet")

    def spend(self, steps: int) -> None:
        """Takes steps off the budget."""
        self.steps_left -= steps
        if self.steps_left < 0:
            self.unsupported("a long run", f"tracing goes no further than {MOST_STEPS} steps")

    def jump(self, target: int) -> None:
        self.steps.__setstate__(target)
        self.steps_left -= 16
        if self.steps_left < 0:
            self.spend(0)

    # -- inputs

    def realize(self, value: Any) -> Any:
        """The value itself, looked at if it is an input that nobody has looked at yet."""
        return value.realize(self) if type(value) is LazyVariable else value

    def once(self, name: str, make: Any) -> LazyVariable:
        """One LazyVariable a source."""
        found = self._once.get(name)
        if found is None:
            found = self._once[name] = make()
        return found

    def input_value(self, source: Source, value: Any) -> Any:
        """The value of an input, under the guards that this needs."""
        guards = self.guards
        if len(guards) > MOST_GUARDS:
            self.unsupported(
                "so many inputs", f"more than {MOST_GUARDS} guards would cost more than they save"
            )
        guards.line = None if self.frame is None or self.frame.is_entry else self._line(self.frame)
        kind = type(value)
        if kind in PLAIN and kind is not CodeType:
            guards.value(source, value)
            return value
        if self.numpy is not None and self.numpy.is_input(value):
            return self.numpy.input_array(self, source, value)
        maker = _INPUTS.get(kind)
        if maker is not None:
            return maker(self, source, value)
        known = builtin_values.known_object(self, value, source)
        if known is not None:
            guards.identity(source, value)
            return known
        return UnknownVariable(source, value)

    def add_input(self, array: ArrayVariable) -> Node:
        """The placeholder of an input that an operation uses."""
        source = array.source
        assert source is not None
        node = self.graph.placeholder(source.placeholder_name())
        self.inputs.append(array)
        self.variable_of[node] = array
        return node

    # -- recording

    def argument(self, value: Any) -> Any:
        """What stands for a value among a node's arguments."""
        if type(value) in PLAIN:
            return value
        return value.argument(self)

    def record(
        self,
        target: Any,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        roots: frozenset[ArrayVariable],
        *,
        method: bool = False,
        writes: bool = False,
    ) -> ArrayVariable:
        """Adds a node for an operation on arrays; gives the array that is its result."""
        values = tuple([value if type(value) in PLAIN else value.argument(self) for value in arguments])
        named = {key: self.argument(value) for key, value in keywords.items()} if keywords else None
        graph = self.graph
        add = graph.call_method if method else graph.call_function
        frame = self.frame
        node = add(target, values, named, self._place(frame), self._line(frame))
        node.writes = writes
        if len(graph.nodes) > MOST_NODES:
            self.unsupported("so many operations", f"a graph goes no further than {MOST_NODES} nodes")
        made = self.variable_of[node] = ArrayVariable(node, roots)
        return made

    def _place(self, frame: Any) -> Place:
        if frame.function is self.root:
            return self.root.place
        key = id(frame.code), id(frame.globals)
        found = self._places.get(key)
        if found is None:
            code = frame.code
            found = self._places[key] = Place(code.co_filename, code.co_name, frame.globals)
        return found

    def _line(self, frame: Any) -> int | None:
        prepared = frame.prepared
        raw = prepared.program.instructions[frame.index].raw
        if raw is None or not isinstance(prepared.code, CodeType):
            return None if raw is None else raw.line
        found = self._lines.get(id(prepared))
        if found is None:
            found = self._lines[id(prepared)] = list(prepared.code.co_lines())
        return found[bisect_right(found, raw.offset, key=_start) - 1][2]

    # -- calls

    def enter_function(
        self, function: FunctionVariable, arguments: list[Any], keywords: dict[str, Any]
    ) -> Any:
        """Inlines a call: pushes the frame of a function written in Python."""
        code = function.code(self)
        prepared = self.prepare(code)
        if prepared.generates and code.co_varnames[:1] != (".0",):
            self.unsupported(f"the generator {function.name()}()", "generators are not captured yet")
        if self.frame.depth > MOST_FRAMES:
            self.unsupported(f"deep recursion of {function.name()}()", f"{MOST_FRAMES} frames are followed")
        self.spend(20)
        locals_ = bind(self, function, code, arguments, keywords)
        globals_ = function.globals(self)
        return self.enter(self.new_frame(prepared, function, globals_, locals_ + prepared.unbound))

    def call_now(self, function: Any, arguments: list[Any]) -> Any:
        """A call from within an operation (a sort key, `map`): its value, walked to the end."""
        outer = self.frame, self.locals, self.steps
        result = self.call(function, arguments, None)
        if result is not ENTERED:
            return result
        frame = self.frame
        self.frame, self.locals, self.steps = outer
        return self.execute(frame)

    def go_on(self, frame: Any) -> Any:
        """Resumes a parked frame until it yields, or returns: the value."""
        outer = self.frame, self.locals, self.steps
        depth = len(self.stack)
        self.enter(EntryFrame((stop, None), depth, self.frame))
        self.resume(frame, None, None)
        try:
            self.run_to_end()
            return self.pop()
        finally:
            del self.stack[depth:]
            self.frame, self.locals, self.steps = outer
            self.running = True

    def cell_of(self, cell: Any, content: Any, source: Source) -> CellVariable:
        """One CellVariable for each cell that came in."""
        found = self._cells.get(id(cell))
        if found is None:
            found = self._cells[id(cell)] = CellVariable(content, source)
        return found

    def function_code(self, source: Source, function: FunctionType) -> CodeType:
        """The code that a function had before it was compiled, under a guard."""
        found = self._codes.get(source.name)
        if found is None:
            found = self._codes[source.name] = original_code(function)
            if found is function.__code__:
                self.guards.add(10, "{}.__code__ is {}", source, found)
            else:
                self.guards.add(80, "{}({}) is {}", original_code, source, found)
        return found

    # -- names

    def load_global(self, name: str) -> Any:
        function = self.frame.function
        namespace = function.globals(self)
        base = function.global_source(name)
        if base is None or namespace is self.root.namespace:
            if base is not None:
                self._same_globals(function)
            return self._root_global(name, namespace)
        return self.once(base.name, lambda: self._other_global(name, namespace, base))

    def _same_globals(self, function: FunctionVariable) -> None:
        while not isinstance(function, UserFunctionVariable):
            function = function.maker  # type: ignore[attr-defined]
        self.guards.add(35, "{}.__globals__ is {}()", function.source, globals)

    def _root_global(self, name: str, namespace: dict[str, Any]) -> Any:
        found = self._once.get(f"G[{name!r}]")
        if found is None:
            hidden = name in self.root.names
            if name in namespace:
                found = LazyVariable(global_source(name, hidden), namespace[name])
            elif hidden:
                found = self._builtin(name, namespace, OWN_GLOBALS)
            else:
                found = LazyVariable(global_source(name, False), self._builtin_value(name, namespace))
            self.effects.read_from(self, OWN_GLOBALS, namespace)
            self._once[f"G[{name!r}]"] = found
        return found

    def _other_global(self, name: str, namespace: dict[str, Any], source: Source) -> LazyVariable:
        owner = Source(
            source.name.rsplit("[", 1)[0], source.code.rsplit("[", 1)[0], source.depth - 1, source.risky
        )
        self.effects.read_from(self, owner, namespace)
        if name in namespace:
            self.guards.key_present(owner, name)
            return LazyVariable(source, namespace[name])
        return self._builtin(name, namespace, owner)

    def _builtin(self, name: str, namespace: dict[str, Any], owner: Source) -> LazyVariable:
        """A builtin, under a guard that no global hides it; read from the builtins themselves."""
        value = self._builtin_value(name, namespace)
        self.guards.add(10, "{} not in {}", name, owner)
        return LazyVariable(BUILTINS.item(name), value)

    def _builtin_value(self, name: str, namespace: dict[str, Any]) -> Any:
        found = builtins_of(namespace)
        if name not in found:
            self.unsupported(
                f"the name {name!r}", "it is not defined: NameError is left to the original code"
            )
        if found is not vars(builtins):
            self.unsupported(f"the builtin {name!r}", "these globals have builtins of their own")
        self.effects.read_from(self, BUILTINS, found)
        return found[name]

    # -- what is asked of any value

    def items(self, value: Any) -> list[Any]:
        """What `list(value)` holds."""
        value = self.realize(value)
        if type(value) is str or type(value) is bytes:
            return list(value)
        if type(value) in PLAIN:
            self.unsupported(f"iteration over {value!r}", "TypeError is left to the original code")
        return value.items(self)  # type: ignore[no-any-return]

    def walk(self, iterable: Any) -> Iterator[Any]:
        """Its items, each asked for when it is needed: what is done between may change the next ones."""
        iterator = self.iterate(iterable, "iter")
        while (value := iterator.next(self)) is not STOP:
            self.spend(1)
            yield value

    def each(self, iterable: Any) -> Iterable[Any]:
        """What is added to a container one by one: an iterator may look at the container meanwhile."""
        iterable = self.realize(iterable)
        return self.walk(iterable) if isinstance(iterable, IteratorVariable) else self.items(iterable)

    def length(self, value: Any) -> Any:
        value = self.realize(value)
        if type(value) in PLAIN:
            return plain.run(self, len, value)
        return value.length(self)

    def truth_of(self, value: Any) -> bool:
        """`bool(value)`, known now."""
        value = self.realize(value)
        if value is NotImplemented:
            self.unsupported(
                "bool() of NotImplemented", "the warning or TypeError is left to the original code"
            )
        return bool(value) if type(value) in PLAIN else value.truth(self)

    def type_of(self, value: Any) -> type:
        """The exact type of a value that was looked at."""
        return type(value) if type(value) in PLAIN else value.python_type(self)

    def is_array(self, value: Any) -> bool:
        """Whether it is an array or a scalar of NumPy."""
        return type(value) is ArrayVariable


class RootFunction(FunctionVariable):
    """The function that is compiled, with the live values of one call."""

    __slots__ = ("arguments", "cells", "function", "names", "namespace", "original", "place", "values")

    def __init__(
        self,
        function: FunctionType,
        original: CodeType,
        values: list[Any],
        cells: tuple[Any, ...] | None = None,
    ) -> None:
        self.source = None
        self.function = function
        self.original = original
        self.values = values
        self.namespace = function.__globals__
        self.names = frozenset(original.co_varnames + original.co_cellvars + original.co_freevars)
        self.place = Place(original.co_filename, original.co_name, self.namespace)
        self.arguments = [
            LazyVariable(local_source(name), value) for name, value in zip(original.co_varnames, values)
        ]
        self.cells = function.__closure__ or ()

    def name(self) -> str:
        return self.function.__qualname__

    def code(self, tx: InstructionTranslator) -> CodeType:  # type: ignore[override]
        return self.original

    def globals(self, tx: InstructionTranslator) -> dict[str, Any]:  # type: ignore[override]
        return self.namespace

    def closure(self, tx: InstructionTranslator) -> list[Any]:  # type: ignore[override]
        found = []
        for name, cell in zip(self.original.co_freevars, self.cells):
            source = local_source(name, free=True)
            try:
                content: Any = LazyVariable(source, cell.cell_contents)
            except ValueError:
                content = NULL
            found.append(CellVariable(content, source))
        return found


def builtins_of(namespace: dict[str, Any]) -> dict[str, Any]:
    """The builtins that functions with these globals see."""
    found = namespace.get("__builtins__", builtins)
    return found if isinstance(found, dict) else vars(found)


# -- inputs by type


def _tuple(tx: InstructionTranslator, source: Source, value: tuple[Any, ...]) -> VariableTracker:
    return TupleVariable(_members(tx, source, value), source)


def _list(tx: InstructionTranslator, source: Source, value: list[Any]) -> VariableTracker:
    tx.guards.type_is(source, list)
    made = InputListVariable(tx, source, value)
    tx.effects.touch(tx, made)
    return made


def _members(tx: InstructionTranslator, source: Source, value: Any) -> list[Any]:
    tx.guards.type_is(source, type(value))
    if len(value) > MOST_ITEMS:
        tx.unsupported(f"{source.name} with {len(value)} items", f"up to {MOST_ITEMS} items are followed")
    tx.guards.length(source, len(value))
    return [LazyVariable(source.item(index), item) for index, item in enumerate(value)]


def _dict(tx: InstructionTranslator, source: Source, value: dict[Any, Any]) -> VariableTracker:
    tx.guards.type_is(source, dict)
    made = InputDictVariable(source, value)
    tx.effects.touch(tx, made)
    return made


def _range(tx: InstructionTranslator, source: Source, value: range) -> VariableTracker:
    tx.guards.type_is(source, range)
    for name in ("start", "stop", "step"):
        tx.guards.value(source.attribute(name), getattr(value, name))
    return RangeVariable(value, source)


def _function(tx: InstructionTranslator, source: Source, value: FunctionType) -> VariableTracker:
    known = builtin_values.known_object(tx, value, source)
    if known is not None:
        tx.guards.identity(source, value)
        return known
    if str(value.__globals__.get("__name__")).split(".")[0] == "numpy":
        return UnknownVariable(source, value, "this function of NumPy is not captured")
    tx.guards.type_is(source, FunctionType)
    return UserFunctionVariable(source, value)


def _module(tx: InstructionTranslator, source: Source, value: ModuleType) -> VariableTracker:
    if value.__name__ in ("numpy", "math", "operator", "functools", "builtins"):
        tx.guards.identity(source, value)
    elif not value.__name__.startswith("numpy."):
        tx.guards.type_is(source, ModuleType)
    return ModuleVariable(source, value)


_INPUTS: dict[type, Any] = {
    tuple: _tuple,
    list: _list,
    dict: _dict,
    range: _range,
    FunctionType: _function,
    ModuleType: _module,
}

__all__ = ["BuiltinFunctionType", "InstructionTranslator", "RootFunction"]
