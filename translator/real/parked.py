"""What interpreted code sees of its generators: `gi_code`, `gi_yieldfrom`, `cr_await` … of the parked frame.

The object of the host has a driver behind it, and natively these attributes show that. (`gi_frame` does here
too: its identity, its `f_back` and what clears it are the host generator's.)
"""

from __future__ import annotations

from collections.abc import Callable
from types import AsyncGeneratorType, CodeType, CoroutineType, GeneratorType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.real.drivers import Resumable, frame_of

_PREFIXES = {GeneratorType: "gi_", CoroutineType: "cr_", AsyncGeneratorType: "ag_"}


def _code(frame: Any) -> CodeType:
    return frame.function.__code__  # type: ignore[no-any-return]


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
    "gi_code": _code,
    "cr_code": _code,
    "ag_code": _code,
    "gi_yieldfrom": _awaited,
    "cr_await": _awaited,
    "ag_await": _awaited,
    "gi_running": lambda frame: frame.state == "running",
    "cr_running": lambda frame: frame.state == "running",
    "gi_suspended": lambda frame: frame.state == "parked",
    "cr_suspended": lambda frame: frame.state == "parked",
}


def seen(owner: Any, name: str) -> Any:
    """`owner.name` for a name that is in SEEN."""
    value = getattr(owner, name)
    if name.startswith(_PREFIXES.get(type(owner), " ")):
        frame = frame_of(owner)
        if frame is not None:
            return SEEN[name](frame)
    return value
