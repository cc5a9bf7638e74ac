"""`Context.run`: it does nothing but call what it is given, so what it calls is interpreted too.

(Threads begin with it since 3.14, and event loops call back through it.)
"""

from __future__ import annotations

from contextvars import Context
from types import FunctionType, MethodType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


class ContextRun:
    """On the machine's stack in place of the bound method, which is about to be called."""

    __slots__ = ("context",)

    def __init__(self, context: Context) -> None:
        self.context = context

    def enter(self, machine: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """Its value: the context is entered by the host, what it is given is called by the machine."""
        run = self.context.run
        if not arguments or type(arguments[0]) not in (FunctionType, MethodType):
            return run(*arguments, **keywords)
        function = arguments.pop(0)

        def go_on() -> Any:
            return machine.run_above(lambda: machine.call(function, arguments, keywords))

        return run(go_on)
