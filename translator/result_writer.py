"""Writes what a capture gives back as Python: values made in the trace, then the changes, in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import Unimplemented
from translator.graph import Node
from translator.graph_code import Constants
from translator.variables.arrays import ArrayVariable, ResultTupleVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.side_effects import Effect


class ResultWriter:
    """Writes the values that a capture gives back.

    A value that is in the result more than once is made once. What can hold itself (an object, a cell, a
    list, a dict) is made empty where that is needed, and filled when everything is there.

    Attributes:
        outputs: the nodes that it is made of, each once.
        sources: the inputs that it is made of, as expressions in the frame.
    """

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.outputs: list[Node] = []
        self.sources: list[str] = []
        self._counts: dict[int, int] = {}
        self._path: list[Any] = []
        self._filled: dict[int, Any] = {}

    def look(self, value: Any) -> None:
        """Finds the outputs and sources, and what is in the result more than once."""
        if type(value) in PLAIN:
            return
        if value.source is not None:
            if value.source.code not in self.sources:
                self.sources.append(value.source.code)
        elif isinstance(value, (ArrayVariable, ResultTupleVariable)):
            if value.node not in self.outputs:
                self.outputs.append(value.node)  # type: ignore[arg-type]
        else:
            self._look_inside(value)

    def _look_inside(self, value: VariableTracker) -> None:
        if not value.rebuildable:
            raise _cannot_be_made(value)
        count = self._counts[id(value)] = self._counts.get(id(value), 0) + 1
        if any(value is each for each in self._path):
            self._break_cycle(value)
        if count > 1:
            return
        if value.always_filled:
            self._filled[id(value)] = value
        self._path.append(value)
        for child in value.children():
            self.look(child)
        self._path.pop()

    def _break_cycle(self, value: VariableTracker) -> None:
        """Something on the way round is made empty and filled later."""
        start = next(place for place, each in enumerate(self._path) if each is value)
        round_ = self._path[start:]
        if not any(id(each) in self._filled for each in round_):
            chosen = next((each for each in round_ if each.fillable), None)
            if chosen is None:
                raise _cannot_be_made(value)
            self._filled[id(chosen)] = chosen

    def write(
        self,
        value: Any,
        changes: Sequence[Effect],
        node: Callable[[Node], str],
        parameter: Callable[[str], str],
    ) -> tuple[list[str], str]:
        """(statements: what needs a name, then the changes; the expression of the value)."""
        texts = _Texts(self, node, parameter)
        result = texts.text(value)
        replays = []
        needed = []
        changed = set()
        for effect in changes:
            parts = [texts.text(each) for each in effect.changed_values()]
            target = texts.text(effect.target)
            what = target, getattr(effect, "name", "")
            if what not in changed:
                changed.add(what)
                needed += effect.needed(target, self.constants.literal)
            replays += effect.replay(parts, target, self.constants.literal)
        texts.fill()
        return texts.statements + needed + replays, result

    def object(self, value: Any) -> str:
        """The text for a Python object."""
        return self.constants.literal(value) if type(value) in PLAIN else self.constants.name(value)


class _Texts:
    """The texts of values, in one run of the writer."""

    def __init__(
        self, writer: ResultWriter, node: Callable[[Node], str], parameter: Callable[[str], str]
    ) -> None:
        self.writer = writer
        self.node = node
        self.parameter = parameter
        self.statements: list[str] = []
        self._names: dict[int, str] = {}
        self._to_fill: list[Any] = []

    def text(self, value: Any) -> str:
        """An expression that gives it; statements that it needs are written first."""
        writer = self.writer
        if type(value) in PLAIN:
            return writer.constants.literal(value)
        if value.source is not None:
            return self.parameter(value.source.code)
        if isinstance(value, (ArrayVariable, ResultTupleVariable)):
            return self.node(value.node)
        found = self._names.get(id(value))
        if found is not None:
            return found
        if id(value) in writer._filled:
            self._to_fill.append(value)
            return self._named(value, value.create(writer.object))
        made = str(value.rebuild([self.text(child) for child in value.children()], writer.object))
        return made if writer._counts[id(value)] == 1 else self._named(value, made)

    def _named(self, value: Any, text: str) -> str:
        name = self._names[id(value)] = f"made_{len(self._names)}"
        self.statements.append(f"{name} = {text}")
        return name

    def fill(self) -> None:
        """Fills what was made empty."""
        done = 0
        while done < len(self._to_fill):
            value = self._to_fill[done]
            done += 1
            parts = [self.text(child) for child in value.children()]
            self.statements += value.fill(parts, self._names[id(value)], self.writer.object)


def _cannot_be_made(value: VariableTracker) -> Unimplemented:
    return Unimplemented(
        f"returning {value.describe()}", "the return", "it cannot be made again", "return its contents"
    )
