"""Dicts. Keys are real Python objects, so that Python's own dict says which are equal."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import Unimplemented
from translator.side_effects import ChangeableVariable
from translator.sources import is_plain_key
from translator.variables import plain
from translator.variables.keys import can_be_given_back, from_key, hashable, keys_in
from translator.variables.lazy import LazyVariable
from translator.variables.stand_ins import fail, fail_method
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


def _as_key(key: Any) -> Any:
    return {key: None}


def key_object(tx: Translator, key: Any, use: Callable[[Any], Any] = _as_key) -> Any:
    """The hashable Python object for a key that is known now; `use` is what raises if it is not hashable."""
    key = tx.realize(key)
    found = hashable(tx, key)
    if plain.has_nan(found):
        tx.unsupported("NaN as a key", "identity of floats is not known in the trace")
    if plain.has_exception(found):
        tx.unsupported("an exception as a key", "it is not captured")
    try:
        hash(found)
    except TypeError:
        fail(tx, "an unhashable key", use, found)
    return found


class DictVariable(VariableTracker):
    """A dict made in the trace: `values` maps Python keys to values."""

    __slots__ = ("values", "version")

    kind = "a dict"
    equals_itself = True

    def __init__(self, values: dict[Any, Any], source: Source | None = None) -> None:
        self.values = values
        self.source = source
        #: counts the changes of its keys
        self.version = 0

    def python_type(self, tx: Translator) -> type:
        return dict

    def truth(self, tx: Translator) -> bool:
        return self.length(tx) > 0

    def length(self, tx: Translator) -> int:
        return len(self.values)

    def items(self, tx: Translator) -> list[Any]:
        return self.view(tx, "keys")

    def keys(self, tx: Translator) -> list[Any]:
        """Its keys, as Python objects."""
        return list(self.values)

    def iterate(self, tx: Translator) -> Any:
        from translator.variables.iterators import ViewIterator

        return ViewIterator(self, "keys", tx)

    def view(self, tx: Translator, what: str) -> list[Any]:
        """What "keys", "values" or "items" lists."""
        return [self.entry(tx, key, what) for key in self.keys(tx)]

    def entry(self, tx: Translator, key: Any, what: str) -> Any:
        """What "keys", "values" or "items" lists for a key that it has."""
        if what == "keys":
            return plain.value_of(tx, key)
        value = self._at(tx, key)
        if what == "values":
            return value
        from translator.variables.sequences import TupleVariable

        return TupleVariable([plain.value_of(tx, key), value])

    def _at(self, tx: Translator, key: Any) -> Any:
        """The value of a key that was listed: objects are not asked again whether they are equal."""
        if keys_in(key):
            return next(value for known, value in self.values.items() if known is key)
        return self.lookup(tx, key)

    def python(self, tx: Translator) -> Any:
        if any(map(keys_in, self.values)):
            return self.give_up(tx, "the Python value, with objects as keys,")
        return {key: plain.python(tx, tx.realize(value)) for key, value in self.values.items()}

    def children(self) -> list[Any]:
        return [*self.values.values(), *[from_key(key) for key in self.values if keys_in(key)]]

    @property
    def rebuildable(self) -> bool:  # type: ignore[override]
        """Whether no `__hash__` or `__eq__` of the program would run again."""
        return can_be_given_back(self.values)

    def rebuild(self, parts: list[str], name: Any) -> str:
        keys = iter(parts[len(self.values) :])
        texts = [next(keys) if keys_in(key) else name(key) for key in self.values]
        return "{" + ", ".join(f"{key}: {part}" for key, part in zip(texts, parts)) + "}"

    fillable = True

    def create(self, name: Any) -> str:
        return "{}"

    def fill(self, parts: list[str], made: str, name: Any) -> list[str]:
        return [f"{made}.update({DictVariable.rebuild(self, parts, name)})"]

    def lookup(self, tx: Translator, key: Any) -> Any:
        """The value of a Python key, or None if it is missing."""
        return self.values.get(key, _MISSING)

    def found(self, tx: Translator, key: Any) -> tuple[Any] | None:
        """The value of a Python key, or None if it is missing."""
        value = self.lookup(tx, key)
        return None if value is _MISSING else (value,)

    def getitem(self, tx: Translator, key: Any) -> Any:
        found = self.lookup(tx, key_object(tx, key))
        if found is _MISSING:
            tx.raise_variable(tx.new_exception(KeyError, tx.realize(key)))
        return found

    def contains(self, tx: Translator, item: Any) -> bool:
        return self.lookup(tx, key_object(tx, item)) is not _MISSING

    def about_to_change(self, tx: Translator) -> None:
        """Called before each change: of an input it is to be replayed."""

    def put(self, key: Any, value: Any) -> None:
        """Sets the value of a Python key."""
        values = self.values
        before = len(values)
        values[key] = value
        self.version += len(values) != before

    def put_default(self, key: Any, value: Any) -> Any:
        """Sets the value of a Python key that is missing; gives the value that it has then."""
        values = self.values
        before = len(values)
        found = values.setdefault(key, value)
        self.version += len(values) != before
        return found

    def take(self, key: Any) -> Any:
        """Takes a Python key out; gives its value, or what says that it is missing."""
        found = self.values.pop(key, _MISSING)
        self.version += found is not _MISSING
        return found

    def setitem(self, tx: Translator, key: Any, value: Any) -> None:
        self.about_to_change(tx)
        self.put(key_object(tx, key), value)

    def delitem(self, tx: Translator, key: Any) -> None:
        self.about_to_change(tx)
        if self.take(key_object(tx, key)) is _MISSING:
            tx.raise_variable(tx.new_exception(KeyError, tx.realize(key)))

    methods = frozenset(
        {"keys", "values", "items", "get", "copy", "update", "setdefault", "pop", "clear", "popitem"}
    )

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        count = len(arguments)
        if name in ("keys", "values", "items") and not count and not keywords:
            return ViewVariable(self, name)
        if name == "get" and 1 <= count <= 2 and not keywords:
            found = self.lookup(tx, key_object(tx, arguments[0]))
            return (arguments[1] if count == 2 else None) if found is _MISSING else found
        if name == "copy" and not count and not keywords:
            return DictVariable(self.copied(tx))
        self.about_to_change(tx)
        return self._change(tx, name, arguments, keywords)

    def copied(self, tx: Translator) -> dict[Any, Any]:
        """Keys and values, in a dict of the caller's own."""
        return dict(self.values)

    def _change(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        values, count = self.values, len(arguments)
        if name == "update" and count <= 1:
            if arguments:
                self.update(tx, arguments[0])
            for key, value in keywords.items():
                self.put(key, value)
        elif keywords:
            return fail_method(tx, self, name, arguments, keywords)
        elif name == "setdefault" and 1 <= count <= 2:
            key = key_object(tx, arguments[0])
            return self.put_default(key, arguments[1] if count == 2 else None)
        elif name == "pop" and 1 <= count <= 2:
            found = self.take(key_object(tx, arguments[0]))
            if found is _MISSING and count == 1:
                tx.raise_variable(tx.new_exception(KeyError, tx.realize(arguments[0])))
            return arguments[1] if found is _MISSING else found
        elif name == "clear" and not count:
            for key in list(values):
                self.take(key)
        elif name == "popitem" and not count and values:
            from translator.variables.sequences import TupleVariable

            key = next(reversed(values))
            return TupleVariable([plain.value_of(tx, key), self.take(key)])
        elif name == "popitem" and not count:
            return fail(tx, "popitem() of an empty dict", {}.popitem)
        else:
            return fail_method(tx, self, name, arguments)
        return None

    def update(self, tx: Translator, other: Any) -> None:
        """`self.update(other)` for a dict or pairs."""
        other = tx.realize(other)
        if isinstance(other, DictVariable):
            for key, value in other.copied(tx).items():
                self.put(key, value)
            return
        for place, pair in enumerate(tx.each(other)):
            pair = tx.realize(pair)
            before = [(None, None)] * place
            if type(pair) in PLAIN and type(pair) not in (str, bytes):
                fail(tx, "pairs that are none", {}.update, [*before, pair])
            items = tx.items(pair)
            if len(items) != 2:
                fail(tx, "pairs that are none", {}.update, [*before, range(len(items))])
            self.put(key_object(tx, items[0]), items[1])

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        if operator not in ("|", "|=") or reflected or not isinstance(other, DictVariable):
            return NotImplemented
        if operator == "|=":
            self.about_to_change(tx)
            self.update(tx, other)
            return self
        return DictVariable({**self.copied(tx), **other.copied(tx)})


class InputDictVariable(DictVariable, ChangeableVariable):
    """A dict that came in: each key that is asked for is guarded, nothing else until it is listed.

    Attributes:
        current: keys and values once it is about to be changed; None before.
        writes: (key, value) and (key, missing) in order, to be replayed.
    """

    __slots__ = ("_listed", "_read", "current", "live", "writes")

    source: Source

    def __init__(self, source: Source, value: dict[Any, Any]) -> None:
        self.source = source
        self.live = value
        self._read: dict[Any, LazyVariable] = {}
        self._listed = False
        self.version = 0
        self.current: dict[Any, Any] | None = None
        self.writes: list[tuple[Any, Any]] = []

    @property
    def values(self) -> dict[Any, Any]:  # type: ignore[override]
        assert self.current is not None, "the values of an input dict are asked for one by one"
        return self.current

    def about_to_change(self, tx: Translator) -> None:
        tx.effects.change(tx, self)
        if self.current is None:
            self.current = self.copied(tx)

    def put(self, key: Any, value: Any) -> None:
        self.writes.append((key, value))
        super().put(key, value)

    def put_default(self, key: Any, value: Any) -> Any:
        before = self.version
        found = super().put_default(key, value)
        if self.version != before:
            self.writes.append((key, value))
        return found

    def take(self, key: Any) -> Any:
        found = super().take(key)
        if found is not _MISSING:
            self.writes.append((key, _MISSING))
        return found

    def changed_values(self) -> list[Any]:
        if any(keys_in(key) for key, _ in self.writes):
            raise Unimplemented(
                f"objects as keys of {self.source.name}",
                "the end of the region",
                "they are not replayed",
                "the original code runs instead",
            )
        return [value for _, value in self.writes if value is not _MISSING]

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        texts = iter(parts)
        return [
            f"del {name}[{literal(key)}]" if value is _MISSING else f"{name}[{literal(key)}] = {next(texts)}"
            for key, value in self.writes
        ]

    def _item(self, key: Any) -> LazyVariable:
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = LazyVariable(self.source.item(key), self.live[key])
        return found

    def _list(self, tx: Translator) -> list[Any]:
        """All keys, under a guard on what they are and their order."""
        keys = list(self.live)
        if not all(map(is_plain_key, keys)):
            tx.unsupported(f"the keys of {self.source.name}", "keys are captured that can be written down")
        if not self._listed:
            tx.guards.add(60 + 10 * len(keys), "{}({}) == {}", typed_keys, self.source, typed_keys(self.live))
            self._listed = True
        return keys

    def lookup(self, tx: Translator, key: Any) -> Any:
        if self.current is not None:
            return self.current.get(key, _MISSING)
        absent_class = type(key) in (type, ABCMeta) and key not in self.live
        if not is_plain_key(key) and not absent_class:
            tx.unsupported(f"a key of {self.source.name}", "keys are captured that can be written down")
        if self._listed and key in self.live:
            return self._item(key)
        if key not in self.live:
            tx.guards.add(10, "{} not in {}", key, self.source)
            return _MISSING
        tx.guards.key_present(self.source, key)
        return self._item(key)

    def length(self, tx: Translator) -> int:
        if self.current is not None:
            return len(self.current)
        if not self._listed:
            tx.guards.length(self.source, len(self.live))
        return len(self.live)

    def keys(self, tx: Translator) -> list[Any]:
        return list(self.current) if self.current is not None else self._list(tx)

    def copied(self, tx: Translator) -> dict[Any, Any]:
        if self.current is not None:
            return dict(self.current)
        return {key: self._item(key) for key in self._list(tx)}

    def python(self, tx: Translator) -> Any:
        return {key: plain.python(tx, item) for key, item in self.copied(tx).items()}

    def children(self) -> list[Any]:
        return []


class ViewVariable(VariableTracker):
    """`d.keys()`, `d.values()`, `d.items()`."""

    __slots__ = ("owner", "what")

    def __init__(self, owner: DictVariable, what: str) -> None:
        self.owner = owner
        self.what = what
        self.source = None

    @property
    def kind(self) -> str:  # type: ignore[override]
        return f"dict {self.what}"

    def truth(self, tx: Translator) -> bool:
        return self.owner.truth(tx)

    def length(self, tx: Translator) -> int:
        return self.owner.length(tx)

    def items(self, tx: Translator) -> list[Any]:
        return self.owner.view(tx, self.what)

    def iterate(self, tx: Translator) -> Any:
        from translator.variables.iterators import ViewIterator

        return ViewIterator(self.owner, self.what, tx)

    def contains(self, tx: Translator, item: Any) -> bool:
        if self.what == "keys":
            return self.owner.contains(tx, item)
        return any(plain.equal(tx, value, item) for value in self.items(tx))


class _Missing:
    __slots__ = ()

    def __repr__(self) -> str:
        return "missing"


_MISSING = _Missing()


def typed_keys(mapping: dict[Any, Any]) -> list[Any]:
    """The keys of a dict with their exact types, in order."""
    return [_typed(key) for key in mapping]


def _typed(key: Any) -> Any:
    kind = type(key)
    if kind is tuple:
        return kind, [_typed(each) for each in key]
    return kind, key if kind in PLAIN or kind is type else None
