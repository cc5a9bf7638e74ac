"""Iterators that are instances of classes written in Python, and what is iterated over by `__getitem__`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.raised import Raised
from translator.sentinels import STOP
from translator.variables.iterators import IteratorVariable
from translator.variables.objects import InstanceVariable
from translator.variables.stand_ins import class_like, fail, fail_by_type, stand_in
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class InstanceIterator(IteratorVariable):
    """Asks the `__next__` of an instance. (The program sees the instance, never this.)"""

    __slots__ = ("instance", "result")

    def __init__(self, instance: InstanceVariable) -> None:
        self.source = None
        self.instance = instance
        self.result: Any = None

    def next(self, tx: Translator) -> Any:
        try:
            return self.instance.ask(tx, "__next__", [], "next()")
        except Raised as raised:
            if not issubclass(raised.variable.python_class, StopIteration):
                raise
            self.result = raised.variable.getattr(tx, "value")
            return STOP


class ItemIterator(IteratorVariable):
    """Asks the `__getitem__` of an instance for 0, 1, 2 … until it raises IndexError."""

    __slots__ = ("instance", "place")

    sample = staticmethod(lambda: iter(_Items()))

    def __init__(self, instance: InstanceVariable) -> None:
        self.source = None
        self.instance: InstanceVariable | None = instance
        self.place = 0

    def next(self, tx: Translator) -> Any:
        if self.instance is None:
            return STOP
        try:
            value = self.instance.ask(tx, "__getitem__", [self.place], "an item")
        except Raised as raised:
            if not issubclass(raised.variable.python_class, (IndexError, StopIteration)):
                raise
            self.instance = None
            return STOP
        self.place += 1
        return value


class _Items:
    def __getitem__(self, key: int) -> None:
        raise IndexError


def iterator_of_instance(tx: Translator, instance: InstanceVariable) -> Any:
    """What walks over an instance: a tracker that answers `next`."""
    found = seen_iterator(tx, instance)
    return InstanceIterator(found) if isinstance(found, InstanceVariable) else found


def seen_iterator(tx: Translator, instance: InstanceVariable) -> Any:
    """`iter(instance)`, as the program sees it."""
    method = instance.special(tx, "__iter__")
    if method is None:
        if instance.special(tx, "__getitem__") is not None:
            return ItemIterator(instance)
        return fail_by_type(tx, f"iteration over {instance!r}", iter, instance)
    found = tx.realize(tx.call_now(method, []))
    if type(found) in PLAIN or not isinstance(found, (IteratorVariable, InstanceVariable)):
        return fail(tx, f"iter() of {instance!r}", _gives, instance.cls.value, stand_in(tx, found))
    if isinstance(found, InstanceVariable) and found.special(tx, "__next__") is None:
        return fail(tx, f"iter() of {instance!r}", _gives, instance.cls.value, stand_in(tx, found))
    return found


def _gives(class_: type, value: Any) -> None:
    iter(class_like(class_, __iter__=lambda self: value)())
