"""`with`: the two methods are looked up on the type, and inlined."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.texts import TypeName
from translator.semantics import Semantics
from translator.sentinels import NULL
from translator.variables.objects import InstanceVariable
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_PAIRS = (("__enter__", "__exit__"), ("__aenter__", "__aexit__"))


class SymbolicContextManagers(Semantics):
    """BEFORE_WITH, LOAD_SPECIAL."""

    def enter_with(self: Translator, manager: Any, asynchronous: bool) -> tuple[Any, Any, Any]:
        first, second = _PAIRS[asynchronous]
        enter, _ = self.special(manager, first)
        exit_, _ = self.special(manager, second)
        return exit_, enter, NULL

    def special(self: Translator, owner: Any, name: str) -> tuple[Any, Any]:
        owner = self.realize(owner)
        if isinstance(owner, InstanceVariable):
            found = owner.special(self, name)
            return (self.no_special(owner, name), NULL) if found is None else (found, NULL)
        kind = self.type_of(owner)
        if hasattr(kind, name):
            self.unsupported(f"{name} of {owner!r}", "it is captured for classes written in Python")
        return self.no_special(owner, name), NULL

    def no_special(self: Translator, owner: Any, name: str) -> Any:
        """Raises what a `with` raises for an object without the method."""
        facts = self.frame.prepared.program.table.facts
        kind, text = facts["missing_special"][name]
        other = _PAIRS[name in _PAIRS[0]]
        if all([self._has_special(owner, each) for each in other]):
            text += facts["other_protocol"].get(other[0], "")
        return self.raise_host(kind(text.format(TypeName(self.type_of(owner)))))

    def _has_special(self: Translator, owner: Any, name: str) -> bool:
        if type(owner) not in PLAIN and isinstance(owner, InstanceVariable):
            return owner.special(self, name) is not None
        return hasattr(self.type_of(owner), name)
