"""The Interpreter for the conformance harness: each test's body is carried out by it."""

from __future__ import annotations

import os
from typing import Any

from translator.errors import Unimplemented
from translator.interpreter import Interpreter


class Probed(Interpreter):
    """Counts what it enters, so that a test that ran natively does not pass for one that was interpreted."""

    entered: set[int] = set()
    calls = 0

    def enter(self, frame: Any) -> Any:
        """Notes the code object."""
        Probed.note(frame)
        return super().enter(frame)

    def CALL(self, instruction: Any) -> Any:
        """(callable[head], arguments[count] -- result)"""
        entered = super().CALL(instruction)
        if entered:
            Probed.note(self.frame)
        return entered

    @classmethod
    def note(cls, frame: Any) -> None:
        """One more frame was entered."""
        if frame.function is not None:
            cls.calls += 1
            cls.entered.add(id(frame.function.__code__))


class Interpret:
    """See the harness for what each of these is."""

    name = "opshift"
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    require_probe = True

    def setup(self) -> None:
        """Nothing to load."""

    @property
    def n(self) -> int:
        """How many functions were entered."""
        return Probed.calls

    @property
    def codes(self) -> set[int]:
        """The code objects entered."""
        return Probed.entered

    def run(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Interprets the function."""
        return Probed().run(function, *args, **kwargs)

    def unsupported(self, exception: BaseException) -> bool:
        """Whether the Interpreter said that it cannot."""
        return isinstance(exception, Unimplemented)
