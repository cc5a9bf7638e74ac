"""`translator.explain`: what of a call is captured, and what is not and why. Nothing is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.compiling import bound_values, check_function, copy_of
from translator.convert_frame import Capture, refusal, trace_call
from translator.errors import Unimplemented


class Explanation:
    """What capturing one call gave.

    Attributes:
        graphs: the graphs (one, or none where the function is left to the original).
        guards: the guards, as text.
        reasons: why it is left to the original; empty if it is captured.
    """

    def __init__(self, name: str, capture: Capture | None, reason: Unimplemented | None) -> None:
        self.name = name
        self.graphs = [capture.graph] if capture is not None and capture.graph.operations else []
        self.guards = [str(guard) for guard in capture.guards] if capture is not None else []
        self.reasons = [reason] if reason is not None else []

    @property
    def operations(self) -> int:
        """How many array operations were captured."""
        return sum(len(graph.operations) for graph in self.graphs)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready data."""
        return {
            "function": self.name,
            "graphs": [graph.rows() for graph in self.graphs],
            "operations": self.operations,
            "guards": self.guards,
            "reasons": [
                {"what": each.what, "where": each.where, "why": each.why, "hint": each.hint}
                for each in self.reasons
            ],
        }

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {len(self.graphs)} graph(s), {self.operations} operation(s),"
            f" {len(self.guards)} guard(s)"
        ]
        for graph in self.graphs:
            lines += ["", *(f"  {line}" for line in graph.python().splitlines())]
        if self.guards:
            lines += ["", "guards", *(f"  {guard}" for guard in self.guards)]
        for reason in self.reasons:
            lines += ["", "left to the original code", f"  what   {reason.what}", f"  where  {reason.where}"]
            lines += [f"  why    {reason.why}", f"  hint   {reason.hint}"]
        return "\n".join(lines)


def explain(fn: Any) -> Callable[..., Explanation]:
    """A function of the same arguments that gives an Explanation of that call."""
    function = copy_of(check_function(fn))

    def explained(*args: Any, **kwargs: Any) -> Explanation:
        refused = refusal(function.__code__)
        if refused is not None:
            return Explanation(function.__qualname__, None, refused)
        values = bound_values(function, args, kwargs)
        try:
            capture = trace_call(function, function.__code__, values)
        except Unimplemented as reason:
            return Explanation(function.__qualname__, None, reason)
        return Explanation(function.__qualname__, capture, None)

    return explained
