"""`translator.export`: a call as one graph with its guards, or an error that says why it is none."""

from __future__ import annotations

from types import MethodType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import controls, seeing
from translator.backends import Backend, find_backend
from translator.codegen import FAILED, MISS, RunnerReference, entry_piece
from translator.compiling import bound_values, check_function, copy_of
from translator.convert_frame import parameter_names, refusal, trace_call
from translator.errors import NotExported, Unimplemented
from translator.graph import Graph


class Export:
    """One graph, with the guards under which it is what the function does.

    Attributes:
        graph: the graph.
        guards: what it relies on, as text.
        inputs: where each placeholder of the graph comes from: `L['x']`.

    It can be called with the function's arguments, and runs the graph.
    """

    def __init__(self, function: Any, capture: Any, backend: Backend, bound: tuple[Any, ...] = ()) -> None:
        self.name = function.__qualname__
        self.graph: Graph = capture.graph
        self.guards = list(map(str, capture.guards))
        self.inputs = [array.source.name for array in capture.inputs]
        self._guards = capture.guards
        self._function = function
        self._bound = bound
        self._runner = capture.runner(backend, self._failed)
        code = function.__code__
        self._names = parameter_names(code)
        self._piece = entry_piece(
            capture.guards,
            RunnerReference(self._runner.function),
            self._runner.arguments,
            self._names,
            code.co_freevars,
        )
        capture.forget()

    def _failed(self) -> Any:
        return FAILED

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The graph's result for arguments that the guards hold for. Raises NotExported for others."""
        values = bound_values(self._function, (*self._bound, *args), kwargs)
        result = self._piece.function(self._function)(*values)
        if result is MISS:
            failed = seeing.failed_guard(self._guards, self._function, self._names, values)
            raise NotExported(
                f"the exported graph of {self.name}() is not for these arguments: {failed} does not hold;"
                " export it for them"
            )
        if result is FAILED:
            raise NotExported(
                f"an operation of the exported graph of {self.name}() raises for these arguments: call the"
                " function itself to see its exception"
            )
        return result

    def __str__(self) -> str:
        lines = [self.graph.python(), "", "guards", *(f"  {guard}" for guard in self.guards)]
        return "\n".join(lines)


def export(fn: Any, *args: Any, **kwargs: Any) -> Export:
    """The one graph of `fn(*args, **kwargs)`, with its guards. The call is walked through, not run.

    Raises NotExported, with the reason, where a part of it cannot be captured.
    """
    bound = (fn.__self__,) if isinstance(fn, MethodType) else ()
    function = copy_of(check_function(fn.__func__ if bound else fn))
    name = function.__qualname__
    reason = refusal(function.__code__)
    why = controls.why_disabled(function)
    if why is not None:
        raise NotExported(f"{name}() is no graph: {why}")
    values = bound_values(function, (*bound, *args), kwargs)
    try:
        if reason is not None:
            raise reason
        capture = trace_call(function, function.__code__, values)
        if not capture.graph.operations:
            raise NotExported(f"{name}() is no graph: it has no array operations for these arguments")
        if capture.changed:
            changed = ", ".join(each.describe() for each in capture.changed)
            raise NotExported(f"{name}() is not one graph alone: it changes {changed}; return the new value")
        return Export(function, capture, find_backend("eager"), bound)
    except Unimplemented as error:
        raise NotExported(f"{name}() is not one graph: {error}") from error
