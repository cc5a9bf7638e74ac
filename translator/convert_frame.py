"""What happens at a call that no entry is for: trace, compile, put an entry in; or leave it alone."""

from __future__ import annotations

import os
import sys
import warnings
import weakref
from collections import Counter, deque
from keyword import iskeyword
from operator import is_not
from threading import Lock
from types import CodeType, FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import controls, logs, seeing
from translator.backends import Backend, call_backend, eager
from translator.codegen import (
    FAILED,
    MISS,
    Piece,
    RunnerReference,
    entry_piece,
    miss_piece,
    with_pieces,
)
from translator.errors import BackendFailed, InternalError, TranslatorError, Unimplemented
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
            compiled.failed(entry, sys.exc_info()[1])
        return FAILED


class MissHook:
    """What the code at the head of a function calls when no entry is for its arguments."""

    __slots__ = ("compiled",)

    def __init__(self, compiled: weakref.ref[Compiled]) -> None:
        self.compiled = compiled

    def __call__(self, namespace: dict[str, Any], cells: tuple[Any, ...], *values: Any) -> Any:
        compiled = self.compiled()
        function = None if compiled is None else compiled.function()
        if compiled is None or function is None:
            return FAILED
        closure = function.__closure__ or ()
        if namespace is not function.__globals__ or any(map(is_not, cells, closure)):
            return FAILED  # a function that was given the code of this one
        return compiled.miss(values)


class Compiled:
    """What is kept of one compiled function. The function holds it; it holds the function weakly.

    Attributes:
        original: the code object as it was.
        code: the one that was put in last.
        entries: those that are in its bytecode now, in order.
        reasons: why calls were left to the original, the latest few.
    """

    def __init__(self, function: FunctionType, backend: Backend, fullgraph: bool) -> None:
        self.function = weakref.ref(function)
        self.original: CodeType = function.__code__
        self.code = self.original
        self.backend = backend
        self.fullgraph = fullgraph
        self.names = parameter_names(self.original)
        self.entries: list[Entry] = []
        self.misses = 0
        self.reasons: deque[Unimplemented] = deque(maxlen=LIMIT)
        self._installed: list[Entry] = []
        self._suspended = False
        self._warned = False
        self._hook = MissHook(weakref.ref(self))
        self._lock = Lock()
        compiled.add(self)

    def start(self) -> None:
        """Puts the hook in; forgets all entries."""
        self.entries = []
        self._installed = []
        self.reasons.clear()
        self.misses = 0
        refused = self._refusal()
        if refused is None:
            self._install()
        else:
            self._give_up(refused)

    def _refusal(self) -> Unimplemented | None:
        function = self.function()
        why = None if function is None else controls.why_disabled(function)
        if why is None:
            return refusal(self.original)
        code = self.original
        where = f"{code.co_filename}:{code.co_firstlineno}"
        return Unimplemented(f"the function {code.co_name}()", where, why, "the original code runs instead")

    def suspend(self) -> None:
        """Gives the function its original code until `resume`; the entries stay."""
        function = self.function()
        if function is not None and function.__code__ is self.code:
            self.code = function.__code__ = self.original
            self._suspended = True

    def resume(self) -> None:
        """Puts in again what `suspend` took out."""
        if self._suspended:
            self._suspended = False
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
            result = self._run(entry, function, values)
            if result is not MISS:
                return result
        code = self.original
        if not controls.check_compilation(code.co_name, f"{code.co_filename}:{code.co_firstlineno}"):
            return FAILED
        self.misses += 1
        if self.entries and seeing.wants_recompiles():
            seeing.recompiled(
                self.original,
                [
                    seeing.failed_guard(each.capture.guards, function, self.names, values)
                    for each in self.entries
                ],
            )
        new = None
        try:
            new = self._new_entry(function, values)
        except Unimplemented as reason:
            self._give_up(reason)
        except Exception as error:
            self._internal_error(error)
        finally:
            self._install()
        if new is None:
            return FAILED
        result = self._run(new, function, values)
        if result is MISS:
            self._internal_error(AssertionError(f"guards that do not hold: {new.capture.guards}"))
            return FAILED
        return result

    def _run(self, entry: Entry, function: FunctionType, values: tuple[Any, ...]) -> Any:
        """What the entry gives for a call that is on its way already."""
        try:
            return entry.piece.function(function)(*values)
        except (TranslatorError, Warning):
            raise
        except Exception as error:
            self._internal_error(error)
            return FAILED

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
        counters["backend failures" if isinstance(reason, BackendFailed) else "surrenders"] += 1
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
        if entry.failures >= MOST_FAILURES and entry in self.entries and self._lock.acquire(blocking=False):
            try:
                self.entries.remove(entry)
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
        try:
            with seeing.phase("new code"):
                code = self._new_code()
        except Exception as error:
            # what could not be written is not put in; what stands there is right as it is
            self.entries = list(self._installed)
            if self.misses >= LIMIT:
                self.entries, self._installed = [], []
                self.code = function.__code__ = self.original
            self._internal_error(error)
            return
        self.code = function.__code__ = code
        self._installed = list(self.entries)
        if logs.on.bytecode and self.entries:
            import opcodes

            logs.write("bytecode", f"{self.original.co_name}, new", str(opcodes.decode(code)))

    def _new_code(self) -> CodeType:
        pieces = [entry.piece for entry in self.entries]
        if self.misses < LIMIT or self.fullgraph:
            pieces.append(miss_piece(self._hook, self.names, self.original.co_freevars))
        return with_pieces(self.original, pieces)[1] if pieces else self.original


def original_code(function: FunctionType) -> CodeType:
    """The code object of a function as it was before it was compiled."""
    state = function.__dict__.get("__opshift__")
    # functools.wraps copies the state to another function; a function may be given other code
    if state is not None and state.function() is function and state.code is function.__code__:
        return state.original  # type: ignore[no-any-return]
    return function.__code__


def refusal(code: CodeType) -> Unimplemented | None:
    """Why such code is not captured at all; None if it can be tried."""
    where = f"{code.co_filename}:{code.co_firstlineno}"
    if code.co_flags & GENERATES:
        return Unimplemented(
            f"the generator or coroutine {code.co_name}()",
            where,
            "generators are not captured yet",
            "compile the functions that it calls",
        )
    for name in (*parameter_names(code), *code.co_freevars):
        if not name.isidentifier() or iskeyword(name):
            # the code of a comprehension, taken out of its function
            why = "Python cannot write such a name"
            return Unimplemented(
                f"{name!r} in {code.co_name}()", where, why, "the original code runs instead"
            )
    return None


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
