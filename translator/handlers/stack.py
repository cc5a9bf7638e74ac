"""The stack itself, and constants."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import NULL


class StackHandlers(Family):
    """POP_TOP, COPY, SWAP, LOAD_CONST …"""

    def NOP(self, instruction: Any) -> Any:
        """( -- )"""

    def RESUME(self, instruction: Any) -> Any:
        """( -- )"""

    def POP_TOP(self, instruction: Any) -> Any:
        """(value -- )"""
        self.pop()

    def PUSH_NULL(self, instruction: Any) -> Any:
        """( -- null)"""
        self.push(NULL)

    def COPY(self, instruction: Any) -> Any:
        """(bottom, between[depth - 1] -- bottom, between[depth - 1], bottom)"""
        self.push(self.stack[-instruction.depth])

    def SWAP(self, instruction: Any) -> Any:
        """(bottom, between[depth - 2], top -- top, between[depth - 2], bottom)"""
        stack, place = self.stack, -instruction.depth
        stack[-1], stack[place] = stack[place], stack[-1]

    def ROTATE(self, instruction: Any) -> Any:
        """(below[depth - 1], top -- top, below[depth - 1])"""
        top = self.pop()
        self.stack.insert(len(self.stack) - instruction.depth + 1, top)

    def LOAD_CONST(self, instruction: Any) -> Any:
        """( -- value)"""
        self.push(self.constant(instruction.value))
