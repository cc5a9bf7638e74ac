"""Captures a region: traces it, and where that breaks, traces it again up to the break or to before it."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

import opcodes
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import logs, seeing
from translator.capture import Capture
from translator.dataflow import dataflow
from translator.errors import Unimplemented
from translator.live import Live
from translator.places import after_statement, head_of, next_places
from translator.region_code import HEAD
from translator.region_ends import End, name_cells
from translator.regions import RegionRoot, RegionTranslator, Start, Stopped, Walk
from translator.symbolic.recording import MOST_NODES
from translator.symbolic.root import RootFunction

#: so often an earlier end is tried
_MOST_RETREATS = 5


class _EveryNumber(frozenset[str]):
    """The names of all sources."""

    def __contains__(self, name: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


#: in the place of names of sources: whatever number comes in is an input
EVERY_NUMBER: Any = _EveryNumber()


class Found:
    """What capturing a region gave.

    Attributes:
        capture: None if nothing was captured.
        end: how the region ends; None: with the return.
        needed: variables that have to be bound.
        reason: what broke; None if nothing did.
        after: where the next regions may begin.
        kept: headers of loops that are left to CPython.
    """

    def __init__(self) -> None:
        self.capture: Capture | None = None
        self.end: End | None = None
        self.needed: list[str] = []
        self.reason: Unimplemented | None = None
        self.after: list[int] = []
        self.kept: set[int] = set()


class Place:
    """A place of a function, and what is live there in one call.

    Attributes:
        live: None at the head: `arguments` has the arguments.
        everything: whether a region without array operations is one.
        whole: whether nothing but the whole is wanted.
        breaks: instructions before which a region ends in any case.
        changing: names of the sources of numbers that are inputs of the graph.
    """

    def __init__(
        self,
        function: FunctionType,
        original: CodeType,
        index: int,
        live: Live | None,
        arguments: list[Any],
    ) -> None:
        self.function = function
        self.original = original
        self.program = opcodes.decode(original)
        self.index = head_of(self.program) if index == HEAD else index
        self.live = live
        self.arguments = arguments
        self.everything = self.whole = False
        self.breaks: frozenset[int] = frozenset()
        self.changing: set[str] = set()

    def walk(self, stops: frozenset[int]) -> Walk:
        """A new way from here."""
        kind: Any = RegionTranslator
        if logs.on.walk:
            kind = _live_kind()
        root: RootFunction
        if self.live is None:
            root = RootFunction(self.function, self.original, self.arguments)
        else:
            root = RegionRoot(self.function, self.original)
        tx = kind(root)
        tx.changing = self.changing
        return Walk(tx, Start(self.program, self.index), self.live, stops)


def _live_kind() -> type:
    from translator.tracing import LiveTranslator

    class LiveRegionTranslator(RegionTranslator, LiveTranslator):  # type: ignore[misc]
        pass

    return LiveRegionTranslator


def capture_region(place: Place, kept: set[int]) -> Found:
    """Captures from a place on. `kept` are the headers of loops that are known not to be unrolled."""
    found = Found()
    found.kept = set(kept)
    while True:
        stops = _stops(place, found.kept)
        walk = place.walk(stops)
        try:
            with seeing.phase("tracing"):
                value = walk.run()
            _finish(place, walk, value, found)
            return found
        except Stopped as stopped:
            stopped.__traceback__ = None  # its frames hold what is live
            if _try_to_finish(place, walk, found):
                found.after = next_places(place.program, found.end.index)  # type: ignore[union-attr]
                return found
            position = walk.position
        except Unimplemented as reason:
            position = walk.position
            if _exhausted(walk) and _keep_loop(place, position[1], found.kept):
                continue
            found.reason = found.reason or _without_frames(reason)
        finally:
            absorbed = _operations(walk) > 0 or place.everything
            walk.forget()
        break
    if not (position[0] == 0 and position[1] <= place.index) and absorbed and not place.whole:
        _capture_until(place, position, stops, found)
    found.after = next_places(place.program, position[1])
    if found.end is not None and found.end.index != position[1]:
        found.after = [*after_statement(place.program, found.end.index), *found.after]
    return found


def _without_frames(reason: Unimplemented) -> Unimplemented:
    reason.__traceback__ = reason.__context__ = None
    return reason


def _operations(walk: Walk) -> int:
    return len(walk.tx.graph.operations)


def _exhausted(walk: Walk) -> bool:
    tx = walk.tx
    return tx.steps_left < 0 or len(tx.graph.nodes) > MOST_NODES


def _keep_loop(place: Place, index: int, kept: set[int]) -> bool:
    """Leaves the outermost loop around an instruction to CPython; False if there is none."""
    around = [
        (start, end)
        for start, end in dataflow(place.program).loops
        if start <= index <= end and start not in kept
    ]
    if not around:
        return False
    kept.add(min(around)[0])
    return True


def _stops(place: Place, kept: set[int]) -> frozenset[int]:
    """Where a region ends because of loops that are left to CPython: before their headers and their
    backward jumps."""
    back = [end for start, end in dataflow(place.program).loops if start in kept]
    return place.breaks.union(kept, back)


def _finish(place: Place, walk: Walk, value: Any, found: Found) -> None:
    """Makes the capture of what was walked. Raises Unimplemented where that cannot be."""
    tx = walk.tx
    if walk.end is not None:
        name_cells(walk.start, walk.frame, place.original)
        value = walk.end.value
    capture = Capture(tx, value)
    if capture.graph.operations or place.everything:
        found.capture, found.end, found.needed = capture, walk.end, walk.start.needed


def _try_to_finish(place: Place, walk: Walk, found: Found) -> bool:
    """Ends the region where the walk has stopped, if it can end there."""
    if walk.end is None:
        return False
    try:
        _finish(place, walk, None, found)
    except Unimplemented as reason:
        found.reason = found.reason or _without_frames(reason)
    return found.capture is not None


def _capture_until(place: Place, position: tuple[int, int], stops: frozenset[int], found: Found) -> None:
    """Captures up to a position, or to one before it where the region can end."""
    good: list[tuple[int, int, int]] = []
    limit, watched = position, True
    for _ in range(_MOST_RETREATS):
        walk = place.walk(stops)
        try:
            walk.run(limit, watched)
        except Stopped as stopped:
            stopped.__traceback__ = None
            if _try_to_finish(place, walk, found):
                return
        except Unimplemented as reason:
            found.reason = found.reason or _without_frames(reason)
        finally:
            nodes = len(walk.tx.graph.nodes)
            walk.forget()
        if watched:
            good = walk.good
            watched = False
        else:
            nodes //= 2
        good = [each for each in good if each[2] <= nodes and each[:2] != limit]
        if not good or (good[-1][2] == 0 and not place.everything):
            return
        limit = good[-1][:2]


__all__ = ["Found", "Place", "capture_region"]
