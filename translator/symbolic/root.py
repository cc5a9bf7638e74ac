"""The function that is compiled."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Place
from translator.sentinels import NULL
from translator.sources import cell_source, local_source
from translator.variables.functions import FunctionVariable
from translator.variables.lazy import LazyVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class RootFunction(FunctionVariable):
    """The function that is compiled, with the live values of one call."""

    __slots__ = ("arguments", "cells", "function", "names", "namespace", "original", "place", "values")

    def __init__(
        self,
        function: FunctionType,
        original: CodeType,
        values: list[Any],
        cells: tuple[Any, ...] | None = None,
    ) -> None:
        self.source = None
        self.function = function
        self.original = original
        self.values = values
        self.namespace = function.__globals__
        self.names = frozenset(original.co_varnames + original.co_cellvars + original.co_freevars)
        self.place = Place(original.co_filename, original.co_name, self.namespace)
        self.arguments = [
            LazyVariable(local_source(name), value) for name, value in zip(original.co_varnames, values)
        ]
        self.cells = function.__closure__ or ()

    def name(self) -> str:
        return self.function.__qualname__

    def code(self, tx: Translator) -> CodeType:  # type: ignore[override]
        return self.original

    def globals(self, tx: Translator) -> dict[str, Any]:  # type: ignore[override]
        return self.namespace

    def closure(self, tx: Translator) -> list[Any]:  # type: ignore[override]
        found = []
        for name, cell in zip(self.original.co_freevars, self.cells):
            source = local_source(name, free=True)
            try:
                content: Any = LazyVariable(source, cell.cell_contents)
            except ValueError:
                content = NULL
            found.append(tx.cell_of(cell, content, cell_source(name)))
        return found
