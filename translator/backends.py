"""Backends: what makes a function of a graph. Any callable `(graph, example_inputs) -> callable` is one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from translator.errors import TranslatorError
from translator.graph import Graph

Backend = Callable[[Graph, "list[Any]"], Callable[..., Any]]

ENTRY_POINTS = "opshift.backends"


class UnknownBackend(TranslatorError):
    """A backend's name that nobody has registered."""


def eager(graph: Graph, example_inputs: list[Any]) -> Callable[..., Any]:
    """Runs the operations as they are, at the user's lines."""
    from translator.graph_code import compile_graph

    return compile_graph(graph)


def debug(graph: Graph, example_inputs: list[Any]) -> Callable[..., Any]:
    """As eager, and prints the graph to stderr."""
    print(f"{graph}\n\n{graph.python()}\n", file=sys.stderr)
    return eager(graph, example_inputs)


BUILTIN: dict[str, Backend] = {"eager": eager, "debug": debug}


def backend_names() -> list[str]:
    """The names that can be asked for."""
    from importlib.metadata import entry_points

    return sorted({*BUILTIN, *(point.name for point in entry_points(group=ENTRY_POINTS))})


def find_backend(backend: str | Backend) -> Backend:
    """The backend of that name, or the callable itself.

    Raises UnknownBackend.
    """
    if callable(backend):
        return backend
    if backend in BUILTIN:
        return BUILTIN[backend]
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS):
        if point.name == backend:
            return point.load()  # type: ignore[no-any-return]
    raise UnknownBackend(
        f"no backend is called {backend!r}: there are {', '.join(backend_names())}; others register in the"
        f" entry-point group {ENTRY_POINTS!r}, or pass a callable (graph, example_inputs) -> callable"
    )
