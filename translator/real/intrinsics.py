"""CALL_INTRINSIC_1 and _2 on real values."""

from __future__ import annotations

import sys
from functools import lru_cache
from types import FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import BadProgram
from translator.real.drivers import Wrapped
from translator.real.exceptions import get_traceback, set_traceback
from translator.real.stubs import intrinsic_code
from translator.semantics import Semantics

_host_code = lru_cache(maxsize=None)(intrinsic_code)


class RealIntrinsics(Semantics):
    """One method each, named as the intrinsic; those that have none are the host's."""

    def intrinsic_1(self, function: str, value: Any) -> Any:
        """By name."""
        own = getattr(self, f"intrinsic_{function}", None)
        return self.host_intrinsic(function, value) if own is None else own(value)

    def intrinsic_2(self, function: str, first: Any, second: Any) -> Any:
        """By name."""
        own = getattr(self, f"intrinsic_{function}", None)
        return self.host_intrinsic(function, first, second) if own is None else own(first, second)

    def intrinsic_print(self, value: Any) -> None:
        """An expression statement of an interactive session."""
        sys.displayhook(value)

    def intrinsic_import_star(self, module: Any) -> None:
        """`from module import *`."""
        self.import_star(module)

    def intrinsic_stopiteration_error(self, exception: BaseException) -> Any:
        """StopIteration that would leave a generator becomes a RuntimeError."""
        return self.stop_iteration_error(exception)

    def intrinsic_async_gen_wrap(self, value: Any) -> Any:
        """What an asynchronous generator yields."""
        return Wrapped(value)

    def intrinsic_unary_positive(self, value: Any) -> Any:
        """`+value`."""
        return +value

    def intrinsic_list_to_tuple(self, value: Any) -> Any:
        """`tuple(value)`."""
        return tuple(value)

    def intrinsic_prep_reraise_star(self, original: Any, exceptions: Any) -> Any:
        """What is left of an `except*`, to be raised; None if nothing."""
        Group = self.groups()
        left = [one for one in exceptions if one is not None]
        if not left:
            return None
        if not isinstance(original, Group):
            return left[0]
        raised, same = [], []
        for one in left:
            is_same = one.__traceback__ is original.__traceback__ and getattr(
                one, "__notes__", None
            ) is getattr(original, "__notes__", None)
            (
                same
                if is_same and one.__cause__ is original.__cause__ and one.__context__ is original.__context__
                else raised
            ).append(one)
        projected = self.project(original, same)
        if not raised:
            return projected
        if projected is not None:
            raised.append(projected)
        return Group("", raised) if len(raised) > 1 else raised[0]

    def project(self, original: Any, groups: list[Any]) -> Any:
        """The part of the original group whose leaves are in the groups."""
        leaves: set[int] = set()
        Group = self.groups()

        def collect(group: Any) -> None:
            for one in group.exceptions:
                if isinstance(one, Group):
                    collect(one)
                else:
                    leaves.add(id(one))

        for group in groups:
            collect(group)
        return original.subgroup(lambda one: id(one) in leaves) if leaves else None

    def intrinsic_set_function_type_params(self, function: Any, parameters: Any) -> Any:
        """`function.__type_params__ = parameters`."""
        function.__type_params__ = parameters
        return function

    def host_intrinsic(self, name: str, *operands: Any) -> Any:
        """By the host's own instruction, in a function of the running frame's globals."""
        wrong = misshapen(name, operands[0])
        if wrong:
            raise BadProgram(f"{self.where()}: it is given {wrong}; it is not what a compiler makes")
        code = _host_code(name, len(operands))
        if code is None:
            self.lacking(name, "such intrinsic")
        try:
            return FunctionType(code, self.frame.globals)(*operands)
        except BaseException as exception:
            set_traceback(exception, get_traceback(exception).tb_next.tb_next)
            raise exception


def misshapen(name: str, first: Any) -> str:
    """What is wrong with the first operand of an intrinsic whose code in C believes it; "" if nothing is."""
    if name == "subscript_generic":
        good = type(first) is tuple
    elif name == "typealias":
        good = type(first) is tuple and len(first) == 3
        good = good and type(first[0]) is str and (first[1] is None or type(first[1]) is tuple)
    elif name == "set_typeparam_default":
        good = True  # it looks itself
    else:
        good = type(first) is str  # a type parameter's name
    return "" if good else f"a {type(first).__name__} of the wrong shape"
