"""Sets of known values: real sets, so that their order is that of a run."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from sys import getsizeof
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import plain
from translator.variables.iterators import IteratorVariable
from translator.variables.keys import can_be_given_back, from_key, hashable, keys_in
from translator.variables.mappings import DictVariable, key_object
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_PURE = frozenset(
    {
        "union",
        "intersection",
        "difference",
        "symmetric_difference",
        "issubset",
        "issuperset",
        "isdisjoint",
        "copy",
    }
)
_CHANGES = frozenset(
    {
        "add",
        "discard",
        "remove",
        "clear",
        "update",
        "intersection_update",
        "difference_update",
        "symmetric_difference_update",
    }
)
#: what adds items one by one
_ADDS = frozenset({"add", "update"})
_INPLACE = {
    "|=": "update",
    "&=": "intersection_update",
    "-=": "difference_update",
    "^=": "symmetric_difference_update",
}


def as_item(item: Any) -> Any:
    """For the error of an item that is not hashable."""
    return {item}


class SetVariable(VariableTracker):
    """A set or frozenset made in the trace, of values that are known."""

    __slots__ = ("taken", "value")

    kind = "a set"
    equals_itself = True

    def __init__(self, value: Any) -> None:
        self.value = value
        self.source = None
        #: whether items were taken out of it
        self.taken = False

    def python_type(self, tx: Translator) -> type:
        return type(self.value)

    def truth(self, tx: Translator) -> bool:
        return bool(self.value)

    def length(self, tx: Translator) -> int:
        return len(self.value)

    def items(self, tx: Translator) -> list[Any]:
        return [plain.value_of(tx, item) for item in self.in_order(tx)]

    def in_order(self, tx: Translator) -> Any:
        """The items, in the order of a run."""
        if len(self.value) > 1 and any(key.by_identity for item in self.value for key in keys_in(item)):
            self.give_up(tx, "the order of objects")
        return self.value

    def python(self, tx: Translator) -> Any:
        if any(map(keys_in, self.value)):
            self.give_up(tx, "the Python value, with objects in it,")
        return self.value

    def iterate(self, tx: Translator) -> Any:
        from translator.variables.iterators import PlainIterator

        items = self.in_order(tx)
        return PlainIterator((plain.value_of(tx, item) for item in items), lambda: iter(set()))

    def contains(self, tx: Translator, item: Any) -> bool:
        found = hashable(tx, item)
        if plain.has_nan(found) or plain.has_exception(found):
            self.give_up(tx, "`in` for such an item")
        return plain.run(tx, operator.contains, self.value, found)  # type: ignore[no-any-return]

    @property
    def methods(self) -> frozenset[str]:  # type: ignore[override]
        return self.methods_of(type(self.value))

    @staticmethod
    def methods_of(kind: type) -> frozenset[str]:
        """The methods of sets, or of frozensets."""
        return _PURE | _CHANGES if kind is set else _PURE

    def about_to_change(self, tx: Translator, name: str, arguments: list[Any]) -> None:
        """Called before each change: of an input it is to be replayed."""

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        changes = name in _CHANGES and type(self.value) is set
        if keywords or not (changes or name in _PURE):
            return self.give_up(tx, f"method {name}()")
        if name == "update":
            for argument in arguments:
                items = hashable_items(tx, argument)
                if type(self.value) is set and self.source is not None:
                    items = list(items) if not isinstance(items, (set, frozenset)) else items.copy()
                    self.about_to_change(tx, name, [items])
                self.value.update(items)
            return None
        if name in ("add", "discard", "remove"):
            objects = [hashable(tx, argument) for argument in arguments]
            if any(map(plain.has_nan, objects)) or any(map(plain.has_exception, objects)):
                self.give_up(tx, f"method {name}() with such an item")
        else:
            objects = [self._other(tx, name, argument) for argument in arguments]
        if changes:
            self.about_to_change(tx, name, objects)
        self.taken = self.taken or (changes and name not in _ADDS)
        return plain.run(tx, getattr(self.value, name), *objects)

    def _other(self, tx: Translator, name: str, value: Any) -> Any:
        value = tx.realize(value)
        if name != "union" and isinstance(value, IteratorVariable):
            self.give_up(tx, f"method {name}() with an iterator")
        found = hashable_items(tx, value)
        return list(found) if isinstance(found, Iterator) else found

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        if not isinstance(other, SetVariable) or operator.rstrip("=") not in "|&-^":
            return NotImplemented
        if operator in _INPLACE and not reflected and type(self.value) is set:
            self.about_to_change(tx, _INPLACE[operator], [other.value.copy()])
            self.taken = self.taken or operator != "|="
            getattr(self.value, _INPLACE[operator])(other.value)
            return self
        left, right = (other.value, self.value) if reflected else (self.value, other.value)
        return SetVariable(plain.BINARY[operator.rstrip("=")](left, right))

    @property
    def rebuildable(self) -> bool:  # type: ignore[override]
        """Whether a copy lists its items in the same order, and those that are added to it later."""
        keys = [key for item in self.value for key in keys_in(item)]
        if keys:
            return len(self.value) == 1 and can_be_given_back(self.value) and not self.taken
        copy = self.value.copy().copy()
        return (
            not self.taken
            and getsizeof(copy) == getsizeof(self.value)
            and all(map(operator.is_, copy, self.value))
        )

    def children(self) -> list[Any]:
        return [from_key(item) for item in self.value if keys_in(item)]

    def rebuild(self, parts: list[str], name: Any) -> str:
        if parts:
            made = f"{{{parts[0]}}}"
            return made if type(self.value) is set else f"{name(frozenset)}({made})"
        if type(self.value) is frozenset:
            return str(name(self.value))
        return f"{name(self.value.copy())}.copy()"


def hashable_items(tx: Translator, value: Any) -> Any:
    """What a set is made of, such that Python makes it in the same order: a set, a dict, or items."""
    value = tx.realize(value)
    if isinstance(value, SetVariable):
        return value.value
    if isinstance(value, DictVariable):
        return dict.fromkeys(value.keys(tx))
    return (key_object(tx, item, as_item) for item in tx.each(value))
