"""Arrays of libraries that are not NumPy, functions of theirs, and what their objects hold."""

from __future__ import annotations

import operator as operators
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Node
from translator.variables import plain
from translator.variables.arrays import ArrayVariable
from translator.variables.builtins import BuiltinVariable
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.foreign_arrays import ArrayLibrary
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class ForeignArrayVariable(ArrayVariable):
    """An array of a library that is not NumPy."""

    __slots__ = ("library",)

    def __init__(
        self,
        node: Node | None,
        library: ArrayLibrary,
        roots: frozenset[ArrayVariable] = frozenset(),
        source: Source | None = None,
        value: Any = None,
    ) -> None:
        super().__init__(node, roots, source, value)
        self.library = library

    @property
    def kind(self) -> str:  # type: ignore[override]
        return f"an array of {self.library.name}"

    # -- what Python asks

    def python_type(self, tx: Translator) -> type:
        return type(self.value) if self.source is not None else self.library.meta(tx, self).kind

    def is_array(self, tx: Translator) -> bool:
        return True

    def shape(self, tx: Translator) -> tuple[int, ...]:
        found = self.library.meta(tx, self).shape
        if found is None:
            return self.give_up(tx, "the shape")  # type: ignore[no-any-return]
        return found

    def truth(self, tx: Translator) -> bool:
        return tx.unsupported(  # type: ignore[no-any-return]
            f"bool() of the array {self.describe()}",
            "which way it goes depends on data",
            "use where(), or move the branch out of the function",
        )

    def items(self, tx: Translator) -> list[Any]:
        return self.library.items(tx, self)

    def iterate(self, tx: Translator) -> Any:
        from translator.variables.iterators import SequenceIterator

        return SequenceIterator(self.library.items(tx, self))

    def getattr(self, tx: Translator, name: str) -> Any:
        if self.library.has_method(name):
            from translator.variables.functions import MethodVariable

            return MethodVariable(self, name)
        found = self.library.attribute(tx, self, name)
        if found is NotImplemented:
            if name == "__class__":
                return plain.value_of(tx, self.python_type(tx))
            return self.give_up(tx, f"attribute {name!r}")
        return found

    # -- operations

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return self.library.method(tx, self, name, arguments, keywords)

    def _check_operand(self, tx: Translator, operator: str, other: Any) -> None:
        if isinstance(other, ForeignArrayVariable) and other.library is self.library:
            return
        if type(other) not in (int, float, bool, complex):
            why = f"it is captured for {self.library.name}'s arrays and numbers"
            tx.unsupported(f"`{operator}` of an array and {other!r}", why)

    def _operation(self, tx: Translator, target: Any, arguments: tuple[Any, ...], fresh: bool = True) -> Any:
        return self.library.record(tx, target, list(arguments), {}, fresh=fresh)

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        self._check_operand(tx, operator, other)
        if operator in plain.INPLACE:
            if not reflected:
                return self.change(tx, plain.INPLACE[operator], [other], {})
            operator = operator[:-1]
        return self._operation(tx, plain.BINARY[operator], (other, self) if reflected else (self, other))

    def compare(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        self._check_operand(tx, operator, other)
        return self._operation(tx, plain.COMPARE[operator], (other, self) if reflected else (self, other))

    def unary(self, tx: Translator, operator: str) -> Any:
        # `+x` may be x itself
        return self._operation(tx, plain.UNARY[operator], (self,), operator != "+")

    def getitem(self, tx: Translator, key: Any) -> Any:
        self.library.check_index(tx, key)
        return self._operation(tx, operators.getitem, (self, key), False)

    def setitem(self, tx: Translator, key: Any, value: Any) -> None:
        self.library.check_index(tx, key)
        value = tx.realize(value)
        self._check_operand(tx, "[]=", value)
        self.change(tx, operators.setitem, [key, value], {})

    def change(
        self,
        tx: Translator,
        target: Any,
        arguments: list[Any],
        keywords: dict[str, Any],
        method: bool = False,
    ) -> Any:
        """An operation in place, on memory that only the trace has; gives the array itself."""
        shared = self.shares()
        if shared:
            tx.unsupported(
                f"a change in place of memory that {next(iter(shared)).describe()} has",
                f"changes of {self.library.name}'s arrays that came in are not replayed",
                "change a copy of it, or compute a new array",
            )
        made = tx.record(
            target,
            (self, *arguments),
            keywords,
            frozenset(),
            method=method,
            writes=True,
            library=self.library,
        )
        made.node.warns = self.library.warns
        if target is not operators.setitem:
            self.node = made.node
        return self

    def builtin(self, tx: Translator, function: Any, values: list[Any], keywords: dict[str, Any]) -> Any:
        """abs() and pow() of arrays; what makes a number of one depends on data."""
        name = function.__name__
        if function not in (abs, pow) or keywords or len(values) > 2:
            return tx.unsupported(
                f"{name}() of an array", "its value is not known in the trace", "keep it an array"
            )
        for value in values:
            if value is not self:
                self._check_operand(tx, name, value)
        return self._operation(tx, function, tuple(values))


class EmptyOrderedDictVariable(VariableTracker):
    """An OrderedDict without items that came in (torch's modules keep their hooks in such)."""

    __slots__ = ()

    kind = "an empty OrderedDict"

    def python_type(self, tx: Translator) -> type:
        return OrderedDict

    def truth(self, tx: Translator) -> bool:
        return False

    def length(self, tx: Translator) -> int:
        return 0


def is_empty_ordered_dict(value: Any) -> bool:
    """What the guard on one asks."""
    return type(value) is OrderedDict and not value


def empty_ordered_dict(tx: Translator, source: Source, value: Any) -> VariableTracker | None:
    """The tracker of an OrderedDict that came in, under guards; None if there is something in it."""
    if value:
        return None
    tx.guards.add(30, "{}({})", is_empty_ordered_dict, source)
    return EmptyOrderedDictVariable(source)


class StateFunction(BuiltinVariable):
    """A function without arguments that tells of a mode: asked now, and under a guard."""

    __slots__ = ()

    kind = "a function that tells of a mode"

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        found = None if arguments or keywords else self.value()
        if arguments or keywords or (found is not None and type(found) is not bool):
            return self.give_up(tx, "a call")
        tx.guards.add(40, "{}() is {}", self.value, found)
        return found


class ForeignFunction(BuiltinVariable):
    """A function of a library that is captured."""

    __slots__ = ("library",)

    kind = "a function of a library"

    def __init__(self, value: Any, library: Any, source: Source | None = None) -> None:
        super().__init__(value, source)
        self.library = library

    def describe(self) -> str:
        return f"{self.library.name}.{getattr(self.value, '__name__', self.value)}"

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return self.library.call(tx, self.value, arguments, keywords)
