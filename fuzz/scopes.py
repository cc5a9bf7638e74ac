"""What a program writer knows at a place of the program: the names, and what may stand there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fuzz.templates import Template

#: How a variable of a kind is called.
HINTS: dict[str, str] = {
    "int": "n",
    "float": "r",
    "bool": "b",
    "str": "s",
    "bytes": "bs",
    "optional": "o",
    "list": "xs",
    "words": "ws",
    "pairs": "ps",
    "tuple": "t",
    "pair": "p",
    "dict": "d",
    "set": "q",
    "point": "pt",
    "loud": "ld",
    "function": "fn",
    "array": "a",
    "ints": "ia",
    "scalar": "z",
    "any": "x",
}

Callable = tuple[Template, dict[str, str]]


class Scope:
    """The names of one function or class body being written, by kind.

    Names in `variables` are bound for sure and keep their kind; `own` are those that may be assigned
    to here. A place is calm when it may run more than once: there, nothing may grow.
    """

    def __init__(
        self, parent: Scope | None, *, result: str = "any", kind: str = "function", calm: bool = True
    ) -> None:
        self.parent = parent
        self.kind = kind
        self.result = result
        self.calm = calm
        self.entry = False
        self.generator = False
        self.coroutine = False
        self.returns = kind == "function"
        self.variables: dict[str, list[str]] = {}
        self.maybe: dict[str, list[str]] = {}
        self.own: set[str] = set()
        self.functions: dict[str, list[Callable]] = {}
        #: loops around the place within this scope, and whether break and continue may stand there
        self.loops = 0
        self.breaks = False

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it whose names can be read here."""
        scope: Scope | None = self
        while scope is not None:
            if scope is self or scope.kind != "class":
                yield scope
            scope = scope.parent

    def readable(self, kind: str) -> list[str]:
        """Names bound to a value of this kind, nearest scope first."""
        if self.parent is None:
            return self.variables.get(kind, [])
        return [name for scope in self.chain() for name in scope.variables.get(kind, ())]

    def assignable(self, kind: str) -> list[str]:
        """Names of this kind that this scope may assign to."""
        return [name for name in self.variables.get(kind, ()) if name in self.own]

    def callables(self, kind: str) -> list[Callable]:
        """Generated functions whose calls give this kind of value."""
        return [found for scope in self.chain() for found in scope.functions.get(kind, ())]

    def bind(self, kind: str, name: str) -> None:
        """From here on `name` is bound to a value of this kind, and may be assigned to."""
        if self.kind == "class":
            return
        names = self.variables.setdefault(kind, [])
        if name not in names:
            names.append(name)
        self.own.add(name)

    def unbind(self, kind: str, name: str) -> None:
        """`name` was deleted."""
        self.variables[kind].remove(name)
        self.maybe.setdefault(kind, []).append(name)

    @contextmanager
    def changed(self, **values: Any) -> Iterator[None]:
        """Attributes changed for a while."""
        before = {name: getattr(self, name) for name in values}
        for name, value in values.items():
            setattr(self, name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    @contextmanager
    def branch(self, bindings: list[tuple[str, str]]) -> Iterator[None]:
        """Code that may not run, with some names (kind, name) that can be read in it only.

        What is bound in it may be unbound after it, what it deletes is no longer bound for sure.
        """
        before = {kind: list(names) for kind, names in self.variables.items()}
        functions = {kind: list(found) for kind, found in self.functions.items()}
        for kind, name in bindings:
            self.variables.setdefault(kind, []).append(name)
        try:
            yield
        finally:
            after, self.variables, self.functions = self.variables, {}, functions
            for kind, names in after.items():
                old = before.get(kind, [])
                self.variables[kind] = [name for name in old if name in names]
                bound = {name for _, name in bindings}
                self.maybe.setdefault(kind, []).extend(n for n in names if n not in old and n not in bound)
