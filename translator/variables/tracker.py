"""What stands on the symbolic stack: a plain Python value, or a VariableTracker.

Values of the immutable types in `PLAIN` stand for themselves, so that Python's arithmetic on them is
Python's arithmetic. Everything else is a VariableTracker: one class for each kind of Python value,
which says what a call, an attribute, an item, an iteration mean. What a tracker does not say, it
gives up on, with a reason.
"""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

#: exact types whose values stand for themselves
PLAIN = frozenset(
    {int, float, bool, str, complex, bytes, type(None), type(Ellipsis), type(NotImplemented), CodeType}
)
#: those of them that are one object each, so that `is` tells them apart
SINGLETONS = (None, True, False, Ellipsis, NotImplemented)


class VariableTracker:
    """A value that the translator knows something about.

    Attributes:
        source: where an input comes from; None for what was made in the trace.
    """

    __slots__ = ("source",)

    #: what it is, for messages
    kind = "an object"
    #: names of its methods that `call_method` answers
    methods: frozenset[str] = frozenset()

    def __init__(self, source: Source | None = None) -> None:
        self.source = source

    def describe(self) -> str:
        """One short text for logs and the trace."""
        return self.kind if self.source is None else f"{self.kind} {self.source.name}"

    def __repr__(self) -> str:
        return self.describe()

    def give_up(self, tx: Translator, what: str) -> Any:
        """Surrenders: the operation on this kind of value is not captured."""
        return tx.unsupported(
            f"{what} of {self.describe()}", f"the translator does not know what this does to {self.kind}"
        )

    # -- what is asked of a value

    def python_type(self, tx: Translator) -> type:
        """Its exact type."""
        return self.give_up(tx, "type()")  # type: ignore[no-any-return]

    def truth(self, tx: Translator) -> bool:
        """`bool(self)`, known now."""
        return self.give_up(tx, "bool()")  # type: ignore[no-any-return]

    def length(self, tx: Translator) -> int:
        """`len(self)`, known now."""
        return self.give_up(tx, "len()")  # type: ignore[no-any-return]

    def getattr(self, tx: Translator, name: str) -> Any:
        """`self.name`."""
        if name in self.methods:
            from translator.variables.functions import MethodVariable

            return MethodVariable(self, name)
        if name == "__class__":
            from translator.variables.plain import value_of

            return value_of(tx, self.python_type(tx))
        from translator.variables.stand_ins import no_attribute

        return no_attribute(tx, self, name)

    def setattr(self, tx: Translator, name: str, value: Any) -> None:
        """`self.name = value`."""
        self.give_up(tx, f"setting the attribute {name!r}")

    def delattr(self, tx: Translator, name: str) -> None:
        """`del self.name`."""
        self.give_up(tx, f"deleting the attribute {name!r}")

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """`self(*arguments, **keywords)`: its value, or ENTERED."""
        return self.give_up(tx, "a call")

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """`self.name(*arguments, **keywords)`."""
        return self.give_up(tx, f"method {name}()")

    def getitem(self, tx: Translator, key: Any) -> Any:
        """`self[key]`."""
        return self.give_up(tx, "an item")

    def setitem(self, tx: Translator, key: Any, value: Any) -> None:
        """`self[key] = value`."""
        self.give_up(tx, "setting an item")

    def delitem(self, tx: Translator, key: Any) -> None:
        """`del self[key]`."""
        self.give_up(tx, "deleting an item")

    def contains(self, tx: Translator, item: Any) -> bool:
        """`item in self`, known now."""
        return self.give_up(tx, "`in`")  # type: ignore[no-any-return]

    def items(self, tx: Translator) -> list[Any]:
        """What `list(self)` holds; the list is the caller's own."""
        return self.give_up(tx, "iteration")  # type: ignore[no-any-return]

    def iterate(self, tx: Translator) -> Any:
        """`iter(self)`."""
        from translator.variables.iterators import SequenceIterator

        return SequenceIterator(self.items(tx))

    def python(self, tx: Translator) -> Any:
        """A Python object equal to it, made afresh, when all in it is known now."""
        return self.give_up(tx, "the Python value")

    def argument(self, tx: Translator) -> Any:
        """What stands for it among a graph node's arguments."""
        return self.give_up(tx, "an array operation")

    def children(self) -> list[Any]:
        """The values that it holds, as they are written in `rebuild`."""
        return []

    def rebuild(self, parts: list[str], name: Any) -> str:
        """A Python expression that makes it of the texts of its children; `name(object)` names objects."""
        raise NotImplementedError(f"{self.describe()} cannot be made again")

    def create(self, name: Any) -> str:
        """A Python expression that makes it empty, to be filled later."""
        raise NotImplementedError(f"{self.describe()} is not made empty")

    def fill(self, parts: list[str], made: str, name: Any) -> list[str]:
        """Statements that fill what `create` gave, called `made`, with the texts of its children."""
        raise NotImplementedError(f"{self.describe()} is not filled")

    #: whether `rebuild` says how to make it
    rebuildable = False
    #: whether it may be made empty and filled later; whether that is the only way
    fillable = False
    always_filled = False
    #: whether `==` with itself is True (a container of NaN too: items are compared by identity first)
    equals_itself = False
