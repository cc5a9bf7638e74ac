"""What interpreted code sees of its generators: `gi_code`, `gi_yieldfrom`, `cr_await` … of the parked frame.

The object of the host has a driver behind it, and natively these attributes show that. (`gi_frame` does here
too: its identity, its `f_back` and what clears it are the host generator's.)
"""

from __future__ import annotations

from collections.abc import Callable
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.real.drivers import Resumable, driven_by, frame_of

_PREFIXES = {GeneratorType: "gi_", CoroutineType: "cr_", AsyncGeneratorType: "ag_"}


def _awaited(frame: Any) -> Any:
    """What it delegates to."""
    if frame.state != "parked":
        return None
    instruction = frame.prepared.steps[frame.place][1]
    receiver = getattr(instruction, "receiver", None) if instruction.opname == "YIELD_VALUE" else None
    if not receiver:
        return None
    found = frame.saved[1 - receiver]
    return found.generator if type(found) is Resumable else found


SEEN: dict[str, Callable[[Any], Any]] = {
    "gi_yieldfrom": _awaited,
    "cr_await": _awaited,
    "ag_await": _awaited,
    "gi_running": lambda frame: frame.state == "running",
    "cr_running": lambda frame: frame.state == "running",
    "gi_suspended": lambda frame: frame.state == "parked",
    "cr_suspended": lambda frame: frame.state == "parked",
}


CODES = ("gi_code", "cr_code", "ag_code")
NAMES = frozenset([*SEEN, *CODES])


def seen(owner: Any, name: str) -> Any:
    """`owner.name` for one of NAMES."""
    value = getattr(owner, name)
    if name in CODES:
        return driven_by(value)  # (what wraps a generator has them too)
    if name.startswith(_PREFIXES.get(type(owner), " ")):
        frame = frame_of(owner)
        if frame is not None:
            return SEEN[name](frame)
    return value
