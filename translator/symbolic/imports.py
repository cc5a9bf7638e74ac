"""Imports of what is imported already: `sys.modules` is asked, under guards."""

from __future__ import annotations

import builtins
import sys
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.semantics import Semantics
from translator.sources import BUILTINS, MODULES
from translator.symbolic.names import builtins_of
from translator.variables import plain
from translator.variables.lazy import LazyVariable
from translator.variables.modules import ModuleVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_import = builtins.__import__


class SymbolicImports(Semantics):
    """IMPORT_NAME, IMPORT_FROM."""

    def import_name(self: Translator, name: str, fromlist: Any, level: Any, mode: str) -> Any:
        wanted = plain.python(self, self.realize(fromlist)) or ()
        namespace = self.frame.function.globals(self)
        if self.realize(level) != 0 or mode == "lazy" or "*" in wanted:
            self.unsupported(f"the import of {name}", "relative and lazy imports are not captured")
        if builtins_of(namespace) is not vars(builtins) or builtins.__import__ is not _import:
            self.unsupported(f"the import of {name}", "__import__ is not Python's own")
        self.guards.identity(BUILTINS.item("__import__"), _import)
        parts = name.split(".")
        found = [self._imported(".".join(parts[:end])) for end in range(1, len(parts) + 1)]
        if not wanted:
            return found[0]
        module = self.realize(found[-1])
        for each in wanted:
            if isinstance(module, ModuleVariable) and hasattr(module.value, "__path__"):
                if each not in module.value.__dict__:
                    self.unsupported(f"the import of {name}.{each}", "it is not imported yet")
        return found[-1]

    def _imported(self: Translator, name: str) -> Any:
        """The module of that name, imported already."""
        module = sys.modules.get(name)
        spec = getattr(module, "__spec__", None)
        if module is None or getattr(spec, "_initializing", False):
            self.unsupported(
                f"the import of {name}", "it is not imported yet: that is done once, by the original"
            )
        source = MODULES.item(name, risky=True)
        self.guards.identity(source, module)
        return self.once(source.name, lambda: LazyVariable(source, module))

    def import_from(self: Translator, module: Any, name: str) -> Any:
        module = self.realize(module)
        if not isinstance(module, ModuleVariable) or name not in module.value.__dict__:
            self.unsupported(f"the import of {name} from {module!r}", "it is not an attribute of the module")
        return module.getattr(self, name)
