"""Jumps and returns."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family


class ControlHandlers(Family):
    """JUMP, POP_JUMP_IF_TRUE, RETURN_VALUE …"""

    def JUMP(self, instruction: Any) -> Any:
        """( -- )
        jump: ( -- )
        """
        self.jump(instruction.target)

    def POP_JUMP_IF_TRUE(self, instruction: Any) -> Any:
        """(bool -- )
        jump: (bool -- )
        """
        if self.truth(self.pop()):
            self.jump(instruction.target)

    def POP_JUMP_IF_FALSE(self, instruction: Any) -> Any:
        """(bool -- )
        jump: (bool -- )
        """
        if not self.truth(self.pop()):
            self.jump(instruction.target)

    def POP_JUMP_IF_NONE(self, instruction: Any) -> Any:
        """(value -- )
        jump: (value -- )
        """
        if self.is_none(self.pop()):
            self.jump(instruction.target)

    def POP_JUMP_IF_NOT_NONE(self, instruction: Any) -> Any:
        """(value -- )
        jump: (value -- )
        """
        if not self.is_none(self.pop()):
            self.jump(instruction.target)

    def RETURN_VALUE(self, instruction: Any) -> Any:
        """(value -- )"""
        return self.leave(self.pop())
