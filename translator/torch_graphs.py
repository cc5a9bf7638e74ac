"""A graph as a `torch.fx.GraphModule`."""

from __future__ import annotations

import sys
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import TranslatorError
from translator.graph import Graph, Node


def to_fx(graph: Graph) -> Any:
    """The graph as a torch.fx.GraphModule: the same nodes, names and order, the user's lines with them.

    Raises TranslatorError where torch has not been imported.
    """
    if "torch" not in sys.modules:
        raise TranslatorError(
            "Graph.to_fx() needs torch, and the program has not imported it: import torch first"
        )
    import torch

    made = torch.fx.Graph()
    known: dict[Node, Any] = {}
    for node in graph.nodes:
        args = _mapped(node.args, known)
        kwargs = _mapped(node.kwargs or {}, known)
        if node.op == "placeholder":
            new = made.placeholder(node.name)
        elif node.op == "output":
            new = made.output(args[0])
        else:
            new = made.create_node(node.op, node.target, args, kwargs, name=node.name)
            if node.place is not None:
                place = f'File "{node.place.filename}", line {node.line}, in {node.place.function}'
                new.meta["stack_trace"] = f"  {place}"
        known[node] = new
    name = graph.place.function if graph.place is not None else "graph"
    return torch.fx.GraphModule(torch.nn.Module(), made, name if name.isidentifier() else "graph")


def _mapped(value: Any, known: dict[Node, Any]) -> Any:
    kind = type(value)
    if kind is Node:
        return known[value]
    if kind is tuple or kind is list:
        return kind(_mapped(item, known) for item in value)
    if kind is dict:
        return {key: _mapped(item, known) for key, item in value.items()}
    if kind is slice:
        return slice(*(_mapped(part, known) for part in (value.start, value.stop, value.step)))
    return value
