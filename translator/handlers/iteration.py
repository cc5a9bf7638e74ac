"""Loops. From 3.15 an iterator takes two slots on the stack: the second is NULL here."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import ENTERED, NULL, STOP


class IterationHandlers(Family):
    """GET_ITER, FOR_ITER."""

    def GET_ITER(self, instruction: Any) -> Any:
        """(iterable -- iterator, index[slots - 1])"""
        self.push(self.iterate(self.pop(), instruction.kind))
        if instruction.slots == 2:
            self.push(NULL)

    def FOR_ITER(self, instruction: Any) -> Any:
        """(iterator, index[slots - 1] -- iterator, index[slots - 1], next)
        jump: (iterator, index[slots - 1] -- iterator[not pops], index[slots - 1], dummy[not pops])
        """
        value = self.next(self.stack[-instruction.slots], instruction)
        if value is STOP:
            self.end_loop(instruction)
        elif value is ENTERED:
            return True
        else:
            self.push(value)

    def end_loop(self, instruction: Any) -> None:
        """What FOR_ITER does when its iterator is exhausted."""
        if instruction.pops:
            del self.stack[-instruction.slots :]
        else:
            self.push(NULL)
        self.jump(instruction.target)
