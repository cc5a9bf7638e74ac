"""The runner of an entry: a function that runs the graph and makes the result of it.

It has the inputs as parameters, the graph's operations (or one call of what a backend made of them) as
statements, and the result as an expression. Nothing of the program has changed before it returns; if
anything in it raises, it gives what `failed()` gives, and the original instructions run.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.codegen import FAILED
from translator.foresight import CHECKS, PROTECTED, raising
from translator.graph import Graph, Node
from translator.graph_code import Constants, GraphWriter, make_function
from translator.result_writer import ResultWriter
from translator.side_effects import Effect
from translator.variables.arrays import ArrayVariable


class Runner:
    """What an entry calls, and with which expressions of the frame."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: FunctionType, arguments: list[str]) -> None:
        self.function = function
        self.arguments = arguments


def finish_graph(graph: Graph, value: Any, changed: list[Effect]) -> ResultWriter:
    """Ends the graph with the outputs that the returned value and the changes are made of."""
    writer = ResultWriter(Constants("c_"))
    writer.look(value)
    for effect in changed:
        writer.look(effect.target)
        for each in effect.changed_values():
            writer.look(each)
    outputs = writer.outputs
    graph.output(outputs[0] if len(outputs) == 1 else tuple(outputs))
    graph.drop_dead_nodes()
    return writer


def make_runner(
    graph: Graph,
    writer: ResultWriter,
    value: Any,
    changed: list[Effect],
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
    droppable = None
    if call is None or any(node.visible for node in graph.nodes):
        # where the program sees a change, nothing may fail behind it: the operations are run as they are
        operations = GraphWriter(graph, constants, writer.outputs)
        alone = isinstance(value, ArrayVariable) and value.source is None and not changed
        single = value.node if alone else None
        text = operations.write(single)
        statements = operations.statements
        node: Callable[[Node], str] = operations.name
        droppable = operations.droppable
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
        droppable = None if droppable is None else droppable + 1
    function = make_function(
        parameters,
        [*statements, (f"return {text}", line)],
        constants,
        graph.place,
        otherwise=f"{constants.name(failed)}()",
        droppable=droppable,
        within=f"{constants.name(raising)}()" if protection == PROTECTED else "",
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
