"""What is known of NumPy: which of its functions and methods only compute, and what they give.

NumPy is never imported here: the module that the user has imported is looked at, once.
A function that is not listed is not captured: its call is left to the original code.
"""

from __future__ import annotations

import operator
import sys
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.numpy_metas import Meta, NumpyMetas
from translator.numpy_names import (
    ALIASES,
    ALL,
    DATA_ARGUMENTS,
    DATA_OF_METHODS,
    FRESH,
    METHODS_ALIAS,
    METHODS_FRESH,
    METHODS_IN_PLACE,
    NONE_IS_ABSENT,
    OUT_POSITION,
    WAYS,
)
from translator.variables import plain
from translator.variables.arrays import ArrayVariable, ResultTupleVariable
from translator.variables.builtins import BuiltinVariable
from translator.variables.numbers import NumberVariable
from translator.variables.sequences import ListVariable, SequenceVariable, SliceVariable, TupleVariable
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class Rule(NamedTuple):
    """How calls of a function are captured: "fresh" memory or "alias"; which arguments are only data."""

    memory: str
    data: frozenset[int] | None = None


_rules: NumpyRules | None = None


def numpy_rules() -> NumpyRules | None:
    """The rules, once the user has imported NumPy; None before."""
    global _rules
    if _rules is None and "numpy" in sys.modules and hasattr(sys.modules["numpy"], "ndarray"):
        _rules = NumpyRules(sys.modules["numpy"])
    return _rules


class NumpyRules(NumpyMetas):
    """The functions of one NumPy by identity, and how results are foreseen."""

    def __init__(self, numpy: Any) -> None:
        super().__init__()
        self.numpy = numpy
        self.ndarray = numpy.ndarray
        self.functions: dict[int, tuple[Any, Rule]] = {}
        self.modules = {id(numpy): "numpy"}
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
                self.functions[id(value)] = (value, Rule("fresh", ALL))
        self.scalar_types = frozenset(
            value
            for value in vars(numpy).values()
            if isinstance(value, type)
            and issubclass(value, (numpy.number, numpy.bool_))
            and not value.__subclasses__()
        )
        for kind in self.scalar_types:
            self.functions[id(kind)] = (kind, Rule("alias", frozenset((0,))))

    def _list(self, names: str, memory: str) -> None:
        for path in names.split():
            value = self.numpy
            for name in path.split("."):
                value = getattr(value, name, None)
            if callable(value):
                self.functions[id(value)] = (value, Rule(memory, DATA_ARGUMENTS.get(path)))

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
        if isinstance(bound, self.numpy.ufunc) and function.__name__ in _OF_UFUNCS:
            return Rule("fresh", frozenset(_OF_UFUNCS[function.__name__]))
        return None

    def call(self, tx: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A call of a function of NumPy becomes a node."""
        rule = self.rule_of(function)
        if rule is None:
            return tx.unsupported(f"a call of {function!r}", "this function of NumPy is not captured")
        arguments = [tx.realize(value) for value in arguments]
        if self._asks_for_fact(function, arguments, keywords):
            return self.fact(tx, arguments[0], function.__name__)
        keywords = self._check(tx, function, arguments, keywords, self._checked_places(function, rule))
        return self._record(tx, function, arguments, keywords, rule)

    def _checked_places(self, function: Any, rule: Rule) -> frozenset[int]:
        """The places of arguments that NumPy makes arrays of."""
        if _is_einsum(function):
            return ALL - {0}
        return _FIRST_PLACES if rule.data is None else rule.data

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
        several = self._gives_several(function, len(arguments), keywords)
        return self._split(tx, made) if several else made

    def _gives_several(self, function: Any, count: int, keywords: dict[str, Any]) -> bool:
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
        if name == "where":
            return count == 1
        return name in SEVERAL or any(keywords.get(flag, False) is not False for flag in flags)

    def _split(self, tx: Translator, made: ArrayVariable) -> Any:
        """A tuple or list of arrays: one node an item."""
        found = self.meta(tx, made)
        if found.parts is None:
            return made
        values = []
        for index in range(len(found.parts)):
            item = tx.record(operator.getitem, (made, index), {}, made.roots)
            item.node.quiet = True
            values.append(item)
        if found.kind is list:
            return ListVariable(values)
        if found.kind is tuple:
            return TupleVariable(values)
        assert made.node is not None
        return ResultTupleVariable(made.node, found.kind, values)

    def _check(
        self,
        tx: Translator,
        function: Any,
        arguments: list[Any],
        keywords: dict[str, Any],
        data: frozenset[int],
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
        for place, value in enumerate(arguments):
            self._check_value(tx, name, value, place in data)
        for key, value in found.items():
            self._check_keyword(tx, name, key, value)
        return found

    def _check_keyword(self, tx: Translator, name: str, key: str, value: Any) -> None:
        is_way = type(value) is str and key in WAYS
        if key != "dtype" and not is_way:
            is_data = type(value) is str or isinstance(value, BuiltinVariable) or key in KEYWORDS_OF_DATA
            self._check_value(tx, name, value, is_data)
        elif not is_way:
            self._check_value(tx, name, value, False)

    def _check_value(self, tx: Translator, name: str, value: Any, is_data: bool) -> None:
        """Gives up where NumPy would make an array of objects or of strings."""
        kind = type(value)
        if isinstance(value, ArrayVariable) and kind is not ArrayVariable:
            tx.unsupported(f"{value.describe()} in {name}()", "it is no array of NumPy", "convert it before")
        if kind is int and not -(2**63) <= value < 2**63:
            tx.unsupported(f"a large int in {name}()", "NumPy makes an array of objects of it")
        if kind in (bytes, type(Ellipsis), type(NotImplemented), SliceVariable):
            tx.unsupported(f"{value!r} in {name}()", "it is not captured")
        if kind is str and (is_data or self._names_no_number_type(value)):
            tx.unsupported(f"a string in {name}()", "arrays of strings or objects are not captured")
        if value is None and is_data and name not in NONE_IS_ABSENT:
            tx.unsupported(f"None in {name}()", "NumPy would make an array of objects of it")
        if isinstance(value, SequenceVariable):
            for item in value.values:
                item = tx.realize(item)
                if item is None or type(item) is str:
                    tx.unsupported(
                        f"{item!r} in a list for {name}()", "NumPy would make an array of objects of it"
                    )
                self._check_value(tx, name, item, is_data)
        if isinstance(value, BuiltinVariable) and (is_data or not self._is_number_type(value.value)):
            tx.unsupported(
                f"{value.describe()} as an argument of {name}()", "it is captured for numeric dtypes"
            )

    def _names_no_number_type(self, text: str) -> bool:
        """Whether a string is NumPy's name for strings, objects, dates or records."""
        try:
            with plain.WarningsRaised():
                return self.numpy.dtype(text).kind not in "biufc"
        except Warning:
            return True
        except Exception:
            # it names no dtype: a mode, a method, the subscripts of einsum
            return False

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
            if not owner.is_array(tx):
                tx.unsupported(f"method {name}() of a scalar", "it is not captured")
            named = self._check(tx, name, values, keywords, frozenset())
            owner.changed_by(tx, name, (owner, *values), named, method=True)
            return None
        if name not in METHODS_FRESH and name not in METHODS_ALIAS:
            return tx.unsupported(f"method {name}() of an array", "this method of arrays is not captured")
        if len(values) >= OUT_POSITION.get(name, 99):
            tx.unsupported(f"so many arguments of {name}()", "changes of arrays by `out` are not captured")
        data = DATA_OF_METHODS.get(name, _FIRST_PLACES)
        named = self._check(tx, name, values, keywords, frozenset(place - 1 for place in data))
        fresh = name in METHODS_FRESH and named.get("copy", True) is True
        if name == "astype" and len(values) > 4:
            fresh = False
        made = tx.record(name, (owner, *values), named, frozenset() if fresh else owner.shares(), method=True)
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
        if key is None or key is Ellipsis or kind is SliceVariable:
            return
        if kind in (int, bool, ArrayVariable, NumberVariable):
            return
        if isinstance(key, SequenceVariable):
            for part in key.values:
                self.check_index(tx, part)
            return
        tx.unsupported(
            f"an array indexed by {key!r}", "it is captured for ints, slices, arrays and tuples of them"
        )


#: of what is not known better: where data stands
_FIRST_PLACES = frozenset((0, 1, 2))
#: keywords that NumPy makes arrays of
KEYWORDS_OF_DATA = frozenset({"object", "fill_value", "prepend", "append"})

#: methods of ufuncs, and which of their arguments are only data
_OF_UFUNCS = {"reduce": (0,), "accumulate": (0,), "outer": (0, 1), "reduceat": (0, 1)}

#: functions that give a tuple or a list of arrays
SEVERAL = frozenset(
    {
        "meshgrid", "split", "array_split", "hsplit", "vsplit", "dsplit", "histogram", "nonzero",
        "broadcast_arrays",
        "unravel_index", "eig", "eigh", "svd", "qr", "slogdet", "lstsq", "gradient", "tril_indices",
        "triu_indices", "ix_", "unstack",
    }
)  # fmt: skip


def _is_einsum(function: Any) -> bool:
    return getattr(function, "__name__", "") == "einsum"


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


__all__ = ["Meta", "NumpyFunction", "NumpyRules", "numpy_rules", "plain"]
