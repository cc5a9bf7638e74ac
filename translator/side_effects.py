"""Changes of lists and dicts that came in: held back in the trace, replayed when the region ends.

Later reads in the trace see them, as the trackers are changed. What is replayed comes last in the runner,
when nothing can raise any more; so a region that fails has changed nothing. Two inputs may be one object:
where one of them is changed, the others are guarded to be different ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from collections.abc import Callable

    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class ChangeableVariable(VariableTracker):
    """A tracker of an input that can be changed.

    Attributes:
        live: the object itself.
    """

    __slots__ = ()

    live: Any

    def changed_values(self) -> list[Any]:
        """The values that the replay needs."""
        raise NotImplementedError

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        """Statements that change the object called `name`; `parts` are the texts of `changed_values`."""
        raise NotImplementedError


class SideEffects:
    """What was looked at, and what was changed, of the lists and dicts that came in.

    Attributes:
        namespaces: dicts that names are read from, by id. A change of one is not seen by its readers.
    """

    __slots__ = ("changed", "namespaces", "touched")

    def __init__(self) -> None:
        self.namespaces: dict[int, tuple[Source, dict[str, Any]]] = {}
        self.changed: list[ChangeableVariable] = []
        self.touched: list[ChangeableVariable] = []

    def touch(self, tx: Translator, tracker: ChangeableVariable) -> None:
        """A list or dict that came in is looked at."""
        for other in self.changed:
            self._apart(tx, tracker, other)
        self.touched.append(tracker)

    def change(self, tx: Translator, tracker: ChangeableVariable) -> None:
        """A list or dict that came in is about to be changed."""
        if any(tracker is other for other in self.changed):
            return
        for other in self.touched:
            if other is not tracker:
                self._apart(tx, tracker, other)
        self.changed.append(tracker)
        for source, namespace in self.namespaces.values():
            self._no_namespace(tx, tracker, source, namespace)

    def read_from(self, tx: Translator, source: Source, namespace: dict[str, Any]) -> None:
        """A name is read from globals or a module."""
        if id(namespace) not in self.namespaces:
            self.namespaces[id(namespace)] = source, namespace
            for tracker in self.changed:
                self._no_namespace(tx, tracker, source, namespace)

    @staticmethod
    def _no_namespace(tx: Translator, tracker: ChangeableVariable, source: Source, namespace: Any) -> None:
        if tracker.live is namespace:
            tx.unsupported(f"a change of {tracker.describe()}", "names are read from this dict")
        if type(tracker.live) is dict:
            assert tracker.source is not None
            tx.guards.same_object(tracker.source, source, False)

    @staticmethod
    def _apart(tx: Translator, one: ChangeableVariable, other: ChangeableVariable) -> None:
        if type(one.live) is not type(other.live):
            return
        if one.live is other.live:
            tx.unsupported(
                f"a change of {one.describe()}",
                f"it is also {other.describe()}, which was looked at on its own",
            )
        assert one.source is not None and other.source is not None
        tx.guards.same_object(one.source, other.source, False)
