"""`with` and `async with`."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import NULL


class ContextManagerHandlers(Family):
    """BEFORE_WITH, BEFORE_ASYNC_WITH, WITH_EXCEPT_START."""

    def BEFORE_WITH(self, instruction: Any) -> Any:
        """(manager -- exit, result)"""
        return self.begin_with(False)

    def BEFORE_ASYNC_WITH(self, instruction: Any) -> Any:
        """(manager -- exit, awaitable)"""
        return self.begin_with(True)

    def begin_with(self, asynchronous: bool) -> Any:
        """Looks both methods up, keeps the exit, calls the other."""
        exit_, enter, owner = self.enter_with(self.pop(), asynchronous)
        self.push(exit_)
        return self.push_or_enter(self.call(enter, [] if owner is NULL else [owner], None))

    def WITH_EXCEPT_START(self, instruction: Any) -> Any:
        """( -- result)"""
        exception = self.stack[-instruction.exception]
        exit_ = self.stack[-instruction.exit]
        owner = self.stack[1 - instruction.exit] if instruction.pair else NULL
        kind, traceback = self.exception_parts(exception)
        arguments = [kind, exception, traceback]
        if owner is not NULL:
            arguments.insert(0, owner)
        return self.push_or_enter(self.call(exit_, arguments, None))
