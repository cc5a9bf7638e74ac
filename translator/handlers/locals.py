"""Local variables and cells."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import NULL


class LocalHandlers(Family):
    """LOAD_FAST, STORE_FAST, MAKE_CELL, LOAD_DEREF …"""

    def LOAD_FAST(self, instruction: Any) -> Any:
        """( -- value)"""
        self.push(self.locals[instruction.slot])

    def LOAD_FAST_CHECK(self, instruction: Any) -> Any:
        """( -- value)"""
        value = self.locals[instruction.slot]
        if value is NULL:
            self.unbound_local(instruction.name)
        self.push(value)

    def LOAD_FAST_AND_CLEAR(self, instruction: Any) -> Any:
        """( -- value_or_null)"""
        self.push(self.locals[instruction.slot])
        self.locals[instruction.slot] = NULL

    def STORE_FAST(self, instruction: Any) -> Any:
        """(value_or_null -- )"""
        self.locals[instruction.slot] = self.pop()

    def DELETE_FAST(self, instruction: Any) -> Any:
        """( -- )"""
        if self.locals[instruction.slot] is NULL:
            self.unbound_local(instruction.name)
        self.locals[instruction.slot] = NULL

    def MAKE_CELL(self, instruction: Any) -> Any:
        """( -- )"""
        slot = instruction.slot
        self.locals[slot] = self.make_cell(self.locals[slot])

    def COPY_FREE_VARS(self, instruction: Any) -> Any:
        """( -- )"""
        self.locals[-instruction.count :] = self.closure()

    def LOAD_DEREF(self, instruction: Any) -> Any:
        """( -- value)"""
        value = self.cell_get(self.locals[instruction.slot])
        if value is NULL:
            self.unbound_cell(instruction.name, self.is_free(instruction.slot))
        self.push(value)

    def STORE_DEREF(self, instruction: Any) -> Any:
        """(value -- )"""
        self.cell_set(self.locals[instruction.slot], self.pop())

    def DELETE_DEREF(self, instruction: Any) -> Any:
        """( -- )"""
        cell = self.locals[instruction.slot]
        if self.cell_get(cell) is NULL:
            self.unbound_cell(instruction.name, self.is_free(instruction.slot))
        self.cell_set(cell, NULL)

    def LOAD_FROM_DICT_OR_DEREF(self, instruction: Any) -> Any:
        """(namespace -- value)"""
        value = self.load_from(self.pop(), instruction.name)
        if value is NULL:
            return self.handlers["LOAD_DEREF"](self, instruction)
        self.push(value)

    def is_free(self, slot: int) -> bool:
        """Whether the slot is a free variable's: those come last."""
        return slot >= len(self.locals) - len(self.frame.code.co_freevars)
