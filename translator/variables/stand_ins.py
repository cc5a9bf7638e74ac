"""Errors of the traced program, in the words of the running Python: the operation is carried out for real.

What the error says depends on types, lengths and plain values: where a value is not wholly known, an
object of its type stands in for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.exception_fields import bare
from translator.variables.plain import WarningsRaised
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


def _function() -> None: ...


def _get_function() -> Any:
    return _function


_SAMPLES: dict[type, Any] = {
    list: list,
    tuple: tuple,
    dict: dict,
    set: set,
    deque: deque,
    frozenset: frozenset,
    range: lambda: range(0),
    slice: lambda: slice(None),
    FunctionType: _get_function,
}


def fail(tx: Translator, what: str, operation: Callable[..., Any], *objects: Any, **named: Any) -> Any:
    """Carries out an operation that raises, on Python objects; its exception is the traced program's."""
    try:
        with WarningsRaised():
            operation(*objects, **named)
    except Exception as error:
        return tx.raise_host(error)
    return tx.unsupported(what, "it is not captured for these values")


def fail_by_type(tx: Translator, what: str, operation: Callable[..., Any], *values: Any) -> Any:
    """The same where objects of the values' types are enough to say that it is a TypeError."""
    objects = [stand_in(tx, value) for value in values]
    try:
        with WarningsRaised():
            operation(*objects)
    except (TypeError, AttributeError) as error:
        return tx.raise_host(error)
    except Exception as error:
        return tx.unsupported(what, f"whether it raises {type(error).__name__} depends on the values")
    return tx.unsupported(what, "it is not captured for these values")


def fail_method(
    tx: Translator, owner: Any, name: str, arguments: list[Any], keywords: dict[str, Any] | None = None
) -> Any:
    """A method that raises whatever its owner holds: it is called on an object that stands in for it."""
    objects = [stand_in(tx, value) for value in arguments]
    named = {key: stand_in(tx, value) for key, value in (keywords or {}).items()}
    what = f"method {name}() of {owner!r} with these arguments"
    try:
        with WarningsRaised():
            getattr(stand_in(tx, owner), name)(*objects, **named)
    except TypeError as error:
        return tx.raise_host(error)
    except Exception as error:
        return tx.unsupported(what, f"whether it raises {type(error).__name__} depends on the values")
    return tx.unsupported(what, "it is not captured")


def no_attribute(tx: Translator, owner: Any, name: str) -> Any:
    """AttributeError, if the owner's type is one of those that have no attributes of their own."""
    make = _SAMPLES.get(tx.type_of(owner))
    if make is None or hasattr(make(), name):
        return owner.give_up(tx, f"attribute {name!r}")
    return fail(tx, f"attribute {name!r} of {owner!r}", getattr, make(), name)


def stand_in(tx: Translator, value: Any) -> Any:
    """An object of the value's type: for errors that speak of nothing but types."""
    from translator.variables import objects

    value = tx.realize(value)
    kind = type(value)
    if kind in PLAIN:
        return value
    kind = tx.type_of(value)
    make = _SAMPLES.get(kind)
    if make is None:
        if kind is type or kind in _CALLABLES:
            return value.value
        if issubclass(kind, BaseException):
            return bare(kind)
        if isinstance(value, objects.InstanceVariable):
            return class_like(kind, __slots__=())()
        return tx.unsupported(
            f"an operation on {value!r} that raises", "the text of the exception is not known in the trace"
        )
    return make()


def class_like(class_: type, bases: tuple[type, ...] = (), **namespace: Any) -> Any:
    """A class that is called the same, and has nothing else in common."""
    names = {"__module__": class_.__module__, "__qualname__": class_.__qualname__}
    return type(class_.__name__, bases, {**names, **namespace})


def of_length(tx: Translator, value: Any, length: int) -> Any:
    """An object of the value's type with so many items: for errors that speak of types and lengths."""
    kind = tx.type_of(value)
    if kind is dict:
        return dict.fromkeys(range(length))
    if kind in (list, tuple, set, frozenset):
        return kind(range(length))
    if kind is str or kind is range:
        return value if kind is str else range(length)
    return iter(range(length))


_CALLABLES = frozenset({type(len), type(list.append), type(str.join)})
