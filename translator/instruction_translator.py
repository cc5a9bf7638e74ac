"""The InstructionTranslator: the machine on VariableTrackers. It captures what a function would do.

Python's semantics are absorbed on the spot, array operations become nodes of the graph, and what was
relied on becomes guards. Whatever is not known for certain gives up, by `unsupported`, at the
instruction being carried out.
"""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import Unimplemented
from translator.graph import Graph, Node, Place
from translator.guards import Guards
from translator.machine import StackMachine
from translator.numpy_rules import NumpyRules, numpy_rules
from translator.raised import Raised
from translator.side_effects import SideEffects
from translator.sources import Source
from translator.symbolic.attributes import SymbolicAttributes
from translator.symbolic.calls import SymbolicCalls
from translator.symbolic.containers import SymbolicContainers
from translator.symbolic.context_managers import SymbolicContextManagers
from translator.symbolic.exceptions import SymbolicExceptions
from translator.symbolic.generators import SymbolicGenerators
from translator.symbolic.imports import SymbolicImports
from translator.symbolic.inputs import SymbolicInputs
from translator.symbolic.instances import SymbolicInstances
from translator.symbolic.matching import SymbolicMatching
from translator.symbolic.names import SymbolicNames
from translator.symbolic.operators import SymbolicOperators
from translator.symbolic.questions import SymbolicQuestions
from translator.symbolic.recording import SymbolicRecording
from translator.symbolic.root import RootFunction
from translator.variables.arrays import ArrayVariable
from translator.variables.classes import ClassVariable
from translator.variables.functions import CellVariable
from translator.variables.generators import GeneratorVariable
from translator.variables.lazy import LazyVariable
from translator.variables.namespaces import NamespaceVariable

#: where tracing ends by default
MOST_STEPS = 1_000_000


class InstructionTranslator(
    SymbolicExceptions,
    SymbolicGenerators,
    SymbolicContextManagers,
    SymbolicMatching,
    SymbolicImports,
    SymbolicOperators,
    SymbolicInstances,
    SymbolicAttributes,
    SymbolicNames,
    SymbolicContainers,
    SymbolicCalls,
    SymbolicQuestions,
    SymbolicInputs,
    SymbolicRecording,
    StackMachine,
):
    """Captures one call of a function: its graph, its guards, and the value it returns.

    Attributes:
        graph: the array operations so far.
        guards: what was relied on so far.
        inputs: the array inputs that are placeholders, in order.
        sorting: lists whose sort calls a key function at the moment.
        generators: those that were made.
        handled_outside: whether the caller is handling an exception.
    """

    def __init__(self, root: RootFunction) -> None:
        super().__init__()
        self.root = root
        self.graph = Graph(root.place)
        self.guards = Guards()
        self.inputs: list[ArrayVariable] = []
        self.effects = SideEffects()
        self.sorting: list[Any] = []
        self.generators: list[GeneratorVariable] = []
        self.handled_outside = sys.exc_info()[1] is not None
        self.numpy: NumpyRules | None = numpy_rules()
        self.metas: dict[Node, Any] = {}
        self.variable_of: dict[Node, ArrayVariable] = {}
        self.steps_left = MOST_STEPS
        self._once: dict[str, LazyVariable] = {}
        self._places: dict[tuple[int, int], Place] = {}
        self._codes: dict[str, CodeType] = {}
        self._cells: dict[int, CellVariable] = {}
        self.classes: dict[type, ClassVariable] = {}
        self._class_sources: dict[type, tuple[Source, Source]] = {}
        self._names: dict[str, str] = {}
        self.keys: dict[int, Any] = {}
        self._namespaces: dict[int, NamespaceVariable] = {}
        self._lines: dict[int, list[tuple[int, int, int | None]]] = {}

    @property
    def rules(self) -> NumpyRules:
        """NumPy's rules (there is an array, so there is NumPy)."""
        if self.numpy is None:
            self.unsupported("a number that changes", "NumPy, which says what becomes of it, is not imported")
        return self.numpy

    def capture(self, prepared: Any = None) -> Any:
        """Walks the function from its head to its return; gives the value it returns.

        Raises Unimplemented, with the reason, where it cannot go on.
        """
        root = self.root
        prepared = prepared or self.prepare(root.code(self))
        locals_ = [*root.arguments, *prepared.unbound]
        frame = self.new_frame(prepared, root, root.globals(self), locals_)
        try:
            value = self.execute(frame)
        except Raised as raised:
            self.unsupported(
                f"{raised.variable.describe()}, raised at {raised.where}, which leaves the function",
                "the original code raises it",
            )
        self.no_one_left()
        return value

    def forget(self) -> None:
        """Lets go of the live values at once: trackers and translator hold each other."""
        self.__dict__.clear()

    # -- giving up, and budgets

    def unsupported(self, what: str, why: str, hint: str = "the original code runs instead") -> Any:
        """Surrenders, at the instruction being carried out."""
        raise Unimplemented(what, self.where(), why, hint)

    def where(self) -> str:
        if self.frame is not None and not self.frame.is_entry:
            return super().where()
        code = self.root.original
        return f"{code.co_filename}:{code.co_firstlineno}, in {code.co_name}"

    def missing(self, name: str) -> Any:
        return self.unsupported(f"{name}()", "the translator does not capture this instruction yet")

    def spend(self, steps: int) -> None:
        """Takes steps off the budget."""
        self.steps_left -= steps
        if self.steps_left < 0:
            self.unsupported("a long run", f"tracing goes no further than {MOST_STEPS} steps")

    def jump(self, target: int) -> None:
        self.steps.__setstate__(target)
        self.steps_left -= 16
        if self.steps_left < 0:
            self.spend(0)


__all__ = ["InstructionTranslator", "RootFunction"]
