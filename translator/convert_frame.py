"""What happens at a call that no entry is for: trace, compile, put an entry in; or leave it alone."""

from __future__ import annotations

import os
import weakref
from collections import Counter
from threading import Lock
from types import CodeType, FunctionType
from typing import Any

from translator import logs
from translator.backends import Backend, eager
from translator.codegen import (
    FAILED,
    MISS,
    Piece,
    RunnerReference,
    entry_piece,
    miss_piece,
    with_pieces,
)
from translator.errors import InternalError, Unimplemented
from translator.foresight import prove
from translator.frames import CO_VARARGS, CO_VARKEYWORDS, GENERATES
from translator.runner import Runner, finish_graph, make_runner

#: calls that end in a recompilation, or in nothing, before the original goes on for good
LIMIT = 8
#: whether functions without array operations get entries too (what tests of Python's semantics set)
capture_everything = False
#: runs of an entry that raise before it is taken out
MOST_FAILURES = 3

#: what was given up and why, internal errors, recompilations: for statistics
counters: Counter[str] = Counter()
#: all that is compiled, for `reset`
compiled: weakref.WeakSet[Compiled] = weakref.WeakSet()


def raises_internal_errors() -> bool:
    """OPSHIFT_RAISE=1: an error of ours is an error, not a reason to run the original."""
    return os.environ.get("OPSHIFT_RAISE", "") not in ("", "0")


class Capture:
    """What tracing one call found: graph, guards, and how to make the result."""

    __slots__ = ("changed", "graph", "guards", "inputs", "places", "protected", "value", "writer")

    def __init__(self, tx: Any, value: Any) -> None:
        self.value = value
        self.graph = tx.graph
        #: floating-point warnings have to drop the region
        self.protected = not prove(tx)
        self.changed = tx.effects.changed
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
        call = None if backend is eager else backend(self.graph, self.examples)
        return make_runner(
            self.graph, self.writer, self.value, self.changed, self.places, call, failed, self.protected
        )

    def forget(self) -> None:
        """Lets go of the live values; graph and guards stay."""
        self.inputs = []
        self.changed = []
        self.value = self.writer = None  # type: ignore[assignment]


class Entry:
    """One captured region of a function, with the guards it is for."""

    __slots__ = ("__weakref__", "capture", "check", "failures", "piece", "runner")

    def __init__(self, compiled: Compiled, capture: Capture) -> None:
        self.failures = 0
        self.capture = capture
        self.runner = capture.runner(compiled.backend, _Failed(weakref.ref(compiled), weakref.ref(self)))
        self.piece: Piece = entry_piece(
            capture.guards,
            RunnerReference(self.runner.function),
            self.runner.arguments,
            compiled.names,
            compiled.original.co_freevars,
        )
        capture.forget()


class _Failed:
    """Called when a runner raises: the original runs, and an entry that keeps failing goes."""

    __slots__ = ("compiled", "entry")

    def __init__(self, compiled: weakref.ref[Compiled], entry: weakref.ref[Entry]) -> None:
        self.compiled = compiled
        self.entry = entry

    def __call__(self) -> Any:
        compiled, entry = self.compiled(), self.entry()
        if compiled is not None and entry is not None:
            compiled.failed(entry)
        return FAILED


class MissHook:
    """What the code at the head of a function calls when no entry is for its arguments."""

    __slots__ = ("compiled",)

    def __init__(self, compiled: weakref.ref[Compiled]) -> None:
        self.compiled = compiled

    def __call__(self, *values: Any) -> Any:
        compiled = self.compiled()
        return FAILED if compiled is None else compiled.miss(values)


class Compiled:
    """What is kept of one compiled function. The function holds it; it holds the function weakly.

    Attributes:
        original: the code object as it was.
        entries: those that are in its bytecode now, in order.
        reasons: why calls were left to the original.
    """

    def __init__(self, function: FunctionType, backend: Backend, fullgraph: bool) -> None:
        self.function = weakref.ref(function)
        self.original: CodeType = function.__code__
        self.backend = backend
        self.fullgraph = fullgraph
        self.names = parameter_names(self.original)
        self.entries: list[Entry] = []
        self.misses = 0
        self.reasons: list[Unimplemented] = []
        self._hook = MissHook(weakref.ref(self))
        self._lock = Lock()
        compiled.add(self)

    def start(self) -> None:
        """Puts the hook in; forgets all entries."""
        self.entries = []
        self.reasons = []
        self.misses = 0
        if self.original.co_flags & GENERATES:
            self._give_up(
                Unimplemented(
                    f"the generator or coroutine {self.original.co_name}()",
                    f"{self.original.co_filename}:{self.original.co_firstlineno}",
                    "generators are not captured yet",
                    "compile the functions that it calls",
                )
            )
            return
        self._install()

    # -- a call that no entry is for

    def miss(self, values: tuple[Any, ...]) -> Any:
        """The result of the call, by a new entry; FAILED: the original is to run."""
        if not self._lock.acquire(blocking=False):
            return FAILED
        try:
            return self._miss(values)
        finally:
            self._lock.release()

    def _miss(self, values: tuple[Any, ...]) -> Any:
        function = self.function()
        if function is None:
            return FAILED
        for entry in self.entries:
            result = entry.piece.function(function)(*values)
            if result is not MISS:
                return result
        self.misses += 1
        try:
            new = self._new_entry(function, values)
        except Unimplemented as reason:
            self._give_up(reason)
            return FAILED
        except (RecursionError, MemoryError) as error:
            counters[f"surrenders by {type(error).__name__}"] += 1
            return FAILED
        except Exception as error:
            return self._internal_error(error)
        finally:
            self._install()
        if new is None:
            return FAILED
        result = new.piece.function(function)(*values)
        if result is MISS:
            return self._internal_error(AssertionError(f"guards that do not hold: {new.capture.guards}"))
        return result

    def _new_entry(self, function: FunctionType, values: tuple[Any, ...]) -> Entry | None:
        capture = trace_call(function, self.original, list(values))
        if not capture.graph.operations and not capture_everything:
            counters["nothing to capture"] += 1
            return None
        entry = Entry(self, capture)
        self.entries.append(entry)
        counters["compilations"] += 1
        return entry

    def _give_up(self, reason: Unimplemented) -> None:
        counters["surrenders"] += 1
        # frames hold what they saw: the reason is kept, not where in the translator it was found
        reason.__traceback__ = reason.__context__ = reason.__cause__ = None
        self.reasons.append(reason)
        if logs.on.surrender:
            logs.write("surrender", self.original.co_name, str(reason))
        if self.fullgraph:
            raise Unimplemented(reason.what, reason.where, reason.why, reason.hint)

    def _internal_error(self, error: Exception) -> Any:
        """Counted, and the original runs; under OPSHIFT_RAISE=1 raised."""
        counters["internal errors"] += 1
        if raises_internal_errors():
            where = f"{self.original.co_filename}:{self.original.co_firstlineno}, {self.original.co_name}"
            raise InternalError(
                f"{type(error).__name__} in capturing {where}: {error}; please report it"
            ) from error
        return FAILED

    def failed(self, entry: Entry) -> None:
        """A runner raised."""
        counters["failed runs"] += 1
        entry.failures += 1
        if entry.failures >= MOST_FAILURES and entry in self.entries and self._lock.acquire(blocking=False):
            try:
                self.entries.remove(entry)
                self._install()
            finally:
                self._lock.release()

    # -- the function's code

    def _install(self) -> None:
        function = self.function()
        if function is None:
            return
        pieces = [entry.piece for entry in self.entries]
        if self.misses < LIMIT or self.fullgraph:
            pieces.append(miss_piece(self._hook, self.names, self.original.co_freevars))
        code = with_pieces(self.original, pieces)[1] if pieces else self.original
        function.__code__ = code
        if logs.on.bytecode and self.entries:
            import opcodes

            logs.write("bytecode", f"{self.original.co_name}, new", str(opcodes.decode(code)))


def parameter_names(code: CodeType) -> list[str]:
    """The parameters in the order of their slots, `*args` and `**kwargs` last."""
    flags = code.co_flags
    count = (
        code.co_argcount + code.co_kwonlyargcount + bool(flags & CO_VARARGS) + bool(flags & CO_VARKEYWORDS)
    )
    return list(code.co_varnames[:count])


def trace_call(function: FunctionType, original: CodeType, values: list[Any]) -> Capture:
    """Traces one call with these live values. Raises Unimplemented where it cannot go on."""
    from translator.instruction_translator import InstructionTranslator, RootFunction

    kind: Any = InstructionTranslator
    if logs.on.trace_bytecode:
        from translator.tracing import LiveTranslator

        kind = LiveTranslator
    tx = kind(RootFunction(function, original, values))
    capture = Capture(tx, tx.capture())
    if logs.on.graph:
        logs.write("graph", original.co_name, f"{capture.graph}\n\n{capture.graph.python()}")
    if logs.on.guards:
        logs.write("guards", original.co_name, "\n".join(map(str, capture.guards)))
    return capture
