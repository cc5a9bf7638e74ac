"""What a capture relied on, as conditions on sources: printed as Python, compiled as Python."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph_code import Constants
from translator.sources import Source

_PACK = struct.Struct("d").pack

#: names for the objects that guards mention, as people read them
_BUILTIN_NAMES = {type: "type", len: "len", id: "id", _PACK: "pack"}


class Guard:
    """A condition. `template` has a `{}` for each of `parts`: sources, and objects to compare with.

    A part that is a Source prints as its path; a string prints as it is; any other object by its name.
    """

    __slots__ = ("cost", "depth", "line", "parts", "template")

    def __init__(self, template: str, parts: tuple[Any, ...], cost: int, line: int | None) -> None:
        self.template = template
        self.parts = parts
        self.cost = cost
        self.line = line
        self.depth = max((part.depth for part in parts if type(part) is Source), default=0)

    def __str__(self) -> str:
        return self.template.format(*map(_shown, self.parts))

    __repr__ = __str__

    @property
    def risky(self) -> bool:
        """Whether checking it can raise."""
        return any(type(part) is Source and part.risky for part in self.parts)

    def code(self, constants: Constants) -> str:
        """The condition as an expression in the frame of the compiled function."""
        return self.template.format(
            *(part.code if type(part) is Source else constants.literal(part) for part in self.parts)
        )


def guarded_number(guard: Guard) -> Source | None:
    """The source of which a guard says what number, int or float, it is; None of any other guard."""
    *first, source, value = guard.parts if len(guard.parts) > 1 else (None, None)
    if type(source) is not Source:
        return None
    is_number = guard.template == "{} == {}" and type(value) in (int, float)
    return source if is_number or first == [_PACK] else None


def _shown(part: Any) -> str:
    if type(part) is Source:
        return part.name
    if any(part is named for named in _BUILTIN_NAMES):  # not `in`: what a dtype is equal to is its own affair
        return _BUILTIN_NAMES[part]
    if isinstance(part, type) or callable(part):
        return getattr(part, "__name__", None) or repr(part)
    if type(part).__name__ == "module":
        return str(part.__name__)
    return repr(part)


class Guards:
    """The guards of one entry, each once, in the order they are to be checked."""

    __slots__ = ("_seen", "found", "line")

    def __init__(self) -> None:
        self.found: list[Guard] = []
        self._seen: set[tuple[Any, ...]] = set()
        #: the user's line that guards are asked for from now on
        self.line: int | None = None

    def __iter__(self) -> Iterator[Guard]:
        return iter(self.ordered())

    def __len__(self) -> int:
        return len(self.found)

    def add(self, cost: int, template: str, *parts: Any) -> None:
        """Adds a condition, unless it is there already. `cost` orders those of one depth (nanoseconds)."""
        key = (template, *(part.name if type(part) is Source else id(part) for part in parts))
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(Guard(template, parts, cost, self.line))

    def ordered(self) -> list[Guard]:
        """What paths go through comes first; then the cheapest."""
        return sorted(self.found, key=lambda guard: (guard.depth, guard.cost))

    # -- the kinds

    def type_is(self, source: Source, kind: type) -> None:
        """Exactly this type."""
        self.add(5, "{}({}) is {}", type, source, kind)

    def identity(self, source: Source, value: Any) -> None:
        """This very object."""
        self.add(3, "{} is {}", source, value)

    def same_object(self, one: Source, other: Source, same: bool) -> None:
        """Whether two inputs are one object."""
        self.add(4, "{} is {}" if same else "{} is not {}", one, other)

    def distinct(self, sources: list[Source]) -> None:
        """So many inputs, so many objects."""
        if len(sources) == 2:
            self.same_object(sources[0], sources[1], False)
        elif len(sources) > 2:
            ids = ", ".join("{}({})" for _ in sources)
            parts = [part for source in sources for part in (id, source)]
            self.add(20 + 15 * len(sources), "{}({{" + ids + "}}) == {}", len, *parts, len(sources))

    def length(self, source: Source, length: int) -> None:
        """So many items."""
        self.add(12, "{}({}) == {}", len, source, length)

    def key_present(self, source: Source, key: Any) -> None:
        """The dict has the key."""
        self.add(10, "{} in {}", key, source)

    def value(self, source: Source, value: Any) -> None:
        """Equal to a constant in type and every bit."""
        kind = type(value)
        if value is None or kind is bool or value is Ellipsis:
            self.identity(source, value)
            return
        self.type_is(source, kind)
        if kind is float and (value == 0.0 or value != value):
            self.add(60, "{}({}) == {}", _PACK, source, _PACK(value))
        elif kind is complex:
            self.add(60, "{}({}.real) == {}", _PACK, source, _PACK(value.real))
            self.add(60, "{}({}.imag) == {}", _PACK, source, _PACK(value.imag))
        else:
            self.add(15, "{} == {}", source, value)
