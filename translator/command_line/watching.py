"""`opshift run --trace` and `--stats`: a machine that prints what it does, and one that counts it."""

from __future__ import annotations

import linecache
import os
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from opcodes.listing import canonical_text, shortened
from translator.events import WatchedInterpreter
from translator.frames import Frame
from translator.interpreter import Interpreter, RealMachine

#: types whose values can be shown without running the program's code
_PLAIN = (int, float, complex, bool, str, bytes, type(None), type(...), range)
_SIZED = (list, tuple, dict, set, frozenset, bytearray)


def described(value: Any) -> str:
    """A value in a few words. No code of the program is run for it."""
    kind = type(value)
    if kind is int and value.bit_length() > 200:
        return f"an int of {value.bit_length()} bits"
    if kind in _PLAIN:
        return shortened(repr(value), 60)
    if kind in _SIZED:
        return f"{kind.__name__} of {len(value)}"
    if isinstance(value, type):
        return f"class {type.__dict__['__qualname__'].__get__(value)}"
    name = type.__dict__["__qualname__"].__get__(kind)
    return f"{name} {value.__qualname__}" if kind.__name__ == "function" else f"{name} object"


def place(frame: Frame) -> str:
    """File and function, short."""
    code = frame.code
    return f"{os.path.basename(code.co_filename)}, {getattr(code, 'co_qualname', code.co_name)}"


class PrintingInterpreter(WatchedInterpreter):
    """Writes each event as a line to the standard error stream as it was when the run began."""

    write: Callable[[str], Any] = staticmethod(lambda text: sys.__stderr__.write(text))  # type: ignore[union-attr]

    def say(self, frame: Frame, event: str, text: str) -> None:
        """One line, further to the right the deeper the frame is."""
        indent = "  " * min(frame.depth - 1, 20)
        self.write(f"{event:<9} {indent}{text}".rstrip() + "\n")

    def on_call(self, frame: Frame) -> None:
        """With the arguments."""
        names = frame.prepared.program.localsplus[: frame.prepared.parameters]
        bound = frame.bound_locals()
        given = ", ".join(f"{name}={described(bound[name])}" for name in names if name in bound)
        self.say(frame, "call", f"{place(frame)}({given})")

    def on_line(self, frame: Frame, line: int) -> None:
        """With its text."""
        text = linecache.getline(frame.code.co_filename, line, frame.globals).strip()
        self.say(frame, "line", f"{os.path.basename(frame.code.co_filename)}:{line}  {text}")

    def on_instruction(self, frame: Frame, instruction: Any) -> None:
        """The raw instruction, and what it means."""
        raw = instruction.raw
        name, offset = ("", "") if raw is None else (raw.opname, raw.offset)
        self.say(frame, "", f"{offset:>5} {name:<26} {canonical_text(instruction)}")

    def on_return(self, frame: Frame, value: Any) -> None:
        """With the value."""
        self.say(frame, "return", f"{place(frame)}: {described(value)}")

    def on_yield(self, frame: Frame, value: Any) -> None:
        """With the value."""
        self.say(frame, "yield", f"{place(frame)}: {described(value)}")

    def on_exception(self, frame: Frame, exception: BaseException) -> None:
        """Its type."""
        self.say(frame, "exception", f"{place(frame)}: {type(exception).__name__}")


class CountingInterpreter(WatchedInterpreter):
    """Counts what all machines of one run do."""

    opcodes: Counter[str] = Counter()
    functions: Counter[tuple[str, int, str]] = Counter()
    exceptions = 0
    deepest = 0

    def on_call(self, frame: Frame) -> None:
        """By function."""
        code = frame.code
        self.functions[code.co_filename, code.co_firstlineno, code.co_name] += 1
        if frame.depth > CountingInterpreter.deepest:
            CountingInterpreter.deepest = frame.depth

    def on_instruction(self, frame: Frame, instruction: Any) -> None:
        """By opcode; an instruction that stands for no raw one is part of the one before."""
        if instruction.raw is not None:
            self.opcodes[instruction.raw.opname] += 1

    def on_exception(self, frame: Frame, exception: BaseException) -> None:
        """Each frame that it passes."""
        CountingInterpreter.exceptions += 1

    @classmethod
    def report(cls) -> str:
        """What was counted, the most frequent first."""
        calls = sum(cls.functions.values())
        steps = sum(cls.opcodes.values())
        lines = [
            f"{steps:,} instructions, {calls:,} calls of {len(cls.functions):,} functions,"
            f" {cls.deepest:,} frames deep, {cls.exceptions:,} frames passed by exceptions"
        ]
        for name, count in cls.opcodes.most_common():
            lines.append(f"{count:>12,}  {100 * count / steps:5.1f} %  {name}")
        lines.append("calls")
        for (file, line, name), count in cls.functions.most_common(20):
            lines.append(f"{count:>12,}  {name} ({os.path.basename(file)}:{line})")
        if len(cls.functions) > 20:
            lines.append(f"{'':>12}  and {len(cls.functions) - 20:,} functions more")
        return "\n".join(lines) + "\n"


class PrintingAndCounting(PrintingInterpreter, CountingInterpreter):
    """Both."""

    def on_call(self, frame: Frame) -> None:
        PrintingInterpreter.on_call(self, frame)
        CountingInterpreter.on_call(self, frame)

    def on_instruction(self, frame: Frame, instruction: Any) -> None:
        PrintingInterpreter.on_instruction(self, frame, instruction)
        CountingInterpreter.on_instruction(self, frame, instruction)

    def on_exception(self, frame: Frame, exception: BaseException) -> None:
        PrintingInterpreter.on_exception(self, frame, exception)
        CountingInterpreter.on_exception(self, frame, exception)


def machine_for(trace: bool, stats: bool) -> type[RealMachine]:
    """The kind of machine that does what was asked for."""
    if trace:
        return PrintingAndCounting if stats else PrintingInterpreter
    return CountingInterpreter if stats else Interpreter
