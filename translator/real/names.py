"""Names and cells of real frames."""

from __future__ import annotations

import types
from collections.abc import Callable
from types import CellType
from typing import Any, NoReturn

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import BadProgram
from translator.semantics import Semantics
from translator.sentinels import NULL

#: what is fused with what uses it
#: what a lazy import binds, where the host has them
LazyImportType = getattr(types, "LazyImportType", None)


class RealNames(Semantics):
    """Globals, builtins, namespaces of class and module bodies, cells."""

    frame: Any
    where: Callable[[], str]
    failed_at: int | None

    def load_global(self, name: str) -> Any:
        """From the function's globals or its builtins."""
        namespace = self.frame.globals
        try:
            value = namespace[name]
        except KeyError:
            pass
        else:
            return value if type(value) is not LazyImportType else self.resolve(namespace, name, value)
        return self.load_builtin(name)

    def resolve(self, namespace: Any, name: str, value: Any) -> Any:
        """A lazy import used for the first time: the module takes its place."""
        namespace[name] = value = value.resolve()
        return value

    def load_builtin(self, name: str) -> Any:
        """From the builtins of the running function; NameError."""
        builtins = self.frame.function.__builtins__
        try:
            return builtins[name]
        except KeyError:
            pass
        raise NameError(f"name '{name}' is not defined", name=name)

    def store_global(self, name: str, value: Any) -> None:
        """`globals()[name] = value`."""
        self.frame.globals[name] = value

    def delete_global(self, name: str) -> None:
        """`del globals()[name]`."""
        try:
            del self.frame.globals[name]
            return
        except KeyError:
            pass
        raise NameError(f"name '{name}' is not defined", name=name)

    def load_name(self, name: str) -> Any:
        """From the namespace, the globals or the builtins."""
        namespace = self.load_locals()
        value = self.load_from(namespace, name)
        if value is NULL:
            return self.load_global(name)
        return value if type(value) is not LazyImportType else self.resolve(namespace, name, value)

    def store_name(self, name: str, value: Any) -> None:
        """Into the namespace."""
        self.load_locals()[name] = value

    def delete_name(self, name: str) -> None:
        """From the namespace."""
        try:
            del self.load_locals()[name]
            return
        except KeyError:
            pass
        raise NameError(f"name '{name}' is not defined", name=name)

    def load_locals(self) -> Any:
        """The frame's namespace."""
        namespace = self.frame.namespace
        if namespace is None:
            raise SystemError("no locals")
        return namespace

    def load_from(self, namespace: Any, name: str) -> Any:
        """`namespace[name]` or NULL."""
        try:
            return namespace[name]
        except KeyError:
            return NULL

    def setup_annotations(self) -> None:
        """`__annotations__ = {}` unless it is there."""
        namespace = self.load_locals()
        if self.load_from(namespace, "__annotations__") is NULL:
            namespace["__annotations__"] = {}

    def unbound_local(self, name: str) -> Any:
        """UnboundLocalError in the words of the bytecode's version."""
        text = self.frame.prepared.program.table.facts["unbound_local"]
        raise UnboundLocalError(text.format(name))

    def unbound_cell(self, name: str, free: bool) -> Any:
        """NameError of a free variable, UnboundLocalError of an own one."""
        if not free:
            self.unbound_local(name)
        text = self.frame.prepared.program.table.facts["unbound_free"]
        raise NameError(text.format(name), name=name)

    def make_cell(self, content: Any) -> Any:
        """A cell object."""
        return CellType() if content is NULL else CellType(content)

    def cell_get(self, cell: Any) -> Any:
        """Its contents or NULL."""
        try:
            return cell.cell_contents
        except ValueError:
            return NULL
        except AttributeError:
            self.no_cell(cell)

    def cell_set(self, cell: Any, content: Any) -> None:
        """Fills or empties it."""
        try:
            if content is NULL:
                del cell.cell_contents
            else:
                cell.cell_contents = content
        except AttributeError:
            self.no_cell(cell)

    def no_cell(self, value: Any) -> NoReturn:
        """Only damaged bytecode has anything else where a cell should be."""
        raise BadProgram(
            f"{self.where()}: where its cell should be is something of type {type(value).__name__}"
        )

    def closure(self) -> list[Any]:
        """Of the running function."""
        return list(self.frame.function.__closure__ or ())
