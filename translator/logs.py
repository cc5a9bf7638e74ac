"""OPSHIFT_LOGS: what a compilation prints to stderr, live, from any program.

OPSHIFT_LOGS=trace_bytecode,bytecode,graph,guards python program.py
"""

from __future__ import annotations

import os
import sys

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

NAMES = ("trace_bytecode", "bytecode", "graph", "guards", "surrender")


class Logs:
    """Which logs are on: one attribute a name, read when this module is first used."""

    __slots__ = NAMES

    def __init__(self, text: str) -> None:
        asked = {part.strip() for part in text.split(",") if part.strip()}
        unknown = asked - {*NAMES, "all"}
        if unknown:
            print(
                f"opshift: OPSHIFT_LOGS has no {', '.join(sorted(unknown))}:"
                f" there are {', '.join(NAMES)}, all",
                file=sys.stderr,
            )
        for name in NAMES:
            setattr(self, name, name in asked or "all" in asked)


on = Logs(os.environ.get("OPSHIFT_LOGS", ""))


def write(name: str, what: str, text: str) -> None:
    """Prints one artefact."""
    print(
        f"[{name}] {what}",
        *(f"    {line}" for line in text.splitlines()),
        sep="\n",
        file=sys.stderr,
        flush=True,
    )
