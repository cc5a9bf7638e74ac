"""Raising and handling. Going to a region is the machine's (`StackMachine.unwind`).

What is on the stack for "no exception" is the constant None.
"""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import NULL


class ExceptionHandlers(Family):
    """RAISE_VARARGS, PUSH_EXC_INFO, CHECK_EXC_MATCH, RERAISE …"""

    def SETUP_FINALLY(self, instruction: Any) -> Any:
        """( -- )
        jump: ( -- previous[3], exception[3])
        """

    def SETUP_WITH(self, instruction: Any) -> Any:
        """(result -- result)
        jump: (result -- previous[3], exception[3])
        """

    def POP_BLOCK(self, instruction: Any) -> Any:
        """( -- )"""

    def RAISE_VARARGS(self, instruction: Any) -> Any:
        """(values[count] -- )"""
        cause = self.pop() if instruction.count == 2 else NULL
        exception = self.pop() if instruction.count else NULL
        self.raise_(exception, cause)

    def PUSH_EXC_INFO(self, instruction: Any) -> Any:
        """(exception -- previous, exception)"""
        exception = self.pop()
        self.push(self.constant(None) if self.handled is None else self.handled)
        self.push(exception)
        return self.handle(exception)

    def POP_EXCEPT(self, instruction: Any) -> Any:
        """(previous[slots] -- )"""
        previous = self.take(instruction.slots)[instruction.slots // 2]
        return self.handle(None if self.is_none(previous) else previous)

    def CHECK_EXC_MATCH(self, instruction: Any) -> Any:
        """(exception, type -- kept[keeps], match)"""
        type_, exception = self.pop(), self.pop()
        if instruction.keeps:
            self.push(exception)
        self.push(self.exception_match(exception, type_))

    def CHECK_EG_MATCH(self, instruction: Any) -> Any:
        """(group, type -- rest, match)"""
        type_, group = self.pop(), self.pop()
        rest, match = self.group_match(group, type_)
        self.push(rest)
        self.push(match)
        if not self.is_none(match):
            return self.handle(match)
        return None

    def RERAISE(self, instruction: Any) -> Any:
        """(exception[slots] -- )"""
        values = self.take(instruction.slots)
        exception = values[instruction.slots // 2]
        if instruction.slots > 1:
            self.restore_traceback(exception, values[0])
        self.reraised = True
        raise self.thrown(exception)
