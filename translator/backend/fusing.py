"""The backend `numexpr`: stretches of element-wise operations in one pass over large arrays.

A stretch is run fused only where that cannot be told from NumPy: all arrays are of one shape and one of the
dtypes below, contiguous; the operations are those that give the same bits in both; and all results are
finite, so that no floating-point error was there to be shown (see `_OPERATIONS`). In any other case the
stretch runs as it is, from its first operation, at the user's lines.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numexpr
import numpy

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Graph, Node, mapped

#: arrays with fewer elements are not worth a pass of their own
LEAST_ELEMENTS = 16_384
#: a kernel takes no more operands, and no more operations
_MOST_LEAVES, _MOST_OPERATIONS = 16, 60

#: dtypes, and how numexpr calls them
_FLOATS = {numpy.dtype("f8"): numexpr.necompiler.double, numpy.dtype("f4"): float}
_INTS = {numpy.dtype("i8"): numexpr.necompiler.long_, numpy.dtype("i4"): numexpr.necompiler.int_}
_DTYPES = _FLOATS | _INTS

#: what can be fused: (numexpr's text, number of operands, whether of floats alone).
#: Of +, -, *, negation, square, absolute value and square root an infinity or NaN among the operands is one
#: in the result, up to the end of the stretch; so finite results prove that nothing overflowed, divided by
#: zero or was invalid on the way. Division keeps that for its dividend; its divisor comes from outside.
_OPERATIONS: dict[Any, tuple[str, int, bool]] = {
    operator.add: ("({} + {})", 2, False),
    operator.sub: ("({} - {})", 2, False),
    operator.mul: ("({} * {})", 2, False),
    operator.truediv: ("({} / {})", 2, True),
    operator.neg: ("(-{})", 1, False),
    numpy.add: ("({} + {})", 2, False),
    numpy.subtract: ("({} - {})", 2, False),
    numpy.multiply: ("({} * {})", 2, False),
    numpy.divide: ("({} / {})", 2, True),
    numpy.negative: ("(-{})", 1, False),
    numpy.square: ("({0} * {0})", 1, False),
    numpy.sqrt: ("sqrt({})", 1, True),
    abs: ("abs({})", 1, True),
    numpy.absolute: ("abs({})", 1, True),
}
_DIVISIONS = frozenset({operator.truediv, numpy.divide})


def fused(graph: Graph) -> Callable[..., Any]:
    """The graph as a function, stretches that can be fused replaced by calls of theirs."""
    from translator.graph_code import compile_graph

    new = Graph(graph.place)
    known: dict[Node, Any] = {}
    for node in graph.placeholders:
        known[node] = new.placeholder(node.name)
    outputs = graph.nodes[-1]
    operations = graph.operations
    position = 0
    while position < len(operations):
        end = _end_of_stretch(operations, position)
        if end - position >= 2:
            _add_stretch(new, graph, operations[position:end], [*operations[end:], outputs], known)
            position = end
        else:
            _add_as_it_is(new, operations[position], known)
            position += 1
    new.output(mapped(outputs.args[0], known.__getitem__))
    return compile_graph(new)


def _end_of_stretch(operations: list[Node], start: int) -> int:
    end = start
    inside: set[Node] = set()
    while end < len(operations) and _can_be_fused(operations[end], inside):
        inside.add(operations[end])
        end += 1
    return end


def _can_be_fused(node: Node, inside: set[Node]) -> bool:
    found = _OPERATIONS.get(node.target) if node.op == "call_function" and _hashable(node.target) else None
    if found is None or node.kwargs or node.writes or len(node.args) != found[1]:
        return False
    if not all(type(value) is Node or type(value) in (int, float) for value in node.args):
        return False
    # the divisor is to come from outside the stretch
    return node.target not in _DIVISIONS or node.args[1] not in inside


def _hashable(value: Any) -> bool:
    return getattr(type(value), "__hash__", None) is not None


def _add_as_it_is(new: Graph, node: Node, known: dict[Node, Any]) -> None:
    args, kwargs = mapped(node.args, known.__getitem__), mapped(node.kwargs, known.__getitem__)
    add = new.call_method if node.op == "call_method" else new.call_function
    made = known[node] = add(node.target, args, kwargs, node.place, node.line)
    made.writes, made.quiet = node.writes, node.quiet


def _add_stretch(
    new: Graph, graph: Graph, stretch: list[Node], later: list[Node], known: dict[Node, Any]
) -> None:
    inside = set(stretch)
    used = {each for node in later for each in node.inputs()}
    taken = {each for node in stretch for each in node.inputs()}
    # what nobody uses is there for the warnings that it may give
    outputs = [node for node in stretch if node in used or node not in taken]
    inputs = list(dict.fromkeys(each for node in stretch for each in node.inputs() if each not in inside))
    kernel = Stretch(graph, stretch, inputs, outputs)
    first = stretch[0]
    call = new.call_function(kernel, tuple(known[each] for each in inputs), None, first.place, first.line)
    for index, node in enumerate(outputs):
        item = new.call_function(operator.getitem, (call, index), None, first.place, first.line)
        known[node] = item


class Stretch:
    """A stretch of operations: called with its inputs, it gives the tuple of its outputs."""

    def __init__(self, graph: Graph, nodes: list[Node], inputs: list[Node], outputs: list[Node]) -> None:
        from translator.graph_code import compile_graph

        self.__name__ = "fused"
        self.nodes = nodes
        self.inputs = inputs
        self.outputs = outputs
        #: per dtype: a kernel an output, or None where the stretch is not to be fused
        self._kernels: dict[Any, list[Any] | None] = {}
        plain = Graph(graph.place)
        known: dict[Node, Any] = {node: plain.placeholder(node.name) for node in inputs}
        for node in nodes:
            _add_as_it_is(plain, node, known)
        plain.output(tuple(known[node] for node in outputs))
        self.plain = compile_graph(plain)

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        found = self._fused(values)
        return self.plain(*values) if found is None else found

    def _fused(self, values: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The outputs; None where they could be told from NumPy's."""
        dtype = _common_dtype(values)
        if dtype is None or (dtype in _FLOATS and numpy.geterr()["under"] != "ignore"):
            return None
        if dtype not in self._kernels:
            self._kernels[dtype] = self._compile(dtype)
        kernels = self._kernels[dtype]
        if kernels is None:
            return None
        known: dict[Node, Any] = dict(zip(self.inputs, values))
        results = []
        for node, (kernel, leaves, constants) in zip(self.outputs, kernels):
            operands = [known[leaf] for leaf in leaves] + constants
            with numexpr.necompiler.evaluate_lock:
                result = kernel(*operands, order="C", casting="no", ex_uses_vml=False)
            if dtype in _FLOATS and not numpy.isfinite(result).all():
                return None
            known[node] = result
            results.append(result)
        return tuple(results)

    def _compile(self, dtype: Any) -> list[Any] | None:
        kernels = []
        done: set[Node] = set(self.inputs)
        for node in self.outputs:
            text = _KernelText(dtype, done)
            expression = text.of(node)
            if expression is None or len(text.leaves) > _MOST_LEAVES or text.operations > _MOST_OPERATIONS:
                return None
            signature = [(name, _DTYPES[dtype]) for name in text.names()]
            kernel = numexpr.NumExpr(expression, signature, sanitize=False, optimization="none", truediv=True)
            kernels.append((kernel, list(text.leaves), text.constants))
            done.add(node)
        return kernels


class _KernelText:
    """Writes an output as an expression of what is known before it: leaves, and constants as operands.

    Constants written into the text would be cast, folded and moved around by numexpr's own rules.
    """

    def __init__(self, dtype: Any, done: set[Node]) -> None:
        self.dtype = dtype
        self.done = done
        self.leaves: dict[Node, str] = {}
        self.constants: list[Any] = []
        self.operations = 0

    def names(self) -> list[str]:
        return [*self.leaves.values(), *(f"c{index}" for index in range(len(self.constants)))]

    def of(self, value: Any) -> str | None:
        if type(value) is not Node:
            return self._constant(value)
        if value in self.done:
            return self.leaves.setdefault(value, f"x{len(self.leaves)}")
        text, _, floats_only = _OPERATIONS[value.target]
        if floats_only and self.dtype not in _FLOATS:
            return None
        self.operations += 1
        if self.operations > _MOST_OPERATIONS:
            return None
        parts = [self.of(each) for each in value.args]
        return None if None in parts else text.format(*parts)

    def _constant(self, value: Any) -> str | None:
        """A Python number as NumPy takes it beside arrays of the dtype; None if it would be another dtype."""
        if self.dtype in _INTS:
            info = numpy.iinfo(self.dtype)
            if type(value) is not int or not info.min <= value <= info.max:
                return None
        elif abs(value) > numpy.finfo(self.dtype).max or not math.isfinite(value):
            return None
        self.constants.append(numpy.array(value, self.dtype))
        return f"c{len(self.constants) - 1}"


def _common_dtype(values: tuple[Any, ...]) -> Any:
    """The dtype of all, if they are large contiguous arrays of one shape and dtype; else None."""
    if not values:
        return None
    first = values[0]
    if type(first) is not numpy.ndarray or first.size < LEAST_ELEMENTS or first.dtype not in _DTYPES:
        return None
    for value in values:
        if type(value) is not numpy.ndarray or value.dtype != first.dtype or value.shape != first.shape:
            return None
        flags = value.flags
        if not (flags.c_contiguous and flags.aligned and value.dtype.isnative):
            return None
    return first.dtype
