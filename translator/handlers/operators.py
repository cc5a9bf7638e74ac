"""Operators."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family


class OperatorHandlers(Family):
    """BINARY_OP, COMPARE_OP, TO_BOOL …"""

    def BINARY_OP(self, instruction: Any) -> Any:
        """(left, right -- result)"""
        right, left = self.pop(), self.pop()
        self.push(self.binary(instruction.operator, left, right))

    def UNARY_NEGATIVE(self, instruction: Any) -> Any:
        """(value -- result)"""
        self.push(self.unary("-", self.pop()))

    def UNARY_INVERT(self, instruction: Any) -> Any:
        """(value -- result)"""
        self.push(self.unary("~", self.pop()))

    def UNARY_NOT(self, instruction: Any) -> Any:
        """(bool -- result)"""
        self.push(self.not_(self.pop()))

    def TO_BOOL(self, instruction: Any) -> Any:
        """(value -- bool)"""
        self.push(self.to_bool(self.pop()))

    def COMPARE_OP(self, instruction: Any) -> Any:
        """(left, right -- result)"""
        right, left = self.pop(), self.pop()
        self.push(self.compare(instruction.operator, left, right))

    def IS_OP(self, instruction: Any) -> Any:
        """(left, right -- bool)"""
        right, left = self.pop(), self.pop()
        found = self.is_(left, right)
        self.push(self.not_(found) if instruction.invert else found)

    def CONTAINS_OP(self, instruction: Any) -> Any:
        """(item, container -- bool)"""
        container, item = self.pop(), self.pop()
        found = self.contains(container, item)
        self.push(self.not_(found) if instruction.invert else found)
