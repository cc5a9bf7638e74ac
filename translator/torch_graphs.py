"""A graph as a `torch.fx.GraphModule`."""

from __future__ import annotations

import sys
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import TranslatorError
from translator.graph import Graph, Node, mapped


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
        args = mapped(node.args, known.__getitem__)
        kwargs = mapped(node.kwargs or {}, known.__getitem__)
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
