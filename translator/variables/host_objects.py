"""Objects in C that never change, known by what they are: compiled patterns and their matches."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import plain
from translator.variables.functions import MethodVariable
from translator.variables.stand_ins import fail
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

#: types whose methods only compute
TYPES = (re.Pattern, re.Match, re.RegexFlag)


class HostObjectVariable(VariableTracker):
    """The real object: its methods are carried out on known values."""

    __slots__ = ("value",)

    kind = "an object in C"
    equals_itself = True

    def __init__(self, value: Any, source: Source | None = None) -> None:
        self.value = value
        self.source = source  # type: ignore[assignment]

    def python_type(self, tx: Translator) -> type:
        return type(self.value)

    def truth(self, tx: Translator) -> bool:
        return True

    def python(self, tx: Translator) -> Any:
        return self.value

    def getattr(self, tx: Translator, name: str) -> Any:
        found = getattr(self.value, name, self)
        if found is self:
            return fail(tx, f"attribute {name!r}", getattr, self.value, name)
        if name == "__class__":
            return plain.value_of(tx, found)
        if name.startswith("__"):
            return self.give_up(tx, f"attribute {name!r}")
        if type(found) is MappingProxyType:
            return self.give_up(tx, f"attribute {name!r}")
        return MethodVariable(self, name) if callable(found) else plain.value_of(tx, found)

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        values = [plain.python(tx, tx.realize(value)) for value in arguments]
        named = {key: plain.python(tx, tx.realize(value)) for key, value in keywords.items()}
        if any(callable(value) for value in [*values, *named.values()]):
            return self.give_up(tx, f"method {name}() with a function")
        method = getattr(self.value, name)
        if name == "finditer":
            found = plain.run(tx, lambda: list(method(*values, **named)))
            return tx.iterate(found)
        return plain.run(tx, method, *values, **named)

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        """Flags are put together."""
        if not isinstance(self.value, re.RegexFlag):
            return NotImplemented
        values = [self.value, plain.python(tx, other)]
        return plain.run(tx, plain.ANY_BINARY[operator], *(values[::-1] if reflected else values))

    def getitem(self, tx: Translator, key: Any) -> Any:
        if not hasattr(self.value, "__getitem__") or type(key) not in PLAIN:
            return self.give_up(tx, "an item")
        return plain.run(tx, lambda: self.value[key])


def host_object(tx: Translator, source: Source, value: Any) -> VariableTracker:
    """One that came in: this very object."""
    tx.guards.identity(source, value)
    return HostObjectVariable(value, source)
