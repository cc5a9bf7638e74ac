"""Lists that came in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.side_effects import ChangeableVariable
from translator.variables.lazy import LazyVariable
from translator.variables.sequences import ListVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

#: up to so many items are followed
MOST_ITEMS = 1_000


class InputListVariable(ListVariable, ChangeableVariable):
    """A list that came in. Its length is guarded when it matters: not where it is only appended to.

    Attributes:
        appended: what was appended while nobody had looked inside.
        assigned: it was changed in other ways; the whole is replayed.
    """

    __slots__ = ("appended", "assigned", "live", "opened", "tx")

    source: Source

    def __init__(self, tx: Translator, source: Source, live: list[Any]) -> None:
        self.source = source
        self.live = live
        self.tx = tx
        self.opened: list[Any] | None = None
        self.appended: list[Any] = []
        self.assigned = False

    @property
    def values(self) -> list[Any]:  # type: ignore[override]
        """The items, under a guard on how many there are."""
        if self.opened is None:
            live, source, tx = self.live, self.source, self.tx
            if len(live) > MOST_ITEMS:
                tx.unsupported(
                    f"{source.name} with {len(live)} items", f"up to {MOST_ITEMS} items are followed"
                )
            tx.guards.length(source, len(live))
            self.opened = [LazyVariable(source.item(index), item) for index, item in enumerate(live)]
            self.opened += self.appended
        return self.opened

    @values.setter
    def values(self, values: list[Any]) -> None:
        self.opened = values

    def make(self, values: list[Any]) -> ListVariable:
        return ListVariable(values)

    def about_to_change(self, tx: Translator) -> None:
        self.not_sorting(tx)
        tx.effects.change(tx, self)
        self.assigned = True

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if name not in ("append", "extend") or len(arguments) != 1 or keywords:
            return super().call_method(tx, name, arguments, keywords)
        for item in arguments if name == "append" else tx.each(arguments[0]):
            self._append(tx, item)
        return None

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        if operator == "+=" and not reflected:
            for item in tx.each(other):
                self._append(tx, item)
            return self
        return super().binary(tx, operator, other, reflected)

    def _append(self, tx: Translator, item: Any) -> None:
        self.not_sorting(tx)
        tx.effects.change(tx, self)
        self.appended.append(item)
        if self.opened is not None:
            self.opened.append(item)

    def changed_values(self) -> list[Any]:
        return self.values if self.assigned else self.appended

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        if self.assigned:
            return [f"{name}[:] = [{', '.join(parts)}]"]
        if len(parts) == 1:
            return [f"{name}.append({parts[0]})"]
        return [f"{name}.extend([{', '.join(parts)}])"] if parts else []
