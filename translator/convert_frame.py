"""What happens at a call that no entry is for: trace, compile, put an entry in; or leave it alone."""

from __future__ import annotations

import logging
import os
import warnings
import weakref
from collections import Counter, deque
from keyword import iskeyword
from threading import Lock
from time import perf_counter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import controls, logs, seeing
from translator.backends import Backend, eager
from translator.capture import Capture
from translator.codegen import FAILED, MISS, Piece, with_pieces
from translator.errors import BackendFailed, InternalError, TranslatorError, Unimplemented
from translator.frames import GENERATES
from translator.region_code import with_sites
from translator.sites import HEAD, Arrival, Entry, Site, first_places, parameter_names

if TYPE_CHECKING:
    from translator.capturing import Found, Place

#: calls that end in a recompilation, or in nothing, before the original goes on for good
LIMIT = 8
#: whether functions without array operations get entries too (what tests of Python's semantics set)
capture_everything = False
#: runs of an entry that raise before it is taken out
MOST_FAILURES = 3
#: places of one function that are looked at
MOST_SITES = 64
#: tracing of one function; what takes longer goes on as it was
MOST_SECONDS = 20.0

#: what was given up and why, internal errors, recompilations: for statistics
counters: Counter[str] = Counter()
#: all that is compiled, for `reset`
compiled: weakref.WeakSet[Compiled] = weakref.WeakSet()


def raises_internal_errors() -> bool:
    """OPSHIFT_RAISE=1: an error of ours is an error, not a reason to run the original."""
    return os.environ.get("OPSHIFT_RAISE", "") not in ("", "0")


class Compiled:
    """What is kept of one compiled function. The function holds it; it holds the function weakly.

    Attributes:
        original: the code object as it was.
        code: the one that was put in last.
        entries: those that are in its bytecode now, in order.
        reasons: why calls were left to the original, the latest few.
        breaks: instructions, by index, before which every region ends (for tests and for the curious).
    """

    def __init__(
        self, function: FunctionType, backend: Backend, fullgraph: bool, dynamic: bool | None = None
    ) -> None:
        self.dynamic = dynamic
        self.function = weakref.ref(function)
        self.original: CodeType = function.__code__
        self.code = self.original
        self.backend = backend
        self.fullgraph = fullgraph
        self.names = parameter_names(self.original)
        self.reasons: deque[Unimplemented] = deque(maxlen=LIMIT)
        self.breaks: frozenset[int] = frozenset()
        self._suspended = False
        self._warned = False
        self._lock = Lock()
        self._forget_sites()
        compiled.add(self)

    @property
    def entries(self) -> list[Entry]:
        """All that are in its bytecode now: by place, in order."""
        return [entry for site in self.sites.values() for entry in site.entries]

    @property
    def exhausted(self) -> bool:
        """Whether tracing has taken so long that no more is captured."""
        return self._seconds > MOST_SECONDS

    @property
    def _writable(self) -> bool:
        """Whether Python can write the names of all variables."""
        code = self.original
        names = (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
        return all(name.isidentifier() and not iskeyword(name) for name in names)

    @property
    def whole(self) -> bool:
        """Whether there are calls that are captured from the head to the return."""
        return any(entry.end is None for entry in self.head.entries)

    @property
    def misses(self) -> int:
        """How many calls were for no entry."""
        return self.head.misses

    def start(self) -> None:
        """Puts the hook in; forgets all entries."""
        self._forget_sites()
        self.reasons.clear()
        refused = self._refusal()
        if refused is None:
            self._install()
        else:
            self._give_up(refused)

    def _forget_sites(self) -> None:
        self.head = Site(self, HEAD)
        self.sites = {HEAD: self.head}
        self._seconds = 0.0
        if self.original.co_flags & GENERATES:
            # its head makes the generator: its body is captured piece by piece, between what it yields
            self.sites = {index: Site(self, index) for index in first_places(self.original)}
        self._installed: dict[int, list[Entry]] = {}
        self._pieces: dict[int, list[Piece]] | None = None
        self._loops: set[int] = set()

    def _refusal(self) -> Unimplemented | None:
        function = self.function()
        why = None if function is None else controls.why_disabled(function)
        if why is None:
            return refusal(self.original, whole=self.fullgraph)
        code = self.original
        where = f"{code.co_filename}:{code.co_firstlineno}"
        return Unimplemented(f"the function {code.co_name}()", where, why, "the original code runs instead")

    def suspend(self) -> None:
        """Gives the function its original code until `resume`; the entries stay."""
        function = self.function()
        if function is not None and function.__code__ is self.code:
            self.code = function.__code__ = self.original
            self._pieces = None
            self._suspended = True

    def resume(self) -> None:
        """Puts in again what `suspend` took out."""
        if self._suspended:
            self._suspended = False
            self._install()

    # -- a frame that comes to a place where no entry is for it

    def arrived(self, site: Site, arrival: Arrival) -> Any:
        """The result of the call, by an entry that returns; FAILED: the original is to run."""
        function = self.function()
        if function is None or site.closed:
            return FAILED
        if not self._lock.acquire(blocking=False):
            return FAILED
        try:
            return self._arrived(site, arrival, function)
        finally:
            self._lock.release()

    def _arrived(self, site: Site, arrival: Arrival, function: FunctionType) -> Any:
        for entry in site.entries:
            result = self._run(entry, function, arrival)
            if result is not MISS:
                return result
        code = self.original
        if not controls.check_compilation(code.co_name, f"{code.co_filename}:{code.co_firstlineno}"):
            return FAILED
        site.misses += 1
        self._tell_misses(site, function, arrival)
        new = None
        try:
            new = self._new_entry(site, function, arrival)
        except Unimplemented as reason:
            self._give_up(reason)
        except Exception as error:
            self._internal_error(error)
        finally:
            self._install()
        if new is None:
            return FAILED
        result = self._run(new, function, arrival)
        if result is MISS:
            self._internal_error(AssertionError(f"guards that do not hold: {new.capture.guards}"))
            return FAILED
        return result

    def _run(self, entry: Entry, function: FunctionType, arrival: Arrival) -> Any:
        """What the entry gives for a frame that is on its way already: a value that is returned, FAILED if it
        would be taken but is for new frames only, MISS."""
        try:
            return entry.run(function, arrival)
        except (TranslatorError, Warning):
            raise
        except Exception as error:
            self._internal_error(error)
            return FAILED

    def _tell_misses(self, site: Site, function: FunctionType, arrival: Arrival) -> None:
        """Says which guards did not hold: to who listens, and when there will be no more entries."""
        last = site.misses == LIMIT and not self.fullgraph
        if not site.entries or not (seeing.wants_recompiles() or last):
            return
        failed = [each.failed_guard(function, arrival) for each in site.entries]
        if seeing.wants_recompiles():
            seeing.recompiled(self.original, failed)
        if last:
            kept, _ = Counter(failed).most_common(1)[0]
            logging.getLogger("opshift").warning(
                "%s was compiled %d times and is compiled no more: what no entry is for runs as it was."
                " What kept failing: %s",
                seeing.place_of(self.original),
                len(site.entries) + 1,
                kept,
            )

    def _new_entry(self, site: Site, function: FunctionType, arrival: Arrival) -> Entry | None:
        from translator.capturing import Place, capture_region

        place = Place(function, self.original, site.place, arrival.live, list(arrival.arguments))
        place.everything = capture_everything
        place.whole, place.breaks = self.fullgraph or not self._writable, self.breaks
        began = perf_counter()
        found = self._with_changing_numbers(site, place, function, arrival)
        found = found or capture_region(place, self._loops)
        self._seconds += perf_counter() - began
        self._loops = found.kept
        if found.reason is not None:
            self._give_up(found.reason, partly=found.capture is not None)
        self._begin_at(found.after)
        if found.capture is None:
            site.empty += 1
            if found.reason is None:
                counters["nothing to capture"] += 1
            return None
        seeing.captured(self.original, found.capture)
        entry = Entry(self, site, found)
        site.entries.append(entry)
        counters["compilations"] += 1
        return entry

    def _with_changing_numbers(
        self, site: Site, place: Place, function: FunctionType, arrival: Arrival
    ) -> Found | None:
        """A capture in which numbers that changed are inputs, if that gets as far as the last one did; it
        takes the place of those in which they are constants."""
        from translator.capturing import EVERY_NUMBER, capture_region

        if self.dynamic is False or site.changing is None or self.backend is not eager:
            return None
        if self.dynamic and not site.entries:
            place.changing = EVERY_NUMBER
            found = capture_region(place, self._loops)
            if found.capture is not None and found.end is None:
                return found
            place.changing = set()
        if not site.entries:
            return None
        last = site.entries[-1]
        changing = last.numbers_that_differ(function, arrival)
        place.changing = site.changing | changing
        if not changing:
            return None
        found = capture_region(place, self._loops)
        ends = found.end and found.end.index, last.end and last.end.index
        if site is not self.head and last.end is not None:
            pass  # (a loop's counter: a shorter region is worth more than one that is of use once)
        elif found.capture is None or ends[0] != ends[1]:
            site.changing, place.changing = None, set()
            return None
        site.changing = place.changing
        site.entries = [each for each in site.entries if not each.numbers_that_differ(function, arrival)]
        return found

    def _begin_at(self, places: list[int]) -> None:
        """The next frames that come there are captured from there on."""
        for index in places if self._writable else ():
            if index not in self.sites and index != self.head.place and len(self.sites) < MOST_SITES:
                self.sites[index] = Site(self, index)

    def _give_up(self, reason: Unimplemented, partly: bool = False) -> None:
        what = "graph breaks" if partly else "surrenders"
        counters["backend failures" if isinstance(reason, BackendFailed) else what] += 1
        cause = reason.__cause__
        # frames hold what they saw: the reason is kept, not where in the translator it was found
        reason.__traceback__ = reason.__context__ = reason.__cause__ = None
        self.reasons.append(reason)
        seeing.broke(self.original, reason)
        if self.fullgraph:
            raise type(reason)(reason.what, reason.where, reason.why, reason.hint) from cause
        if isinstance(reason, BackendFailed) and not self._warned:
            self._warned = True
            code = self.original
            warnings.warn_explicit(str(reason), RuntimeWarning, code.co_filename, code.co_firstlineno)

    def _internal_error(self, error: Exception) -> None:
        """Counted, the reason kept, and the original runs; with fullgraph and OPSHIFT_RAISE=1 raised."""
        code = self.original
        what, where = f"capturing {code.co_name}()", f"{code.co_filename}:{code.co_firstlineno}"
        if isinstance(error, (RecursionError, MemoryError)):
            # nobody's mistake: there is little room left where the function was called
            self._give_up(Unimplemented(what, where, type(error).__name__, "the original code runs instead"))
            return
        counters["internal errors"] += 1
        why = f"{type(error).__name__} in opshift: {error}"
        self.reasons.append(Unimplemented(what, where, why, "please report it"))
        seeing.broke(code, self.reasons[-1])
        if self.fullgraph or raises_internal_errors():
            raise InternalError(str(self.reasons[-1])) from error

    def failed(self, entry: Entry, error: BaseException | None) -> None:
        """A runner raised: what the program does, or a failure of the backend."""
        counters["failed runs"] += 1
        entry.failures += 1
        site = entry.site
        if entry.failures >= MOST_FAILURES and entry in site.entries and self._lock.acquire(blocking=False):
            try:
                site.entries.remove(entry)
                site.failed += 1
                self._install()
            finally:
                self._lock.release()
        if isinstance(error, BackendFailed):
            self._give_up(error)

    # -- the function's code

    def _install(self) -> None:
        """Gives the function the code of the entries that there are; leaves code alone that is not ours."""
        function = self.function()
        if function is None or function.__code__ is not self.code:
            return
        if controls.stance() == controls.FORCE_EAGER:
            self._suspended = True
            return
        pieces = {site.place: site.pieces() for site in self.sites.values()}
        if pieces == self._pieces:
            return
        try:
            with seeing.phase("new code"):
                code = self._new_code(pieces)
        except Exception as error:
            # what could not be written is not put in; what stands there is right as it is
            for place, site in self.sites.items():
                site.entries = list(self._installed.get(place, ()))
            if self.misses >= LIMIT:
                self._forget_sites()
                self.head.misses = LIMIT
                self.code = function.__code__ = self.original
            self._internal_error(error)
            return
        self.code = function.__code__ = code
        self._pieces = pieces
        self._installed = {place: list(site.entries) for place, site in self.sites.items()}
        if logs.on.bytecode and self.entries:
            import opcodes

            logs.write("bytecode", f"{self.original.co_name}, new", str(opcodes.decode(code)))

    def _new_code(self, pieces: dict[int, list[Piece]]) -> CodeType:
        if not any(pieces.values()):
            return self.original
        if set(pieces) == {HEAD} and not any(entry.end for entry in self.head.entries):
            return with_pieces(self.original, pieces[HEAD])[1]
        return with_sites(self.original, pieces)


def original_code(function: FunctionType) -> CodeType:
    """The code object of a function as it was before it was compiled."""
    state = function.__dict__.get("__opshift__")
    # functools.wraps copies the state to another function; a function may be given other code
    if state is not None and state.function() is function and state.code is function.__code__:
        return state.original  # type: ignore[no-any-return]
    return function.__code__


def refusal(code: CodeType, whole: bool = True) -> Unimplemented | None:
    """Why such code is not captured at all, or not as a whole; None if it can be tried."""
    where = f"{code.co_filename}:{code.co_firstlineno}"
    if whole and code.co_flags & GENERATES:
        return Unimplemented(
            f"the generator or coroutine {code.co_name}()",
            where,
            "what it does between what it yields is captured in parts",
            "compile it without fullgraph, or compile the functions that it calls",
        )
    for name in (*parameter_names(code), *code.co_freevars):
        if not name.isidentifier() or iskeyword(name):
            # the code of a comprehension, taken out of its function
            why = "Python cannot write such a name"
            return Unimplemented(
                f"{name!r} in {code.co_name}()", where, why, "the original code runs instead"
            )
    return None


def trace_call(function: FunctionType, original: CodeType, values: list[Any]) -> Capture:
    """Traces one call with these live values. Raises Unimplemented where it cannot go on."""
    from translator.instruction_translator import InstructionTranslator, RootFunction

    kind: Any = InstructionTranslator
    if logs.on.walk:
        from translator.tracing import LiveTranslator

        kind = LiveTranslator
    tx = kind(RootFunction(function, original, values))
    try:
        with seeing.phase("tracing"):
            capture = Capture(tx, tx.capture())
    finally:
        tx.forget()
    seeing.captured(original, capture)
    return capture
