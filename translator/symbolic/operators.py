"""Operators on plain values and VariableTrackers."""

from __future__ import annotations

from operator import contains
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.semantics import Semantics
from translator.side_effects import ChangeableVariable
from translator.variables import plain
from translator.variables.arrays import ArrayVariable
from translator.variables.builtins import BuiltinVariable
from translator.variables.classes import ClassVariable
from translator.variables.enums import EnumVariable
from translator.variables.functions import MethodVariable
from translator.variables.lazy import LazyVariable
from translator.variables.objects import InstanceVariable
from translator.variables.sequences import SequenceVariable
from translator.variables.stand_ins import fail_by_type
from translator.variables.tracker import PLAIN, SINGLETONS, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


_BINARY = plain.ANY_BINARY
#: operators that can make something large out of something small
_GROWS = frozenset({"*", "**", "<<", "*=", "**=", "<<="})
#: what is known by its identity
_BY_IDENTITY = (BuiltinVariable, ClassVariable, EnumVariable)
#: what can be changed: looked at under two names, it is one tracker
_CHANGEABLE = (InstanceVariable, ChangeableVariable)
#: what cannot change, so that CPython may give the same one again
_SHARED = frozenset({tuple, frozenset, range, slice})


class SymbolicOperators(Semantics):
    """Truth, arithmetic, comparison, identity, `in`."""

    def constant(self: Translator, value: object) -> Any:
        # code objects, foreign ones too, are only ever made functions of
        return value if type(value) in PLAIN or hasattr(value, "co_code") else plain.value_of(self, value)

    def to_bool(self: Translator, value: Any) -> Any:
        return self.truth_of(value)

    def truth(self: Translator, flag: Any) -> bool:
        return flag if type(flag) is bool else self.truth_of(flag)

    def is_none(self: Translator, value: Any) -> bool:
        return value is None or self.is_(value, None)

    # -- operators

    def unary(self: Translator, operator: str, value: Any) -> Any:
        value = self.realize(value)
        if type(value) in PLAIN:
            return plain.run(self, plain.UNARY[operator], value)
        if isinstance(value, ArrayVariable):
            return value.unary(self, operator)
        if isinstance(value, InstanceVariable):
            return self.unary_of_instance(operator, value)
        return fail_by_type(self, f"`{operator}` of {value!r}", plain.UNARY[operator], value)

    def not_(self: Translator, flag: Any) -> Any:
        return not self.truth(flag)

    def binary(self: Translator, operator: str, left: Any, right: Any) -> Any:
        if type(left) in PLAIN and type(right) in PLAIN:
            if operator in _GROWS and plain.too_large(operator, left, right):
                self.unsupported(f"a large result of `{operator}`", "it is not worked out ahead of the run")
            if operator in ("%", "%="):  # it may warn of bytes
                return plain.run(self, _BINARY[operator], left, right)
            try:
                result = _BINARY[operator](left, right)
            except Exception as error:
                return self.raise_host(error)
            return result if type(result) in PLAIN else plain.value_of(self, result)
        left, right = self.realize(left), self.realize(right)
        if operator == "[]":
            if isinstance(left, VariableTracker):
                return left.getitem(self, right)
            return plain.run(self, _BINARY["[]"], left, plain.python(self, right))
        if type(left) in PLAIN and type(right) in PLAIN:
            return self.binary(operator, left, right)
        return self._binary(operator, left, right)

    def _binary(self: Translator, operator: str, left: Any, right: Any) -> Any:
        if isinstance(left, InstanceVariable) or isinstance(right, InstanceVariable):
            return self.binary_of_instances(operator, left, right)
        if isinstance(left, ArrayVariable) or not isinstance(right, ArrayVariable):
            order = ((left, right, False), (right, left, True))
        else:
            order = ((right, left, True), (left, right, False))
        for owner, other, reflected in order:
            answer = getattr(owner, "binary", None)
            if answer is not None:
                result = answer(self, operator, other, reflected)
                if result is not NotImplemented:
                    return result
        if operator in ("%", "%=") and type(left) is str:
            return plain.run(self, _BINARY["%"], left, plain.python(self, right))
        what = f"`{operator}` of {left!r} and {right!r}"
        return fail_by_type(self, what, _BINARY[operator], left, right)

    def compare(self: Translator, operator: str, left: Any, right: Any) -> Any:
        left, right = self.realize(left), self.realize(right)
        if type(left) in PLAIN and type(right) in PLAIN:
            return plain.run(self, plain.COMPARE[operator], left, right)
        if isinstance(left, InstanceVariable) or isinstance(right, InstanceVariable):
            return self.compare_instances(operator, left, right)
        if isinstance(left, ArrayVariable):
            return left.compare(self, operator, right, False)
        if isinstance(right, ArrayVariable):
            return right.compare(self, operator, left, True)
        if operator in ("==", "!="):
            return plain.equal(self, left, right) is (operator == "==")
        differing = self._first_difference(left, right)
        if differing is not None:
            return self.compare(operator, *differing)
        one, other = plain.python(self, left), plain.python(self, right)
        if plain.has_nan(one) or plain.has_nan(other):
            self.unsupported(
                "NaN among items that are compared", "identity of floats is not known in the trace"
            )
        return plain.run(self, plain.COMPARE[operator], one, other)

    def _first_difference(self: Translator, left: Any, right: Any) -> Any:
        """The first items that differ, or the lengths, of sequences that are not wholly known; else None."""
        if not isinstance(left, SequenceVariable) or not isinstance(right, SequenceVariable):
            return None
        if left.python_class is not right.python_class or (plain.is_known(left) and plain.is_known(right)):
            return None
        for pair in zip(list(left.values), list(right.values)):
            if not plain.equal(self, *pair):
                return pair
        return len(left.values), len(right.values)

    def is_(self: Translator, left: Any, right: Any) -> Any:
        if left is right and isinstance(left, VariableTracker):
            return True
        for one, other in ((left, right), (right, left)):
            if type(one) is LazyVariable and type(other) in PLAIN and other in SINGLETONS[:1]:
                return self._is_singleton(one, other)
        if type(left) is LazyVariable and type(right) is LazyVariable:
            if type(left.value) not in PLAIN or type(right.value) not in PLAIN:
                same = left.value is right.value
                self.guards.same_object(left.source, right.source, same)
                return same
        return self._is_same(self.realize(left), self.realize(right))

    def _is_singleton(self: Translator, lazy: LazyVariable, value: Any) -> bool:
        if lazy.value is value:
            self.guards.identity(lazy.source, value)
            return True
        self.guards.add(3, "{} is not {}", lazy.source, value)
        return False

    def _is_same(self: Translator, left: Any, right: Any) -> bool:
        if left is right and isinstance(left, VariableTracker):
            return True
        if type(left) in PLAIN and type(right) in PLAIN:
            if any(left is each or right is each for each in SINGLETONS):
                return left is right
            if type(left) is not type(right):
                return False
            return self.unsupported(
                "`is` between numbers or strings", "which objects are shared is CPython's own"
            )
        if isinstance(left, _BY_IDENTITY) and isinstance(right, _BY_IDENTITY):
            return left.value is right.value
        if isinstance(left, _CHANGEABLE) or isinstance(right, _CHANGEABLE):
            return self.is_same_object(left, right)
        arrays = [value for value in (left, right) if isinstance(value, ArrayVariable)]
        if len(arrays) == 2:
            if any(value.roots for value in arrays) or not any(value.source for value in arrays):
                return self.unsupported("`is` between arrays", "a view may be the array itself")
            if all(value.source for value in arrays):
                same = left.value is right.value
                self.guards.same_object(left.source, right.source, same)
                return same
            if not all(value.is_array(self) for value in arrays):
                return self.unsupported("`is` of a scalar", "which are shared is NumPy's own")
            return False
        if arrays and type(left) is not type(None) and type(right) is not type(None):
            if arrays[0].python_type(self) in PLAIN:
                return self.unsupported("`is` of a number", "its value depends on data")
        if isinstance(left, MethodVariable) or isinstance(right, MethodVariable):
            return self.unsupported("`is` of a method", "it is captured for calls")
        if type(left) not in PLAIN and type(right) not in PLAIN:
            kind = self.type_of(left)
            if kind in _SHARED and kind is self.type_of(right):
                return self.unsupported(
                    f"`is` between two of {kind.__name__}", "which objects are shared is CPython's own"
                )
        if isinstance(left, VariableTracker) and isinstance(right, VariableTracker):
            if left.source is not None and right.source is not None:
                return self.unsupported("`is` between inputs", "it is not captured for these")
        return False

    def is_same_object(self: Translator, left: Any, right: Any) -> bool:
        """Of two trackers, one of an object that can be changed: such an object has one tracker."""
        if left is right or (isinstance(left, _BY_IDENTITY) and isinstance(right, _BY_IDENTITY)):
            return left is right or left.value is right.value
        one, other = getattr(left, "source", None), getattr(right, "source", None)
        if one is not None and other is not None:
            self.guards.same_object(one, other, False)
        return False

    def contains(self: Translator, container: Any, item: Any) -> Any:
        container, item = self.realize(container), self.realize(item)
        if type(container) in PLAIN:
            return plain.run(self, contains, container, plain.python(self, item))
        return container.contains(self, item)
