"""A graph as a Python function that runs it: each node at the user's line, in the user's globals.

So NumPy's warnings name the user's place and are counted in the user's module, and an operation that
fails does so where the user wrote it. Values that only the next operation on the same line needs are
never stored (NumPy reuses such buffers); a variable is used again as soon as its value is dead, so
that an unrolled loop needs no more memory than the loop.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from types import CellType, CodeType, FunctionType
from typing import Any

from opcodes import HOST
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.positions import Position, written
from translator.graph import INPLACE, Graph, Node, Place, expression, index_text

_DEEPEST = 25


class Constants:
    """Objects that source text can only name: each gets a name, and a cell when the code is made."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.values: dict[str, Any] = {}
        self._names: dict[int, str] = {}

    def name(self, value: Any) -> str:
        """The name that stands for this very object."""
        found = self._names.get(id(value))
        if found is None:
            found = self._names[id(value)] = f"{self.prefix}{len(self.values)}"
            self.values[found] = value
        return found

    def literal(self, value: Any) -> str:
        """Source text for a value: a literal where that is exact, else a name."""
        kind = type(value)
        if value is None or value is True or value is False or value is Ellipsis:
            return "..." if value is Ellipsis else repr(value)
        if kind is int and -(10**18) < value < 10**18:
            return repr(value)
        if kind is float and math.isfinite(value):
            return repr(value)
        if kind is str and len(value) < 200:
            return repr(value)
        return self.name(value)

    def text(self, value: Any, node: Callable[[Node], str]) -> str:
        """Source text for a node's argument, containers of nodes included."""
        kind = type(value)
        if kind is Node:
            return node(value)
        if kind is tuple:
            return "(" + "".join(self.text(item, node) + ", " for item in value) + ")"
        if kind is list:
            return "[" + ", ".join(self.text(item, node) for item in value) + "]"
        if kind is dict:
            return "{" + ", ".join(f"{self.literal(k)}: {self.text(v, node)}" for k, v in value.items()) + "}"
        if kind is slice:
            parts = ", ".join(self.text(part, node) for part in (value.start, value.stop, value.step))
            return f"{self.name(slice)}({parts})"
        return self.literal(value)


class GraphWriter:
    """Writes the operations of a graph as statements, one line of the user's program each."""

    def __init__(self, graph: Graph, constants: Constants, outputs: Iterable[Node]) -> None:
        self.graph = graph
        self.constants = constants
        self.statements: list[tuple[str, int | None]] = []
        #: how many statements there are up to the first change that the program sees, itself included
        self.droppable: int | None = None
        self.parameters = [f"p_{index}" for index in range(len(graph.placeholders))]
        self._names: dict[Node, str] = dict(zip(graph.placeholders, self.parameters))
        self._operations = graph.operations
        #: nodes not stored yet: (node, its text, its index, how deep its text nests)
        self._pending: list[tuple[Node, str, int, int]] = []
        self._uses: dict[Node, int] = {}
        self._consumer: dict[Node, int] = {}
        for index, node in enumerate(self._operations):
            for used in node.inputs():
                self._uses[used] = self._uses.get(used, 0) + 1
                self._consumer[used] = index
        for node in outputs:
            self._uses[node] = self._uses.get(node, 0) + 1
            self._consumer[node] = len(self._operations)
        self._elsewhere_made: dict[Any, FunctionType] = {}
        self._variables = 0
        self._free: list[str] = []
        self._dying: dict[int, list[str]] = {}
        self._expired = 0

    def write(self, single: Node | None = None) -> str:
        """Writes all; gives the text of the node that is the only result, if one is named."""
        for index, node in enumerate(self._operations):
            self._write(index, node)
        text = ""
        if single is not None and self._pending and self._pending[-1][0] is single:
            text = self._pending.pop()[1]
        self._flush()
        return text or ("" if single is None else self.name(single))

    def name(self, node: Node) -> str:
        """The text that stands for a node's value: its variable, or its expression if not stored."""
        return self._names[node]

    def _write(self, index: int, node: Node) -> None:
        depth = self._take_pending(node)
        if node.writes:
            self._write_in_place(index, node)
            if node.visible and self.droppable is None:
                self.droppable = len(self.statements)
            return
        text = self._expression(node)
        if self._uses.get(node) == 1 and self._on_same_line(node):
            self._pending.append((node, text, index, depth))
        else:
            self._flush()
            self._store(index, node, text)

    def _take_pending(self, node: Node) -> int:
        """Makes the texts of pending nodes that this one uses ready to stand in its expression.

        Only the last ones, in their order: what runs first goes on running first.
        """
        if not self._pending:
            return 0
        waiting = {entry[0] for entry in self._pending}
        wanted = [used for used in node.inputs() if used in waiting]
        if not wanted and not node.writes:
            return 0
        taken = self._pending[-len(wanted) :] if wanted else []
        depth = 1 + max((entry[3] for entry in taken), default=0)
        if (
            node.writes
            or depth > _DEEPEST
            or [entry[0] for entry in taken] != wanted
            or self._elsewhere(node)
        ):
            self._flush()
            return 0
        del self._pending[-len(taken) :]
        self._flush()
        for used, text, _, _ in taken:
            self._names[used] = f"({text})"
        return depth

    def _on_same_line(self, node: Node) -> bool:
        consumer = self._consumer[node]
        if consumer == len(self._operations):
            return True
        other = self._operations[consumer]
        return other.line == node.line and other.place is node.place and not other.writes

    def _flush(self) -> None:
        pending, self._pending = self._pending, []
        for node, text, index, _ in pending:
            self._store(index, node, text)

    def _store(self, index: int, node: Node, text: str) -> None:
        self._expire(index)
        if node not in self._uses:
            self.statements.append((text, node.line))
        else:
            self.statements.append((f"{self._bind(node)} = {text}", node.line))

    def _bind(self, node: Node) -> str:
        """A variable for a node's value, free again once its last user is written."""
        if self._free:
            name = self._free.pop()
        else:
            self._variables += 1
            name = f"v_{self._variables}"
        self._names[node] = name
        self._dying.setdefault(self._consumer.get(node, 0), []).append(name)
        return name

    def _expire(self, index: int) -> None:
        while self._expired <= index:
            self._free += self._dying.pop(self._expired, ())
            self._expired += 1

    def _write_in_place(self, index: int, node: Node) -> None:
        value = self._text
        if node.target is operator.setitem:
            owner, key, item = node.args
            self._expire(index)
            self.statements.append((f"{value(owner)}[{index_text(key, value)}] = {value(item)}", node.line))
        elif node.target in INPLACE and not self._elsewhere(node):
            left, right = node.args
            name = self._bind(node)
            self.statements.append((f"{name} = {value(left)}", node.line))
            self.statements.append((f"{name} {INPLACE[node.target]} {value(right)}", node.line))
            self._expire(index)
        else:
            self._store(index, node, self._expression(node))

    def _text(self, value: Any) -> str:
        return self.constants.text(value, self.name)

    def _elsewhere(self, node: Node) -> bool:
        here, place = self.graph.place, node.place
        if here is None or place is None or place is here:
            return False
        return place.filename != here.filename or place.globals is not here.globals

    def _expression(self, node: Node) -> str:
        if not self._elsewhere(node):
            return expression(node, self._text, self.constants.name)
        inputs = list(dict.fromkeys(node.inputs()))
        function = compile_node(node, inputs, self._elsewhere_made)
        return f"{self.constants.name(function)}({', '.join(self.name(used) for used in inputs)})"


def compile_node(node: Node, inputs: list[Node], made: dict[Any, FunctionType]) -> FunctionType:
    """A function of its inputs that runs one node at its own place (another file than the graph's).

    `made` are those made before: a loop comes to the same operation again and again.
    """
    constants = Constants("c_")
    names = {used: f"p_{index}" for index, used in enumerate(inputs)}
    text = expression(node, lambda value: constants.text(value, names.__getitem__), constants.name)
    assert node.place is not None
    key = text, node.line, node.place, *map(id, constants.values.values())
    if key not in made:
        parameters = list(names.values())
        made[key] = make_function(parameters, [(f"return {text}", node.line)], constants, node.place)
    return made[key]


def make_function(
    parameters: list[str],
    statements: list[tuple[str, int | None]],
    constants: Constants,
    place: Place | None,
    *,
    otherwise: str = "",
    droppable: int | None = None,
    within: str = "",
) -> FunctionType:
    """The function with these parameters and statements, each at its line of `place`'s file.

    `otherwise` is an expression to return when any Exception is raised, in the first `droppable` statements;
    `within` is a context manager that the statements run in.
    """
    indent = "  " + " " * (bool(otherwise) + bool(within))
    lines = [line for _, line in statements]
    texts = [f"{indent}{text}\n" for text, _ in statements]
    body = "".join(texts[:droppable])
    if within:
        body = f"{indent[1:]}with {within}:\n{body}"
    if otherwise:
        body = f"  try:\n{body}  except {constants.name(Exception)}:\n   return {otherwise}\n"
        if droppable is not None:
            body += "".join(text[1:] for text in texts[droppable:])
            lines[droppable:droppable] = [None, None]
    source = f"def make({', '.join(constants.values)}):\n def graph({', '.join(parameters)}):\n{body}"
    module = compile(source, "<opshift>", "exec", dont_inherit=True)
    make = next(const for const in module.co_consts if isinstance(const, CodeType))
    code = next(const for const in make.co_consts if isinstance(const, CodeType))
    code = at_lines(code, len(indent) + 1, lines, place.filename if place else "<graph>")
    cells = tuple(CellType(constants.values[name]) for name in code.co_freevars)
    return FunctionType(code, place.globals if place else {}, "graph", None, cells)


def at_lines(code: CodeType, begin: int, lines: list[int | None], filename: str) -> CodeType:
    """The code object with the statement on line `begin + n` moved to `lines[n]` of another file."""
    first = next((line for line in lines if line), 1)
    spans = []
    for start, end, line in code.co_lines():
        index = -1 if line is None else line - begin
        found = lines[index] if 0 <= index < len(lines) else first
        spans.append((end - start, Position(found or first, found or first, None, None)))
    table = written(spans, first, HOST)
    return code.replace(co_linetable=table, co_firstlineno=first, co_filename=filename)


def compile_graph(graph: Graph) -> FunctionType:
    """The graph as a function of its placeholders that gives what its output node names."""
    constants = Constants("c_")
    result = graph.nodes[-1].args[0]
    outputs = graph.nodes[-1].inputs()
    writer = GraphWriter(graph, constants, outputs)
    single = writer.write(result if type(result) is Node else None)
    text = single or constants.text(result, writer.name)
    line = graph.operations[-1].line if graph.operations else None
    statements = [*writer.statements, (f"return {text}", line)]
    return make_function(writer.parameters, statements, constants, graph.place)
