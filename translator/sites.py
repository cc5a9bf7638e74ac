"""The places of a compiled function where regions begin, each with its entries and its hook."""

from __future__ import annotations

import sys
import weakref
from operator import is_not
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import opcodes
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.codegen import FAILED, MISS, Piece, RunnerReference, entry_piece, miss_piece
from translator.dataflow import parameter_count
from translator.guards import Guard, guarded_number
from translator.places import next_places
from translator.region_code import HEAD, SitePiece, Spot, check_piece, hook_piece, region_piece
from translator.sentinels import NULL

if TYPE_CHECKING:
    from translator.capturing import Found
    from translator.convert_frame import Compiled

#: calls that find nothing to capture at a place before it is looked at no more
MOST_EMPTY = 2


class Arrival:
    """A frame that has come to a place where no entry was for it.

    Attributes:
        arguments: at the head, the arguments.
        live: elsewhere, all that is live.
        spot: the place, if it is not the head.
    """

    __slots__ = ("arguments", "live", "spot")

    def __init__(self, arguments: tuple[Any, ...], live: Any = None, spot: Spot | None = None) -> None:
        self.arguments = arguments
        self.live = live
        self.spot = spot

    def named(self, names: list[str], spot: Spot) -> dict[str, Any]:
        """The values by the names that pieces have for them."""
        if self.live is None:
            return dict(zip(names, self.arguments))
        found = {}
        for name, value in zip(spot.program.localsplus, self.live.values):
            if name in spot.own_cells or name in spot.frees:
                found[f"opshift_cell_{name}"] = value
                try:
                    found[name] = value.cell_contents
                except ValueError:
                    continue
            elif value is not NULL:
                found[name] = value
        for place, value in enumerate(self.live.stack):
            found[f"opshift_s{place}"] = value
        return found


class Entry:
    """One captured region of a function, with the guards it is for.

    Attributes:
        end: how it ends in the middle of the function; None: it returns.
    """

    __slots__ = (
        "__weakref__",
        "_check",
        "capture",
        "end",
        "failures",
        "names",
        "needed",
        "piece",
        "runner",
        "site",
    )

    def __init__(self, compiled: Compiled, site: Site, found: Found) -> None:
        capture = found.capture
        assert capture is not None
        self.failures = 0
        self.capture = capture
        self.site = site
        self.end = found.end
        self.needed = found.needed
        self.names = compiled.names
        self.runner = capture.runner(compiled.backend, _Failed(weakref.ref(compiled), weakref.ref(self)))
        run, arguments = RunnerReference(self.runner.function), self.runner.arguments
        self.piece: Piece
        if site.place == HEAD and self.end is None:
            frees = compiled.original.co_freevars
            self.piece = entry_piece(capture.guards, run, arguments, compiled.names, frees)
        else:
            self.piece = region_piece(capture.guards, run, arguments, site.spot, self.end, self.needed)
        self._check: SitePiece | None = None
        if self.end is not None:
            self.end.outputs = [None] * len(self.end.outputs)  # the code is written: what is live is let go
        capture.forget()

    def run(self, function: FunctionType, arrival: Arrival) -> Any:
        """What it gives; FAILED if it would be taken but is for new frames only; MISS."""
        if self.end is None:
            if arrival.live is None:
                return self.piece.function(function)(*arrival.arguments)
            assert isinstance(self.piece, SitePiece)
            return self.piece.call(function, arrival.named(self.names, self.site.spot))
        if self._check is None:
            self._check = check_piece(self.capture.guards, self.site.spot, self.needed)
        found = self._check.call(function, arrival.named(self.names, self.site.spot))
        return MISS if found is MISS else FAILED

    def failed_guard(self, function: FunctionType, arrival: Arrival) -> str:
        """The first guard that does not hold, for people."""
        from translator import seeing

        if arrival.live is None:
            return seeing.failed_guard(self.capture.guards, function, self.names, arrival.arguments)
        spot = self.site.spot
        values = arrival.named(self.names, spot)
        for guard in self.capture.guards:
            if check_piece([guard], spot, []).call(function, values) is MISS:
                return seeing.guard_text(guard)
        return "all guards hold"

    def numbers_that_differ(self, function: FunctionType, arrival: Arrival) -> set[str]:
        """Names of the sources of numbers that are constants here, and have other values in a frame.

        A guard is looked at where all before it hold: others might run what the program put in the way.
        """
        spot = self.site.spot
        values = arrival.named(self.names, spot)

        def hold(guards: list[Guard]) -> bool:
            return check_piece(guards, spot, []).call(function, values) is not MISS

        found: set[str] = set()
        before: list[Guard] = []
        for guard in self.capture.guards:
            source = guarded_number(guard)
            if source is None or hold([*before, guard]):
                before.append(guard)
            elif hold(before):
                found.add(source.name)
            else:
                break
        return found


class _Failed:
    """Called when a runner raises: the original runs, and an entry that keeps failing goes."""

    __slots__ = ("compiled", "entry")

    def __init__(self, compiled: weakref.ref[Compiled], entry: weakref.ref[Entry]) -> None:
        self.compiled = compiled
        self.entry = entry

    def __call__(self) -> Any:
        compiled, entry = self.compiled(), self.entry()
        if compiled is not None and entry is not None:
            compiled.failed(entry, sys.exc_info()[1])
        return FAILED


class Site:
    """A place of a compiled function where regions begin.

    Attributes:
        place: the index of the instruction, or HEAD.
        entries: in the order they are tried.
        misses: frames that came here and no entry was for.
        empty: of these, those that gave no entry.
        failed: entries that were taken out because they kept failing.
        changing: numbers that are constants no more; None: that did not go well.
    """

    def __init__(self, compiled: Compiled, place: int) -> None:
        self.place = place
        self.entries: list[Entry] = []
        self.misses = self.empty = self.failed = 0
        self.changing: set[str] | None = set()
        self._compiled = weakref.ref(compiled)
        self._spot: Spot | None = None
        self._hook: Piece | None = None

    @property
    def spot(self) -> Spot:
        """What pieces here have to know of the place."""
        if self._spot is None:
            compiled = self._compiled()
            assert compiled is not None
            self._spot = Spot(opcodes.decode(compiled.original), self.place)
        return self._spot

    @property
    def closed(self) -> bool:
        """Whether no more is captured from here on."""
        from translator.convert_frame import LIMIT

        compiled = self._compiled()
        if compiled is None or (self.place == HEAD and compiled.fullgraph):
            return compiled is None
        return compiled.exhausted or self.misses >= LIMIT or (self.place != HEAD and self.empty >= MOST_EMPTY)

    def pieces(self) -> list[Piece]:
        """What stands here now: the entries, then the hook."""
        found = [entry.piece for entry in self.entries]
        if not self.closed:
            if self._hook is None:
                self._hook = self._hook_piece()
            found.append(self._hook)
        return found

    def _hook_piece(self) -> Piece:
        compiled = self._compiled()
        assert compiled is not None
        if self.place == HEAD:
            hook = HeadHook(self._compiled, weakref.ref(self))
            return miss_piece(hook, compiled.names, compiled.original.co_freevars)
        return hook_piece(SiteHook(self._compiled, weakref.ref(self)), self.spot, NULL)


class _Hook:
    """What the code calls when no entry is for a frame."""

    __slots__ = ("compiled", "site")

    def __init__(self, compiled: weakref.ref[Compiled], site: weakref.ref[Site]) -> None:
        self.compiled = compiled
        self.site = site

    def _state(self, namespace: dict[str, Any], cells: tuple[Any, ...]) -> Any:
        """(compiled, site), if the frame is one of the function's own."""
        compiled, site = self.compiled(), self.site()
        function = None if compiled is None else compiled.function()
        if compiled is None or site is None or function is None:
            return None
        closure = function.__closure__ or ()
        if namespace is not function.__globals__ or any(map(is_not, cells, closure)):
            return None  # a function that was given the code of this one
        return compiled, site


class HeadHook(_Hook):
    """At the head: it is called with the arguments."""

    __slots__ = ()

    def __call__(self, namespace: dict[str, Any], cells: tuple[Any, ...], *values: Any) -> Any:
        found = self._state(namespace, cells)
        return FAILED if found is None else found[0].arrived(found[1], Arrival(values))


class SiteHook(_Hook):
    """At any other place: it is called with the variables that are sure to be bound, those that may be
    (NULL: unbound), and what can be looked at of the stack."""

    __slots__ = ()

    def __call__(
        self,
        namespace: dict[str, Any],
        cells: tuple[Any, ...],
        certain: tuple[Any, ...],
        perhaps: Any,
        stack: tuple[Any, ...],
    ) -> Any:
        found = self._state(namespace, cells)
        if found is None or found[1].closed:
            return FAILED
        compiled, site = found
        spot = site.spot
        live = spot.live(cells, certain, list(perhaps), stack)
        result = compiled.arrived(site, Arrival((), live, spot))
        return result if spot.may_return else FAILED


def first_places(code: CodeType) -> list[int]:
    """Where regions may begin first in the body of a generator or coroutine."""
    program = opcodes.decode(code)
    made = next(index for index, each in enumerate(program) if each.opname == "RETURN_GENERATOR")
    return next_places(program, made)


def parameter_names(code: CodeType) -> list[str]:
    """The parameters in the order of their slots, `*args` and `**kwargs` last."""
    return list(code.co_varnames[: parameter_count(code)])
