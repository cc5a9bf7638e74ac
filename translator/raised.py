"""An exception of the traced program on its way to a handler of the traced program."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


class Raised(Exception):
    """Carries the tracker of the exception through the machine.

    Attributes:
        variable: the ExceptionVariable.
        where: where it was raised first.
    """

    def __init__(self, variable: Any, where: str) -> None:
        super().__init__(where)
        self.variable = variable
        self.where = where
