"""Builtins that ask about objects: isinstance, issubclass, getattr, hasattr, setattr, super, hash …"""

from __future__ import annotations

import functools
from abc import ABCMeta
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import plain
from translator.variables.classes import MISSING, ClassVariable, dict_of, is_heap_type, mro_of
from translator.variables.exceptions import ExceptionVariable
from translator.variables.functions import FunctionVariable, MethodVariable
from translator.variables.methods import BoundMethodVariable, PartialVariable, make_partial
from translator.variables.named_tuples import new_tuple
from translator.variables.objects import InstanceVariable, ObjectVariable
from translator.variables.sequences import TupleVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


def _exactly(tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any], *counts: int) -> Any:
    """The arguments, looked at."""
    if keywords or len(arguments) not in counts:
        tx.unsupported(f"{name}() with these arguments", "an exception, or a form that is not captured")
    return [tx.realize(each) for each in arguments]


def _classes(tx: Translator, value: Any, what: str) -> list[Any]:
    """The classes that the second argument of isinstance() names."""
    value = tx.realize(value)
    if isinstance(value, TupleVariable):
        return [each for item in value.values for each in _classes(tx, item, what)]
    class_ = getattr(value, "value", None)
    if not isinstance(value, VariableTracker) or not isinstance(class_, type):
        return tx.unsupported(f"{what} with this class", "it is captured for classes")  # type: ignore[no-any-return]
    return [value]


def _derives(tx: Translator, kind: type, class_: Any, what: str) -> bool:
    """`issubclass(kind, class_)`, under a guard that the bases stay."""
    wanted = class_.value
    meta = type(wanted)
    if meta not in (type, ABCMeta):
        own = any(
            name in dict_of(each)
            for each in mro_of(meta)
            for name in ("__instancecheck__", "__subclasscheck__")
            if is_heap_type(each)
        )
        if own:
            return tx.unsupported(f"{what} with {wanted.__name__}", "its metaclass decides")  # type: ignore[no-any-return]
    if is_heap_type(kind) and kind in tx.classes:
        tx.classes[kind].same_bases(tx)
    found = wanted in mro_of(kind)
    if meta is ABCMeta and kind is not wanted:
        hook = next(each for each in mro_of(wanted) if "__subclasshook__" in dict_of(each))
        if hook is not object or not found:
            if is_heap_type(kind) or not wanted.__module__.startswith(("collections", "numbers")):
                return tx.unsupported(
                    f"{what} with {wanted.__name__}", "an abstract class may decide otherwise"
                )  # type: ignore[no-any-return]
            return issubclass(kind, wanted)
    return found


def _isinstance(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    value, classes = _exactly(tx, "isinstance", arguments, keywords, 2)
    kind = tx.type_of(value)
    if is_heap_type(kind) and isinstance(value, InstanceVariable):
        found = value.cls.lookup(tx, "__class__")
        if found is None or found.raw is not dict_of(object)["__class__"]:
            return tx.unsupported("isinstance() of this", "it has a __class__ of its own")
    for class_ in _classes(tx, classes, "isinstance()"):
        if _derives(tx, kind, class_, "isinstance()"):
            return True
    return False


def _issubclass(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    value, classes = _exactly(tx, "issubclass", arguments, keywords, 2)
    kind = getattr(value, "value", None)
    if not isinstance(value, VariableTracker) or not isinstance(kind, type):
        return tx.unsupported("issubclass() of this", "it is captured for classes")
    return any(
        [_derives(tx, kind, class_, "issubclass()") for class_ in _classes(tx, classes, "issubclass()")]
    )


def _name(tx: Translator, name: Any, what: str) -> str:
    if type(name) is not str:
        tx.unsupported(f"{what} with a name that is not known", "it is not captured")
    return name  # type: ignore[no-any-return]


def _getattr(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    owner, name, *default = _exactly(tx, "getattr", arguments, keywords, 2, 3)
    _name(tx, name, "getattr()")
    if not default:
        return tx.getattr(owner, name)
    found = tx.attribute_or_missing(owner, name)
    return default[0] if found is MISSING else found


def _hasattr(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    owner, name = _exactly(tx, "hasattr", arguments, keywords, 2)
    _name(tx, name, "hasattr()")
    if type(owner) in PLAIN:
        return hasattr(owner, name)
    if isinstance(owner, (InstanceVariable, ClassVariable, ExceptionVariable, FunctionVariable)):
        return (
            tx.realize(tx.attribute_or_missing(owner, name)) is not MISSING
        )  # (looked at: so it is guarded)
    if not isinstance(getattr(owner, "value", None), type):
        kind = tx.type_of(owner)
        own: Any = kind.__getattribute__
        plainly = own is object.__getattribute__ and not hasattr(kind, "__getattr__")
        if plainly and kind.__dictoffset__ == 0 and name != "mT":
            return any(name in vars(each) for each in kind.__mro__)
    return tx.unsupported("hasattr() of this", "it may have attributes of its own")


def _setattr(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    owner, name, value = _exactly(tx, "setattr", arguments, keywords, 3)
    tx.setattr(owner, tx.interned(_name(tx, name, "setattr()")), value)


def _delattr(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    owner, name = _exactly(tx, "delattr", arguments, keywords, 2)
    tx.delattr(owner, _name(tx, name, "delattr()"))


def _super(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values = _exactly(tx, "super", arguments, keywords, 0, 2)
    return tx.make_super(*values) if values else tx.super_without_arguments()


def _hash(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    from translator.variables.builtins import pure

    (value,) = _exactly(tx, "hash", arguments, keywords, 1)
    if isinstance(value, InstanceVariable):
        found = value.hashed(tx)
        return found if found is not None else tx.unsupported("hash() by identity", "it is CPython's own")
    return pure(tx, hash, [value], {})


def _callable(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    (value,) = _exactly(tx, "callable", arguments, keywords, 1)
    if type(value) in PLAIN:
        return False
    if isinstance(value, (FunctionVariable, ClassVariable, BoundMethodVariable, PartialVariable)):
        return True
    if isinstance(value, InstanceVariable):
        return value.cls.lookup(tx, "__call__") is not None
    if isinstance(value, MethodVariable):
        return value.truth(tx)
    known = getattr(value, "value", tx)
    return callable(known) if known is not tx else tx.unsupported("callable() of this", "it is not captured")


def _object(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    return tx.unsupported("object()", "it is captured for classes written in Python")


def _vars(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    return tx.unsupported("vars()", "the dictionary of an object is not captured")


#: by the builtin: (translator, arguments, keywords) -> value
HANDLERS: dict[Any, Any] = {
    isinstance: _isinstance,
    issubclass: _issubclass,
    getattr: _getattr,
    hasattr: _hasattr,
    setattr: _setattr,
    delattr: _delattr,
    super: _super,
    hash: _hash,
    callable: _callable,
    functools.partial: make_partial,
    tuple.__new__: new_tuple,
}

__all__ = ["HANDLERS", "ObjectVariable", "plain"]
