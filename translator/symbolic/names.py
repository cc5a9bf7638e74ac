"""Globals, builtins and cells."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.semantics import Semantics
from translator.sentinels import NULL
from translator.sources import BUILTINS, OWN_GLOBALS, Source, global_source
from translator.variables.classes import MISSING
from translator.variables.functions import CellVariable, FunctionVariable, UserFunctionVariable
from translator.variables.lazy import LazyVariable
from translator.variables.namespaces import CellEffect, NameEffect, NamespaceVariable
from translator.variables.stand_ins import fail

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class SymbolicNames(Semantics):
    """Names and cells, under guards."""

    def unbound_local(self: Translator, name: str) -> Any:
        text = self.frame.prepared.program.table.facts["unbound_local"]
        self.raise_host(UnboundLocalError(text.format(name)))

    def unbound_cell(self: Translator, name: str, free: bool) -> Any:
        if not free:
            self.unbound_local(name)
        text = self.frame.prepared.program.table.facts["unbound_free"]
        self.raise_host(NameError(text.format(name), name=name))

    def make_cell(self: Translator, content: Any) -> Any:
        return CellVariable(content)

    def cell_get(self: Translator, cell: Any) -> Any:
        return cell.content

    def cell_set(self: Translator, cell: Any, content: Any) -> None:
        if cell.live is not None:
            self.effects.add(self, cell, CellEffect(cell, [] if content is NULL else [content]))
        cell.content = content

    def closure(self: Translator) -> list[Any]:
        return self.frame.function.closure(self)

    def store_global(self: Translator, name: str, value: Any) -> None:
        self.store_in(self.namespace_of(self.frame.function), name, value)

    def delete_global(self: Translator, name: str) -> None:
        namespace = self.namespace_of(self.frame.function)
        known = self.effects.names.get((id(namespace.live), name))
        if known is MISSING or (known is None and name not in namespace.live):
            self.unsupported(f"deleting the name {name!r}", "NameError is left to the original code")
        if known is None:
            self.guards.key_present(namespace.source, name)
        self.store_in(namespace, name, MISSING)

    def store_in(self: Translator, namespace: NamespaceVariable, name: str, value: Any) -> None:
        """Binds or (MISSING) unbinds a name, replayed at the end."""
        if name.startswith("__"):
            self.unsupported(f"a change of the name {name!r}", "others rely on it without looking")
        effects = self.effects
        if effects.touched.setdefault(id(namespace.live), namespace) is not namespace:
            self.unsupported(f"a change of the name {name!r}", "its namespace came in as a dict")
        effects.names[id(namespace.live), self.interned(name)] = value
        effects.add(self, namespace, NameEffect(namespace, name, value))

    def namespace_of(self: Translator, function: FunctionVariable) -> NamespaceVariable:
        """The globals of a function, as a value."""
        live = function.globals(self)
        source = OWN_GLOBALS
        if live is self.root.namespace:
            self._same_globals(function)
        else:
            while not isinstance(function, UserFunctionVariable):
                function = function.maker  # type: ignore[attr-defined]
            source = function.source.attribute("__globals__")
        found = self._namespaces.setdefault(id(live), NamespaceVariable(source, live))
        if found.source.name != source.name:
            self.guards.same_object(found.source, source, True)
        return found

    # -- globals

    def load_global(self: Translator, name: str) -> Any:
        function = self.frame.function
        namespace = function.globals(self)
        if self.effects.names:
            known = self.effects.names.get((id(namespace), name))
            if known is MISSING:
                self.unsupported(f"the deleted name {name!r}", "it is left to the original code")
            if known is not None or (id(namespace), name) in self.effects.names:
                self.namespace_of(function)
                return known
        base = function.global_source(name)
        if base is None or namespace is self.root.namespace:
            if base is not None:
                self._same_globals(function)
            return self._root_global(name, namespace)
        return self.once(base.name, lambda: self._other_global(name, namespace, base))

    def _same_globals(self: Translator, function: FunctionVariable) -> None:
        while not isinstance(function, UserFunctionVariable):
            if function is self.root:
                return
            function = function.maker  # type: ignore[attr-defined]
        self.guards.add(35, "{}.__globals__ is {}()", function.source, globals)

    def _root_global(self: Translator, name: str, namespace: dict[str, Any]) -> Any:
        found = self._once.get(f"G[{name!r}]")
        if found is None:
            hidden = name in self.root.names
            if name in namespace:
                found = LazyVariable(global_source(name, hidden), namespace[name])
            elif hidden:
                found = self._builtin(name, namespace, OWN_GLOBALS)
            else:
                found = LazyVariable(
                    global_source(name, False), self._builtin_value(name, namespace, OWN_GLOBALS)
                )
            self.effects.read_from(self, OWN_GLOBALS, namespace)
            self._once[f"G[{name!r}]"] = found
        return found

    def _other_global(self: Translator, name: str, namespace: dict[str, Any], source: Source) -> LazyVariable:
        owner = Source(
            source.name.rsplit("[", 1)[0], source.code.rsplit("[", 1)[0], source.depth - 1, source.risky
        )
        self.effects.read_from(self, owner, namespace)
        if name in namespace:
            self.guards.key_present(owner, name)
            return LazyVariable(source, namespace[name])
        return self._builtin(name, namespace, owner)

    def _builtin(self: Translator, name: str, namespace: dict[str, Any], owner: Source) -> LazyVariable:
        """A builtin, under a guard that no global hides it; read from the builtins themselves."""
        value = self._builtin_value(name, namespace, owner)
        self.guards.add(10, "{} not in {}", name, owner)
        return LazyVariable(BUILTINS.item(name), value)

    def _builtin_value(self: Translator, name: str, namespace: dict[str, Any], owner: Source) -> Any:
        found = builtins_of(namespace)
        if name not in found and found is vars(builtins):
            self.guards.add(10, "{} not in {}", name, owner)
            self.guards.add(10, "{} not in {}", name, BUILTINS)
            fail(self, f"the name {name!r}", eval, name, {"__builtins__": {}})
        if found is not vars(builtins):
            self.unsupported(f"the builtin {name!r}", "these globals have builtins of their own")
        self.effects.read_from(self, BUILTINS, found)
        return found[name]


def builtins_of(namespace: dict[str, Any]) -> dict[str, Any]:
    """The builtins that functions with these globals see."""
    found = namespace.get("__builtins__", builtins)
    return found if isinstance(found, dict) else vars(found)
