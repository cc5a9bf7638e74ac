"""Backends: what makes a function of a graph. Any callable `(graph, example_inputs) -> callable` is one."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import BackendFailed, TranslatorError
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


def call_backend(backend: Backend, graph: Graph, example_inputs: list[Any]) -> BackendCall:
    """What the backend makes of the graph. Raises BackendFailed."""
    try:
        made = backend(graph, example_inputs)
    except Exception as error:
        raise failure(backend, graph, f"it raised {type(error).__name__}: {error}") from error
    if not callable(made):
        raise failure(backend, graph, f"it gave {made!r}, which cannot be called")
    return BackendCall(backend, graph, made)


def failure(backend: Backend, graph: Graph, why: str) -> BackendFailed:
    """The error that names the backend and the function."""
    name = getattr(backend, "__qualname__", None) or type(backend).__qualname__
    place = graph.place
    line = next((node.line for node in graph.operations if node.line), None)
    where = "a graph" if place is None else f"{place.filename}:{line}, in {place.function}"
    return BackendFailed(
        f"the backend {name}",
        where,
        " ".join(why.split()),
        "the original code runs instead; try backend='eager'",
    )


class BackendCall:
    """The callable that a backend made of a graph, watched: its failures are told from the program's."""

    __slots__ = ("backend", "count", "graph", "made")

    def __init__(self, backend: Backend, graph: Graph, made: Callable[..., Any]) -> None:
        self.backend = backend
        self.graph = graph
        self.made = made
        result = graph.nodes[-1].args[0]
        #: how many results there are to be; None: one, as it is
        self.count = len(result) if type(result) is tuple else None

    def __call__(self, *inputs: Any) -> Any:
        try:
            found = self.made(*inputs)
        except Exception as error:
            if self._raises_anyway(inputs):
                raise
            why = f"its callable raised {type(error).__name__}: {error}"
            raise failure(self.backend, self.graph, why) from error
        if self.count is None:
            if type(found) in (tuple, list) and type(found) is not type(self._as_it_is(inputs)):
                why = f"its callable is to give one result as it is and gave a {type(found).__name__}"
                raise failure(self.backend, self.graph, why)
            return found
        if type(found) not in (tuple, list) or len(found) != self.count:
            got = f"{len(found)} of them" if type(found) in (tuple, list) else f"a {type(found).__name__}"
            raise failure(
                self.backend, self.graph, f"its callable is to give {self.count} results and gave {got}"
            )
        return found

    def _raises_anyway(self, inputs: tuple[Any, ...]) -> bool:
        """Whether the graph's operations raise as they are, for these inputs."""
        try:
            self._as_it_is(inputs)
        except Exception:
            return True
        return False

    def _as_it_is(self, inputs: tuple[Any, ...]) -> Any:
        """What the graph's operations give."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eager(self.graph, [])(*inputs)


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
