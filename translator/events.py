"""A machine that tells what it does: for tools that watch, or stop, a program.

    class Lines(WatchedInterpreter):
        def on_line(self, frame, line):
            print(frame.code.co_filename, line)

    Lines().run(function)

or with one callback: `WatchedInterpreter(callback=lambda event, frame, value: …)`. What a handler of an
event raises leaves the machine at once, through the program, if it is a `Stop`; anything else is raised in
the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import Frame
from translator.interpreter import RealMachine


class Stop(BaseException):
    """Raised by a tool to end the program: no handler of the program catches it."""


class WatchedInterpreter(RealMachine):
    """Runs on real values, with events."""

    loop = RealMachine.watched_loop

    def __init__(self, *, callback: Callable[[str, Frame, Any], Any] | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.callback = callback
        self._unbegun: set[Frame] = set()
        self._lines: dict[Frame, tuple[int | None, int]] = {}

    # -- the events

    def on_call(self, frame: Frame) -> None:
        """A frame begins."""
        self.tell("call", frame, None)

    def on_line(self, frame: Frame, line: int) -> None:
        """Another line begins (or the same again, after a jump back)."""
        self.tell("line", frame, line)

    def on_instruction(self, frame: Frame, instruction: Any) -> None:
        """An instruction begins."""
        self.tell("instruction", frame, instruction)

    def on_return(self, frame: Frame, value: Any) -> None:
        """A frame returns the value."""
        self.tell("return", frame, value)

    def on_yield(self, frame: Frame, value: Any) -> None:
        """A generator's frame yields the value (or, while it delegates, passes it on)."""
        self.tell("yield", frame, value)

    def on_exception(self, frame: Frame, exception: BaseException) -> None:
        """An exception was raised in the frame, or arrives in it from one it called."""
        self.tell("exception", frame, exception)

    def tell(self, event: str, frame: Frame, value: Any) -> None:
        """All events, for the callback."""
        if self.callback is not None:
            self.callback(event, frame, value)

    # -- where they come from

    def new_frame(self, *fields: Any) -> Frame:
        """Notes that the frame has not begun."""
        frame = super().new_frame(*fields)
        self._unbegun.add(frame)
        return frame

    def enter_body(self, frame: Frame) -> Any:
        """The same for the body of a module or class."""
        self._unbegun.add(frame)
        return super().enter_body(frame)

    def before(self, instruction: Any) -> None:
        """Call, line and instruction."""
        frame = self.frame
        if frame in self._unbegun:
            self._unbegun.discard(frame)
            self.on_call(frame)
        line = None if instruction.raw is None else instruction.raw.line
        index = frame.index
        last, place = self._lines.get(frame, (None, -1))
        if line is not None and (line != last or index < place):
            self.on_line(frame, line)
        self._lines[frame] = line if line is not None else last, index
        self.on_instruction(frame, instruction)

    def leave(self, value: Any) -> bool:
        """Return."""
        self._lines.pop(self.frame, None)
        self.on_return(self.frame, value)
        return super().leave(value)

    def park(self, frame: Any, value: Any) -> bool:
        """Yield."""
        self.on_yield(frame, value)
        return super().park(frame, value)

    def passing(self, exception: BaseException, frame: Frame, index: int) -> None:
        """Exception."""
        super().passing(exception, frame, index)
        self.on_exception(frame, exception)

    def abandon(self, frame: Frame, exception: BaseException) -> BaseException:
        """Forgets the frame."""
        self._lines.pop(frame, None)
        return super().abandon(frame, exception)

    def escapes(self, exception: BaseException) -> bool:
        """What ends the program."""
        return isinstance(exception, Stop) or super().escapes(exception)
