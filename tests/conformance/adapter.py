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

    def call_function(self, function: Any, arguments: Any, keywords: Any) -> Any:
        """Notes the code object."""
        result = super().call_function(function, arguments, keywords)
        Probed.calls += 1
        Probed.entered.add(id(function.__code__))
        return result


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
