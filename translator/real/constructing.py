"""Calling a class: what `type.__call__` does, with the class's own `__new__` and `__init__` interpreted."""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType, MethodWrapperType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import Frame, Prepared
from translator.policy import NO_SKIP
from translator.real.exceptions import is_subclass
from translator.real.operators import look_up_special
from translator.semantics import Semantics
from translator.sentinels import ENTERED, NULL

#: flags of a type: made by a class statement or the like; itself a metaclass
NOT_PLAIN = 1 << 9 | 1 << 31
new_object = object.__new__
TYPE_CALL = type.__dict__["__call__"]
get_mro = type.__dict__["__mro__"].__get__
get_namespace = type.__dict__["__dict__"].__get__


class InitFrame(Frame):
    """The frame of an `__init__` that a call of its class has entered: the caller gets the object."""

    __slots__ = ("made",)

    ends_otherwise = True

    def end(self, machine: Any, value: Any) -> bool:
        """The object, if `__init__` returned None."""
        machine.enter(self.back)
        check_init(value)
        machine.push(self.made)
        return True


class NewFrame(Frame):
    """The frame of a `__new__` that a call of its class has entered: `__init__` comes next."""

    __slots__ = ("arguments", "class_", "keywords")

    ends_otherwise = True

    def end(self, machine: Any, value: Any) -> bool:
        """Goes on with what was made."""
        machine.enter(self.back)
        result = machine.initialize(self.class_, value, self.arguments, self.keywords)
        if result is not ENTERED:
            machine.push(result)
        return True


def check_init(value: Any) -> None:
    """TypeError unless `__init__` gave None."""
    if value is not None:
        raise TypeError(f"__init__() should return None, not '{type(value).__name__}'")


def own_init(class_: Any) -> Any:
    """What the class or its bases have as `__init__`, as it stands there."""
    for base in get_mro(class_):
        namespace = get_namespace(base)
        if "__init__" in namespace:
            return namespace["__init__"]
    return NULL


class RealConstructing(Semantics):
    """Classes are called."""

    skip: Any
    frame: Any

    def construct(self, class_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """An object of the class: ENTERED if that takes Python code. It is left to the host if it takes none.

        A metaclass may have a `__call__` of its own, and have been called already.
        """
        new = class_.__new__
        kind = type(new)
        if kind is FunctionType:
            frame = self.frame_of_call(NewFrame, new, [class_, *arguments], keywords)
            if frame is None:
                return TYPE_CALL(class_, *arguments, **keywords)
            frame.class_, frame.arguments, frame.keywords = class_, arguments, keywords
            return self.enter(frame)
        init = own_init(class_)
        if kind is not BuiltinFunctionType or type(init) is not FunctionType or not self.interprets(init):
            return TYPE_CALL(class_, *arguments, **keywords)
        if new is new_object:
            made = new_object(class_)
        else:
            made = new(class_, *arguments, **keywords)
        return self.initialize(class_, made, arguments, keywords)

    def initialize(self, class_: Any, made: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """`__init__` of what `__new__` gave, if that is of the class: the object, or ENTERED."""
        if not is_subclass(class_, type(made)):
            return made
        init = own_init(type(made))
        if type(init) is FunctionType:
            frame = self.frame_of_call(InitFrame, init, [made, *arguments], keywords)
            if frame is not None:
                frame.made = made
                return self.enter(frame)
        check_init(look_up_special(made, "__init__")(*arguments, **keywords))
        return made

    def interprets(self, function: Any) -> bool:
        """Whether a call of it enters a frame that ends with its result."""
        return not (self.skip is not NO_SKIP and self.skip.skips(function)) and not (
            self.prepare(function.__code__).generates
        )

    def frame_of_call(
        self, kind: type[Frame], function: Any, arguments: list[Any], keywords: dict[str, Any]
    ) -> Any:
        """A frame of that kind for a call; None where the host is to do it."""
        if not self.interprets(function):
            return None
        prepared: Prepared = self.prepare(function.__code__)
        if not keywords and prepared.plain == len(arguments):
            arguments += prepared.unbound
        else:
            arguments = self.bind(prepared, function, arguments, keywords)
        return self.new_frame(prepared, function, function.__globals__, arguments, kind)


def called_by_type(callable_: Any, arguments: list[Any]) -> Any:
    """The class that `type.__call__`, bound or not, is to make an object of (taken out of the arguments);
    None for any other callable."""
    kind = type(callable_)
    if kind is MethodWrapperType:
        if callable_.__name__ == "__call__" and callable_.__objclass__ is type:
            return callable_.__self__
    elif callable_ is TYPE_CALL and arguments and isinstance(arguments[0], type):
        return arguments.pop(0)
    return None
