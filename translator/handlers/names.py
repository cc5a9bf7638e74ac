"""Globals, builtins and the names of class and module bodies."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import NULL


class NameHandlers(Family):
    """LOAD_GLOBAL, STORE_NAME, SETUP_ANNOTATIONS …"""

    def LOAD_GLOBAL(self, instruction: Any) -> Any:
        """( -- value)"""
        self.push(self.load_global(instruction.name))

    def STORE_GLOBAL(self, instruction: Any) -> Any:
        """(value -- )"""
        self.store_global(instruction.name, self.pop())

    def DELETE_GLOBAL(self, instruction: Any) -> Any:
        """( -- )"""
        self.delete_global(instruction.name)

    def LOAD_NAME(self, instruction: Any) -> Any:
        """( -- value)"""
        self.push(self.load_name(instruction.name))

    def STORE_NAME(self, instruction: Any) -> Any:
        """(value -- )"""
        self.store_name(instruction.name, self.pop())

    def DELETE_NAME(self, instruction: Any) -> Any:
        """( -- )"""
        self.delete_name(instruction.name)

    def LOAD_LOCALS(self, instruction: Any) -> Any:
        """( -- namespace)"""
        self.push(self.load_locals())

    def LOAD_FROM_DICT_OR_GLOBALS(self, instruction: Any) -> Any:
        """(namespace -- value)"""
        value = self.load_from(self.pop(), instruction.name)
        self.push(self.load_global(instruction.name) if value is NULL else value)

    def SETUP_ANNOTATIONS(self, instruction: Any) -> Any:
        """( -- )"""
        self.setup_annotations()
