"""Where an input came from: how it is shown (`L['x'].shape`), and how code in the frame reaches it."""

from __future__ import annotations

import builtins
import sys
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

#: as many steps as the longest path that begins at the class of an object
_STEPS_THROUGH_A_CLASS = 6


class Source:
    """A path from the frame to a value.

    Attributes:
        name: as shown to people: `L['x']`, `G['config']['k']`.
        code: a Python expression that gives it at the head of the function.
        depth: how many steps the path has; what it goes through must be guarded before it.
        risky: whether reading it can raise though all guards before it hold (a global that is deleted).
        constants: what the names in `code` stand for that are no names of the frame.
    """

    __slots__ = ("code", "constants", "depth", "name", "risky")

    def __init__(
        self, name: str, code: str, depth: int, risky: bool = False, constants: dict[str, Any] | None = None
    ) -> None:
        self.name = name
        self.code = code
        self.depth = depth
        self.risky = risky
        self.constants = constants

    def __repr__(self) -> str:
        return self.name

    def attribute(self, name: str, risky: bool = False) -> Source:
        """`self.name`; risky: it may not be there."""
        return self._step(f"{self.name}.{name}", f"{self.code}.{name}", risky)

    def _step(self, name: str, code: str, risky: bool) -> Source:
        return Source(name, code, self.depth + 1, risky or self.risky, self.constants)

    def own_attribute(self, name: str) -> Source:
        """An attribute of an instance: what its class has is guarded before it is read."""
        return self.later().attribute(name, risky=True)

    def later(self) -> Source:
        """The same, once what the class of an instance has is guarded."""
        depth = self.depth + _STEPS_THROUGH_A_CLASS
        return Source(self.name, self.code, depth, self.risky, self.constants)

    def item(self, key: Any, risky: bool = False) -> Source:
        """`self[key]` for a plain key; risky: it may not be there."""
        shown = key.__name__ if isinstance(key, type) else repr(key)
        return self._step(f"{self.name}[{shown}]", f"{self.code}[{key_code(key)}]", risky)

    def type(self) -> Source:
        """`type(self)`."""
        return self._step(f"type({self.name})", f"{TYPE}({self.code})", False)

    def placeholder_name(self) -> str:
        """A name for the graph's placeholder: `x`, `xs_0`, `config_k`."""
        words = "".join(char if char.isalnum() else " " for char in self.name).split()
        if words[0] in ("L", "G") and len(words) > 1:
            words = words[1:]
        name = "_".join(words)
        return name if name.isidentifier() else f"input_{name}"


def local_source(name: str, free: bool = False) -> Source:
    """A parameter, or a (free) variable of the closure, of the compiled function."""
    return Source(f"L[{name!r}]", name, 0, free)


def cell_source(name: str) -> Source:
    """The cell of a (free) variable of the compiled function."""
    return Source(f"cell {name}", f"{CELL}{name}", 0)


def class_sources(class_: type, name: str, number: int, depth: int) -> tuple[Source, Source]:
    """A class that is known, and its dictionary, which is asked without running anything of the program."""
    own = f"opshift_class_{number}"
    namespace = type.__dict__["__dict__"].__get__(class_)
    return (
        Source(name, own, depth, False, {own: class_}),
        Source(f"{name}.__dict__", f"{own}_dict", depth, False, {f"{own}_dict": namespace}),
    )


def global_source(name: str, hidden: bool) -> Source:
    """A global or builtin of the compiled function; `hidden` if a local has the same name."""
    return Source(f"G[{name!r}]", f"{GLOBALS}()[{name!r}]" if hidden else name, 0, True)


#: how generated code calls the builtin `globals`, whatever the user's names are
GLOBALS = "opshift_globals"
#: before the name of a variable: its cell
CELL = "opshift_cell_"
#: the same of the builtin `type`
TYPE = "opshift_type"
#: the globals of the compiled function, and the builtins, as dicts
OWN_GLOBALS = Source("globals()", f"{GLOBALS}()", 0)
BUILTINS = Source("B", "opshift_builtins", 0)
#: what is imported
MODULES = Source("sys.modules", "opshift_modules", 0)


#: what the names in generated code stand for that it need not ask for
KNOWN_NAMES: dict[str, Any] = {
    GLOBALS: globals,
    TYPE: type,
    BUILTINS.code: vars(builtins),
    MODULES.code: sys.modules,
}


def is_plain_key(key: Any) -> bool:
    """Whether a container's key can stand in a source."""
    return key_code(key) is not None


def key_code(key: Any) -> str | None:
    """How a key is written: a number, a string, None, a builtin class, a tuple of such; None: it is not."""
    kind = type(key)
    if kind is int or kind is str or kind is bytes or kind is bool or key is None:
        return repr(key)
    if kind is tuple:
        parts = [key_code(each) for each in key]
        return None if None in parts else f"({''.join(f'{part}, ' for part in parts)})"
    if kind is type and vars(builtins).get(key.__name__) is key:
        return f"{BUILTINS.code}[{key.__name__!r}]"
    return None
