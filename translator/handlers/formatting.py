"""f-strings and t-strings."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import NULL


class FormattingHandlers(Family):
    """CONVERT_VALUE, FORMAT_SIMPLE, BUILD_STRING, BUILD_TEMPLATE …"""

    def BUILD_STRING(self, instruction: Any) -> Any:
        """(pieces[count] -- string)"""
        self.push(self.build_string(self.take(instruction.count)))

    def CONVERT_VALUE(self, instruction: Any) -> Any:
        """(value -- string)"""
        self.push(self.convert(self.pop(), instruction.conversion))

    def FORMAT_SIMPLE(self, instruction: Any) -> Any:
        """(value -- string)"""
        self.push(self.format(self.pop(), NULL))

    def FORMAT_WITH_SPEC(self, instruction: Any) -> Any:
        """(value, spec -- string)"""
        spec, value = self.pop(), self.pop()
        self.push(self.format(value, spec))

    def BUILD_INTERPOLATION(self, instruction: Any) -> Any:
        """(value, text, spec[spec] -- interpolation)"""
        spec = self.pop() if instruction.spec else NULL
        text, value = self.pop(), self.pop()
        self.push(self.interpolation(value, text, instruction.conversion, spec))

    def BUILD_TEMPLATE(self, instruction: Any) -> Any:
        """(strings, interpolations -- template)"""
        interpolations, strings = self.pop(), self.pop()
        self.push(self.template(strings, interpolations))
