"""What a backend made of a graph, watched: its failures are told from the program's."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.backend.reproducer import write_reproducer
from translator.errors import BackendFailed
from translator.graph import Graph


def call_backend(backend: Any, graph: Graph, example_inputs: list[Any]) -> BackendCall:
    """What the backend makes of the graph. Raises BackendFailed."""
    try:
        made = backend(graph, example_inputs)
    except Exception as error:
        why = f"it raised {type(error).__name__}: {error}"
        raise failure(backend, graph, why, example_inputs) from error
    if not callable(made):
        raise failure(backend, graph, f"it gave {made!r}, which cannot be called", example_inputs)
    return BackendCall(backend, graph, made)


def backend_name(backend: Any) -> str:
    """How a backend is called in messages."""
    return (
        getattr(backend, "__qualname__", None) or getattr(backend, "name", None) or type(backend).__qualname__
    )


def failure(backend: Any, graph: Graph, why: str, inputs: Any) -> BackendFailed:
    """The error that names the backend, the function, and a file that shows the failure again."""
    name = backend_name(backend)
    place = graph.place
    line = next((node.line for node in graph.operations if node.line), None)
    where = "a graph" if place is None else f"{place.filename}:{line}, in {place.function}"
    why = " ".join(why.split())
    try:
        reproducer = f"{write_reproducer(backend, graph, inputs, why)} shows it again"
    except Exception as error:
        reproducer = f"no reproducer could be written ({type(error).__name__}: {error})"
    return BackendFailed(
        f"the backend {name}",
        where,
        why,
        f"the original code runs instead; {reproducer}; try backend='eager'",
    )


class BackendCall:
    """The callable that a backend made of a graph."""

    __slots__ = ("backend", "count", "failure", "graph", "made")

    def __init__(self, backend: Any, graph: Graph, made: Callable[..., Any]) -> None:
        self.backend = backend
        self.graph = graph
        self.made = made
        #: what it raised when it failed: one reproducer is enough
        self.failure: BackendFailed | None = None
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
            raise self._failure(why, inputs) from error
        if self.count is None:
            if type(found) in (tuple, list) and type(found) is not type(self._as_it_is(inputs)):
                why = f"its callable is to give one result as it is and gave a {type(found).__name__}"
                raise self._failure(why, inputs)
            return found
        if type(found) not in (tuple, list) or len(found) != self.count:
            got = f"{len(found)} of them" if type(found) in (tuple, list) else f"a {type(found).__name__}"
            raise self._failure(f"its callable is to give {self.count} results and gave {got}", inputs)
        return found

    def _failure(self, why: str, inputs: tuple[Any, ...]) -> BackendFailed:
        known = self.failure
        if known is None:
            known = self.failure = failure(self.backend, self.graph, why, inputs)
            return known
        return BackendFailed(known.what, known.where, " ".join(why.split()), known.hint)

    def _raises_anyway(self, inputs: tuple[Any, ...]) -> bool:
        """Whether the graph's operations raise as they are, for these inputs."""
        try:
            self._as_it_is(inputs)
        except Exception:
            return True
        return False

    def _as_it_is(self, inputs: tuple[Any, ...]) -> Any:
        """What the graph's operations give."""
        from translator.graph_code import compile_graph

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile_graph(self.graph)(*inputs)
