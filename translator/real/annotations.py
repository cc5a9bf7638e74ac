"""Annotations that are evaluated when asked for, on hosts whose functions and classes do not do that."""

from __future__ import annotations

from typing import Any

import opcodes
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

#: what annotate functions are asked for: the values
VALUE = 1
#: whether the host's own objects evaluate annotations when asked for
DEFERRED: bool = opcodes.table(opcodes.HOST).facts["annotate_name"] is not None


class DeferredAnnotations(dict[str, Any]):
    """A dict that its annotate function fills when somebody first looks into it."""

    __slots__ = ("_annotate",)

    def __init__(self, annotate: Any) -> None:
        super().__init__()
        self._annotate = annotate

    def fill(self) -> None:
        """Evaluates them, once; what that raises is raised, and it is tried again the next time."""
        annotate = self._annotate
        if annotate is not None:
            found = annotate(VALUE)
            self._annotate = None
            dict.update(self, found)


def _filled(name: str) -> Any:
    """A method of dict that fills it first."""
    own = getattr(dict, name)

    def method(self: DeferredAnnotations, *args: Any, **kwargs: Any) -> Any:
        self.fill()
        return own(self, *args, **kwargs)

    method.__name__ = name
    return method


_LOOKING = (
    *("__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__reversed__", "__len__"),
    *("__repr__", "__eq__", "__ne__", "__or__", "__ror__", "__ior__"),
    *("get", "items", "keys", "values", "copy", "pop", "popitem", "setdefault", "update", "clear"),
)
for _name in _LOOKING:
    setattr(DeferredAnnotations, _name, _filled(_name))


def annotate_function(function: Any, annotate: Any) -> None:
    """Gives a function its annotate function, or, where the host knows none, what stands for it."""
    if DEFERRED:
        function.__annotate__ = annotate
    else:
        function.__annotations__ = DeferredAnnotations(annotate)


def move_annotations(old: Any, new: Any) -> None:
    """What one function object has, for the one that takes its place."""
    if DEFERRED:
        annotate = old.__annotate__
        if annotate is not None:
            new.__annotate__ = annotate
            return
    new.__annotations__ = old.__annotations__


def annotate_class(namespace: Any, name: str | None) -> None:
    """The same for the namespace of a class whose body has just run; `name` is where its bytecode's version
    keeps the annotate function."""
    if DEFERRED or name is None or name not in namespace:
        return
    annotate = namespace[name]
    del namespace[name]
    if "__annotations__" not in namespace:
        namespace["__annotations__"] = DeferredAnnotations(annotate)
