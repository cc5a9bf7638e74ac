"""What becomes a node of the graph."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from types import CodeType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Node, Place
from translator.variables.arrays import ArrayVariable
from translator.variables.foreign import ForeignArrayVariable
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


#: a graph goes no further
MOST_NODES = 20_000

_start = itemgetter(0)


class SymbolicRecording:
    """Placeholders and operations."""

    def add_input(self: Translator, array: ArrayVariable) -> Node:
        """The placeholder of an input that an operation uses."""
        source = array.source
        assert source is not None
        node = self.graph.placeholder(source.placeholder_name())
        self.inputs.append(array)
        self.variable_of[node] = array
        return node

    def argument(self: Translator, value: Any) -> Any:
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
        library: Any = None,
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
        made = ArrayVariable(node, roots) if library is None else ForeignArrayVariable(node, library, roots)
        node.library = library
        self.variable_of[node] = made
        return made

    def _place(self: Translator, frame: Any) -> Place:
        if frame.function is self.root:
            return self.root.place
        key = id(frame.code), id(frame.globals)
        found = self._places.get(key)
        if found is None:
            code = frame.code
            found = self._places[key] = Place(code.co_filename, code.co_name, frame.globals)
        return found

    def _line(self: Translator, frame: Any) -> int | None:
        prepared = frame.prepared
        raw = prepared.program.instructions[frame.index].raw
        if raw is None or not isinstance(prepared.code, CodeType):
            return None if raw is None else raw.line
        found = self._lines.get(id(prepared))
        if found is None:
            found = self._lines[id(prepared)] = list(prepared.code.co_lines())
        return found[bisect_right(found, raw.offset, key=_start) - 1][2]
