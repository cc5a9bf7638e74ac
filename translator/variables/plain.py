"""Plain values: what Python does with them, done by Python itself.

The objects here are never changed and never shared with the program: an operation on known values is
carried out for real, and what it gives is known too. An exception is the traced program's own.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import TranslatorError
from translator.raised import Raised
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

#: by the operator as written; "+=" on plain values is "+"
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "[]": operator.getitem,
}
INPLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "@=": operator.imatmul,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
}
ANY_BINARY = {**BINARY, **INPLACE}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}

#: numbers and strings larger than this are left to run time
_MOST_BITS = 1 << 16
_MOST_ITEMS = 1 << 16


class WarningsRaised:
    """Within, a warning is raised instead of shown.

    The list of filters is put aside for the while; `warnings.catch_warnings` would also forget which
    warnings were shown before.
    """

    __slots__ = ("filters",)

    action = "error"

    def __enter__(self) -> None:
        self.filters = warnings.filters
        warnings.filters = [(self.action, None, Warning, None, 0)]

    def __exit__(self, *error: object) -> None:
        warnings.filters = self.filters


class WarningsIgnored(WarningsRaised):
    """Within, no warning is shown, and none is counted as shown."""

    __slots__ = ()

    action = "ignore"


def run(tx: Translator, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Carries out an operation of Python's own on Python objects, and makes its result a value."""
    try:
        with WarningsRaised():
            result = function(*arguments, **keywords)
    except (Raised, TranslatorError):
        raise  # what the program's own methods raise in the trace
    except Exception as error:
        return tx.raise_host(error)
    return result if type(result) in PLAIN else value_of(tx, result)


def too_large(operator: str, left: Any, right: Any) -> bool:
    """Whether carrying it out now could take long or a lot of memory."""
    first, second = type(left), type(right)
    if operator in ("**", "**=") and first is int and second is int:
        return right > 0 and left.bit_length() * right > _MOST_BITS
    if operator in ("<<", "<<=") and second is int:
        return bool(right > _MOST_BITS)
    if operator in ("*", "*="):
        if first is int and second is int:
            return left.bit_length() + right.bit_length() > _MOST_BITS
        text, count = (left, right) if second is int else (right, left)
        return type(text) in (str, bytes) and isinstance(count, int) and len(text) * count > _MOST_ITEMS
    return False


def python(tx: Translator, value: Any) -> Any:
    """The Python object for a value that is wholly known; containers are made afresh."""
    return value if type(value) in PLAIN else value.python(tx)


def is_known(value: Any) -> bool:
    """Whether the value is plain, or a container of nothing else."""
    from translator.variables.lazy import LazyVariable
    from translator.variables.sequences import RangeVariable, SliceVariable, TupleVariable

    kind = type(value)
    if kind in PLAIN or kind is RangeVariable:
        return True
    if kind is LazyVariable:
        return type(value.value) in PLAIN
    if kind is TupleVariable or kind is SliceVariable:
        return all(map(is_known, value.children()))
    return False


def value_of(tx: Translator, result: Any) -> Any:
    """The value for a Python object that was made in the trace, wholly known."""
    from translator.variables import builtins, enums, host_objects, mappings, named_tuples, sequences, sets
    from translator.variables.keys import Key

    kind = type(result)
    if kind in PLAIN:
        return result
    if kind is tuple:
        return sequences.TupleVariable([value_of(tx, item) for item in result])
    if kind is list:
        return sequences.ListVariable([value_of(tx, item) for item in result])
    if kind is dict:
        return mappings.DictVariable({key: value_of(tx, item) for key, item in result.items()})
    if kind is Key:
        return result.variable
    if isinstance(result, tuple) and kind in tx.classes:
        return named_tuples.NamedTupleVariable(tx.classes[kind], [value_of(tx, item) for item in result])
    if kind is set or kind is frozenset:
        return sets.SetVariable(result)
    if kind is range:
        return sequences.RangeVariable(result)
    if kind is slice:
        parts = [value_of(tx, part) for part in (result.start, result.stop, result.step)]
        return sequences.SliceVariable(*parts)
    if kind in host_objects.TYPES:
        return host_objects.HostObjectVariable(result)
    found = builtins.known_object(tx, result) or tx.classes.get(result if isinstance(result, type) else None)
    if found is not None:
        return found
    if enums.is_enum(kind) and kind in tx.classes:
        return enums.EnumVariable(tx.classes[kind], result)
    return tx.unsupported(
        f"a {kind.__name__} object", f"no VariableTracker stands for a {kind.__name__} made in the trace"
    )


def has_nan(value: Any) -> bool:
    """Whether NaN is in it: then `in` and `==` of containers depend on which object it is."""
    if type(value) is float or type(value) is complex:
        return bool(value != value)
    if type(value) in (tuple, list, set, frozenset):
        return any(map(has_nan, value))
    if type(value) is dict:
        return any(map(has_nan, value)) or any(map(has_nan, value.values()))
    return False


def has_exception(value: Any) -> bool:
    """Whether an exception is in it: what stands for it is no object of the program."""
    if isinstance(value, BaseException):
        return True
    return type(value) in (tuple, frozenset) and any(map(has_exception, value))


def _equal_by_parts(tx: Translator, left: Any, right: Any) -> bool | None:
    """The same where objects have an `__eq__` of their own; None if Python's own objects say it."""
    from translator.variables.mappings import DictVariable
    from translator.variables.objects import InstanceVariable
    from translator.variables.sequences import SequenceVariable

    if isinstance(left, InstanceVariable) or isinstance(right, InstanceVariable):
        return tx.is_same_object(left, right) or bool(tx.truth_of(tx.compare("==", left, right)))
    if isinstance(left, SequenceVariable) and isinstance(right, SequenceVariable):
        if left.python_class is not right.python_class or (is_known(left) and is_known(right)):
            return None
        if left.python_class is list and len(left.values) != len(right.values):
            return False
        pairs = zip(list(left.values), list(right.values))
        return all(equal(tx, *pair) for pair in pairs) and len(left.values) == len(right.values)
    if isinstance(left, DictVariable) and isinstance(right, DictVariable):
        if left.length(tx) != right.length(tx):
            return False
        return all(_equal_at(tx, left, right, key) for key in left.keys(tx))
    return None


def _equal_at(tx: Translator, left: Any, right: Any, key: Any) -> bool:
    found = right.found(tx, key)
    return found is not None and equal(tx, found[0], left.lookup(tx, key))


def equal(tx: Translator, left: Any, right: Any) -> bool:
    """Whether two items are equal as containers compare them: one object, or `==`."""
    left, right = tx.realize(left), tx.realize(right)
    if type(left) in PLAIN and type(right) in PLAIN:
        if left != left or right != right:
            tx.unsupported(
                "NaN among items that are compared", "identity of floats is not known in the trace"
            )
        return bool(run(tx, operator.eq, left, right))
    if left is right and isinstance(left, VariableTracker) and left.equals_itself:
        return True
    found = _equal_by_parts(tx, left, right)
    if found is not None:
        return found
    one, other = python(tx, left), python(tx, right)
    if has_nan(one) or has_nan(other):
        tx.unsupported("NaN among items that are compared", "identity of floats is not known in the trace")
    return bool(one == other)
