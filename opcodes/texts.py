"""The words in which a version's interpreter reports what its instructions (not its objects) refuse.

A text is formatted with `TypeName`s where it names types: "{}" is the name, "{:full}" the qualified one.
"""

from __future__ import annotations

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


class TypeName:
    """What an error calls a type."""

    __slots__ = ("_type",)

    def __init__(self, kind: type) -> None:
        self._type = kind

    def __format__(self, spec: str) -> str:
        kind = self._type
        if spec != "full":
            return kind.__name__
        module = kind.__module__
        if not isinstance(module, str) or module in ("builtins", "__main__"):
            return kind.__qualname__
        return f"{module}.{kind.__qualname__}"


_MANAGER = "'{}' object does not support the context manager protocol"
_ASYNC_MANAGER = "'{}' object does not support the asynchronous context manager protocol"
_ASYNC_WITH = "'async with' received an object from {} that does not implement __await__: {{}}"

TEXTS_310 = {
    "unbound_local": "local variable '{}' referenced before assignment",
    "unbound_free": "free variable '{}' referenced before assignment in enclosing scope",
    # what `with` raises when the special method is missing: the exception's type and text
    "missing_special": {
        name: (AttributeError, name) for name in ("__enter__", "__exit__", "__aenter__", "__aexit__")
    },
    # by whose result it is that cannot be awaited
    "not_awaitable": {
        "": "object {} can't be used in 'await' expression",
        "__aenter__": _ASYNC_WITH.format("__aenter__"),
        "__aexit__": _ASYNC_WITH.format("__aexit__"),
    },
    # `with` on what supports only `async with`, and the other way round: what is added to the text
    "other_protocol": {},
    "await_gives_coroutine": "__await__() returned a coroutine",
    "await_gives_no_iterator": "__await__() returned non-iterator of type '{0}'",
}
TEXTS_311 = {
    "unbound_local": "cannot access local variable '{}' where it is not associated with a value",
    "unbound_free": "cannot access free variable '{}'"
    " where it is not associated with a value in enclosing scope",
    "missing_special": {
        "__enter__": (TypeError, _MANAGER),
        "__exit__": (TypeError, _MANAGER + " (missed __exit__ method)"),
        "__aenter__": (TypeError, _ASYNC_MANAGER),
        "__aexit__": (TypeError, _ASYNC_MANAGER + " (missed __aexit__ method)"),
    },
}
TEXTS_314 = {
    "missing_special": {
        name: (TypeError, f"{text.replace('{}', '{:full}')} (missed {name} method)")
        for text, names in (
            (_MANAGER, ("__enter__", "__exit__")),
            (_ASYNC_MANAGER, ("__aenter__", "__aexit__")),
        )
        for name in names
    },
    "other_protocol": {
        "__aenter__": " but it supports the asynchronous context manager protocol."
        " Did you mean to use 'async with'?",
        "__enter__": " but it supports the context manager protocol. Did you mean to use 'with'?",
    },
    "not_awaitable": {**TEXTS_310["not_awaitable"], "": "'{}' object can't be awaited"},  # type: ignore[dict-item]
}
TEXTS_315 = {
    "await_gives_coroutine": "{1:full}.__await__() must return an iterator, not coroutine",
    "await_gives_no_iterator": "{1:full}.__await__() must return an iterator, not {0:full}",
}
