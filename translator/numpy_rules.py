"""What is known of NumPy: which of its functions and methods only compute, and what they give.

NumPy is never imported here: the module that the user has imported is looked at, once.
A function that is not listed is not captured: its call is left to the original code.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from translator.errors import Unimplemented
from translator.graph import Node
from translator.numpy_names import (
    ALIASES,
    DATA_DEPENDENT,
    FRESH,
    METHODS_ALIAS,
    METHODS_FRESH,
    METHODS_IN_PLACE,
    OUT_POSITION,
    WARNS_OTHERWISE,
)
from translator.variables import plain
from translator.variables.arrays import ArrayVariable, ResultTupleVariable
from translator.variables.builtins import BuiltinVariable
from translator.variables.sequences import ListVariable, SequenceVariable, SliceVariable, TupleVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

#: stand-ins larger than this are not computed with
_MOST_ELEMENTS = 1 << 16


class Meta(NamedTuple):
    """What is known of a result without its data: its exact type, and for arrays and scalars more."""

    kind: type
    dtype: Any = None
    shape: tuple[int, ...] | None = None
    scalar: bool = True
    #: the metas of a tuple's or list's items
    parts: tuple[Meta, ...] | None = None


class Rule(NamedTuple):
    """How calls of a function are captured: "fresh" memory or "alias"; whether shapes depend on data."""

    memory: str
    data_dependent: bool = False


_rules: NumpyRules | None = None


def numpy_rules() -> NumpyRules | None:
    """The rules, once the user has imported NumPy; None before."""
    global _rules
    if _rules is None and "numpy" in sys.modules and hasattr(sys.modules["numpy"], "ndarray"):
        _rules = NumpyRules(sys.modules["numpy"])
    return _rules


class NumpyRules:
    """The functions of one NumPy by identity, and how results are foreseen."""

    def __init__(self, numpy: Any) -> None:
        self.numpy = numpy
        self.ndarray = numpy.ndarray
        self.functions: dict[int, tuple[Any, Rule]] = {}
        self.modules = {id(numpy): "numpy"}
        self.memo: dict[Any, Meta] = {}
        self._dtypes: dict[Any, Any] = {}
        for name in ("fft", "linalg"):
            self.modules[id(getattr(numpy, name))] = name
        self._list(FRESH, "fresh")
        self._list(ALIASES, "alias")
        for value in list(vars(numpy).values()):
            if (
                isinstance(value, numpy.ufunc)
                and value.types
                and not all("O" in each for each in value.types)
            ):
                self.functions[id(value)] = (value, Rule("fresh"))
        self.scalar_types = frozenset(
            value
            for value in vars(numpy).values()
            if isinstance(value, type)
            and issubclass(value, (numpy.number, numpy.bool_))
            and not value.__subclasses__()
        )
        for kind in self.scalar_types:
            self.functions[id(kind)] = (kind, Rule("fresh"))

    def _list(self, names: str, memory: str) -> None:
        for path in names.split():
            value = self.numpy
            for name in path.split("."):
                value = getattr(value, name, None)
            if callable(value):
                self.functions[id(value)] = (value, Rule(memory, path in DATA_DEPENDENT))

    # -- recognising

    def known_object(self, value: Any, source: Source | None) -> VariableTracker | None:
        """A tracker for a function, type, dtype or module of NumPy; None for anything else."""
        if id(value) in self.functions and self.functions[id(value)][0] is value:
            return NumpyFunction(value, source)
        kind = type(value)
        if issubclass(kind, self.numpy.dtype):
            return BuiltinVariable(value, source) if value.isbuiltin == 1 else None
        if kind is type:
            is_array_type = value is self.ndarray or issubclass(value, self.numpy.generic)
            return BuiltinVariable(value, source) if is_array_type else None
        if kind is BuiltinFunctionType and id(value.__self__) in self.functions:
            return NumpyFunction(value, source) if self.rule_of(value) is not None else None
        return None

    def is_input(self, value: Any) -> bool:
        """Whether a live value is an array or scalar that is captured."""
        kind = type(value)
        if kind is self.ndarray:
            dtype = value.dtype
            return dtype.isbuiltin == 1 and dtype.kind in "biufc"
        return kind in self.scalar_types

    def input_array(self, tx: Translator, source: Source, value: Any) -> ArrayVariable:
        """The tracker of an input, under guards on its type and dtype."""
        tx.guards.type_is(source, type(value))
        if type(value) is self.ndarray:
            tx.guards.add(14, "{}.dtype is {}", source, value.dtype)
        return ArrayVariable(None, frozenset(), source, value)

    # -- calls

    def rule_of(self, function: Any) -> Rule | None:
        """The rule for a function, or None."""
        found = self.functions.get(id(function))
        if found is not None:
            return found[1]
        bound = getattr(function, "__self__", None)
        if isinstance(bound, self.numpy.ufunc) and function.__name__ in (
            "reduce",
            "accumulate",
            "outer",
            "reduceat",
        ):
            return Rule("fresh")
        return None

    def call(self, tx: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A call of a function of NumPy becomes a node."""
        rule = self.rule_of(function)
        if rule is None:
            return tx.unsupported(f"a call of {function!r}", "this function of NumPy is not captured")
        arguments = [tx.realize(value) for value in arguments]
        if self._asks_for_fact(function, arguments, keywords):
            return self.fact(tx, arguments[0], function.__name__)
        if function is getattr(self.numpy, "where", None) and len(arguments) == 1:
            rule = Rule("fresh", True)
        keywords = self._check(tx, function, arguments, keywords)
        return self._record(tx, function, arguments, keywords, rule)

    def _asks_for_fact(self, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> bool:
        name = getattr(function, "__name__", "")
        return (
            name in ("shape", "ndim", "size")
            and len(arguments) == 1
            and not keywords
            and type(arguments[0]) is ArrayVariable
        )

    def _record(
        self, tx: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any], rule: Rule
    ) -> Any:
        roots: frozenset[ArrayVariable] = frozenset()
        if rule.memory == "alias" or keywords.get("copy", True) is not True or _is_einsum(function):
            roots = roots.union(*(value.shares() for value in _arrays_in([*arguments, *keywords.values()])))
        made = tx.record(function, tuple(arguments), keywords, roots)
        made.computed = rule.data_dependent
        return self._split(tx, made) if self._gives_several(function, keywords) else made

    def _gives_several(self, function: Any, keywords: dict[str, Any]) -> bool:
        if isinstance(function, self.numpy.ufunc):
            return bool(function.nout > 1)
        name = getattr(function, "__name__", "")
        flags = (
            "return_index",
            "return_inverse",
            "return_counts",
            "returned",
            "full",
            "cov",
            "return_counts",
            "retstep",
        )
        return name in SEVERAL or any(keywords.get(flag, False) is not False for flag in flags)

    def _split(self, tx: Translator, made: ArrayVariable) -> Any:
        """A tuple or list of arrays: one node an item."""
        found = self.meta(tx, made)
        if found.parts is None:
            return made
        values = []
        for index in range(len(found.parts)):
            item = tx.record(operator.getitem, (made, index), {}, made.roots)
            item.computed = made.computed
            item.node.quiet = True
            values.append(item)
        if found.kind is list:
            return ListVariable(values)
        if found.kind is tuple:
            return TupleVariable(values)
        assert made.node is not None
        return ResultTupleVariable(made.node, found.kind, values)

    def _check(
        self, tx: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any]
    ) -> dict[str, Any]:
        """Gives up on arguments whose effect is not pure; the keywords, looked at."""
        name = getattr(function, "__name__", str(function))
        found = {key: tx.realize(value) for key, value in keywords.items()}
        if isinstance(function, self.numpy.ufunc) and len(arguments) > function.nin:
            tx.unsupported(f"an output argument of {name}()", "changes of arrays by `out` are not captured")
        if len(arguments) > OUT_POSITION.get(name, 99) and not isinstance(function, str):
            tx.unsupported(f"so many arguments of {name}()", "changes of arrays by `out` are not captured")
        for refused in ("out", "like", "subok", "where", "overwrite_input"):
            if refused in found and found[refused] is not None:
                if refused == "where" and not isinstance(function, self.numpy.ufunc):
                    continue
                tx.unsupported(f"{refused}= of {name}()", "it is not captured", "call it without it")
        if name == "nan_to_num" and (len(arguments) > 1 or "copy" in found):
            tx.unsupported("nan_to_num() that may change its argument", "changes of arrays are not captured")
        for value in [*arguments, *found.values()]:
            self._check_value(tx, name, value)
        return found

    def _check_value(self, tx: Translator, name: str, value: Any) -> None:
        kind = type(value)
        if kind is int and not -(2**63) <= value < 2**63:
            tx.unsupported(f"a large int in {name}()", "NumPy makes an array of objects of it")
        if kind is bytes:
            tx.unsupported(f"bytes in {name}()", "they are not captured")
        if kind is str and name in ("array", "asarray", "full", "full_like", "dtype", "asanyarray"):
            if value not in ("C", "F", "A", "K") and not self._is_number_type(value):
                tx.unsupported(f"a string in {name}()", "arrays of strings are not captured")
        if isinstance(value, SequenceVariable):
            for item in value.values:
                item = tx.realize(item)
                if item is None or type(item) is str:
                    tx.unsupported(
                        f"{item!r} in a list for {name}()", "NumPy would make an array of objects of it"
                    )
                self._check_value(tx, name, item)
        if isinstance(value, BuiltinVariable) and not self._is_number_type(value.value):
            tx.unsupported(
                f"{value.describe()} as an argument of {name}()", "it is captured for numeric dtypes"
            )

    def _is_number_type(self, value: Any) -> bool:
        if value is object or (
            isinstance(value, type)
            and value not in (int, float, bool, complex)
            and value not in self.scalar_types
        ):
            return False
        try:
            return bool(self.numpy.dtype(value).kind in "biufc")
        except TypeError:
            return False

    def method(
        self, tx: Translator, owner: ArrayVariable, name: str, arguments: list[Any], keywords: dict[str, Any]
    ) -> Any:
        """A call of an array's method becomes a node."""
        values = [tx.realize(value) for value in arguments]
        if name in METHODS_IN_PLACE:
            owner.about_to_change(tx)
            if not owner.is_array(tx):
                tx.unsupported(f"method {name}() of a scalar", "it is not captured")
            named = self._check(tx, name, values, keywords)
            tx.record(name, (owner, *values), named, frozenset(), method=True, writes=True)
            return None
        if name not in METHODS_FRESH and name not in METHODS_ALIAS:
            return tx.unsupported(f"method {name}() of an array", "this method of arrays is not captured")
        if len(values) >= OUT_POSITION.get(name, 99):
            tx.unsupported(f"so many arguments of {name}()", "changes of arrays by `out` are not captured")
        named = self._check(tx, name, values, keywords)
        fresh = name in METHODS_FRESH and named.get("copy", True) is True
        if name == "astype" and len(values) > 4:
            fresh = False
        made = tx.record(name, (owner, *values), named, frozenset() if fresh else owner.shares(), method=True)
        made.computed = name in ("nonzero", "compress", "repeat")
        return self._split(tx, made) if name == "nonzero" else made

    def builtin(self, tx: Translator, function: Any, values: list[Any], keywords: dict[str, Any]) -> Any:
        """abs(), divmod(), pow(), round() of arrays; int() and its kin depend on data."""
        if keywords or function in (int, float, complex, str, bytes):
            return tx.unsupported(
                f"{function.__name__}() of an array",
                "its value is not known in the trace",
                "keep it an array",
            )
        if function is pow and len(values) == 3:
            return tx.unsupported("pow() of three arguments", "it is not captured")
        for value in values:
            if type(value) is not ArrayVariable and type(value) not in (int, float, complex, bool):
                tx.unsupported(f"{function.__name__}() of an array and {value!r}", "it is not captured")
        made = tx.record(function, tuple(values), {}, frozenset())
        return self._split(tx, made) if function is divmod else made

    def check_index(self, tx: Translator, key: Any) -> None:
        """Gives up on keys that do not index an array as data."""
        key = tx.realize(key)
        kind = type(key)
        if key is None or key is Ellipsis or kind in (int, bool, ArrayVariable, SliceVariable):
            return
        if kind is TupleVariable or kind is ListVariable:
            for part in key.values:
                self.check_index(tx, part)
            return
        tx.unsupported(
            f"an array indexed by {key!r}", "it is captured for ints, slices, arrays and tuples of them"
        )

    # -- what results will be

    def fact(self, tx: Translator, array: ArrayVariable, name: str) -> Any:
        """shape, ndim, size, dtype … of an array, as values."""
        if name == "dtype":
            dtype = self._dtype(tx, array)
            if dtype is None:
                return tx.unsupported("the dtype of this", "it is not an array")
            return BuiltinVariable(dtype)
        if array.source is not None and name == "ndim":
            if type(array.value) is self.ndarray:
                tx.guards.add(15, "{}.ndim == {}", array.source, array.value.ndim)
            return array.value.ndim
        shape = array.shape(tx)
        if name == "shape":
            return TupleVariable(list(shape))
        if name == "ndim":
            return len(shape)
        size = 1
        for length in shape:
            size *= length
        if name == "size":
            return size
        itemsize = self._dtype(tx, array).itemsize
        return itemsize if name == "itemsize" else size * itemsize

    def _dtype(self, tx: Translator, array: ArrayVariable) -> Any:
        if array.source is not None:
            return array.value.dtype
        return self.meta(tx, array).dtype

    def meta(self, tx: Translator, array: ArrayVariable) -> Meta:
        """What is known of a result; asks for the shapes of the inputs that it depends on."""
        metas = tx.metas
        waiting = [array.argument(tx)]
        while waiting:
            node = waiting[-1]
            if node in metas:
                waiting.pop()
                continue
            missing = [used for used in node.inputs() if used not in metas]
            if missing:
                waiting += missing
                continue
            metas[node] = self._meta_of(tx, node)
            waiting.pop()
        return metas[array.argument(tx)]  # type: ignore[no-any-return]

    def _meta_of(self, tx: Translator, node: Node) -> Meta:
        variable = tx.variable_of[node]
        if variable.source is not None:
            value = variable.value
            if type(value) is self.ndarray:
                tx.guards.add(35, "{}.shape == {}", variable.source, value.shape)
                return Meta(self.ndarray, value.dtype, value.shape, False)
            return Meta(type(value), value.dtype, (), True)
        if variable.computed:
            return tx.unsupported(  # type: ignore[no-any-return]
                f"the shape of {node.name}",
                "it depends on data",
                "do not ask for shapes of what depends on data",
            )
        key = _meta_key(node, tx.metas)
        found = self.memo.get(key) if key is not None else None
        if found is None:
            found = self._foresee(tx, node)
            if key is not None:
                if len(self.memo) > 10_000:
                    self.memo.clear()
                self.memo[key] = found
        return found

    def _foresee(self, tx: Translator, node: Node) -> Meta:
        """Carries the operation out on stand-ins of the same types, shapes and dtypes."""
        elementwise = self._elementwise(tx, node)
        if elementwise is not None:
            return elementwise
        name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
        if name in WARNS_OTHERWISE and any(_is_delicate(tx.metas[used]) for used in node.inputs()):
            return tx.unsupported(f"the shape of {node.name}", "working it out could warn")
        try:
            with self.numpy.errstate(all="ignore"):
                result = _evaluate(node, lambda used: self._stand_in(tx, tx.metas[used]))
        except Unimplemented:
            raise
        except Exception as error:
            return tx.unsupported(  # type: ignore[no-any-return]
                f"the shape of {node.name}",
                f"{self.raised} when it was worked out ({type(error).__name__}: {error})",
            )
        return tx.metas[node.inputs()[0]] if node.writes else self._describe(tx, result)

    #: how the reason begins when an operation raises on stand-ins
    raised = "an exception was raised"

    def result_dtype(self, ufunc: Any, target: Any, values: list[Any]) -> Any:
        """The dtype that a ufunc's operator gives for dtypes and numbers; None if it raises.

        Found on arrays of one element, so that numbers too large for a dtype are noticed.
        """
        key = (target, *((type(value), value) for value in values))
        if key not in self._dtypes:
            filled = [
                self.numpy.ones(1, value) if isinstance(value, self.numpy.dtype) else value
                for value in values
            ]
            try:
                with self.numpy.errstate(all="ignore"):
                    self._dtypes[key] = target(*filled).dtype
            except Exception:
                self._dtypes[key] = None
        return self._dtypes[key]

    def _elementwise(self, tx: Translator, node: Node) -> Meta | None:
        """Operators and ufuncs on arrays: dtype by `resolve_dtypes`, shape by broadcasting."""
        ufunc = self.ufunc_of(node)
        if ufunc is None or node.writes or node.kwargs or len(node.args) != ufunc.nin:
            return None
        dtypes: list[Any] = []
        shapes: list[tuple[int, ...]] = []
        for value in node.args:
            if type(value) is Node:
                found = tx.metas[value]
                if found.dtype is None or found.shape is None:
                    return None
                dtypes.append(found.dtype)
                shapes.append(found.shape)
            elif type(value) in (int, float, complex):
                dtypes.append(type(value))
                shapes.append(())
            else:
                return None
        if any(type(value) is int and not -128 <= value < 128 for value in node.args):
            return None
        try:
            result = ufunc.resolve_dtypes((*dtypes, None))[-1]
        except Exception:
            return None
        shape = broadcast(shapes)
        if shape is None:
            return None
        return Meta(self.ndarray, result, shape, False) if shape else Meta(result.type, result, (), True)

    def ufunc_of(self, node: Node) -> Any:
        """The ufunc that an elementwise operation is, with one result; or None."""
        target = node.target
        if isinstance(target, self.numpy.ufunc):
            return target if target.nout == 1 and target.signature is None else None
        name = _UFUNC_OF.get(target)
        return getattr(self.numpy, name) if name else None

    def _stand_in(self, tx: Translator, found: Meta) -> Any:
        if found.parts is not None:
            parts = [self._stand_in(tx, part) for part in found.parts]
            return parts if found.kind is list else tuple(parts)
        if found.dtype is None:
            return found.kind(1)
        if found.scalar:
            return found.dtype.type(1)
        size = 1
        for length in found.shape or ():
            size *= length
        if size > _MOST_ELEMENTS:
            tx.unsupported("a shape that needs a large computation", "it is not worked out ahead of the run")
        shape = found.shape or ()
        if len(shape) == 2 and shape[0] == shape[1]:
            return self.numpy.eye(shape[0], dtype=found.dtype)
        return self.numpy.ones(shape, found.dtype)

    def _describe(self, tx: Translator, result: Any) -> Meta:
        kind = type(result)
        if kind is self.ndarray:
            return Meta(kind, result.dtype, result.shape, False)
        if isinstance(result, self.numpy.generic):
            return Meta(kind, result.dtype, (), True)
        if kind in PLAIN:
            return Meta(kind)
        if isinstance(result, (tuple, list)):
            return Meta(kind, parts=tuple(self._describe(tx, item) for item in result))
        return tx.unsupported(f"a result of type {kind.__name__}", "it is not captured")


#: functions that give a tuple or a list of arrays
SEVERAL = frozenset(
    {
        "meshgrid", "split", "array_split", "hsplit", "vsplit", "dsplit", "histogram", "nonzero",
        "broadcast_arrays",
        "unravel_index", "eig", "eigh", "svd", "qr", "slogdet", "lstsq", "gradient", "tril_indices",
        "triu_indices", "ix_", "where", "unstack",
    }
)  # fmt: skip

_UFUNC_OF: dict[Any, str] = {
    operator.add: "add",
    operator.sub: "subtract",
    operator.mul: "multiply",
    operator.truediv: "true_divide",
    operator.floordiv: "floor_divide",
    operator.mod: "remainder",
    operator.and_: "bitwise_and",
    operator.or_: "bitwise_or",
    operator.xor: "bitwise_xor",
    operator.lt: "less",
    operator.le: "less_equal",
    operator.gt: "greater",
    operator.ge: "greater_equal",
    operator.eq: "equal",
    operator.ne: "not_equal",
    operator.neg: "negative",
    abs: "absolute",
}


def _is_delicate(found: Meta) -> bool:
    """Complex or empty: what is done with it may warn."""
    return found.dtype is not None and (
        found.dtype.kind == "c" or (found.shape is not None and 0 in found.shape)
    )


def _is_einsum(function: Any) -> bool:
    return getattr(function, "__name__", "") == "einsum"


def broadcast(shapes: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The shape that shapes broadcast to; None if they do not."""
    result: list[int] = []
    for place in range(1, max(map(len, shapes), default=0) + 1):
        length = 1
        for shape in shapes:
            if place <= len(shape) and shape[-place] != 1:
                if length not in (1, shape[-place]):
                    return None
                length = shape[-place]
        result.append(length)
    return tuple(result[::-1])


def _evaluate(node: Node, stand_in: Callable[[Node], Any]) -> Any:
    def fill(value: Any) -> Any:
        kind = type(value)
        if kind is Node:
            return stand_in(value)
        if kind is tuple or kind is list:
            return kind(map(fill, value))
        if kind is slice:
            return slice(fill(value.start), fill(value.stop), fill(value.step))
        return value

    arguments = [fill(value) for value in node.args]
    named = {key: fill(value) for key, value in (node.kwargs or {}).items()}
    if node.op == "call_method":
        return getattr(arguments[0], node.target)(*arguments[1:], **named)
    return node.target(*arguments, **named)


def _meta_key(node: Node, metas: dict[Node, Meta]) -> Any:
    """What the result's meta depends on, hashable; None if it is not."""

    def key(value: Any) -> Any:
        if type(value) is Node:
            return metas[value]
        if type(value) in (tuple, list):
            return (type(value), *map(key, value))
        if type(value) is slice:
            return (slice, value.start, value.stop, value.step)
        return (type(value), value)

    try:
        made = (node.op, node.target, *map(key, node.args), *map(key, (node.kwargs or {}).items()))
        hash(made)
    except TypeError:
        return None
    return made


def _arrays_in(values: list[Any]) -> list[ArrayVariable]:
    found = []
    for value in values:
        if isinstance(value, ArrayVariable):
            found.append(value)
        elif isinstance(value, SequenceVariable):
            found += _arrays_in(value.values)
    return found


class NumpyFunction(BuiltinVariable):
    """A function, ufunc, method of a ufunc, or scalar type of NumPy."""

    __slots__ = ()

    kind = "a function of NumPy"

    def describe(self) -> str:
        return f"numpy.{getattr(self.value, '__name__', self.value)}"

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in ("reduce", "accumulate", "outer", "reduceat") and hasattr(self.value, "nin"):
            return NumpyFunction(getattr(self.value, name))
        return super().getattr(tx, name)

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return tx.rules.call(tx, self.value, arguments, keywords)


__all__ = ["Meta", "NumpyFunction", "NumpyRules", "broadcast", "numpy_rules", "plain"]
