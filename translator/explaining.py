"""`translator.explain`: what of a call is captured, and what is not and why.

The function is compiled afresh and *run*: what it changes and prints, it changes and prints.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import MethodType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.compiling import check_function, compile, copy_of
from translator.errors import Unimplemented
from translator.graph import Graph
from translator.seeing import PHASES, Recompile, Region, Seen, guard_text, listening


class Explanation:
    """What the calls so far gave.

    Attributes:
        name: of the function.
        regions: what was captured: graph, guards, effects, and of which function.
        graphs: their graphs.
        guards: the guards of all, as text, each once.
        breaks: (function, reason) for what could not be captured.
        reasons: the reasons of these.
        recompiles: calls that no entry was for, with the guard of each entry that did not hold.
        seconds: by phase.
        raised: what the last call raised, as text; None if it returned.
    """

    def __init__(self, name: str, seen: Seen, raised: str | None = None) -> None:
        self.name = name
        self.regions: list[Region] = [each for each in seen.regions if each.graph.operations]
        self.breaks: list[tuple[str, Unimplemented]] = list(seen.breaks)
        self.recompiles: list[Recompile] = list(seen.recompiles)
        self.seconds = {phase: seen.seconds[phase] for phase in PHASES if phase in seen.seconds}
        self.raised = raised
        self.graphs: list[Graph] = [each.graph for each in self.regions]
        self.guards = list(dict.fromkeys(str(guard) for each in seen.regions for guard in each.guards))
        self.reasons: list[Unimplemented] = [reason for _, reason in self.breaks]

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
            "regions": [
                {
                    "function": each.function,
                    "code": each.graph.python(),
                    "guards": [{"guard": str(guard), "line": guard.line} for guard in each.guards],
                    "side_effects": each.effects,
                }
                for each in self.regions
            ],
            "breaks": [
                {
                    "function": function,
                    "what": each.what,
                    "where": each.where,
                    "why": each.why,
                    "hint": each.hint,
                }
                for function, each in self.breaks
            ],
            "recompiles": [each._asdict() for each in self.recompiles],
            "seconds": self.seconds,
            "raised": self.raised,
        }

    def headline(self) -> str:
        """Everything in a line."""
        return (
            f"{self.name}: {len(self.graphs)} graph(s), {self.operations} operation(s),"
            f" {len(self.guards)} guard(s), {len(self.breaks)} graph break(s),"
            f" {len(self.recompiles)} recompilation(s)"
        )

    def sections(self) -> list[tuple[str, list[str]]]:
        """(heading, lines) of all that there is to say."""
        found: list[tuple[str, list[str]]] = []
        for number, region in enumerate(self.regions, 1):
            line = next((node.line for node in region.graph.operations if node.line), None)
            place = f"{region.function}, line {line}" if line else region.function
            found.append((f"graph {number}, in {place}", region.graph.python().splitlines()))
            found.append((f"guards of graph {number}", list(map(guard_text, region.guards)) or ["none"]))
            if region.effects:
                found.append((f"side effects of graph {number}", region.effects))
        for number, ((function, _), reasons) in enumerate(self._by_reason().items(), 1):
            reason, times = reasons[0], f", {len(reasons)} times" if len(reasons) > 1 else ""
            lines = [f"what   {reason.what}", f"where  {reason.where}", *_source_line(reason.where)]
            lines += [f"why    {reason.why}", f"hint   {reason.hint}"]
            found.append((f"graph break {number}, in {function}{times}", lines))
        for number, each in enumerate(self.recompiles, 1):
            found.append((f"recompilation {number} of {each.function} ({each.place})", each.failed))
        if self.seconds:
            lines = [f"{1000 * spent:10.3f} ms  {phase}" for phase, spent in self.seconds.items()]
            found.append(("time", lines))
        if self.raised is not None:
            found.append(("the call raised", [self.raised]))
        return found

    def _by_reason(self) -> dict[tuple[str, str], list[Unimplemented]]:
        """The breaks, those that say the same together."""
        found: dict[tuple[str, str], list[Unimplemented]] = {}
        for function, reason in self.breaks:
            found.setdefault((function, str(reason)), []).append(reason)
        return found

    def __str__(self) -> str:
        lines = [self.headline()]
        for heading, body in self.sections():
            lines += ["", heading, *(f"  {line}" for line in body)]
        return "\n".join(lines)

    def print(self, file: Any = None, in_colours: bool | None = None) -> None:
        """Prints it: in colours on a terminal, as plain text elsewhere."""
        file = file or sys.stdout
        if file.isatty() if in_colours is None else in_colours:
            _print_in_colours(self, file)
        else:
            print(self, file=file)


def _source_line(where: str) -> list[str]:
    """The user's line, for a place that names one."""
    import linecache
    import re

    found = re.match(r"(.*?):(\d+)", where)
    text = linecache.getline(found[1], int(found[2])).strip() if found else ""
    return [f"line   {text}"] if text else []


#: (how a heading begins, its colour)
_COLOURS = (("graph break", "red"), ("graph", "green"), ("recompilation", "yellow"), ("the call", "red"))


def _print_in_colours(explanation: Explanation, file: Any) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.syntax import Syntax

    console = Console(file=file)
    console.print(f"[bold]{escape(explanation.headline())}[/bold]", highlight=False)
    for heading, body in explanation.sections():
        colour = next((each for start, each in _COLOURS if heading.startswith(start)), "cyan")
        console.print(f"\n[bold {colour}]{escape(heading)}[/]", highlight=False)
        if body and body[0].startswith("def graph("):
            console.print(Syntax("\n".join(body), "python", background_color="default"))
        else:
            for line in body:
                console.print(f"  {escape(line)}", highlight=False)


def explain(fn: Any, *, backend: Any = "eager") -> Callable[..., Explanation]:
    """A function of the same arguments that runs `fn` compiled, and gives an Explanation of it.

    Called again, it goes on with what was compiled before: so it tells of recompilations too. Each
    Explanation is of all the calls so far.
    """
    bound = (fn.__self__,) if isinstance(fn, MethodType) else ()
    function = copy_of(check_function(fn.__func__ if bound else fn))
    seen = Seen()
    with listening(seen):
        compiled = compile(function, backend=backend)

    def explained(*args: Any, **kwargs: Any) -> Explanation:
        raised = None
        with listening(seen):
            try:
                compiled(*bound, *args, **kwargs)
            except Exception as error:
                raised = f"{type(error).__name__}: {error}"
        return Explanation(function.__qualname__, seen, raised)

    return explained
