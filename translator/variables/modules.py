"""Modules: their attributes are read through the module, so that what is rebound there is seen."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.classes import MISSING
from translator.variables.lazy import LazyVariable
from translator.variables.namespaces import NamespaceVariable
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class ModuleVariable(VariableTracker):
    """A module that came in."""

    __slots__ = ("value",)

    kind = "module"
    source: Source
    equals_itself = True

    def __init__(self, source: Source, value: ModuleType) -> None:
        self.source = source
        self.value = value

    def python_type(self, tx: Translator) -> type:
        return type(self.value)

    def truth(self, tx: Translator) -> bool:
        return True

    def getattr(self, tx: Translator, name: str) -> Any:
        names = tx.effects.names
        if names and (id(self.value.__dict__), name) in names:
            known = names[id(self.value.__dict__), name]
            return known if known is not MISSING else self.give_up(tx, f"the deleted attribute {name!r}")
        found = self.value.__dict__.get(name, self)
        if found is self:
            return self.give_up(tx, f"the missing attribute {name!r}")
        tx.effects.read_from(tx, self.source.attribute("__dict__"), self.value.__dict__)
        source = self.source.attribute(name, risky=True)
        return tx.once(source.name, lambda: LazyVariable(source, found))

    def setattr(self, tx: Translator, name: str, value: Any) -> None:
        if type(self.value) is not ModuleType:
            self.give_up(tx, f"setting the attribute {name!r}")
        live = self.value.__dict__
        source = self.source.attribute("__dict__")
        namespace = tx._namespaces.setdefault(id(live), NamespaceVariable(source, live))
        if namespace.source.name != source.name:
            tx.guards.same_object(namespace.source, source, True)
        tx.store_in(namespace, name, value)
