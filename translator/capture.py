"""What tracing a region found."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import seeing
from translator.backends import Backend, call_backend, eager
from translator.foresight import prove
from translator.runner import Runner, finish_graph, make_runner


class Capture:
    """What tracing one call found: graph, guards, and how to make the result."""

    __slots__ = ("changed", "graph", "guards", "inputs", "places", "protection", "value", "writer")

    def __init__(self, tx: Any, value: Any) -> None:
        self.value = value
        self.graph = tx.graph
        with seeing.phase("proof and graph"):
            #: how a run is kept from failing after it has warned
            self.protection = prove(tx)
            tx.effects.finish(tx)
            self.changed = tx.effects.log
            self.writer = finish_graph(tx.graph, value, self.changed)
        kept = set(tx.graph.placeholders)
        self.inputs = [array for array in tx.inputs if array.node in kept]
        self.places = {array.node: array.source.code for array in self.inputs}
        self.guards = tx.guards.ordered()

    @property
    def examples(self) -> list[Any]:
        """The live values of the placeholders."""
        return [array.value for array in self.inputs]

    def runner(self, backend: Backend, failed: Any) -> Runner:
        """The runner, the graph compiled by a backend."""
        with seeing.phase("backend"):
            call = None if backend is eager else call_backend(backend, self.graph, self.examples)
        return make_runner(
            self.graph, self.writer, self.value, self.changed, self.places, call, failed, self.protection
        )

    def forget(self) -> None:
        """Lets go of the live values; graph and guards stay."""
        self.inputs = []
        self.changed = []
        self.value = self.writer = None  # type: ignore[assignment]
