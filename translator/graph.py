"""The graph of array operations that a capture leaves: FX-shaped, small nodes, two ways to print.

A node's `args` and `kwargs` hold other nodes, plain Python values, and tuples, lists, dicts and slices
of these. Operators are nodes of the functions of `operator`, so that NumPy's scalars and Python's
numbers keep their own semantics.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

#: functions of `operator` that print (and compile) as the operator itself
INFIX: dict[Any, str] = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.matmul: "@",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.lshift: "<<",
    operator.rshift: ">>",
    operator.lt: "<",
    operator.le: "<=",
    operator.eq: "==",
    operator.ne: "!=",
    operator.gt: ">",
    operator.ge: ">=",
}
INPLACE: dict[Any, str] = {
    operator.iadd: "+=",
    operator.isub: "-=",
    operator.imul: "*=",
    operator.itruediv: "/=",
    operator.ifloordiv: "//=",
    operator.imod: "%=",
    operator.ipow: "**=",
    operator.imatmul: "@=",
    operator.iand: "&=",
    operator.ior: "|=",
    operator.ixor: "^=",
    operator.ilshift: "<<=",
    operator.irshift: ">>=",
}
_ATOM = re.compile(r"\w+(\.\w+)*")
PREFIX: dict[Any, str] = {operator.neg: "-", operator.pos: "+", operator.invert: "~"}


class Place:
    """Where in the user's program nodes come from: one object a traced frame."""

    __slots__ = ("filename", "function", "globals")

    def __init__(self, filename: str, function: str, globals: dict[str, Any]) -> None:
        self.filename = filename
        self.function = function
        self.globals = globals


class Node:
    """One step of a graph.

    Attributes:
        op: "placeholder", "call_function", "call_method", "get_attr" or "output".
        name: unique in the graph.
        target: the function; the name of the method, of the placeholder or of the attribute.
        args, kwargs: what it is called with (nodes, values, and containers of them).
        place, line: the user's function and line that it comes from.
        writes: it changes an array in place, so it stays, in its place, whoever uses its result.
        visible: what it changes is memory that others than the graph see.
        quiet: it can neither raise nor warn, so it goes when nobody uses its result.
        library: whose operation it is; None: NumPy's or Python's.
        warns: of an operation of another library than NumPy: whether it may warn.
    """

    __slots__ = (
        "_inputs", "args", "kwargs", "library", "line", "name", "op", "place", "quiet", "target", "visible",
        "warns", "writes",
    )  # fmt: skip

    def __init__(
        self,
        op: str,
        name: str,
        target: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        place: Place | None = None,
        line: int | None = None,
    ) -> None:
        self.op = op
        self.name = name
        self.target = target
        self.args = args
        self.kwargs = kwargs
        self.place = place
        self.line = line
        self.writes = False
        self.visible = False
        self._inputs: list[Node] | None = None
        self.quiet = False
        self.library: Any = None
        self.warns = False

    def __repr__(self) -> str:
        return self.name

    def inputs(self) -> list[Node]:
        """The nodes it is called with, in the order of evaluation, each as often as it is used."""
        if self._inputs is not None:
            return self._inputs
        found = self._inputs = []
        for value in self.args:
            if type(value) is Node:
                found.append(value)
            else:
                _collect(value, found)
        if self.kwargs:
            _collect(self.kwargs, found)
        return found


def mapped(value: Any, node: Callable[[Node], Any]) -> Any:
    """A node's argument, with what `node` gives in the place of each node in it."""
    kind = type(value)
    if kind is Node:
        return node(value)
    if kind is tuple or kind is list:
        return kind([mapped(item, node) for item in value])
    if kind is dict:
        return {key: mapped(item, node) for key, item in value.items()}
    if kind is slice:
        return slice(*(mapped(part, node) for part in (value.start, value.stop, value.step)))
    return value


def _collect(value: Any, found: list[Node]) -> None:
    kind = type(value)
    if kind is Node:
        found.append(value)
    elif kind is tuple or kind is list:
        for item in value:
            _collect(item, found)
    elif kind is dict:
        for item in value.values():
            _collect(item, found)
    elif kind is slice:
        _collect((value.start, value.stop, value.step), found)


class Graph:
    """A list of nodes in the order of the program; the last one is the output."""

    __slots__ = ("_inputs", "_names", "nodes", "place")

    def __init__(self, place: Place | None = None) -> None:
        self.nodes: list[Node] = []
        self.place = place
        self._inputs = 0
        self._names: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def unique(self, name: str) -> str:
        """`name`, or `name_1`, `name_2` … if it is taken."""
        names = self._names
        count = names.get(name)
        if count is None:
            names[name] = 0
            return name
        while True:
            count += 1
            found = f"{name}_{count}"
            if found not in names:
                names[name] = count
                names[found] = 0
                return found

    def placeholder(self, name: str) -> Node:
        """A new input. Placeholders stand before everything else."""
        node = Node("placeholder", self.unique(name), name)
        self.nodes.insert(self._inputs, node)
        self._inputs += 1
        return node

    def call_function(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
        place: Place | None = None,
        line: int | None = None,
    ) -> Node:
        """`target(*args, **kwargs)` as the next node."""
        node = Node(
            "call_function", self.unique(_short_name(target, args)), target, args, kwargs, place, line
        )
        self.nodes.append(node)
        return node

    def call_method(
        self,
        target: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
        place: Place | None = None,
        line: int | None = None,
    ) -> Node:
        """`args[0].target(*args[1:], **kwargs)` as the next node."""
        node = Node("call_method", self.unique(target), target, args, kwargs, place, line)
        self.nodes.append(node)
        return node

    def output(self, value: Any) -> Node:
        """What the graph gives back: a node, or a tuple of nodes. Ends the graph."""
        node = Node("output", "output", "output", (value,))
        self.nodes.append(node)
        return node

    @property
    def placeholders(self) -> list[Node]:
        """The inputs, in order."""
        return [node for node in self.nodes if node.op == "placeholder"]

    @property
    def operations(self) -> list[Node]:
        """Everything between the inputs and the output."""
        return [node for node in self.nodes if node.op not in ("placeholder", "output")]

    def drop_dead_nodes(self) -> list[Node]:
        """Takes out placeholders and quiet nodes that nobody uses; gives those taken out."""
        used: set[int] = set()
        kept: list[Node] = []
        dropped: list[Node] = []
        for node in reversed(self.nodes):
            removable = node.op == "placeholder" or (node.quiet and not node.writes)
            if removable and id(node) not in used:
                dropped.append(node)
                continue
            used.update(map(id, node.inputs()))
            kept.append(node)
        if dropped:
            self.nodes = kept[::-1]
            self._inputs -= sum(node.op == "placeholder" for node in dropped)
        return dropped

    def rows(self) -> list[list[Any]]:
        """One [op, name, target, args] a node, all of them strings but args, a list of strings."""
        found = []
        for node in self.nodes:
            args = [show(value) for value in node.args]
            args += [f"{key}={show(value)}" for key, value in (node.kwargs or {}).items()]
            found.append([node.op, node.name, target_name(node.target), args])
        return found

    def python(self) -> str:
        """The graph as Python source, for people to read."""
        inputs = ", ".join(node.name for node in self.placeholders)
        lines = [f"def graph({inputs}):"]
        for node in self.operations:
            lines.append(f"    {statement(node)}")
        if self.nodes and self.nodes[-1].op == "output":
            lines.append(f"    return {show(self.nodes[-1].args[0])}")
        return "\n".join(lines)

    def to_fx(self) -> Any:
        """The graph as a torch.fx.GraphModule; torch must have been imported."""
        from translator.torch_graphs import to_fx

        return to_fx(self)

    def __str__(self) -> str:
        rows = [["op", "name", "target", "args"]]
        rows += [[op, name, target, ", ".join(args)] for op, name, target, args in self.rows()]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        return "\n".join(
            "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]).rstrip()
            for row in rows
        )


def _short_name(target: Any, args: tuple[Any, ...]) -> str:
    if target is getattr and isinstance(args[1], str):
        return args[1]
    name = getattr(target, "__name__", None) or type(target).__name__
    return name.rstrip("_") if name.isidentifier() else "call"


def target_name(target: Any) -> str:
    """How a target prints: `operator.add`, `numpy.sin`, `reshape`."""
    if isinstance(target, str):
        return target
    module = getattr(target, "__module__", None)
    if module == "_operator":
        module = "operator"
    if type(target).__name__ == "ufunc":
        module = "numpy"
    owner = getattr(target, "__self__", None)
    if type(owner).__name__ == "ufunc":
        return f"numpy.{owner.__name__}.{target.__name__}"
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", None) or repr(target)
    return f"{module}.{name}" if module not in (None, "builtins") else str(name)


def show(value: Any) -> str:
    """A node's argument as a person reads it."""
    kind = type(value)
    if kind is Node:
        return str(value.name)
    if kind is tuple:
        return "(" + ", ".join(map(show, value)) + ("," if len(value) == 1 else "") + ")"
    if kind is list:
        return "[" + ", ".join(map(show, value)) + "]"
    if kind is dict:
        return "{" + ", ".join(f"{key!r}: {show(item)}" for key, item in value.items()) + "}"
    if kind is slice:
        return f"slice({show(value.start)}, {show(value.stop)}, {show(value.step)})"
    if isinstance(value, type) or callable(value):
        return target_name(value)
    return repr(value)


def statement(node: Node) -> str:
    """One node as a line of Python, for people."""
    if node.target in INPLACE and node.op == "call_function":
        left, right = map(show, node.args)
        return f"{node.name} = {left}; {node.name} {INPLACE[node.target]} {right}"
    if node.target is operator.setitem:
        return f"{show(node.args[0])}[{index_text(node.args[1], show)}] = {show(node.args[2])}"
    return f"{node.name} = {expression(node, show, target_name)}"


def expression(node: Node, value: Callable[[Any], str], function: Callable[[Any], str]) -> str:
    """The Python expression of a node, its arguments and target written by the two functions."""
    target, args = node.target, node.args
    if node.op == "call_method":
        return f"{_operand(value(args[0]))}.{target}({_call_arguments(args[1:], node.kwargs, value)})"
    if node.kwargs is None:
        if len(args) == 2:
            if target in INFIX:
                return f"{_operand(value(args[0]))} {INFIX[target]} {_operand(value(args[1]))}"
            if target is operator.getitem:
                return f"{_operand(value(args[0]))}[{index_text(args[1], value)}]"
            if target is getattr and isinstance(args[1], str):
                return f"{_operand(value(args[0]))}.{args[1]}"
        elif len(args) == 1 and target in PREFIX:
            return f"{PREFIX[target]}{_operand(value(args[0]))}"
    return f"{function(target)}({_call_arguments(args, node.kwargs, value)})"


def _operand(text: str) -> str:
    return text if text.isidentifier() or _ATOM.fullmatch(text) else f"({text})"


def _call_arguments(args: tuple[Any, ...], kwargs: dict[str, Any] | None, value: Callable[[Any], str]) -> str:
    parts = [value(arg) for arg in args]
    if kwargs:
        parts += [f"{key}={value(item)}" for key, item in kwargs.items()]
    return ", ".join(parts)


def index_text(index: Any, value: Callable[[Any], str]) -> str:
    """A subscript as written: `1:, ::2, i`."""
    if type(index) is slice:
        parts = ["" if part is None else value(part) for part in (index.start, index.stop, index.step)]
        return ":".join(parts if parts[2] else parts[:2])
    if type(index) is tuple and index:
        if any(type(item) is tuple for item in index):
            return value(index)
        return ", ".join(index_text(item, value) for item in index) + ("," if len(index) == 1 else "")
    return value(index)
