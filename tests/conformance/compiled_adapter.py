"""Compiled functions for the conformance harness: with breaks allowed, and as one graph each."""

from __future__ import annotations

import os
from typing import Any


class Compiled:
    """Each test method is compiled; see the harness for what each of these is."""

    name = "opshift-compiled"
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    require_probe = True
    fullgraph = False

    def setup(self) -> None:
        """Captures functions without array operations too."""
        from translator import convert_frame

        convert_frame.capture_everything = True
        self.n = 0
        self.codes: set[int] = set()

    def run(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls the compiled function; it counts if its code was looked at."""
        import translator

        compiled = translator.compile(function, fullgraph=self.fullgraph)
        state = compiled.__opshift__
        try:
            return compiled(*args, **kwargs)
        finally:
            if state.entries or (state.reasons and not self.fullgraph):
                self.n += 1
                self.codes.add(id(function.__code__))

    def unsupported(self, exception: BaseException) -> bool:
        """Whether a graph break was an error."""
        from translator.errors import Unimplemented

        return isinstance(exception, Unimplemented)


class Fullgraph(Compiled):
    """A test that breaks the graph does not pass."""

    name = "opshift-fullgraph"
    fullgraph = True
