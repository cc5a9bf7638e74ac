"""Calls and intrinsics."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family
from translator.sentinels import ENTERED, NULL


class CallHandlers(Family):
    """CALL, CALL_KW, CALL_FUNCTION_EX, CALL_INTRINSIC_n."""

    def CALL(self, instruction: Any) -> Any:
        """(callable[head], arguments[count] -- result)"""
        arguments = self.take(instruction.count)
        return self.call_with(instruction.head, arguments, instruction.names)

    def CALL_KW(self, instruction: Any) -> Any:
        """(callable[head], arguments[count], names -- result)"""
        names = self.keyword_names(self.pop())
        arguments = self.take(instruction.count)
        return self.call_with(instruction.head, arguments, names)

    def CALL_FUNCTION_EX(self, instruction: Any) -> Any:
        """(callable[head], arguments, keywords[keywords] -- result)"""
        keywords = self.pop() if instruction.keywords else NULL
        arguments = self.pop()
        callable_ = self.take_callable(instruction.head)[0]
        return self.push_or_enter(self.call_ex(callable_, arguments, keywords))

    def CALL_INTRINSIC_1(self, instruction: Any) -> Any:
        """(value -- result)"""
        self.push(self.intrinsic_1(instruction.function, self.pop()))

    def CALL_INTRINSIC_2(self, instruction: Any) -> Any:
        """(first, second -- result)"""
        second, first = self.pop(), self.pop()
        self.push(self.intrinsic_2(instruction.function, first, second))

    def call_with(self, head: int, arguments: list[Any], names: tuple[str, ...]) -> Any:
        """Takes the callable off the stack and calls it; the last arguments have names."""
        callable_, *owner = self.take_callable(head)
        keywords = None
        if names:
            keywords = dict(zip(names, arguments[-len(names) :]))
            del arguments[-len(names) :]
        return self.push_or_enter(self.call(callable_, owner + arguments, keywords))

    def take_callable(self, head: int) -> list[Any]:
        """Of a pair the NULL is dropped: what is left is the callable and, perhaps, its first argument."""
        return [value for value in self.take(head) if value is not NULL]

    def push_or_enter(self, result: Any) -> Any:
        """Pushes what a call gave, unless it has entered a frame."""
        if result is ENTERED:
            return True
        self.push(result)
        return None
