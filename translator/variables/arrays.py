"""Arrays and NumPy scalars: what touches them becomes a node of the graph.

A node does at run time exactly what the program would have done, on the same values; so nothing needs to
be known about its result until Python itself asks: for its shape, its type, its length. Then `meta`
works it out, under guards on the shapes of the inputs.
"""

from __future__ import annotations

import operator as operators
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Node
from translator.numpy_names import METHODS_ALIAS, METHODS_FRESH, METHODS_IN_PLACE
from translator.sentinels import STOP
from translator.variables import plain
from translator.variables.iterators import IteratorVariable
from translator.variables.numbers import NumberVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

#: attributes that depend on the shape and dtype only
_FACTS = frozenset({"shape", "ndim", "size", "itemsize", "nbytes", "dtype"})
#: attributes that are arrays themselves, and may share memory
_VIEWS = frozenset({"T", "real", "imag", "mT"})


class ArrayVariable(VariableTracker):
    """An array or a NumPy scalar: the result of a node, or an input.

    Attributes:
        node: its node; None for an input that no operation has used yet.
        roots: the inputs whose memory it may share; empty for what was made in the trace.
        value: the live value of an input.
    """

    __slots__ = ("node", "roots", "value")

    kind = "an array"

    def __init__(
        self,
        node: Node | None,
        roots: frozenset[ArrayVariable] = frozenset(),
        source: Source | None = None,
        value: Any = None,
    ) -> None:
        self.node = node
        self.roots = roots
        self.source = source
        self.value = value

    def describe(self) -> str:
        return self.source.name if self.source is not None else f"%{self.node}"

    def argument(self, tx: Translator) -> Any:
        node = self.node
        if node is None:
            node = self.node = tx.add_input(self)
        return node

    def shares(self) -> frozenset[ArrayVariable]:
        """The inputs whose memory a view of it may share."""
        return self.roots if self.source is None else frozenset((self,))

    # -- what Python asks

    def python_type(self, tx: Translator) -> type:
        return tx.rules.meta(tx, self).kind  # type: ignore[no-any-return]

    def truth(self, tx: Translator) -> bool:
        return tx.unsupported(  # type: ignore[no-any-return]
            f"bool() of the array {self.describe()}",
            "which way it goes depends on data",
            "use numpy.where, or move the branch out of the function",
        )

    def is_array(self, tx: Translator) -> bool:
        """Whether it is an ndarray (not a scalar)."""
        return tx.rules.meta(tx, self).kind is tx.rules.ndarray

    def shape(self, tx: Translator) -> tuple[int, ...]:
        """Its shape; of a scalar, too."""
        found: Any = tx.rules.meta(tx, self).shape
        if found is None:
            tx.unsupported(f"the shape of {self.describe()}", "it depends on data")
        return found

    def length(self, tx: Translator) -> int:
        shape = self.shape(tx)
        if not shape:
            return self.give_up(tx, "len() without dimensions (TypeError)")  # type: ignore[no-any-return]
        return shape[0]

    def items(self, tx: Translator) -> list[Any]:
        length = self.length(tx)
        tx.spend(length)
        found = []
        for index in range(length):
            found.append(self.item(tx, index))
        return found

    def item(self, tx: Translator, index: int) -> Any:
        """`self[index]` for an index that it has."""
        found = self.getitem(tx, index)
        found.node.quiet = True
        return found

    def iterate(self, tx: Translator) -> Any:
        return ArrayIterator(self, self.length(tx))

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in _FACTS:
            return tx.rules.fact(tx, self, name)
        if name in _VIEWS:
            found = tx.record(getattr, (self, name), {}, self.shares())
            # what `item()` gave may have no such attribute
            found.node.quiet = name != "mT" and self.source is not None
            return found
        return super().getattr(tx, name)

    methods = METHODS_FRESH | METHODS_ALIAS | METHODS_IN_PLACE

    # -- operations

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return tx.rules.method(tx, self, name, arguments, keywords)

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        self._check_operand(tx, operator, other)
        if operator in plain.INPLACE:
            if not reflected and self.is_array(tx):
                return self._in_place(tx, operator, other)
            operator = operator[:-1]
        arguments = (other, self) if reflected else (self, other)
        return tx.record(plain.BINARY[operator], arguments, {}, frozenset())

    def _check_operand(self, tx: Translator, operator: str, other: Any) -> None:
        if type(other) in (ArrayVariable, NumberVariable, int, float, bool, complex):
            return
        from translator.variables.sequences import SequenceVariable

        if isinstance(other, SequenceVariable) and self.is_array(tx) and self.shape(tx):
            return
        tx.unsupported(f"`{operator}` of an array and {other!r}", "it is captured for arrays and numbers")

    def _in_place(self, tx: Translator, operator: str, other: Any) -> ArrayVariable:
        made = self.changed_by(tx, plain.INPLACE[operator], (self, other), {})
        if self.source is None:
            self.node = made.node
        return self

    def changed_by(
        self,
        tx: Translator,
        target: Any,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        method: bool = False,
    ) -> ArrayVariable:
        """A node that changes this array in place."""
        made = tx.record(target, arguments, keywords, frozenset(), method=method, writes=True)
        assert made.node is not None
        made.node.visible = bool(self.shares())
        return made

    def compare(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        """`self operator other`: the elements are compared, the result is an array."""
        self._check_operand(tx, operator, other)
        arguments = (other, self) if reflected else (self, other)
        return tx.record(plain.COMPARE[operator], arguments, {}, frozenset())

    def unary(self, tx: Translator, operator: str) -> Any:
        """`-self`, `~self`, `+self`."""
        return tx.record(plain.UNARY[operator], (self,), {}, frozenset())

    def getitem(self, tx: Translator, key: Any) -> Any:
        tx.rules.check_index(tx, key)
        return tx.record(operators.getitem, (self, key), {}, self.shares())

    def setitem(self, tx: Translator, key: Any, value: Any) -> None:
        tx.rules.check_index(tx, key)
        value = tx.realize(value)
        if not self.is_array(tx):
            self.give_up(tx, "setting an item of a scalar (TypeError)")
        if isinstance(value, ArrayVariable) and type(value) is not ArrayVariable:
            tx.unsupported(f"a store of {value.describe()}", "it is no array of NumPy", "convert it before")
        if type(value) is not ArrayVariable and type(value) not in PLAIN:
            value.argument(tx)
        self.changed_by(tx, operators.setitem, (self, key, value), {})

    def contains(self, tx: Translator, item: Any) -> bool:
        return tx.unsupported("`in` of an array", "the answer depends on data", "use numpy.any(x == item)")  # type: ignore[no-any-return]


class ArrayIterator(IteratorVariable):
    """Over an array: each item is read when it is asked for, as the array may be changed meanwhile."""

    __slots__ = ("count", "owner", "place")

    def __init__(self, owner: ArrayVariable, count: int) -> None:
        self.source = None
        self.owner = owner
        self.count = count
        self.place = 0

    def next(self, tx: Translator) -> Any:
        place = self.place
        if place >= self.count:
            return STOP
        self.place = place + 1
        return self.owner.item(tx, place)


class ResultTupleVariable(VariableTracker):
    """A tuple or named tuple of arrays that one node gives (`numpy.linalg.eig`, `numpy.divmod`)."""

    __slots__ = ("fields", "node", "type", "values")

    kind = "a tuple of arrays"
    equals_itself = True

    def __init__(self, node: Node, kind: type, values: list[Any]) -> None:
        self.source = None
        self.node = node
        self.type = kind
        self.values = values
        self.fields = getattr(kind, "_fields", ()) or getattr(kind, "__match_args__", ())

    def python_type(self, tx: Translator) -> type:
        return self.type

    def truth(self, tx: Translator) -> bool:
        return bool(self.values)

    def length(self, tx: Translator) -> int:
        return len(self.values)

    def items(self, tx: Translator) -> list[Any]:
        return list(self.values)

    def argument(self, tx: Translator) -> Any:
        return self.node

    def getitem(self, tx: Translator, key: Any) -> Any:
        if type(key) is int and -len(self.values) <= key < len(self.values):
            return self.values[key]
        return self.give_up(tx, "an item by this key")

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in self.fields:
            return self.values[self.fields.index(name)]
        return self.give_up(tx, f"attribute {name!r}")
