"""Operators, attributes and items of real values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextvars import Context
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.real.contexts import ContextRun
from translator.real.parked import NAMES, seen
from translator.semantics import Semantics
from translator.sentinels import NULL

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "@=": operator.imatmul,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
    "[]": operator.getitem,
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "~": operator.invert}

#: callables whose method look-up may hand over the function and the owner apart
UNBOUND = (FunctionType, MethodDescriptorType)
type_getattribute = type.__getattribute__
object_getattribute = object.__getattribute__


class RealOperators(Semantics):
    """Operators, truth, attributes, items."""

    def constant(self, value: object) -> Any:
        """Itself."""
        return value

    def to_bool(self, value: Any) -> Any:
        """`bool(value)`."""
        return not not value

    def truth(self, flag: Any) -> bool:
        """Itself."""
        return flag  # type: ignore[no-any-return]

    def is_none(self, value: Any) -> bool:
        """`value is None`."""
        return value is None

    def unary(self, operator: str, value: Any) -> Any:
        """`-value`, `~value`."""
        return UNARY[operator](value)

    def not_(self, flag: Any) -> Any:
        """`not flag`."""
        return not flag

    def binary(self, operator: str, left: Any, right: Any) -> Any:
        """`left operator right`."""
        return BINARY[operator](left, right)

    def compare(self, operator: str, left: Any, right: Any) -> Any:
        """`left operator right`."""
        return COMPARE[operator](left, right)

    def is_(self, left: Any, right: Any) -> Any:
        """`left is right`."""
        return left is right

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""
        return item in container

    def getattr(self, owner: Any, name: str) -> Any:
        """`owner.name`."""
        return seen(owner, name) if name in NAMES else getattr(owner, name)

    def method(self, owner: Any, name: str) -> tuple[Any, Any]:
        """The attribute, bound: the call takes a method apart."""
        if type(owner) is Context and name == "run":
            return ContextRun(owner), NULL
        return getattr(owner, name), NULL

    def setattr(self, owner: Any, name: str, value: Any) -> None:
        """`owner.name = value`."""
        setattr(owner, name, value)

    def delattr(self, owner: Any, name: str) -> None:
        """`del owner.name`."""
        delattr(owner, name)

    def super_attr(self, super_: Any, class_: Any, instance: Any, name: str, explicit: bool) -> Any:
        """`super(class_, instance).name`."""
        if super_ is not super and not explicit:  # something else of that name: called as it was written
            return getattr(super_(), name)
        return getattr(super_(class_, instance), name)

    def setitem(self, container: Any, key: Any, value: Any) -> None:
        """`container[key] = value`."""
        container[key] = value

    def delitem(self, container: Any, key: Any) -> None:
        """`del container[key]`."""
        del container[key]

    def build_slice(self, start: Any, stop: Any, step: Any) -> Any:
        """`slice(start, stop, step)`."""
        return slice(start, stop, step)


def look_up_special(owner: Any, name: str) -> Any:
    """A special method: found on the type, bound to the owner; NULL if there is none."""
    kind = type(owner)
    for cls in type_getattribute(kind, "__mro__"):
        namespace = type_getattribute(cls, "__dict__")
        if name in namespace:
            found = namespace[name]
            get = look_up_get(type(found))
            return found if get is NULL else get(found, owner, kind)
    return NULL


def look_up_get(kind: type) -> Any:
    """`__get__` of a type whose instance was found in a class, or NULL."""
    for cls in type_getattribute(kind, "__mro__"):
        namespace = type_getattribute(cls, "__dict__")
        if "__get__" in namespace:
            return namespace["__get__"]
    return NULL


__all__ = ["BINARY", "COMPARE", "BuiltinFunctionType", "RealOperators", "look_up_special"]
