"""Choices read from bytes: the bridge between hypothesis, which draws bytes, and a program writer.

Hypothesis pays some thirty microseconds for a drawn integer and a program needs hundreds of choices,
so a statement draws one run of bytes and spends it here. Bytes that are used up read as zero, and
zero always means the first, simplest option: a program ends where its bytes end, and shrinking the
bytes simplifies the program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Options picked by bytes, one after the other."""

    __slots__ = ("data", "position")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    @property
    def exhausted(self) -> bool:
        """Whether every further choice takes the first option."""
        return self.position >= len(self.data)

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1; limit is at most 65,536."""
        if limit <= 1:
            return 0
        position = self.position
        if limit > 256:
            self.position = position + 2
            return int.from_bytes(self.data[position : position + 2], "little") % limit
        self.position = position + 1
        return self.data[position] % limit if position < len(self.data) else 0

    def pick(self, options: Sequence[T]) -> T:
        """One of the options; the first is the simplest."""
        return options[self.below(len(options))]

    def chance(self, one_in: int) -> bool:
        """True once in `one_in` times; False when the bytes are used up."""
        return self.below(one_in) == one_in - 1
