"""Structural pattern matching."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family


class MatchHandlers(Family):
    """GET_LEN, MATCH_CLASS, MATCH_KEYS …"""

    def GET_LEN(self, instruction: Any) -> Any:
        """(subject -- subject, length)"""
        self.push(self.length(self.stack[-1]))

    def MATCH_MAPPING(self, instruction: Any) -> Any:
        """(subject -- subject, bool)"""
        self.push(self.match_mapping(self.stack[-1]))

    def MATCH_SEQUENCE(self, instruction: Any) -> Any:
        """(subject -- subject, bool)"""
        self.push(self.match_sequence(self.stack[-1]))

    def MATCH_KEYS(self, instruction: Any) -> Any:
        """(subject, keys -- subject, keys, values_or_none)"""
        self.push(self.match_keys(self.stack[-2], self.stack[-1]))

    def MATCH_CLASS(self, instruction: Any) -> Any:
        """(subject, type, names -- attributes_or_none)"""
        names, class_, subject = self.pop(), self.pop(), self.pop()
        self.push(self.match_class(subject, class_, names, instruction.count))

    def COPY_DICT_WITHOUT_KEYS(self, instruction: Any) -> Any:
        """(subject, keys -- subject, rest)"""
        keys = self.pop()
        self.push(self.dict_without_keys(self.stack[-1], keys))
