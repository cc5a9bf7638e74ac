"""Sets that came in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.side_effects import ChangeableVariable
from translator.variables import plain
from translator.variables.input_lists import MOST_ITEMS
from translator.variables.keys import hashable
from translator.variables.mappings import typed_keys
from translator.variables.sets import SetVariable
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class InputSetVariable(SetVariable, ChangeableVariable):
    """A set or frozenset that came in: what is asked of it is guarded; its order too, once it is listed.

    Attributes:
        opened: a copy of it, under a guard on its items and their order; None before.
        changes: (name of the method, its arguments as Python objects), to be replayed.
    """

    __slots__ = ("changes", "live", "opened", "tx")

    source: Source

    def __init__(self, tx: Translator, source: Source, live: Any) -> None:
        self.source = source
        self.live = live
        self.tx = tx
        self.taken = False
        self.opened: Any = None
        self.changes: list[tuple[str, list[Any]]] = []

    @property
    def value(self) -> Any:  # type: ignore[override]
        """The items."""
        if self.opened is None:
            live, source, tx = self.live, self.source, self.tx
            if len(live) > MOST_ITEMS or not all(type(item) in PLAIN for item in live):
                tx.unsupported(
                    f"the items of {source.name}", f"up to {MOST_ITEMS} numbers and strings are followed"
                )
            if plain.has_nan(live):
                tx.unsupported(f"NaN in {source.name}", "identity of floats is not known in the trace")
            tx.guards.add(60 + 10 * len(live), "{}({}) == {}", typed_keys, source, typed_keys(live))
            self.opened = live.copy()
            if list(self.opened) != list(live):
                self.taken = True
        return self.opened

    @property
    def methods(self) -> frozenset[str]:  # type: ignore[override]
        return SetVariable.methods_of(type(self.live))

    def python_type(self, tx: Translator) -> type:
        return type(self.live)

    def in_order(self, tx: Translator) -> Any:
        if self.taken:
            self.give_up(tx, "the order of items")
        return super().in_order(tx)

    def length(self, tx: Translator) -> int:
        if self.opened is None:
            tx.guards.length(self.source, len(self.live))
            return len(self.live)
        return len(self.opened)

    def truth(self, tx: Translator) -> bool:
        return self.length(tx) > 0

    def contains(self, tx: Translator, item: Any) -> bool:
        found = hashable(tx, item)
        if self.opened is not None or type(found) not in PLAIN or found != found:
            return super().contains(tx, item)
        if all(type(each) in PLAIN for each in self.live):
            answer = found in self.live
            tx.guards.add(15, "{} in {}" if answer else "{} not in {}", found, self.source)
            return answer
        return self.give_up(tx, "`in` among objects")  # type: ignore[no-any-return]

    def about_to_change(self, tx: Translator, name: str, arguments: list[Any]) -> None:
        _ = self.value
        if not all(type(item) in PLAIN for argument in arguments for item in _listed(argument)):
            self.give_up(tx, f"method {name}() with other objects than numbers and strings")
        tx.effects.change(tx, self)
        self.changes.append((name, arguments))

    def changed_values(self) -> list[Any]:
        return []

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        return [
            f"{name}.{method}({', '.join(literal(argument) for argument in arguments)})"
            for method, arguments in self.changes
        ]


def _listed(argument: Any) -> Any:
    """The items of an argument, or the argument as one."""
    return [argument] if type(argument) in PLAIN else argument
