"""`with`, `await` and what they look up on real values."""

from __future__ import annotations

from types import CoroutineType, GeneratorType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.texts import TypeName
from translator.frames import CO_ITERABLE_COROUTINE
from translator.real.drivers import frame_of, resumable
from translator.real.exceptions import set_cause, set_context, set_traceback
from translator.real.hosting import raise_unchanged
from translator.real.operators import look_up_special
from translator.semantics import Semantics
from translator.sentinels import NULL


class RealAwaiting(Semantics):
    """BEFORE_WITH, GET_AWAITABLE, GET_AITER, GET_ANEXT, CLEANUP_THROW."""

    frame: Any

    def enter_with(self, manager: Any, asynchronous: bool) -> tuple[Any, Any, Any]:
        """Enter is looked up first."""
        first, second = ("__aenter__", "__aexit__") if asynchronous else ("__enter__", "__exit__")
        enter = look_up_special(manager, first)
        if enter is NULL:
            self.no_special(manager, first)
        exit_ = look_up_special(manager, second)
        if exit_ is NULL:
            self.no_special(manager, second)
        return exit_, enter, NULL

    def special(self, owner: Any, name: str) -> tuple[Any, Any]:
        """The method of the type, bound."""
        method = look_up_special(owner, name)
        if method is NULL:
            self.no_special(owner, name)
        return method, NULL

    def no_special(self, owner: Any, name: str) -> Any:
        """Raises what a `with` raises for an object without the method."""
        kind, text = self.facts()["missing_special"][name]
        other = (
            ("__aenter__", "__aexit__") if name in ("__enter__", "__exit__") else ("__enter__", "__exit__")
        )
        if all([hasattr(type(owner), special) for special in other]):
            text += self.facts()["other_protocol"].get(other[0], "")
        raise kind(text.format(TypeName(type(owner))))

    def awaitable(self, value: Any, after: str) -> Any:
        """The coroutine itself, or the iterator that `__await__` gives."""
        if type(value) is CoroutineType:
            frame = frame_of(value)
            if frame is None:
                if value.cr_await is not None:
                    raise RuntimeError("coroutine is being awaited already")
                return value
            if (
                frame.state == "parked"
                and frame.instruction.opname == "YIELD_VALUE"
                and frame.instruction.receiver
            ):
                raise RuntimeError("coroutine is being awaited already")
            return resumable(value)
        if type(value) is GeneratorType and value.gi_code.co_flags & CO_ITERABLE_COROUTINE:
            return resumable(value)
        method = look_up_special(value, "__await__")
        if method is NULL:
            raise TypeError(self.facts()["not_awaitable"][after].format(TypeName(type(value))))
        iterator = method()
        if type(iterator) is CoroutineType or (
            type(iterator) is GeneratorType and iterator.gi_code.co_flags & CO_ITERABLE_COROUTINE
        ):
            text = self.facts()["await_gives_coroutine"]
            raise TypeError(text.format(TypeName(CoroutineType), TypeName(type(value))))
        if not hasattr(type(iterator), "__next__"):
            text = self.facts()["await_gives_no_iterator"]
            raise TypeError(text.format(TypeName(type(iterator)), TypeName(type(value))))
        return resumable(iterator) if type(iterator) is GeneratorType else iterator

    def async_iterate(self, iterable: Any) -> Any:
        """`__aiter__`."""
        method = look_up_special(iterable, "__aiter__")
        name = type(iterable).__name__
        if method is NULL or method is None:
            raise TypeError(f"'async for' requires an object with __aiter__ method, got {name}")
        iterator = method()
        if getattr(type(iterator), "__anext__", None) is None:
            raise TypeError(
                "'async for' received an object from __aiter__ that does not implement __anext__:"
                f" {type(iterator).__name__}"
            )
        return iterator

    def async_next(self, iterator: Any) -> Any:
        """`__anext__`, made what `await` drives."""
        method = look_up_special(iterator, "__anext__")
        if method is NULL or method is None:
            raise TypeError(
                f"'async for' requires an iterator with __anext__ method, got {type(iterator).__name__}"
            )
        made = method()
        failure = None
        try:
            return self.awaitable(made, "")
        except BaseException as exception:
            failure = exception
            set_traceback(failure, None)  # it would remember this frame, and this frame remembers it
        error = TypeError(f"'async for' received an invalid object from __anext__: {type(made).__name__}")
        set_cause(error, failure)
        set_context(error, failure)
        return raise_unchanged(error)

    def is_stop_async_iteration(self, exception: Any) -> bool:
        """`isinstance` by the real bases."""
        return isinstance(exception, StopAsyncIteration)

    def cleanup_throw(self, receiver: Any, exception: Any) -> Any:
        """The value of a StopIteration."""
        if isinstance(exception, StopIteration):
            return exception.value
        self.reraised = True
        return self.thrown(exception)
