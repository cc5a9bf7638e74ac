"""An input that nobody has looked at yet: no guard until its value matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

_NOT_YET = object()


class LazyVariable(VariableTracker):
    """An input with its live value. `realize` makes it what it is, with the guard that this needs."""

    __slots__ = ("found", "value")

    kind = "an input"
    source: Source

    def __init__(self, source: Source, value: Any) -> None:
        self.source = source
        self.value = value
        self.found: Any = _NOT_YET

    def describe(self) -> str:
        return self.source.name

    def realize(self, tx: Translator) -> Any:
        """The plain value or tracker it is; always the same one."""
        found = self.found
        if found is _NOT_YET:
            found = self.found = tx.input_value(self.source, self.value)
        return found

    def python(self, tx: Translator) -> Any:
        from translator.variables.plain import python

        return python(tx, self.realize(tx))

    def argument(self, tx: Translator) -> Any:
        return tx.argument(self.realize(tx))
