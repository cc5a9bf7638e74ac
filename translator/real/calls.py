"""Calls of real values: Python functions get a frame, everything else is the host's."""

from __future__ import annotations

from contextvars import Context
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, MethodType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import Prepared
from translator.policy import NO_SKIP
from translator.real.caller import SENSITIVE
from translator.real.constructing import TYPE_CALL, called_by_type
from translator.real.contexts import ContextRun
from translator.real.exceptions import is_subclass
from translator.real.stubs import binding_stub
from translator.semantics import Semantics
from translator.sentinels import NULL


def _template() -> None: ...


class RealCalls(Semantics):
    """CALL and its kin."""

    skip: Any = NO_SKIP

    def call(self, callable_: Any, arguments: list[Any], keywords: dict[str, Any] | None) -> Any:
        """Enters a frame for a Python function that is to be interpreted; else calls it."""
        kind = type(callable_)
        if kind is FunctionType:
            return self.call_function(callable_, arguments, keywords)
        if kind is MethodType:
            arguments.insert(0, callable_.__self__)
            return self.call(callable_.__func__, arguments, keywords)
        sensitive = SENSITIVE.get(id(callable_))
        if sensitive is not None:
            return sensitive(self, callable_, arguments, keywords or {})
        if (
            kind is BuiltinFunctionType
            and type(callable_.__self__) is Context
            and callable_.__name__ == "run"
        ):
            return ContextRun(callable_.__self__).enter(self, arguments, keywords or {})
        if kind is BuiltinFunctionType or kind is MethodDescriptorType:
            return callable_(*arguments, **keywords) if keywords else callable_(*arguments)
        return self.call_object(callable_, arguments, keywords or {})

    def call_object(self, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A class, or an object with `__call__`."""
        kind = type(callable_)
        if kind is ContextRun:
            return callable_.enter(self, arguments, keywords)
        method = getattr(kind, "__call__", None)  # noqa: B004
        if type(method) is FunctionType:
            arguments.insert(0, callable_)
            return self.call_function(method, arguments, keywords)
        class_ = callable_ if method is TYPE_CALL else called_by_type(callable_, arguments)
        if class_ is not None:
            if is_subclass(type, class_):
                return self.call_in_frame(TYPE_CALL, [class_, *arguments], keywords)
            return self.construct(class_, arguments, keywords)
        return callable_(*arguments, **keywords) if keywords else callable_(*arguments)

    def call_ex(self, callable_: Any, arguments: Any, keywords: Any) -> Any:
        """`callable_(*arguments, **keywords)`."""
        if type(arguments) is not tuple:
            if not hasattr(arguments, "__iter__") and not hasattr(arguments, "__getitem__"):
                return callable_(*arguments)
            arguments = tuple(arguments)
        return self.call(callable_, list(arguments), None if keywords is NULL else keywords)

    def keyword_names(self, names: Any) -> tuple[str, ...]:
        """Itself."""
        return names  # type: ignore[no-any-return]

    def call_function(self, function: Any, arguments: list[Any], keywords: dict[str, Any] | None) -> Any:
        """A Python function: bound, and its frame entered; natively if the policy says so."""
        if self.skip is not NO_SKIP and self.skip.skips(function):
            return function(*arguments, **(keywords or {}))
        prepared = self.prepare(function.__code__)
        if not keywords and prepared.plain == len(arguments):
            arguments += prepared.unbound
        else:
            arguments = self.bind(prepared, function, arguments, keywords or {})
        return self.enter(self.new_frame(prepared, function, function.__globals__, arguments))

    def bind(
        self, prepared: Prepared, function: Any, arguments: list[Any], keywords: dict[str, Any]
    ) -> list[Any]:
        """The slots of a new frame, filled; the errors are the host's own."""
        stub = prepared.binder
        if stub is None:
            stub = prepared.binder = binding_stub(prepared.code, _template.__code__)
        binder = FunctionType(stub, _NO_GLOBALS, function.__name__, function.__defaults__)
        if prepared.code.co_kwonlyargcount:
            binder.__kwdefaults__ = function.__kwdefaults__
        try:
            slots: list[Any] = binder(*arguments, **keywords)
        except TypeError:
            slots = NULL  # type: ignore[assignment]
        if slots is NULL:  # type: ignore[comparison-overlap]
            binder.__qualname__ = function.__qualname__  # once more, for the text
            slots = binder(*arguments, **keywords)
        slots += prepared.unbound
        return slots


_NO_GLOBALS: dict[str, Any] = {}
