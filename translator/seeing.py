"""What happens while functions are compiled, told to the logs and to whoever listens in this thread.

The capture calls these functions; `translator.explain` listens. Nothing is worked out that nobody reads.
"""

from __future__ import annotations

import builtins
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import logs
from translator.errors import Unimplemented
from translator.graph import Graph, statement

#: the phases of a compilation, in their order
PHASES = ("tracing", "proof and graph", "backend", "new code")


class Region(NamedTuple):
    """What one capture gave."""

    function: str
    graph: Graph
    guards: list[Any]
    effects: list[str]


class Recompile(NamedTuple):
    """A call that no entry was for: of which function, and the guard of each entry that did not hold."""

    function: str
    place: str
    failed: list[str]


class Seen:
    """What was told while somebody listened.

    Attributes:
        regions, breaks, recompiles: in the order they came.
        seconds: per phase.
    """

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self.breaks: list[tuple[str, Unimplemented]] = []
        self.recompiles: list[Recompile] = []
        self.seconds: defaultdict[str, float] = defaultdict(float)


class _Listeners(threading.local):
    def __init__(self) -> None:
        self.all: list[Seen] = []


_listeners = _Listeners()


@contextmanager
def listening(seen: Seen) -> Iterator[Seen]:
    """Within, what is told in this thread is put down in `seen`."""
    _listeners.all.append(seen)
    try:
        yield seen
    finally:
        _listeners.all.remove(seen)


class phase:
    """Within, time counts as this phase's; a phase within a phase counts for itself alone."""

    __slots__ = ("name", "started", "within")

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        self.within = [sum(seen.seconds.values()) for seen in _listeners.all]
        self.started = perf_counter()

    def __exit__(self, *error: object) -> None:
        spent = perf_counter() - self.started
        for seen, before in zip(_listeners.all, self.within):
            seen.seconds[self.name] += spent - (sum(seen.seconds.values()) - before)


def place_of(code: CodeType) -> str:
    """Where a function stands: `f (program.py:3)`."""
    return f"{code.co_name} ({code.co_filename}:{code.co_firstlineno})"


def captured(code: CodeType, capture: Any) -> None:
    """A region was captured: `capture` has its graph, its guards and the inputs that it changes."""
    on: Any = logs.on
    if not _listeners.all and not (on.graph or on.graph_code or on.guards or on.side_effects):
        return
    what = place_of(code)
    effects = [f"{each.describe()} is changed" for each in capture.changed]
    effects += [
        f"an array is changed: {statement(node)}" for node in capture.graph.operations if node.visible
    ]
    if on.graph:
        logs.write("graph", what, str(capture.graph))
    if on.graph_code:
        logs.write("graph_code", what, capture.graph.python())
    if on.guards:
        logs.write("guards", what, "\n".join(map(guard_text, capture.guards)))
    if on.side_effects and effects:
        logs.write("side_effects", what, "\n".join(effects))
    for seen in _listeners.all:
        seen.regions.append(Region(code.co_name, capture.graph, list(capture.guards), effects))


def guard_text(guard: Any) -> str:
    """A guard, and the user's line that asked for it."""
    return f"{guard}  (line {guard.line})" if guard.line else str(guard)


def broke(code: CodeType, reason: Unimplemented) -> None:
    """Something could not be captured."""
    on: Any = logs.on
    if on.graph_breaks:
        logs.write("graph_breaks", place_of(code), str(reason))
    for seen in _listeners.all:
        seen.breaks.append((code.co_name, reason))


def wants_recompiles() -> bool:
    """Whether anybody asks why there is a recompilation."""
    return bool(_listeners.all) or logs.on.recompiles  # type: ignore[attr-defined]


def recompiled(code: CodeType, failed: list[str]) -> None:
    """A call that no entry was for, though there are some: the guard of each that did not hold."""
    if logs.on.recompiles:  # type: ignore[attr-defined]
        logs.write("recompiles", place_of(code), "\n".join(failed))
    for seen in _listeners.all:
        seen.recompiles.append(
            Recompile(code.co_name, f"{code.co_filename}:{code.co_firstlineno}", list(failed))
        )


def failed_guard(guards: list[Any], function: FunctionType, names: list[str], values: Any) -> str:
    """The first guard that does not hold for these live values; for people.

    Guards are checked in their order, as the entry checks them; the others are not looked at.
    """
    for guard in guards:
        try:
            holds = _holds(guard, function, names, values)
        except Exception as error:
            return f"{guard_text(guard)}: {type(error).__name__}: {error}"
        if not holds:
            return guard_text(guard)
    return "all guards hold"


def _holds(guard: Any, function: FunctionType, names: list[str], values: Any) -> bool:
    from translator.codegen import PREFIX, Piece
    from translator.graph_code import Constants

    constants = Constants(PREFIX)
    constants.values.update(opshift_globals=globals, opshift_builtins=vars(builtins))
    code = function.__code__
    piece = Piece(f"return {guard.code(constants)}", constants.values, names, code.co_freevars)
    return bool(piece.function(function)(*values))
