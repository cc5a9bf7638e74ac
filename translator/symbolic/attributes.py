"""Attributes and items."""

from __future__ import annotations

from operator import delitem, setitem
from types import BuiltinMethodType, MethodWrapperType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.semantics import Semantics
from translator.sentinels import NULL
from translator.variables import plain, sequences
from translator.variables.functions import MethodVariable
from translator.variables.stand_ins import fail, fail_by_type
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class SymbolicAttributes(Semantics):
    """Reading and changing them."""

    def getattr(self: Translator, owner: Any, name: str) -> Any:
        owner = self.realize(owner)
        if type(owner) not in PLAIN:
            return owner.getattr(self, name)
        found = getattr(owner, name, self)
        if found is self:
            return fail(self, f"attribute {name!r} of {owner!r}", getattr, owner, name)
        if type(found) in PLAIN:
            return found
        if type(found) is BuiltinMethodType or type(found) is MethodWrapperType:
            return MethodVariable(owner, name)
        if name == "__class__":
            return plain.value_of(self, found)
        return self.unsupported(f"attribute {name!r} of {owner!r}", "it is not captured")

    def method(self: Translator, owner: Any, name: str) -> tuple[Any, Any]:
        return self.getattr(owner, name), NULL

    def setitem(self: Translator, container: Any, key: Any, value: Any) -> None:
        container, key = self.realize(container), self.realize(key)
        if type(container) in PLAIN:
            fail_by_type(self, "setting an item of this", setitem, container, 0, 0)
        container.setitem(self, key, value)

    def delitem(self: Translator, container: Any, key: Any) -> None:
        container, key = self.realize(container), self.realize(key)
        if type(container) in PLAIN:
            fail_by_type(self, "deleting an item of this", delitem, container, 0)
        container.delitem(self, key)

    def build_slice(self: Translator, start: Any, stop: Any, step: Any) -> Any:
        return sequences.SliceVariable(start, stop, step)
