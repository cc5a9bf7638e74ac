"""`super(class, instance)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import descriptors
from translator.variables.classes import ClassVariable, mro_of
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class SuperVariable(VariableTracker):
    """Attributes are those of the bases behind `cls`, bound to the instance (or class)."""

    __slots__ = ("cls", "instance")

    kind = "super()"

    def __init__(self, cls: ClassVariable, instance: Any) -> None:
        self.source = None  # type: ignore[assignment]
        self.cls = cls
        self.instance = instance

    def python_type(self, tx: Translator) -> type:
        return super

    def truth(self, tx: Translator) -> bool:
        return True

    def getattr(self, tx: Translator, name: str) -> Any:
        instance = self.instance
        if name == "__class__":
            return self.give_up(tx, "attribute '__class__'")
        if isinstance(instance, ClassVariable):
            if self.cls.value not in mro_of(instance.value):
                return self.give_up(tx, "a metaclass")
            found = instance.after(tx, self.cls.value, name)
            bound, owner = None, instance
        else:
            found = instance.cls.after(tx, self.cls.value, name)
            bound, owner = instance, instance.cls
        if found is None:
            return tx.unsupported(
                f"attribute {name!r} of super()", "AttributeError is left to the original code"
            )
        return descriptors.bind(tx, found, bound, owner)
