"""CPython's own run of a program, told instruction by instruction.

By `sys.monitoring` where there is one, else by `sys.settrace`, which since 3.12 misses instructions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

#: gets the frame and the offset of the instruction that is about to be carried out
Told = Callable[[FrameType, int], None]

_TOOL = 4


def wanted(code: CodeType) -> bool:
    """Only functions of generated programs are watched: not their modules, their prelude, the oracle."""
    return code.co_filename.startswith("<generated") and code.co_name != "<module>"


@contextmanager
def stepping(tell: Told) -> Iterator[None]:
    """Within it, every instruction of a generated program is told."""
    if hasattr(sys, "monitoring"):
        yield from _monitored(tell)
    else:
        yield from _traced(tell)


def _monitored(tell: Told) -> Iterator[None]:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]

    def instruction(code: CodeType, offset: int) -> Any:
        if not wanted(code):
            return monitoring.DISABLE
        tell(sys._getframe(1), offset)
        return None

    monitoring.use_tool_id(_TOOL, "opshift fuzz")
    monitoring.register_callback(_TOOL, monitoring.events.INSTRUCTION, instruction)
    monitoring.set_events(_TOOL, monitoring.events.INSTRUCTION)
    try:
        yield
    finally:
        monitoring.set_events(_TOOL, 0)
        monitoring.register_callback(_TOOL, monitoring.events.INSTRUCTION, None)
        monitoring.free_tool_id(_TOOL)


def _traced(tell: Told) -> Iterator[None]:
    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "call":
            if not wanted(frame.f_code):
                return None
            frame.f_trace_opcodes = True
            frame.f_trace_lines = False
        elif event == "opcode":
            tell(frame, frame.f_lasti)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
