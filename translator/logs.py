"""OPSHIFT_LOGS: what a compilation prints to stderr, live, from any program.

    OPSHIFT_LOGS=graph_breaks,graph_code,guards python program.py

`translator.set_logs("graph, guards")` does the same from within.
"""

from __future__ import annotations

import os
import sys

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

#: the names, and what each prints
NAMES = {
    "trace_source": "the lines of the program as the capture walks through them",
    "trace_call": "the calls that are inlined",
    "trace_bytecode": "each instruction, with the stack after it",
    "bytecode": "the new bytecode",
    "graph": "the graph as a table",
    "graph_code": "the graph as Python",
    "guards": "what a captured region relies on, and the line that it comes from",
    "recompiles": "why what was compiled before was of no use",
    "graph_breaks": "what could not be captured, where and why",
    "side_effects": "the changes that are replayed at the end of a region",
}
EVERYTHING = "all"


class Logs:
    """Which logs are on: one attribute a name."""

    __slots__ = tuple(NAMES)

    def __init__(self, text: str) -> None:
        asked = _names(text)
        unknown = asked - {*NAMES, EVERYTHING}
        if unknown:
            print(f"opshift: OPSHIFT_LOGS {_no_such(unknown)}", file=sys.stderr)
        self.set(asked)

    def set(self, asked: set[str]) -> None:
        """Turns these on and all others off."""
        for name in NAMES:
            setattr(self, name, name in asked or EVERYTHING in asked)

    @property
    def walk(self) -> bool:
        """Whether anything is to be printed while the capture walks."""
        return self.trace_source or self.trace_call or self.trace_bytecode  # type: ignore[attr-defined, no-any-return]

    @property
    def surrender(self) -> bool:
        """The older name of `graph_breaks`."""
        return self.graph_breaks  # type: ignore[attr-defined, no-any-return]


def _names(text: str) -> set[str]:
    return {part.strip().lstrip("+") for part in text.split(",") if part.strip()}


def _no_such(unknown: set[str]) -> str:
    return f"has no {', '.join(sorted(unknown))}: there are {', '.join(NAMES)}, {EVERYTHING}"


on = Logs(os.environ.get("OPSHIFT_LOGS", ""))


def set_logs(text: str = "") -> None:
    """Turns on the logs that are named, separated by commas, and all others off.

    Raises ValueError for a name that there is not.
    """
    asked = _names(text)
    unknown = asked - {*NAMES, EVERYTHING}
    if unknown:
        raise ValueError(f"set_logs() {_no_such(unknown)}")
    on.set(asked)


def write(name: str, what: str, text: str) -> None:
    """Prints one artefact."""
    print(
        f"[{name}] {what}",
        *(f"    {line}" for line in text.splitlines()),
        sep="\n",
        file=sys.stderr,
        flush=True,
    )
