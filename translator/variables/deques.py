"""collections.deque, made in the trace."""

from __future__ import annotations

import operator
from collections import deque
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.sentinels import STOP
from translator.variables import plain
from translator.variables.iterators import IteratorVariable
from translator.variables.stand_ins import fail, fail_by_type
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_CHANGES = frozenset(
    {"append", "appendleft", "pop", "popleft", "extend", "extendleft", "rotate", "clear", "reverse", "insert"}
)


class DequeVariable(VariableTracker):
    """A real deque of values.

    Attributes:
        version: counts its changes, for its iterators.
    """

    __slots__ = ("values", "version")

    kind = "a deque"
    equals_itself = True
    rebuildable = True
    methods = _CHANGES | {"remove", "copy", "count", "index"}

    def __init__(self, values: deque[Any]) -> None:
        self.source = None
        self.values = values
        self.version = 0

    def python_type(self, tx: Translator) -> type:
        return deque

    def truth(self, tx: Translator) -> bool:
        return bool(self.values)

    def length(self, tx: Translator) -> int:
        return len(self.values)

    def items(self, tx: Translator) -> list[Any]:
        return list(self.values)

    def iterate(self, tx: Translator) -> Any:
        return DequeIterator(self)

    def python(self, tx: Translator) -> Any:
        return deque([plain.python(tx, tx.realize(value)) for value in self.values], self.values.maxlen)

    def getattr(self, tx: Translator, name: str) -> Any:
        return self.values.maxlen if name == "maxlen" else super().getattr(tx, name)

    def contains(self, tx: Translator, item: Any) -> bool:
        return any(plain.equal(tx, value, item) for value in self.items(tx))

    def _index(self, tx: Translator, key: Any, operation: Any) -> int:
        if type(key) is not int or not -len(self.values) <= key < len(self.values):
            fail_like(tx, self, operation, key)
        return key  # type: ignore[no-any-return]

    def getitem(self, tx: Translator, key: Any) -> Any:
        return self.values[self._index(tx, key, operator.getitem)]

    def setitem(self, tx: Translator, key: Any, value: Any) -> None:
        self.values[self._index(tx, key, lambda made, key: operator.setitem(made, key, None))] = value
        self.version += 1

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if keywords or name not in _CHANGES | {"copy", "count"}:
            return self.give_up(tx, f"method {name}() with these arguments")
        if name == "copy" and not arguments:
            return DequeVariable(self.values.copy())
        if name == "count" and len(arguments) == 1:
            return sum(plain.equal(tx, value, arguments[0]) for value in self.items(tx))
        values = [tx.realize(value) for value in arguments]
        if name in ("extend", "extendleft") and len(values) == 1:
            add = self.values.append if name == "extend" else self.values.appendleft
            for item in tx.items(values[0]) if values[0] is self else tx.walk(values[0]):
                add(item)
                self.version += 1
            return None
        if name in ("rotate", "insert") and not (values and type(values[0]) is int):
            return self.give_up(tx, f"method {name}() with these arguments")
        try:
            found = getattr(self.values, name)(*arguments)
        except (IndexError, TypeError) as error:
            return tx.raise_host(error)
        self.version += 1
        return found

    # -- in a result

    def children(self) -> list[Any]:
        return list(self.values)

    def rebuild(self, parts: list[str], name: Any) -> str:
        return f"{name(deque)}([{', '.join(parts)}], {self.values.maxlen})"


class DequeIterator(IteratorVariable):
    """Over a deque, which must not change meanwhile."""

    __slots__ = ("owner", "place", "version")

    sample = staticmethod(lambda: iter(deque()))

    def __init__(self, owner: DequeVariable) -> None:
        self.source = None
        self.owner: DequeVariable | None = owner
        self.place = 0
        self.version = owner.version

    def next(self, tx: Translator) -> Any:
        owner, place = self.owner, self.place
        if owner is None:
            return STOP
        if owner.version != self.version:
            self.owner = None
            return fail(tx, "a deque that changes while it is iterated over", _mutates)
        if place >= len(owner.values):
            self.owner = None
            return STOP
        self.place = place + 1
        return owner.values[place]


def _mutates() -> None:
    made = deque([1])
    walked = iter(made)
    made.append(2)
    next(walked)


def fail_like(tx: Translator, owner: DequeVariable, operation: Any, key: Any) -> Any:
    """The error of an index that is none, or not within it."""
    if type(key) is int:
        return fail(tx, "an index", operation, deque(range(len(owner.values))), key)
    return fail_by_type(tx, "an index", lambda key: operation(deque(), key), key)


def make_deque(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """`deque(iterable, maxlen)`."""
    if len(arguments) > 2 or keywords.keys() - {"maxlen"} or (len(arguments) == 2 and keywords):
        return tx.unsupported("deque() with these arguments", "TypeError is left to the original code")
    maxlen = tx.realize(arguments[1] if len(arguments) == 2 else keywords.get("maxlen"))
    if maxlen is not None and (type(maxlen) is not int or maxlen < 0):
        return tx.unsupported("deque() of this length", "its exception is left to the original code")
    made = DequeVariable(deque(maxlen=maxlen))
    if arguments:
        made.call_method(tx, "extend", [arguments[0]], {})
    return made


#: by the class
HANDLERS = {deque: make_deque}
