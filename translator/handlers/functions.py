"""Functions, classes and imports."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import NULL

ATTRIBUTE_FLAGS = (1, 2, 4, 8)


class FunctionHandlers(Family):
    """MAKE_FUNCTION, LOAD_BUILD_CLASS, IMPORT_NAME …"""

    def MAKE_FUNCTION(self, instruction: Any) -> Any:
        """(attributes[flags.bit_count()], code, qualname[qualname] -- function)"""
        qualname = self.pop() if instruction.qualname else NULL
        function = self.make_function(self.pop(), qualname)
        flags = [flag for flag in ATTRIBUTE_FLAGS if instruction.flags & flag]
        for flag, value in zip(flags, self.take(len(flags))):
            function = self.set_function_attribute(function, flag, value)
        self.push(function)

    def SET_FUNCTION_ATTRIBUTE(self, instruction: Any) -> Any:
        """(value, function -- function)"""
        function, value = self.pop(), self.pop()
        self.push(self.set_function_attribute(function, instruction.flag, value))

    def LOAD_BUILD_CLASS(self, instruction: Any) -> Any:
        """( -- build_class)"""
        self.push(self.build_class())

    def IMPORT_NAME(self, instruction: Any) -> Any:
        """(level, fromlist -- module)"""
        fromlist, level = self.pop(), self.pop()
        self.push(self.import_name(instruction.name, fromlist, level, instruction.mode))

    def IMPORT_FROM(self, instruction: Any) -> Any:
        """(module -- module, attribute)"""
        self.push(self.import_from(self.stack[-1], instruction.name))
