"""CALL_INTRINSIC_1 and _2 on real values."""

from __future__ import annotations

import sys
from types import GenericAlias
from typing import Any

from translator.real.generators import Wrapped
from translator.semantics import Semantics


def _typing() -> Any:
    import typing

    return typing


class RealIntrinsics(Semantics):
    """One method each, named as the intrinsic."""

    def intrinsic_1(self, function: str, value: Any) -> Any:
        """By name."""
        return getattr(self, f"intrinsic_{function}")(value)

    def intrinsic_2(self, function: str, first: Any, second: Any) -> Any:
        """By name."""
        return getattr(self, f"intrinsic_{function}")(first, second)

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

    def intrinsic_typevar(self, name: str) -> Any:
        """`[T]`."""
        return self.in_frame(_typing().TypeVar, name, infer_variance=True)

    def intrinsic_paramspec(self, name: str) -> Any:
        """`[**P]`."""
        return self.in_frame(_typing().ParamSpec, name, infer_variance=True)

    def intrinsic_typevartuple(self, name: str) -> Any:
        """`[*Ts]`."""
        return self.in_frame(_typing().TypeVarTuple, name)

    def intrinsic_subscript_generic(self, parameters: Any) -> Any:
        """The base `Generic[…]` of a class with type parameters."""
        typing = _typing()
        unpacked = tuple(
            typing.Unpack[one] if isinstance(one, typing.TypeVarTuple) else one for one in parameters
        )
        return typing.Generic[unpacked]

    def intrinsic_typealias(self, parts: Any) -> Any:
        """`type name[parameters] = value`."""
        raise NotImplementedError

    def intrinsic_prep_reraise_star(self, original: Any, exceptions: Any) -> Any:
        """What is left of an `except*`, to be raised; None if nothing."""
        left = [one for one in exceptions if one is not None]
        if not left:
            return None
        if not isinstance(original, BaseExceptionGroup):
            return left[0]
        raised, same = [], []
        for one in left:
            is_same = one.__traceback__ is original.__traceback__ and getattr(one, "__notes__", None) is getattr(
                original, "__notes__", None
            )
            (same if is_same and one.__cause__ is original.__cause__ and one.__context__ is original.__context__ else raised).append(one)
        projected = self.project(original, same)
        if not raised:
            return projected
        if projected is not None:
            raised.append(projected)
        return BaseExceptionGroup("", raised) if len(raised) > 1 else raised[0]

    def project(self, original: Any, groups: list[Any]) -> Any:
        """The part of the original group whose leaves are in the groups."""
        leaves: set[int] = set()

        def collect(group: Any) -> None:
            for one in group.exceptions:
                if isinstance(one, BaseExceptionGroup):
                    collect(one)
                else:
                    leaves.add(id(one))

        for group in groups:
            collect(group)
        return original.subgroup(lambda one: id(one) in leaves) if leaves else None

    def intrinsic_typevar_with_bound(self, name: str, bound: Any) -> Any:
        """`[T: bound]`."""
        raise NotImplementedError

    def intrinsic_typevar_with_constraints(self, name: str, constraints: Any) -> Any:
        """`[T: (a, b)]`."""
        raise NotImplementedError

    def intrinsic_set_function_type_params(self, function: Any, parameters: Any) -> Any:
        """`function.__type_params__ = parameters`."""
        function.__type_params__ = parameters
        return function

    def intrinsic_set_typeparam_default(self, parameter: Any, default: Any) -> Any:
        """`[T = default]`."""
        raise NotImplementedError

    def in_frame(self, callable_: Any, *arguments: Any, **keywords: Any) -> Any:
        """Called so that it finds the interpreted frame's module."""
        return self.call_in_frame(callable_, list(arguments), keywords, 4)


__all__ = ["GenericAlias", "RealIntrinsics"]
