"""What is asked of any value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.sentinels import STOP
from translator.variables import plain
from translator.variables.arrays import ArrayVariable
from translator.variables.iterators import IteratorVariable
from translator.variables.stand_ins import fail
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class SymbolicQuestions:
    """Items, length, truth, type."""

    def items(self: Translator, value: Any) -> list[Any]:
        """What `list(value)` holds."""
        value = self.realize(value)
        if type(value) is str or type(value) is bytes:
            return list(value)
        if type(value) in PLAIN:
            return fail(self, f"iteration over {value!r}", iter, value)  # type: ignore[no-any-return]
        return value.items(self)  # type: ignore[no-any-return]

    def walk(self: Translator, iterable: Any) -> Iterator[Any]:
        """Its items, each asked for when it is needed: what is done between may change the next ones."""
        iterator = self.iterate(iterable, "iter")
        while (value := iterator.next(self)) is not STOP:
            self.spend(1)
            yield value

    def each(self: Translator, iterable: Any) -> Iterable[Any]:
        """What is added to a container one by one: an iterator may look at the container meanwhile."""
        iterable = self.realize(iterable)
        return self.walk(iterable) if isinstance(iterable, IteratorVariable) else self.items(iterable)

    def length(self: Translator, value: Any) -> Any:
        value = self.realize(value)
        if type(value) in PLAIN:
            return plain.run(self, len, value)
        return value.length(self)

    def truth_of(self: Translator, value: Any) -> bool:
        """`bool(value)`, known now."""
        value = self.realize(value)
        if value is NotImplemented:
            self.unsupported(
                "bool() of NotImplemented", "the warning or TypeError is left to the original code"
            )
        return bool(value) if type(value) in PLAIN else value.truth(self)

    def type_of(self: Translator, value: Any) -> type:
        """The exact type of a value that was looked at."""
        return type(value) if type(value) in PLAIN else value.python_type(self)

    def is_array(self: Translator, value: Any) -> bool:
        """Whether it is an array or a scalar of NumPy."""
        return type(value) is ArrayVariable
