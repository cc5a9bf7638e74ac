"""Iterators that are walked in the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.raised import Raised
from translator.sentinels import STOP
from translator.variables.stand_ins import fail
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.variables.mappings import DictVariable
    from translator.variables.sequences import ListVariable, TupleVariable


def tuple_iterator() -> Any:
    """The iterator of a tuple."""
    return iter(())


class IteratorVariable(VariableTracker):
    """What `iter()` gives. `next` gives a value, STOP, or ENTERED."""

    __slots__ = ()

    kind = "an iterator"
    #: what `yield from` makes of its end
    result: Any = None
    #: makes one like it, for its type and for errors
    sample: Callable[[], Any] = staticmethod(lambda: iter(()))
    methods = frozenset({"__next__", "__iter__"})
    equals_itself = True

    def __init__(self) -> None:
        self.source = None

    def next(self, tx: Translator) -> Any:
        """The next value, or STOP."""
        return self.give_up(tx, "next()")

    def python_type(self, tx: Translator) -> type:
        return type(self.sample())

    def getattr(self, tx: Translator, name: str) -> Any:
        if hasattr(self.sample(), name):
            return super().getattr(tx, name)
        return fail(tx, f"attribute {name!r}", getattr, self.sample(), name)

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if arguments or keywords or name not in ("__next__", "__iter__"):
            return self.give_up(tx, f"method {name}() with these arguments")
        if name == "__iter__":
            return self
        value = self.next(tx)
        if value is STOP:
            tx.raise_variable(tx.new_exception(StopIteration))
        return value

    def iterate(self, tx: Translator) -> Any:
        return self

    def truth(self, tx: Translator) -> bool:
        return True

    def items(self, tx: Translator) -> list[Any]:
        found = []
        while (value := self.next(tx)) is not STOP:
            tx.spend(1)
            found.append(value)
        return found

    def contains(self, tx: Translator, item: Any) -> bool:
        from translator.variables.plain import equal

        while (value := self.next(tx)) is not STOP:
            if equal(tx, value, item):
                return True
        return False


class PlainIterator(IteratorVariable):
    """Over a host iterator of values (a range, the characters of a string, a generator of ours).

    Attributes:
        sample: makes the iterator that the program sees.
    """

    __slots__ = ("sample", "step")

    def __init__(self, values: Iterator[Any], sample: Callable[[], Any] | None = None) -> None:
        self.source = None
        self.step: Callable[[], Any] = values.__next__
        self.sample = sample or (lambda: values)

    def next(self, tx: Translator) -> Any:
        try:
            return self.step()
        except StopIteration:
            return STOP
        except RuntimeError:
            self.step = _of_a_changed_set()  # it says so each time it is asked
            return fail(tx, "a set that changes while it is iterated over", self.step)


class SequenceIterator(IteratorVariable):
    """Over values that cannot change meanwhile."""

    __slots__ = ("place", "sample", "values")

    def __init__(self, values: list[Any], sample: Callable[[], Any] = tuple_iterator) -> None:
        self.source = None
        self.values = values
        self.place = 0
        self.sample = sample

    def next(self, tx: Translator) -> Any:
        place = self.place
        if place < len(self.values):
            self.place = place + 1
            return self.values[place]
        self.values = []
        return STOP


class ListIterator(IteratorVariable):
    """Over a list, which may grow and shrink meanwhile."""

    __slots__ = ("owner", "place")

    sample = staticmethod(lambda: iter([]))

    def __init__(self, owner: ListVariable) -> None:
        self.source = None
        self.owner: ListVariable | None = owner
        self.place = 0

    def next(self, tx: Translator) -> Any:
        owner, place = self.owner, self.place
        if owner is not None and place < len(owner.values):
            self.place = place + 1
            return owner.values[place]
        self.owner = None
        return STOP


class ReversedListIterator(IteratorVariable):
    """Over a list from its end, which may change meanwhile."""

    __slots__ = ("owner", "place")

    sample = staticmethod(lambda: reversed([]))

    def __init__(self, owner: ListVariable) -> None:
        self.source = None
        self.owner: ListVariable | None = owner
        self.place = len(owner.values) - 1

    def next(self, tx: Translator) -> Any:
        owner, place = self.owner, self.place
        if owner is not None and 0 <= place < len(owner.values):
            self.place = place - 1
            return owner.values[place]
        self.owner = None
        return STOP


class ViewIterator(IteratorVariable):
    """Over a dict: its keys are those at the start, its values are read when they are asked for.

    A change of its keys meanwhile (mostly an error) is left to the original code.
    """

    __slots__ = ("keys", "owner", "place", "sample", "version", "what")

    def __init__(self, owner: DictVariable, what: str, tx: Translator) -> None:
        self.source = None
        self.owner: DictVariable | None = owner
        self.what = what
        self.keys = owner.keys(tx)
        self.version = owner.version
        self.place = 0
        self.sample = lambda: iter(getattr({}, what)())

    def next(self, tx: Translator) -> Any:
        owner, place = self.owner, self.place
        if owner is None:
            return STOP
        if owner.version != self.version:
            if owner.length(tx) != len(self.keys):
                return fail(tx, "a dict that changes while it is iterated over", _change_a_dict)
            tx.unsupported(
                "a dict that changes while it is iterated over", "that may be an error at run time"
            )
        if place >= len(self.keys):
            self.owner = None
            return STOP
        self.place = place + 1
        return owner.entry(tx, self.keys[place], self.what)


class ZipIterator(IteratorVariable):
    """`zip(…)`."""

    __slots__ = ("iterators", "strict")

    sample: Callable[[], Any] = staticmethod(lambda: zip())

    def __init__(self, iterators: list[Any], strict: bool = False) -> None:
        self.source = None
        self.iterators = iterators
        self.strict = strict

    def next(self, tx: Translator) -> Any:
        from translator.variables.sequences import TupleVariable

        if not self.iterators:
            return STOP
        found = []
        for place, iterator in enumerate(self.iterators):
            value = iterator.next(tx)
            if value is STOP:
                return self._uneven(tx, place) if self.strict else STOP
            found.append(value)
        made: TupleVariable = TupleVariable(found)
        return made

    def _uneven(self, tx: Translator, place: int) -> Any:
        """The first at an end is that at this place: the error, if it is not the end of all."""
        if not place:
            for iterator in self.iterators[1:]:
                place += 1
                if iterator.next(tx) is not STOP:
                    return self._refuse(tx, place, [[]], [[None]])
            return STOP
        return self._refuse(tx, place, [[None]], [[]])

    def _refuse(self, tx: Translator, place: int, first: list[Any], rest: list[Any]) -> Any:
        lists = first * place + rest * (len(self.iterators) - place)
        return fail(tx, "zip() of unequal lengths", lambda: list(zip(*lists, strict=True)))


class EnumerateIterator(ZipIterator):
    """`enumerate(…)`: a zip with a count."""

    __slots__ = ()

    sample = staticmethod(lambda: enumerate(()))


class MapIterator(IteratorVariable):
    """`map(function, …)` and `filter(function, …)`: the function is called when the value is asked for."""

    __slots__ = ("filters", "function", "iterators", "sample")

    def __init__(self, function: Any, iterators: list[Any], filters: bool) -> None:
        self.source = None
        self.sample = (lambda: filter(None, ())) if filters else (lambda: map(len, ()))
        self.function = function
        self.iterators = iterators
        self.filters = filters

    def next(self, tx: Translator) -> Any:
        while True:
            found = []
            for iterator in self.iterators:
                value = iterator.next(tx)
                if value is STOP:
                    return STOP
                found.append(value)
            if not self.filters:
                return tx.call_now(self.function, found)
            kept = found[0] if self.function is None else tx.call_now(self.function, found)
            if tx.truth_of(kept):
                return found[0]


def _change_a_dict() -> None:
    made = {1: None}
    for each in made:
        made[each + 1] = None


def _of_a_changed_set() -> Callable[[], Any]:
    made = {1}
    walked = iter(made)
    made.add(2)
    return walked.__next__


class CallIterator(IteratorVariable):
    """`iter(function, sentinel)`."""

    __slots__ = ("function", "sentinel")

    sample = staticmethod(lambda: iter(int, 0))

    def __init__(self, function: Any, sentinel: Any) -> None:
        self.source = None
        self.function = function
        self.sentinel = sentinel

    def next(self, tx: Translator) -> Any:
        from translator.variables.plain import equal

        if self.function is None:
            return STOP
        try:
            value = tx.call_now(self.function, [])
        except Raised as raised:
            if not issubclass(raised.variable.python_class, StopIteration):
                raise
            self.function = None
            return STOP
        if self.function is None or equal(tx, self.sentinel, value):
            self.function = None
            return STOP
        return value
