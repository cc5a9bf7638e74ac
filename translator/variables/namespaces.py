"""Dictionaries that names are in, where the trace changes them: globals and modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.side_effects import Effect
from translator.variables.classes import MISSING
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.sources import Source


class NamespaceVariable(VariableTracker):
    """The globals of a function, or the dictionary of a module."""

    __slots__ = ("live",)

    kind = "a namespace"
    source: Source

    def __init__(self, source: Source, live: dict[str, Any]) -> None:
        self.source = source
        self.live = live


class NameEffect(Effect):
    """A name is bound or (MISSING) unbound in a namespace."""

    __slots__ = ("name", "target", "value")

    def __init__(self, target: NamespaceVariable, name: str, value: Any) -> None:
        self.target = target
        self.name = name
        self.value = value

    def describe(self) -> str:
        return f"the name {self.name} in {self.target.source.name}"

    def changed_values(self) -> list[Any]:
        return [] if self.value is MISSING else [self.value]

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        key = literal(self.name)
        return [f"{name}[{key}] = {parts[0]}"] if parts else [f"del {name}[{key}]"]


class CellEffect(Effect):
    """A variable of a closure is bound or (NULL: no value) unbound."""

    __slots__ = ("target", "values")

    def __init__(self, target: Any, values: list[Any]) -> None:
        self.target = target
        self.values = values

    def changed_values(self) -> list[Any]:
        return self.values

    def needed(self, name: str, literal: Callable[[Any], str]) -> list[str]:
        return [] if self.values else [f"{name}.cell_contents"]

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        return [f"{name}.cell_contents = {parts[0]}"] if parts else [f"del {name}.cell_contents"]
