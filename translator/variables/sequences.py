"""Tuples, lists, ranges and slices."""

from __future__ import annotations

from operator import delitem, getitem, setitem
from sys import maxsize
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import plain
from translator.variables.stand_ins import fail, fail_by_type, fail_method, stand_in
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class SequenceVariable(VariableTracker):
    """What tuples and lists share. `values` holds their items."""

    __slots__ = ("values",)

    python_class: type = tuple
    equals_itself = True

    def __init__(self, values: list[Any], source: Source | None = None) -> None:
        self.values = values
        self.source = source

    def python_type(self, tx: Translator) -> type:
        return self.python_class

    def truth(self, tx: Translator) -> bool:
        return bool(self.values)

    def length(self, tx: Translator) -> int:
        return len(self.values)

    def items(self, tx: Translator) -> list[Any]:
        return list(self.values)

    def children(self) -> list[Any]:
        return self.values

    def python(self, tx: Translator) -> Any:
        return self.python_class([plain.python(tx, tx.realize(value)) for value in self.values])

    def argument(self, tx: Translator) -> Any:
        return self.python_class([tx.argument(value) for value in self.values])

    def make(self, values: list[Any]) -> SequenceVariable:
        """A new one of its kind."""
        return type(self)(values)

    def getitem(self, tx: Translator, key: Any) -> Any:
        if type(key) is int or type(key) is bool:
            if -len(self.values) <= key < len(self.values):
                return self.values[key]
            return fail(tx, "an index out of range", getitem, self.like(), key)
        if type(key) is SliceVariable:
            return self.make(plain_slice(tx, key, self.values))
        return self.no_index(tx, getitem, key)

    def like(self) -> Any:
        """A list or tuple of the same length, for the errors of indexes."""
        return (list if isinstance(self, ListVariable) else tuple)(range(len(self.values)))

    def no_index(self, tx: Translator, operation: Any, key: Any, *values: Any) -> Any:
        """The error of an item by a key that is no index, or none within it."""
        if type(key) not in PLAIN:
            return self.give_up(tx, "an item by a key that is not known now")
        return fail(tx, "an item by this key", operation, self.like(), key, *values)

    def setitem(self, tx: Translator, key: Any, value: Any) -> None:
        fail_by_type(tx, f"setting an item of {self.describe()}", setitem, self, 0, 0)

    def delitem(self, tx: Translator, key: Any) -> None:
        fail_by_type(tx, f"deleting an item of {self.describe()}", delitem, self, 0)

    def contains(self, tx: Translator, item: Any) -> bool:
        return any(plain.equal(tx, value, item) for value in self.values)

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        """`self operator other`, or `other operator self`; NotImplemented if it does not say."""
        if (
            operator in ("+", "+=")
            and isinstance(other, SequenceVariable)
            and other.python_class is self.python_class
        ):
            return self.make(other.values + self.values if reflected else self.values + other.values)
        if operator in ("*", "*=") and (type(other) is int or type(other) is bool):
            return self.make(self.repeated(tx, other))
        return NotImplemented

    def repeated(self, tx: Translator, count: int) -> list[Any]:
        """Its items so many times."""
        if max(len(self.values), 1) * abs(count) > 10_000:
            self.give_up(tx, "a large repetition")
        return self.values * count

    methods = frozenset({"index", "count"})

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if keywords or len(arguments) != 1 or name not in ("index", "count"):
            return fail_method(tx, self, name, arguments, keywords)
        equal = [plain.equal(tx, value, arguments[0]) for value in self.values]
        if name == "count":
            return sum(equal)
        if True in equal:
            return equal.index(True)
        return fail(tx, "index() of a missing item", self.python(tx).index, plain.python(tx, arguments[0]))


def plain_slice(tx: Translator, key: SliceVariable, values: list[Any]) -> list[Any]:
    """`values[key]` for bounds that are known."""
    bounds = key.python(tx)
    try:
        return values[bounds]
    except (TypeError, ValueError):
        return fail(tx, "a slice that raises", getitem, values, bounds)  # type: ignore[no-any-return]


def plain_range(tx: Translator, key: SliceVariable) -> slice:
    """The slice, if its bounds are ints or None."""
    found: slice = key.python(tx)
    if (
        not all(part is None or type(part) is int for part in (found.start, found.stop, found.step))
        or found.step == 0
    ):
        fail(tx, "a slice that raises", getitem, [], found)
    return found


class TupleVariable(SequenceVariable):
    """A tuple."""

    __slots__ = ()

    kind = "a tuple"
    rebuildable = True

    # where CPython gives the tuple itself, so is it here

    def getitem(self, tx: Translator, key: Any) -> Any:
        found = super().getitem(tx, key)
        if type(key) is SliceVariable and key.python(tx).step in (None, 1):
            return self if len(found.values) == len(self.values) else found
        return found

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        if operator in ("+", "+=") and type(other) is TupleVariable:
            if not self.values or not other.values:
                return self if self.values else other
        if operator in ("*", "*=") and other == 1 and type(other) in (int, bool):
            return self
        return super().binary(tx, operator, other, reflected)

    def rebuild(self, parts: list[str], name: Any) -> str:
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


class ListVariable(SequenceVariable):
    """A list made in the trace (those that came in: `input_lists`)."""

    __slots__ = ()

    kind = "a list"
    python_class = list
    rebuildable = True
    methods = frozenset(
        {"append", "extend", "insert", "pop", "remove", "clear", "index", "count", "reverse", "sort", "copy"}
    )

    fillable = True

    def rebuild(self, parts: list[str], name: Any) -> str:
        return f"[{', '.join(parts)}]"

    def create(self, name: Any) -> str:
        return "[]"

    def fill(self, parts: list[str], made: str, name: Any) -> list[str]:
        return [f"{made}.extend([{', '.join(parts)}])"]

    def iterate(self, tx: Translator) -> Any:
        from translator.variables.iterators import ListIterator

        return ListIterator(self)

    def about_to_change(self, tx: Translator) -> None:
        """Called before each change: of an input it is to be replayed."""
        self.not_sorting(tx)

    def not_sorting(self, tx: Translator) -> None:
        """Surrenders if this is called from the key function of its own sort."""
        if any(each is self for each in tx.sorting):
            tx.unsupported(
                "a list that changes while it is sorted", "ValueError is left to the original code"
            )

    def setitem(self, tx: Translator, key: Any, value: Any) -> None:
        self.about_to_change(tx)
        if type(key) is SliceVariable:
            before = len(self.values)
            value = tx.realize(value)
            if not tx.is_iterable(value):
                like = stand_in(tx, value)
                fail(tx, "setting a slice to this", setitem, self.like(), key.python(tx), like)
            items = tx.items(value)
            if len(self.values) != before:
                self.give_up(tx, "setting a slice to an iterator that changes it")
            try:
                self.values[key.python(tx)] = items
            except (TypeError, ValueError):
                fail(tx, "setting a slice that raises", setitem, self.like(), key.python(tx), list(items))
        elif type(key) is int and -len(self.values) <= key < len(self.values):
            self.values[key] = value
        else:
            self.no_index(tx, setitem, key, None)

    def delitem(self, tx: Translator, key: Any) -> None:
        self.about_to_change(tx)
        if type(key) is SliceVariable:
            del self.values[plain_range(tx, key)]
        elif type(key) is int and -len(self.values) <= key < len(self.values):
            del self.values[key]
        else:
            self.no_index(tx, delitem, key)

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        if not reflected and operator == "+=":
            self.about_to_change(tx)
            self.values.extend(tx.each(other))
            return self
        if not reflected and operator == "*=" and (type(other) is int or type(other) is bool):
            self.about_to_change(tx)
            self.values[:] = self.repeated(tx, other)
            return self
        return super().binary(tx, operator, other, reflected)

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if name in ("index", "count"):
            return super().call_method(tx, name, arguments, keywords)
        if name == "copy" and not arguments and not keywords:
            return ListVariable(list(self.values))
        self.about_to_change(tx)
        if name == "sort" and not arguments:
            self._sort(tx, keywords)
            return None
        if keywords:
            return fail_method(tx, self, name, arguments, keywords)
        return self._change(tx, name, arguments)

    def _sort(self, tx: Translator, keywords: dict[str, Any]) -> None:
        """Sorts it; it is empty while that goes on, as a key function can see."""
        from translator.variables.builtins import sorted_items

        values = self.values
        items = list(values)
        values.clear()
        tx.sorting.append(self)
        try:
            items = sorted_items(tx, items, keywords)
        finally:
            tx.sorting.pop()
            values += items

    def _change(self, tx: Translator, name: str, arguments: list[Any]) -> Any:
        values = self.values
        count = len(arguments)
        if name == "append" and count == 1:
            values.append(arguments[0])
        elif name == "extend" and count == 1:
            values.extend(tx.each(arguments[0]))
        elif name == "clear" and count == 0:
            values.clear()
        elif name == "reverse" and count == 0:
            values.reverse()
        elif name == "insert" and count == 2:
            index = tx.realize(arguments[0])
            if type(index) is not int or not -maxsize <= index <= maxsize:
                return fail_method(tx, self, name, [index, None])
            values.insert(index, arguments[1])
        elif name == "pop" and count <= 1:
            index = tx.realize(arguments[0]) if arguments else -1
            if type(index) is not int or not -len(values) <= index < len(values):
                if type(index) not in PLAIN:
                    return self.give_up(tx, "pop() from this index")
                return fail(tx, "pop() from this index", self.like().pop, *([index] if arguments else []))
            return values.pop(index)
        elif name == "remove" and count == 1:
            equal = [plain.equal(tx, value, arguments[0]) for value in values]
            if True not in equal:
                return fail(tx, "remove() of a missing item", [].remove, None)
            del values[equal.index(True)]
        else:
            return fail_method(tx, self, name, arguments)
        return None


class RangeVariable(VariableTracker):
    """A range with known bounds."""

    __slots__ = ("value",)

    kind = "a range"
    rebuildable = True
    equals_itself = True
    methods = frozenset({"index", "count"})

    def __init__(self, value: range, source: Source | None = None) -> None:
        self.value = value
        self.source = source

    def python_type(self, tx: Translator) -> type:
        return range

    def truth(self, tx: Translator) -> bool:
        return bool(self.value)

    def length(self, tx: Translator) -> int:
        return plain.run(tx, len, self.value)  # type: ignore[no-any-return]

    def items(self, tx: Translator) -> list[Any]:
        tx.spend(self.length(tx))
        return list(self.value)

    def iterate(self, tx: Translator) -> Any:
        from translator.variables.iterators import PlainIterator

        return PlainIterator(iter(self.value))

    def python(self, tx: Translator) -> Any:
        return self.value

    argument = python

    def getitem(self, tx: Translator, key: Any) -> Any:
        return plain.run(tx, self.value.__getitem__, plain.python(tx, key))

    def contains(self, tx: Translator, item: Any) -> bool:
        return plain.python(tx, item) in self.value

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in ("start", "stop", "step"):
            return getattr(self.value, name)
        return super().getattr(tx, name)

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if name in ("index", "count") and not keywords:
            return plain.run(tx, getattr(self.value, name), *[plain.python(tx, value) for value in arguments])
        return self.give_up(tx, f"method {name}()")

    def rebuild(self, parts: list[str], name: Any) -> str:
        value = self.value
        return f"{name(range)}({value.start}, {value.stop}, {value.step})"


class SliceVariable(VariableTracker):
    """A slice; its bounds are values."""

    __slots__ = ("parts",)

    kind = "a slice"
    rebuildable = True
    equals_itself = True
    methods = frozenset({"indices"})

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.parts = [start, stop, step]
        self.source = None

    def python_type(self, tx: Translator) -> type:
        return slice

    def truth(self, tx: Translator) -> bool:
        return True

    def children(self) -> list[Any]:
        return self.parts

    def python(self, tx: Translator) -> Any:
        return slice(*[plain.python(tx, tx.realize(part)) for part in self.parts])

    def argument(self, tx: Translator) -> Any:
        return slice(*[tx.argument(part) for part in self.parts])

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in ("start", "stop", "step"):
            return self.parts[("start", "stop", "step").index(name)]
        return super().getattr(tx, name)

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if name == "indices" and len(arguments) == 1 and not keywords:
            return plain.run(tx, self.python(tx).indices, plain.python(tx, arguments[0]))
        return self.give_up(tx, f"method {name}()")

    def rebuild(self, parts: list[str], name: Any) -> str:
        return f"{name(slice)}({', '.join(parts)})"
