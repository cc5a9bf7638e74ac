"""What exceptions are made of in C."""

from __future__ import annotations

import builtins
from functools import cache
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

_HEAP_TYPE = 1 << 9
#: made by the interpreter when it starts; None where there is none
_GROUP = getattr(builtins, "ExceptionGroup", None)


def is_builtin(class_: type) -> bool:
    """Whether it was written in C."""
    return not class_.__flags__ & _HEAP_TYPE or class_ is _GROUP


@cache
def fields(class_: type) -> frozenset[str]:
    """Names of the attributes that the C part of an exception keeps, `args` and the like apart."""
    found: set[str] = set()
    for each in class_.__mro__:
        if each is BaseException:
            break
        if is_builtin(each):
            found.update(
                name
                for name, value in vars(each).items()
                if type(value) in (MemberDescriptorType, GetSetDescriptorType)
            )
    return frozenset(found)


def builtin_base(class_: type) -> Any:
    """The class in C that the exception's memory is laid out by."""
    return next(each for each in class_.__mro__ if is_builtin(each))


def bare(class_: type) -> Any:
    """An exception of that class that nobody has initialised: for the errors of attributes."""
    base = builtin_base(class_)
    return (
        base.__new__(class_, "", [ValueError()]) if "exceptions" in fields(class_) else base.__new__(class_)
    )


def make_real(class_: type, values: list[Any], named: dict[str, Any]) -> Any:
    """A real exception; what its class has in Python is passed over."""
    if is_builtin(class_):
        return class_(*values, **named)
    base = builtin_base(class_)
    made = base.__new__(class_, *values)
    base.__init__(made, *values, **named)
    return made
