"""A value of which nothing is known: it can be passed on and given back, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class UnknownVariable(VariableTracker):
    """An input of a type that has no tracker of its own."""

    __slots__ = ("reason", "value")

    def __init__(self, source: Source, value: Any, reason: str = "") -> None:
        super().__init__(source)
        self.value = value
        self.reason = reason

    @property
    def kind(self) -> str:  # type: ignore[override]
        return f"{type(self.value).__name__} object"

    def give_up(self, tx: Translator, what: str) -> Any:
        return tx.unsupported(
            f"{what} of {self.describe()}",
            self.reason or f"values of type {type(self.value).__name__} are not captured yet",
        )
