"""What a program says about capturing: never this function, no further than here, not now.

translator.disable         a function that is never captured nor inlined; `with disable():` nothing is
translator.graph_break()   a region ends here; natively it does nothing
translator.set_stance()    what compiled functions do from now on
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import NotInterpretable, RecompileRefused, TranslatorError

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT, FORCE_EAGER = "default", "force_eager"
EAGER_ON_RECOMPILE, FAIL_ON_RECOMPILE = "eager_on_recompile", "fail_on_recompile"
#: the stances, and what each means
STANCES = {
    DEFAULT: "compiled functions run what was captured, and capture what was not",
    FORCE_EAGER: "compiled functions run their original code, everywhere",
    EAGER_ON_RECOMPILE: "what was captured runs; a call that would have to be captured runs the original",
    FAIL_ON_RECOMPILE: "what was captured runs; a call that would have to be captured is an error",
}

#: what programs use of this module, as attributes of `translator`
PUBLIC = ("disable", "graph_break", "set_stance")

_MARK = "__opshift_disabled__"
_stance = DEFAULT


class UnknownStance(TranslatorError):
    """A stance that there is not."""


# -- functions that are left alone


class _Mark:
    """Why a function is not captured. A copy of the function's attributes does not carry it over."""

    __slots__ = ("function", "reason")

    def __init__(self, function: FunctionType, reason: str) -> None:
        self.function = weakref.ref(function)
        self.reason = reason


class _Disabler:
    """What `disable()` gives: decorates a function, or is entered by `with`."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self._stances: list[set_stance] = []

    def __call__(self, fn: F) -> F:
        return disable(fn, reason=self.reason)  # type: ignore[no-any-return]

    def __enter__(self) -> None:
        self._stances.append(set_stance(FORCE_EAGER))

    def __exit__(self, *error: object) -> None:
        self._stances.pop().__exit__(*error)


def disable(fn: Any = None, *, reason: str = "") -> Any:
    """The same function, never captured nor inlined from now on: a call of it is a graph break.

    Without a function: a decorator, and a context manager within which no compiled function, in any
    thread, runs anything but its original code.

    Raises NotInterpretable for what is no function: that is never inlined.
    """
    if fn is None:
        return _Disabler(reason)
    function = fn.__func__ if isinstance(fn, (staticmethod, classmethod)) else fn
    if not isinstance(function, FunctionType):
        name = getattr(fn, "__qualname__", None) or type(fn).__name__
        raise NotInterpretable(
            f"{name} is a {type(fn).__name__}: disable() takes functions written in Python"
        )
    function.__dict__[_MARK] = _Mark(function, reason or "translator.disable() says so")
    return fn


def why_disabled(function: FunctionType) -> str | None:
    """Why a function is neither captured nor inlined; None if nobody said so."""
    mark = function.__dict__.get(_MARK)
    if mark is not None and mark.function() is function:
        return mark.reason  # type: ignore[no-any-return]
    name = function.__globals__.get("__name__")
    if isinstance(name, str) and (name == "translator" or name.startswith("translator.")):
        return "opshift's own functions are not captured"
    return None


def carry_over(old: FunctionType, new: FunctionType) -> None:
    """A copy of a disabled function is disabled."""
    mark = old.__dict__.get(_MARK)
    if mark is not None and mark.function() is old:
        new.__dict__[_MARK] = _Mark(new, mark.reason)


def graph_break() -> None:
    """In a compiled function, the captured region ends here, and the next one begins after it."""


disable(graph_break, reason="the program asks for a graph break here")


# -- the stance


def stance() -> str:
    """The stance that is in force."""
    return _stance


def check_compilation(name: str, place: str) -> bool:
    """Whether a call that no entry is for may be captured now. Raises RecompileRefused."""
    if _stance == FAIL_ON_RECOMPILE:
        raise RecompileRefused(
            f"{name}() at {place} would have to be captured for these arguments, and the stance is"
            f" {FAIL_ON_RECOMPILE!r}: call it with arguments that it was captured for, or set another stance"
        )
    return _stance == DEFAULT


class set_stance:
    """Sets what compiled functions do, in the whole program; `with` ends it, or decorate a function.

    set_stance("force_eager")
    with set_stance("fail_on_recompile"): …
    @set_stance("force_eager")

    Raises UnknownStance.
    """

    def __init__(self, new: str = DEFAULT) -> None:
        if new not in STANCES:
            raise UnknownStance(f"no stance is called {new!r}: there are {', '.join(STANCES)}")
        self.new = new
        self.old = _change(new)

    def __enter__(self) -> set_stance:
        return self

    def __exit__(self, *error: object) -> None:
        _change(self.old)

    def __call__(self, fn: F) -> F:
        _change(self.old)

        @wraps(fn)
        def with_stance(*args: Any, **kwargs: Any) -> Any:
            with set_stance(self.new):
                return fn(*args, **kwargs)

        return with_stance  # type: ignore[return-value]


def _change(new: str) -> str:
    """Sets the stance; gives the one before it. All compiled functions get the code for it."""
    global _stance
    old, _stance = _stance, new
    if (old == FORCE_EAGER) != (new == FORCE_EAGER):
        from translator.convert_frame import compiled

        for each in list(compiled):
            each.suspend() if new == FORCE_EAGER else each.resume()
    return old
