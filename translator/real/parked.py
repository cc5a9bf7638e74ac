"""What interpreted code sees of its generators: `gi_frame`, `gi_code`, `cr_await` … are the parked frame's.

The object of the host has a driver behind it, and natively these attributes show that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import AsyncGeneratorType, CodeType, CoroutineType, FunctionType, GeneratorType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS, GENERATES
from translator.real.caller import standing_for
from translator.real.exceptions import visible_locals
from translator.real.foreign import foreign_of
from translator.real.generators import Resumable, frame_of

_PREFIXES = {GeneratorType: "gi_", CoroutineType: "cr_", AsyncGeneratorType: "ag_"}


def _code(frame: Any, _: Any) -> CodeType:
    return frame.function.__code__  # type: ignore[no-any-return]


def _awaited(frame: Any, _: Any) -> Any:
    """What it delegates to."""
    if frame.state != "parked":
        return None
    instruction = frame.prepared.steps[frame.place][1]
    receiver = getattr(instruction, "receiver", None) if instruction.opname == "YIELD_VALUE" else None
    if not receiver:
        return None
    found = frame.saved[1 - receiver]
    return found.generator if type(found) is Resumable else found


def _frame(frame: Any, native: Any) -> Any:
    """A real frame that stands for it; None if it is done."""
    if frame.state == "done":
        return None
    if native is not None and native.f_lasti < 0 and foreign_of(frame.function.__code__) is None:
        return _unstarted(frame)  # where it stands before the first instruction
    return standing_for(frame, sys._getframe)()


def _unstarted(frame: Any) -> Any:
    """The frame of a generator of the host's that has the same arguments."""
    prepared = frame.prepared
    code = frame.function.__code__
    made = code.replace(
        co_argcount=prepared.parameters,
        co_posonlyargcount=0,
        co_kwonlyargcount=0,
        co_flags=code.co_flags & ~(CO_VARARGS | CO_VARKEYWORDS | GENERATES) | CO_GENERATOR,
    )
    function = FunctionType(made, frame.globals, None, None, frame.function.__closure__)
    values = dict(zip(*visible_locals(frame)))
    return function(*[values[name] for name in code.co_varnames[: prepared.parameters]]).gi_frame


SEEN: dict[str, Callable[[Any, Any], Any]] = {
    "gi_frame": _frame,
    "cr_frame": _frame,
    "ag_frame": _frame,
    "gi_code": _code,
    "cr_code": _code,
    "ag_code": _code,
    "gi_yieldfrom": _awaited,
    "cr_await": _awaited,
    "ag_await": _awaited,
    "gi_running": lambda frame, _: frame.state == "running",
    "cr_running": lambda frame, _: frame.state == "running",
    "gi_suspended": lambda frame, _: frame.state == "parked",
    "cr_suspended": lambda frame, _: frame.state == "parked",
}


def seen(owner: Any, name: str) -> Any:
    """`owner.name` for a name that is in SEEN."""
    value = getattr(owner, name)
    if name.startswith(_PREFIXES.get(type(owner), " ")):
        frame = frame_of(owner)
        if frame is not None:
            return SEEN[name](frame, value)
    return value
