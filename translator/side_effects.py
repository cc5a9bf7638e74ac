"""Changes of what came in: held back in the trace, replayed in the program's order when the region ends.

Later reads in the trace see them, as the trackers are changed. What is replayed comes last in the runner,
when nothing can raise any more; so a region that fails has changed nothing. Two inputs may be one object:
one that is looked at under two names is one tracker, under a guard; and where one of a type is changed,
all of that type that were looked at are guarded to be different ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class Effect:
    """One change that is replayed.

    Attributes:
        target: the value that is changed.
    """

    __slots__ = ()

    target: Any

    def needed(self, name: str, literal: Callable[[Any], str]) -> list[str]:
        """Statements that raise where the replay would: carried out before anything is changed."""
        return []

    def changed_values(self) -> list[Any]:
        """The values that the replay needs."""
        raise NotImplementedError

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        """Statements that change the target called `name`; `parts` are the texts of `changed_values`."""
        raise NotImplementedError

    def describe(self) -> str:
        """For logs."""
        return self.target.describe()  # type: ignore[no-any-return]


class ChangeableVariable(VariableTracker, Effect):
    """A list or dict that came in: all its changes are replayed together, where the first one was.

    Attributes:
        live: the object itself.
    """

    __slots__ = ()

    live: Any

    @property
    def target(self) -> Any:  # type: ignore[override]
        """Itself."""
        return self

    def describe(self) -> str:
        """As a value."""
        return VariableTracker.describe(self)


def has_own_dict(tracker: Any) -> bool:
    """Whether it is an object that came in and has a dictionary."""
    attributes = getattr(tracker, "attributes", None)
    return attributes is not None and bool(type(tracker.live).__dictoffset__)


class SideEffects:
    """What was looked at, and what was changed, of the objects that came in.

    Attributes:
        log: the changes, in the program's order.
        namespaces: dicts that names are read from, by id.
        touched: the trackers of changeable inputs, by the id of what is live.
    """

    __slots__ = ("_again", "_changed", "classes", "log", "names", "namespaces", "touched")

    def __init__(self) -> None:
        self.namespaces: dict[int, tuple[Source, dict[str, Any]]] = {}
        self.log: list[Effect] = []
        self.touched: dict[int, Any] = {}
        #: whether a class was changed
        self.classes = False
        self._changed: set[int] = set()
        #: (id of a namespace, name) -> the value that the trace has bound it to
        self._again: dict[str, tuple[Source, Source]] = {}
        self.names: dict[tuple[int, str], Any] = {}

    # -- inputs that can be changed

    def known(self, tx: Translator, source: Source, live: Any) -> Any:
        """The tracker of an object that was looked at under another name already, or None."""
        found = self.touched.get(id(live))
        if found is not None and found.source.name != source.name:
            tx.guards.same_object(found.source, source, True)
        return found

    def touch(self, tracker: Any) -> None:
        """An input that can be changed is looked at for the first time."""
        self.touched[id(tracker.live)] = tracker

    def change(self, tx: Translator, tracker: ChangeableVariable) -> None:
        """A list or dict that came in is about to be changed."""
        if id(tracker.live) in self._changed:
            return
        self._changed.add(id(tracker.live))
        self.log.append(tracker)
        self._no_namespace(tx, tracker)

    def add(self, tx: Translator, tracker: Any, effect: Effect) -> None:
        """One change of an object that came in."""
        self._changed.add(id(tracker.live))
        self.log.append(effect)

    # -- names

    def read_from(self, tx: Translator, source: Source, namespace: dict[str, Any]) -> None:
        """A name is read from globals or a module."""
        known = self.namespaces.get(id(namespace))
        if known is not None:
            if known[0].name != source.name:
                self._again[source.name] = (known[0], source)
        else:
            self.namespaces[id(namespace)] = source, namespace
            for live in self._changed:
                self._no_namespace(tx, self.touched[live])

    def _no_namespace(self, tx: Translator, tracker: Any) -> None:
        """A dict that is changed is none of those that names are read from."""
        if type(tracker.live) is not dict or tracker.kind == "a namespace":
            return  # (who reads names sees what is bound in a namespace)
        for source, namespace in self.namespaces.values():
            if tracker.live is namespace:
                tx.unsupported(f"a change of {tracker.describe()}", "names are read from this dict")
            tx.guards.same_object(tracker.source, source, False)

    # -- at the end

    def finish(self, tx: Translator) -> None:
        """Guards that what was changed is none of the others that were looked at."""
        groups: dict[type, dict[int, Source]] = {}
        for tracker in self.touched.values():
            groups.setdefault(type(tracker.live), {})[id(tracker.live)] = tracker.source
        changed = {type(self.touched[each].live) for each in self._changed}
        if self.names:
            for one, other in self._again.values():
                tx.guards.same_object(one, other, True)
            for source, namespace in self.namespaces.values():
                groups[dict].setdefault(id(namespace), source)
        self._own_dicts(tx, groups, changed)
        for kind in changed:
            tx.guards.distinct(list(groups[kind].values()))

    def _own_dicts(self, tx: Translator, groups: dict[type, dict[int, Source]], changed: set[type]) -> None:
        """The dictionaries of objects are dicts too: where one of either is changed, they are told apart."""
        owners = [each for each in self.touched.values() if each.source is not None and has_own_dict(each)]
        dicts = groups.get(dict)
        if not dicts or not owners:
            return
        if dict in changed or any(type(each.live) in changed for each in owners):
            changed.add(dict)
            for owner in owners:
                own = object.__getattribute__(owner.live, "__dict__")
                if id(own) in dicts and {id(own), id(owner.live)} & self._changed:
                    tx.unsupported(
                        f"the __dict__ of {owner.describe()}", "it is followed where nothing is changed"
                    )
                dicts.setdefault(id(own), owner.source.attribute("__dict__"))
