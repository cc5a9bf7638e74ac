"""Python's numbers that change from call to call: inputs of the graph, not constants under guards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Node
from translator.variables import plain
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class NumberVariable(VariableTracker):
    """An int or float that came in, of which only the type is relied on.

    It is an operand of arrays and numbers; whatever needs its value is left to CPython.
    """

    __slots__ = ("node", "value")

    kind = "a number that changes"

    def __init__(self, source: Source, value: Any) -> None:
        self.source = source
        self.value = value
        self.node: Node | None = None

    def python_type(self, tx: Translator) -> type:
        return type(self.value)

    def argument(self, tx: Translator) -> Any:
        if self.node is None:
            self.node = tx.add_input(self)  # type: ignore[arg-type]
        return self.node

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        """With an array, or another number; the result is a node."""
        from translator.variables.arrays import ArrayVariable

        if type(other) not in (int, float, NumberVariable, ArrayVariable):
            return NotImplemented
        operator = operator.removesuffix("=") if operator in plain.INPLACE else operator
        if operator not in plain.BINARY:
            return NotImplemented
        arguments = (other, self) if reflected else (self, other)
        return tx.record(plain.BINARY[operator], arguments, {}, frozenset())
