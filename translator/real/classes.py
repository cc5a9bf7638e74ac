"""Class statements: the host's `__build_class__` around a body that the machine carries out."""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import NamespaceFrame
from translator.real.annotations import annotate_class
from translator.real.stubs import Action, constant_stub


class RealClasses:
    """LOAD_BUILD_CLASS and what it calls."""

    frame: Any

    def build_class(self) -> Any:
        """From the builtins of the running function."""
        builtins = self.frame.function.__builtins__
        try:
            return builtins["__build_class__"]
        except KeyError:
            pass
        raise NameError("__build_class__ not found", name="__build_class__")

    def run_class(self, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """`__build_class__(body, name, *bases, **keywords)`; the body becomes a stub that hands its
        namespace to the machine and returns the class cell.
        """
        if len(arguments) < 2 or type(arguments[0]) is not FunctionType:
            return self.call_in_frame(callable_, arguments, keywords)
        body = arguments[0]
        if self.skip.skips(body):
            return self.call_in_frame(callable_, arguments, keywords)
        prepared = self.prepare(body.__code__)

        def run_body() -> Any:
            namespace = sys._getframe(1).f_locals
            frame = NamespaceFrame(
                prepared,
                body,
                body.__globals__,
                list(prepared.unbound),
                len(self.stack),
                self.frame,
                self.frame.depth + 1,
            )
            frame.namespace = namespace
            cell = self.run_above(lambda: self.enter_above(frame, body=True))
            annotate_class(namespace, prepared.program.table.facts["annotate_name"])
            return cell

        stub = constant_stub(prepared.code, 0, Action(run_body), True)
        arguments[0] = FunctionType(stub, globals(), body.__name__)  # (the machine's: not in tracebacks)
        return self.call_in_frame(callable_, arguments, keywords)
