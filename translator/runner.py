"""The runner of an entry: a function that runs the graph and makes the result of it.

It has the inputs as parameters, the graph's operations (or one call of what a backend made of them) as
statements, and the result as an expression. Nothing of the program has changed before it returns; if
anything in it raises, it gives what `failed()` gives, and the original instructions run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.codegen import FAILED
from translator.errors import Unimplemented
from translator.foresight import CHECKS, PROTECTED
from translator.graph import Graph, Node
from translator.graph_code import Constants, GraphWriter, make_function
from translator.side_effects import ChangeableVariable
from translator.variables.arrays import ArrayVariable, ResultTupleVariable
from translator.variables.tracker import PLAIN, VariableTracker


class ResultWriter:
    """Writes the value that a capture returns as Python.

    Attributes:
        outputs: the nodes that it is made of, each once.
        sources: the inputs that it is made of, as expressions in the frame.
    """

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.outputs: list[Node] = []
        self.sources: list[str] = []
        self._counts: dict[int, int] = {}
        self._open: set[int] = set()

    def look(self, value: Any) -> None:
        """Finds the outputs and sources, and what is in the result more than once."""
        if type(value) in PLAIN:
            return
        if value.source is not None:
            if value.source.code not in self.sources:
                self.sources.append(value.source.code)
        elif type(value) is ArrayVariable or type(value) is ResultTupleVariable:
            if value.node not in self.outputs:
                self.outputs.append(value.node)  # type: ignore[arg-type]
        else:
            self._look_inside(value)

    def _look_inside(self, value: VariableTracker) -> None:
        if not value.rebuildable:
            raise Unimplemented(
                f"returning {value.describe()}",
                "the return",
                "it cannot be made again",
                "return its contents",
            )
        count = self._counts[id(value)] = self._counts.get(id(value), 0) + 1
        if id(value) in self._open:
            raise Unimplemented(
                "returning a container that holds itself", "the return", "it is not captured", ""
            )
        if count > 1:
            return
        self._open.add(id(value))
        for child in value.children():
            self.look(child)
        self._open.discard(id(value))

    def write(
        self,
        value: Any,
        changed: list[ChangeableVariable],
        node: Callable[[Node], str],
        parameter: Callable[[str], str],
    ) -> tuple[list[str], str]:
        """(statements: what is in it more than once, then the changes; the expression of the value)."""
        statements: list[str] = []
        shared: dict[int, str] = {}

        def text(value: Any) -> str:
            if type(value) in PLAIN:
                return self.constants.literal(value)
            if value.source is not None:
                return parameter(value.source.code)
            if type(value) is ArrayVariable or type(value) is ResultTupleVariable:
                return node(value.node)  # type: ignore[arg-type]
            if id(value) in shared:
                return shared[id(value)]
            made = value.rebuild([text(child) for child in value.children()], self._object)
            if self._counts[id(value)] == 1:
                return str(made)
            name = shared[id(value)] = f"shared_{len(shared)}"
            statements.append(f"{name} = {made}")
            return name

        result = text(value)
        replays = []
        for tracker in changed:
            parts = [text(each) for each in tracker.changed_values()]
            replays += tracker.replay(parts, text(tracker), self.constants.literal)
        return statements + replays, result

    def _object(self, value: Any) -> str:
        return self.constants.literal(value) if type(value) in PLAIN else self.constants.name(value)


class Runner:
    """What an entry calls, and with which expressions of the frame."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: FunctionType, arguments: list[str]) -> None:
        self.function = function
        self.arguments = arguments


def finish_graph(graph: Graph, value: Any, changed: list[ChangeableVariable]) -> ResultWriter:
    """Ends the graph with the outputs that the returned value and the changes are made of."""
    writer = ResultWriter(Constants("c_"))
    writer.look(value)
    for tracker in changed:
        writer.look(tracker)
        for each in tracker.changed_values():
            writer.look(each)
    outputs = writer.outputs
    graph.output(outputs[0] if len(outputs) == 1 else tuple(outputs))
    graph.drop_dead_nodes()
    return writer


def make_runner(
    graph: Graph,
    writer: ResultWriter,
    value: Any,
    changed: list[ChangeableVariable],
    inputs: dict[Node, str],
    call: Any,
    failed: Any,
    protection: str,
) -> Runner:
    """The runner for a finished graph.

    Args:
        changed: the inputs whose changes are replayed at the end.
        inputs: each placeholder's expression in the frame.
        call: what a backend made of the graph; None to run the graph's operations as they are.
        protection: what `foresight.prove` found. PROTECTED: floating-point warnings are raised, so that none
            is shown before the region is dropped.
        failed: called when anything raises; what it gives is the runner's result.
    """
    constants = writer.constants
    arguments = [inputs[node] for node in graph.placeholders]
    parameters = [f"p_{index}" for index in range(len(arguments))]
    for source in writer.sources:
        if source not in arguments:
            arguments.append(source)
            parameters.append(f"p_{len(parameters)}")
    names = dict(zip(arguments, parameters))
    if call is None:
        operations = GraphWriter(graph, constants, writer.outputs)
        alone = type(value) is ArrayVariable and value.source is None and not changed
        single = value.node if alone else None
        text = operations.write(single)
        statements = operations.statements
        node: Callable[[Node], str] = operations.name
    else:
        text = ""
        statements, node = _backend_call(graph, writer, constants.name(call), parameters)
    line = graph.operations[-1].line if graph.operations else None
    if not text:
        shared, text = writer.write(value, changed, node, names.__getitem__)
        statements = statements + [(each, line) for each in shared]
    if protection in CHECKS:
        first = next((node.line for node in graph.operations), line)
        check = f"if not {constants.name(CHECKS[protection])}(): return {constants.name(FAILED)}"
        statements = [(check, first), *statements]
    function = make_function(
        parameters,
        [*statements, (f"return {text}", line)],
        constants,
        graph.place,
        otherwise=f"{constants.name(failed)}()",
        within=f"{constants.name(sys.modules['numpy'].errstate)}(all='raise')"
        if protection == PROTECTED
        else "",
    )
    return Runner(function, arguments)


def _backend_call(
    graph: Graph, writer: ResultWriter, call: str, parameters: list[str]
) -> tuple[list[tuple[str, int | None]], Callable[[Node], str]]:
    count = len(graph.placeholders)
    names = {node: f"r_{index}" for index, node in enumerate(writer.outputs)}
    names.update(zip(graph.placeholders, parameters))
    results = ", ".join(names[node] for node in writer.outputs)
    if len(writer.outputs) != 1:
        results = f"({results}{',' if len(writer.outputs) == 1 else ''})"
    line = next((node.line for node in graph.operations), None)
    return [(f"{results} = {call}({', '.join(parameters[:count])})", line)], names.__getitem__
