"""Members of enumerations: constants, known by their identity."""

from __future__ import annotations

from enum import Enum, EnumMeta
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.classes import ClassVariable, dict_of, mro_of
from translator.variables.lazy import LazyVariable
from translator.variables.objects import InstanceVariable
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


def is_enum(class_: type) -> bool:
    """Whether it is an enumeration of plain objects, with nothing of `Enum` changed."""
    if type(class_) is not EnumMeta or class_.__base__ is not Enum or mro_of(class_)[1] is not Enum:
        return False
    changed = {"__eq__", "__hash__", "__getattribute__", "__ne__", "name", "value", "_missing_", "__bool__"}
    return not changed & dict_of(class_).keys()


class EnumVariable(InstanceVariable):
    """A member of an enumeration."""

    __slots__ = ("attributes", "cls", "value")

    kind = "an enum member"
    rebuildable = True

    def __init__(self, cls: ClassVariable, value: Any, source: Source | None = None) -> None:
        self.cls = cls
        self.value = value
        self.source = source
        self.attributes: dict[str, Any] = {}

    def describe(self) -> str:
        return str(self.value)

    @property
    def live(self) -> Any:  # type: ignore[override]
        """Itself."""
        return self.value

    def python(self, tx: Translator) -> Any:
        return self.value

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in ("name", "value", "_name_", "_value_"):
            found = self.value._name_ if "name" in name else self.value._value_
            if type(found) in PLAIN:
                return found
        return super().getattr(tx, name)

    def put(self, tx: Translator, name: str, value: Any) -> None:
        self.give_up(tx, f"setting the attribute {name!r}")

    def hashed(self, tx: Translator) -> Any:
        return hash(self.value)

    def rebuild(self, parts: list[str], name: Any) -> str:
        return str(name(self.value))


def member_of(tx: Translator, class_: ClassVariable, name: str) -> Any:
    """`class_.name` for a member, or None."""
    member = class_.value.__members__.get(name)  # type: ignore[attr-defined]
    if member is None:
        return None
    source = class_.source.attribute(name)
    return tx.realize(tx.once(source.name, lambda: LazyVariable(source, member)))


def member_by_value(tx: Translator, class_: ClassVariable, value: Any) -> Any:
    """`class_(value)` for a plain value."""
    value = tx.realize(value)
    if isinstance(value, EnumVariable) and type(value.value) is class_.value:
        return value
    if type(value) in PLAIN:
        found = class_.value._value2member_map_.get(value)  # type: ignore[attr-defined]
        if found is not None:
            return EnumVariable(class_, found)
    return tx.unsupported(
        f"{class_.value.__name__}({value!r})", "there is no such member, or it is not plain"
    )
