"""The backends that torch.compile knows by name, on graphs of torch's operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Graph


def torch_names() -> list[str]:
    """Their names; torch is imported."""
    import torch

    return list(torch._dynamo.list_backends(exclude_tags=()))


class TorchBackend:
    """One of torch.compile's backends.

    What it makes is specialised to shapes, strides, devices and modes of its own choice: so torch.compile
    itself stands before it, and decides for each call whether what was made fits.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, graph: Graph, example_inputs: list[Any]) -> Callable[..., Any]:
        import torch

        for node, value in zip(graph.placeholders, example_inputs):
            if not isinstance(value, torch.Tensor):
                raise TypeError(
                    f"the input {node.name} is a {type(value).__name__}: torch would compute with it by other"
                    " rules than NumPy; use a backend for NumPy"
                )
        foreign = next((node for node in graph.operations if _is_numpys(node.target)), None)
        if foreign is not None:
            raise TypeError(f"{foreign.name} is an operation of NumPy, not of torch")
        return torch.compile(graph.to_fx(), backend=self.name, fullgraph=True)  # type: ignore[no-any-return]


def _is_numpys(target: Any) -> bool:
    module = getattr(target, "__module__", None) or type(target).__module__
    return isinstance(module, str) and module.split(".")[0] == "numpy"
