"""Iterators that are walked in the trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.sentinels import STOP
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.variables.mappings import DictVariable
    from translator.variables.sequences import ListVariable, TupleVariable


class IteratorVariable(VariableTracker):
    """What `iter()` gives. `next` gives a value, STOP, or ENTERED."""

    __slots__ = ()

    kind = "an iterator"

    def __init__(self) -> None:
        self.source = None

    def next(self, tx: Translator) -> Any:
        """The next value, or STOP."""
        return self.give_up(tx, "next()")

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
    """Over a host iterator of values (a range, the characters of a string, a generator of ours)."""

    __slots__ = ("step",)

    def __init__(self, values: Iterator[Any]) -> None:
        self.source = None
        self.step: Callable[[], Any] = values.__next__

    def next(self, tx: Translator) -> Any:
        try:
            return self.step()
        except StopIteration:
            return STOP
        except RuntimeError:
            return tx.unsupported(
                "a set that changes while it is iterated over", "that is an error at run time"
            )


class SequenceIterator(IteratorVariable):
    """Over values that cannot change meanwhile."""

    __slots__ = ("place", "values")

    def __init__(self, values: list[Any]) -> None:
        self.source = None
        self.values = values
        self.place = 0

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

    __slots__ = ("keys", "owner", "place", "version", "what")

    def __init__(self, owner: DictVariable, what: str, tx: Translator) -> None:
        self.source = None
        self.owner: DictVariable | None = owner
        self.what = what
        self.keys = owner.keys(tx)
        self.version = owner.version
        self.place = 0

    def next(self, tx: Translator) -> Any:
        owner, place = self.owner, self.place
        if owner is None:
            return STOP
        if owner.version != self.version:
            tx.unsupported(
                "a dict that changes while it is iterated over", "that may be an error at run time"
            )
        if place >= len(self.keys):
            self.owner = None
            return STOP
        self.place = place + 1
        return owner.entry(tx, self.keys[place], self.what)


class ZipIterator(IteratorVariable):
    """`zip(…)`, without `strict`; `enumerate(…)` is a zip with a count."""

    __slots__ = ("iterators",)

    def __init__(self, iterators: list[Any]) -> None:
        self.source = None
        self.iterators = iterators

    def next(self, tx: Translator) -> Any:
        from translator.variables.sequences import TupleVariable

        if not self.iterators:
            return STOP
        found = []
        for iterator in self.iterators:
            value = iterator.next(tx)
            if value is STOP:
                return STOP
            found.append(value)
        made: TupleVariable = TupleVariable(found)
        return made


class MapIterator(IteratorVariable):
    """`map(function, …)` and `filter(function, …)`: the function is called when the value is asked for."""

    __slots__ = ("filters", "function", "iterators")

    def __init__(self, function: Any, iterators: list[Any], filters: bool) -> None:
        self.source = None
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


class GeneratorVariable(IteratorVariable):
    """A generator expression: its frame goes on, on the machine's stack, when a value is asked for.

    (Other generators may have `finally` blocks, which run when nobody knows; they are not captured yet.)
    """

    __slots__ = ("frame",)

    kind = "a generator"

    def __init__(self, frame: Any) -> None:
        self.source = None
        self.frame = frame

    def next(self, tx: Translator) -> Any:
        if self.frame.state == "done":
            return STOP
        if self.frame.state == "running":
            tx.unsupported("a generator that asks itself", "ValueError is left to the original code")
        value = tx.go_on(self.frame)
        return STOP if self.frame.state == "done" else value
