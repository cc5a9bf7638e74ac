"""`translator.compile`, `translator.reset`, and what binds a call's arguments."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, TypeVar

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.backends import Backend, find_backend
from translator.codegen import miss_piece, with_pieces
from translator.controls import carry_over
from translator.convert_frame import Compiled, compiled, counters, original_code, parameter_names
from translator.errors import NotInterpretable

F = TypeVar("F", bound=Callable[..., Any])

#: what a function has besides its code, defaults and closure (each where this Python has it)
_ATTRIBUTES = ("__kwdefaults__", "__doc__", "__module__", "__qualname__", "__type_params__")


def compile(
    fn: Any = None,
    *,
    backend: str | Backend = "eager",
    fullgraph: bool = False,
    dynamic: bool | None = None,
) -> Any:
    """The function with its array operations captured: as a decorator, or as a call.

    It is a new function object like `fn`; its bytecode is exchanged as calls come in. What cannot be
    captured runs as it was.

    Args:
        fn: a function written in Python, a method, a classmethod or a staticmethod.
        backend: the name of a backend, or a callable `(graph, example_inputs) -> callable`.
        fullgraph: whatever cannot be captured is an error (`errors.Unimplemented`) with its reason.
        dynamic: whether Python's ints and floats that come in are inputs of the graph, where their values are
            not needed: True from the first call on, False never (each value is a constant with an entry of
            its own), None once they were seen to change.

    Raises:
        NotInterpretable: `fn` has no bytecode.
        UnknownBackend: no backend has that name.
    """
    found = find_backend(backend)
    options: Any = {"backend": found, "fullgraph": fullgraph, "dynamic": dynamic}
    if fn is None:
        return lambda function: compile(function, **options)
    if isinstance(fn, (staticmethod, classmethod)):
        return type(fn)(compile(fn.__func__, **options))
    if isinstance(fn, MethodType):
        return MethodType(compile(fn.__func__, **options), fn.__self__)
    new = copy_of(check_function(fn))
    state = new.__dict__["__opshift__"] = Compiled(new, found, fullgraph, dynamic)
    state.start()
    return new


def check_function(fn: Any) -> FunctionType:
    """`fn`, if it is a function with bytecode; else NotInterpretable."""
    if isinstance(fn, FunctionType):
        return fn
    name = getattr(fn, "__qualname__", None) or type(fn).__name__
    raise NotInterpretable(
        f"{name} is a {type(fn).__name__} without bytecode of its own: pass a function written in Python"
    )


def copy_of(fn: FunctionType) -> FunctionType:
    """A new function like `fn`, with the code that `fn` had before it was compiled."""
    new = FunctionType(original_code(fn), fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
    for name in _ATTRIBUTES:
        if hasattr(fn, name):
            setattr(new, name, getattr(fn, name))
    # where annotations are made when asked for, what makes them is copied, not what it makes
    lazily = "__annotate__" if hasattr(fn, "__annotate__") else "__annotations__"
    setattr(new, lazily, getattr(fn, lazily))
    new.__dict__.update({key: value for key, value in fn.__dict__.items() if key != "__opshift__"})
    carry_over(fn, new)
    return new


def bound_values(fn: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The values of the parameters of a call, in the order of their slots: bound by CPython itself."""
    probe = copy_of(fn)
    code = probe.__code__
    taken: list[Any] = []

    def take(namespace: Any, cells: Any, *values: Any) -> None:
        taken.extend(values)

    probe.__code__ = with_pieces(code, [miss_piece(take, parameter_names(code), code.co_freevars)])[1]
    probe(*args, **kwargs)
    return taken


def reset() -> None:
    """Forgets every entry of every compiled function, and the statistics."""
    for state in list(compiled):
        state.start()
    counters.clear()
