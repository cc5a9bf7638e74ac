"""Generators, coroutines and what drives them."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import ENTERED, NULL


class GeneratorHandlers(Family):
    """RETURN_GENERATOR, YIELD_VALUE, SEND, GET_AWAITABLE …"""

    def RETURN_GENERATOR(self, instruction: Any) -> Any:
        """( -- sent)"""
        return self.park_first(self.frame, self.make_generator())

    def YIELD_VALUE(self, instruction: Any) -> Any:
        """(value -- sent)"""
        value = self.pop()
        return self.park(self.frame, self.wrap_yielded(value) if instruction.wraps else value)

    def GET_YIELD_FROM_ITER(self, instruction: Any) -> Any:
        """(iterable -- iterator)"""
        self.push(self.iterate(self.pop(), "yield_from"))

    def SEND(self, instruction: Any) -> Any:
        """(receiver[depth - 1], value -- receiver[depth - 1], yielded)
        jump: (receiver[depth - 1], value -- receiver[0 if pops else depth - 1], result)
        """
        value = self.pop()
        yielded, result = self.send(self.stack[1 - instruction.depth], value, instruction)
        if result is ENTERED:
            return True
        if yielded:
            self.push(result)
        else:
            self.sent(instruction, result)
        return None

    def sent(self, instruction: Any, result: Any) -> None:
        """What SEND does when its receiver is done."""
        if instruction.pops:
            del self.stack[1 - instruction.depth :]
        self.push(result)
        self.jump(instruction.target)

    def CLEANUP_THROW(self, instruction: Any) -> Any:
        """(receiver[slots - 2], sent, exception -- none, null[slots - 3], value)"""
        exception = self.stack[-1]
        value = self.cleanup_throw(self.stack[-instruction.slots], exception)
        del self.stack[-instruction.slots :]
        self.push(self.constant(None))
        if instruction.slots == 4:
            self.push(NULL)
        self.push(value)

    def GET_AWAITABLE(self, instruction: Any) -> Any:
        """(iterable -- awaitable)"""
        self.push(self.awaitable(self.pop(), instruction.after))

    def GET_AITER(self, instruction: Any) -> Any:
        """(iterable -- iterator)"""
        self.push(self.async_iterate(self.pop()))

    def GET_ANEXT(self, instruction: Any) -> Any:
        """(iterator -- iterator, awaitable)"""
        self.push(self.async_next(self.stack[-1]))

    def END_ASYNC_FOR(self, instruction: Any) -> Any:
        """(values[slots] -- )"""
        exception = self.stack[-1] if instruction.slots == 2 else self.stack[-2]
        if not self.is_stop_async_iteration(exception):
            self.reraised = True  # (the older exception of 3.10 stays where unwinding finds it)
            raise self.thrown(exception)
        values = self.take(instruction.slots)
        if instruction.slots == 7:
            older = values[2]
            return self.handle(None if self.is_none(older) else older)
        return None
