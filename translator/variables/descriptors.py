"""What a class attribute gives through an instance or a class: functions, properties, descriptors."""

from __future__ import annotations

import functools
from types import (
    BuiltinFunctionType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.classes import (
    MISSING,
    PLAIN_METACLASSES,
    Attribute,
    ClassVariable,
    dict_of,
    has_special,
    is_heap_type,
)
from translator.variables.functions import MethodVariable
from translator.variables.methods import OF_OBJECT, BoundMethodVariable
from translator.variables.stand_ins import class_like, fail

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

#: descriptors that builtin types are made of
_OF_BUILTINS = (GetSetDescriptorType, MemberDescriptorType, MethodDescriptorType, WrapperDescriptorType)


def is_data(tx: Translator, found: Attribute) -> bool:
    """Whether it comes before an attribute of the instance."""
    kind = found.kind
    data = has_special(kind, "__set__") or has_special(kind, "__delete__")
    if is_heap_type(kind) and has_special(kind, "__get__"):
        class_ = class_of_descriptor(tx, found)
        for name in ("__set__", "__delete__"):
            class_.lookup(tx, name)
    return data


def class_of_descriptor(tx: Translator, found: Attribute) -> ClassVariable:
    """The class of a descriptor that is written in Python."""
    tx.guards.type_is(found.source, type(found.raw))
    return tx.class_variable(type(found.raw), found.source.type())  # type: ignore[no-any-return]


def bind(tx: Translator, found: Attribute, instance: Any, owner: ClassVariable) -> Any:
    """What it gives through an instance, or (None) through the class `owner`."""
    raw, kind = found.raw, found.kind
    if found.value is not None:
        return found.get(tx)
    if kind is FunctionType:
        function = found.get(tx)
        return function if instance is None else BoundMethodVariable(function, instance)
    if kind is staticmethod:
        return found.part(tx, "__func__")
    if kind is classmethod:
        return BoundMethodVariable(tx.realize(found.part(tx, "__func__")), owner)
    if kind is property:
        return get_property(tx, found, instance)
    if kind is BuiltinFunctionType and raw is object.__new__:
        found.same(tx)
        return MethodVariable(owner, "__new__")
    if kind in _OF_BUILTINS or kind is BuiltinFunctionType:
        return _of_builtin(tx, found, instance, owner)
    if kind is functools.cached_property and instance is not None:
        tx.guards.type_is(found.source, kind)
        return instance.cached(tx, tx.realize(found.part(tx, "func")), raw.attrname)
    if not has_special(kind, "__get__"):
        return found.get(tx)
    return get_by_descriptor(tx, found, instance, owner)


def get_property(tx: Translator, found: Attribute, instance: Any) -> Any:
    """What a property gives: its function is called."""
    if instance is None:
        return found.get(tx)
    getter = tx.realize(found.part(tx, "fget"))
    if getter is None:
        return tx.unsupported("a property without a getter", "AttributeError is left to the original code")
    return tx.call_now(getter, [instance])


def _of_builtin(tx: Translator, found: Attribute, instance: Any, owner: ClassVariable) -> Any:
    """A method of `object`, or of a builtin type that the class derives from."""
    name = found.raw.__name__
    if instance is not None and instance.answers_for(found.raw):
        found.same(tx)
        return MethodVariable(instance, name)
    if name in OF_OBJECT and dict_of(object).get(name) is found.raw:
        found.same(tx)
        return MethodVariable(owner if instance is None else instance, name)
    return tx.unsupported(
        f"the method {name}() of {getattr(found.raw, '__objclass__', owner.value).__name__}",
        "it is not captured for instances of classes that derive from builtin types",
    )


def get_by_descriptor(tx: Translator, found: Attribute, instance: Any, owner: ClassVariable) -> Any:
    """What the `__get__` of a descriptor written in Python gives."""
    kind = found.kind
    if not is_heap_type(kind):
        return tx.unsupported(
            f"the descriptor {kind.__name__}", "it is captured for descriptors written in Python"
        )
    class_ = class_of_descriptor(tx, found)
    getter = class_.lookup(tx, "__get__")
    if getter is None or getter.kind is not FunctionType:
        return tx.unsupported(f"the descriptor {kind.__name__}", "its __get__ is no function")
    return tx.call_now(getter.get(tx), [found.get(tx), instance, owner])


def store_by_descriptor(
    tx: Translator, found: Attribute, instance: Any, name: str, value: Any, deletes: bool = False
) -> None:
    """Sets or deletes an attribute by way of a data descriptor (no slot) of the class."""
    if found.kind is property:
        function = tx.realize(found.part(tx, "fdel" if deletes else "fset"))
        if function is None:
            tx.unsupported(
                f"the property {name!r} without a setter", "AttributeError is left to the original code"
            )
        tx.call_now(function, [instance] if deletes else [instance, value])
        return
    if not is_heap_type(found.kind):
        tx.unsupported(f"setting the attribute {name!r}", f"it is a {found.kind.__name__} of its class")
    class_ = class_of_descriptor(tx, found)
    setter = class_.lookup(tx, "__delete__" if deletes else "__set__")
    if setter is None or setter.kind is not FunctionType:
        tx.unsupported(f"setting the attribute {name!r}", "AttributeError is left to the original code")
    assert setter is not None
    arguments = [found.get(tx), instance] if deletes else [found.get(tx), instance, value]
    tx.call_now(setter.get(tx), arguments)


def missing_of_class(tx: Translator, class_: ClassVariable, name: str) -> Any:
    """The AttributeError of a class; or what the metaclass has."""
    if hasattr(type(class_.value), name):
        return class_.give_up(tx, f"attribute {name!r}")
    meta = type(class_.value)
    if meta not in PLAIN_METACLASSES:
        return class_.give_up(tx, f"attribute {name!r}")
    what = f"attribute {name!r} of {class_.describe()}"
    return fail(tx, what, getattr, class_like(class_.value), name)


__all__ = ["MISSING", "bind", "get_by_descriptor", "is_data", "missing_of_class", "store_by_descriptor"]
