"""Backends: what makes a function of a graph. Any callable `(graph, example_inputs) -> callable` is one.

By name: those that come with opshift, those that packages register in the entry-point group
`opshift.backends`, and, where torch is installed, those that `torch.compile` knows.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.backend.calls import BackendCall, call_backend
from translator.errors import TranslatorError
from translator.graph import Graph

Backend = Callable[[Graph, "list[Any]"], Callable[..., Any]]

ENTRY_POINTS = "opshift.backends"


class UnknownBackend(TranslatorError):
    """A backend's name that nobody has registered, or one whose package cannot be imported."""


def eager(graph: Graph, example_inputs: list[Any]) -> Callable[..., Any]:
    """Runs the operations as they are, at the user's lines."""
    from translator.graph_code import compile_graph

    return compile_graph(graph)


def debug(graph: Graph, example_inputs: list[Any]) -> Callable[..., Any]:
    """As eager, and prints the graph to stderr."""
    print(f"{graph}\n\n{graph.python()}\n", file=sys.stderr)
    return eager(graph, example_inputs)


def numexpr(graph: Graph, example_inputs: list[Any]) -> Callable[..., Any]:
    """Runs chains of element-wise operations on large arrays in one pass, where that changes nothing."""
    from translator.backend.fusing import fused

    return fused(graph)


BUILTIN: dict[str, Backend] = {"eager": eager, "debug": debug, "numexpr": numexpr}


def backend_names() -> list[str]:
    """The names that can be asked for (torch's own only if torch is imported already)."""
    from importlib.metadata import entry_points

    from translator.backend.of_torch import torch_names

    registered = (point.name for point in entry_points(group=ENTRY_POINTS))
    return sorted({*BUILTIN, *registered, *(torch_names() if "torch" in sys.modules else ())})


def find_backend(backend: str | Backend) -> Backend:
    """The backend of that name, or the callable itself.

    Raises UnknownBackend.
    """
    if callable(backend):
        return backend
    if backend == "numexpr":
        _check_import(backend, "numexpr", "opshift[numexpr]")
    if backend in BUILTIN:
        return BUILTIN[backend]
    found = _registered(backend) or _of_torch(backend)
    if found is not None:
        return found
    raise UnknownBackend(
        f"no backend is called {backend!r}: there are {', '.join(backend_names())}; others register in the"
        f" entry-point group {ENTRY_POINTS!r}, or pass a callable (graph, example_inputs) -> callable"
    )


def _registered(name: str) -> Backend | None:
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            try:
                found: Any = point.load()
            except Exception as error:
                raise UnknownBackend(
                    f"the backend {name!r} ({point.value}) cannot be loaded"
                    f" ({type(error).__name__}: {error}): repair or reinstall the package that registers it"
                ) from error
            if not callable(found):
                raise UnknownBackend(
                    f"the backend {name!r} ({point.value}) is {found!r}, which cannot be called: its package"
                    " is to register a callable (graph, example_inputs) -> callable"
                )
            return found  # type: ignore[no-any-return]
    return None


def _of_torch(name: str) -> Backend | None:
    """One of torch.compile's; that name was asked for, so torch is imported if it is installed."""
    from importlib.util import find_spec

    if "torch" not in sys.modules and find_spec("torch") is None:
        return None
    from translator.backend.of_torch import TorchBackend, torch_names

    return TorchBackend(name) if name in torch_names() else None


def _check_import(backend: str, module: str, what: str) -> None:
    from importlib import import_module

    try:
        import_module(module)
    except ImportError as error:
        raise UnknownBackend(
            f"the backend {backend!r} needs {module} ({error}): pip install '{what}'"
        ) from error


__all__ = [
    "Backend",
    "BackendCall",
    "UnknownBackend",
    "backend_names",
    "call_backend",
    "debug",
    "eager",
    "find_backend",
]
