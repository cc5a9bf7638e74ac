"""What is live in a frame at one moment."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


class Live:
    """The live state of a frame at the place where a region begins.

    Attributes:
        values: by slot, the variables; NULL where one is not bound; cells as they are.
        stack: by slot, what can be looked at; None for the others.
    """

    __slots__ = ("stack", "values")

    def __init__(self, values: list[Any], stack: list[Any]) -> None:
        self.values = values
        self.stack = stack
