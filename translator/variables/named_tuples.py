"""Named tuples: tuples with a class of their own."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import descriptors
from translator.variables.classes import ClassVariable, dict_of
from translator.variables.lazy import LazyVariable
from translator.variables.objects import raw_of
from translator.variables.sequences import SequenceVariable, TupleVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

#: what a named tuple must have from `tuple`
_OF_TUPLE = [
    name
    for name, value in dict_of(tuple).items()
    if callable(value) and name not in ("__new__", "__getnewargs__", "__repr__", "__class_getitem__")
]
#: those that are guarded
_GUARDED = ("__getattribute__", "__getitem__", "__iter__", "__len__", "__eq__", "__hash__")
_getter = type(dict_of(collections.namedtuple("_getter", "field"))["field"])


class NamedTupleVariable(TupleVariable):
    """A named tuple.

    Attributes:
        cls: its class.
    """

    __slots__ = ("cls",)

    kind = "a named tuple"

    def __init__(self, cls: ClassVariable, values: list[Any], source: Source | None = None) -> None:
        super().__init__(values, source)
        self.cls = cls

    def python_type(self, tx: Translator) -> type:
        return self.cls.value

    def python(self, tx: Translator) -> Any:
        code = getattr(raw_of(self.cls.value, "__repr__"), "__code__", None)
        if code is None or code.co_filename != collections.namedtuple.__code__.co_filename:
            return self.give_up(tx, "the Python value, which has a __repr__ of its own")
        return tuple.__new__(self.cls.value, super().python(tx))

    def make(self, values: list[Any]) -> SequenceVariable:
        return TupleVariable(values)

    def getitem(self, tx: Translator, key: Any) -> Any:
        return SequenceVariable.getitem(self, tx, key)

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        return SequenceVariable.binary(self, tx, operator, other, reflected)

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in ("index", "count"):
            return super().getattr(tx, name)
        if name == "__class__":
            return self.cls
        found = self.cls.lookup(tx, name)
        if found is None:
            return self.give_up(tx, f"attribute {name!r} (AttributeError)")
        if type(found.raw) is _getter:
            tx.guards.identity(found.source, found.raw)
            return self.values[found.raw.__reduce__()[1][0]]
        return descriptors.bind(tx, found, self, self.cls)

    def rebuild(self, parts: list[str], name: Any) -> str:
        return f"{name(tuple.__new__)}({name(self.cls.value)}, {super().rebuild(parts, name)})"


def is_named_tuple(class_: type) -> bool:
    """Whether instances are tuples with fields and nothing else."""
    if class_.__base__ is not tuple and not hasattr(class_.__base__, "_fields"):
        return False
    if class_.__dictoffset__ or type(class_) is not type or not isinstance(raw_of(class_, "_fields"), tuple):
        return False
    return all(raw_of(class_, name) is dict_of(tuple).get(name, raw_of(object, name)) for name in _OF_TUPLE)


def check_class(tx: Translator, class_: ClassVariable) -> None:
    """Guards that its special methods are those of `tuple`."""
    for name in _GUARDED:
        found = class_.lookup(tx, name)
        assert found is not None
        found.same(tx)


def input_named_tuple(tx: Translator, source: Source, value: Any) -> Any:
    """A named tuple that came in; None if it is another kind of tuple."""
    if not is_named_tuple(type(value)):
        return None
    tx.guards.type_is(source, type(value))
    class_ = tx.class_variable(type(value), source.type())
    check_class(tx, class_)
    tx.guards.length(source, len(value))
    items = [LazyVariable(source.item(index), item) for index, item in enumerate(value)]
    return NamedTupleVariable(class_, items, source)


def new_tuple(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """`tuple.__new__(class, items)`."""
    if not 1 <= len(arguments) <= 2 or keywords:
        return tx.unsupported("tuple.__new__() with these arguments", "it is not captured")
    class_ = tx.realize(arguments[0])
    items = tx.items(arguments[1]) if len(arguments) == 2 else []
    if isinstance(class_, ClassVariable) and is_named_tuple(class_.value):
        check_class(tx, class_)
        return NamedTupleVariable(class_, items)
    if getattr(class_, "value", None) is tuple:
        return TupleVariable(items)
    return tx.unsupported(f"tuple.__new__() of {class_!r}", "it is captured for named tuples")


__all__ = ["NamedTupleVariable", "input_named_tuple", "is_named_tuple", "new_tuple"]
