"""Builtin functions and types, and the functions of `math`, `operator` and `functools` that are pure."""

from __future__ import annotations

import builtins
import functools
import itertools
import math
import operator
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.sentinels import STOP
from translator.variables import (
    deques,
    iteration_tools,
    iterators,
    library,
    mappings,
    object_builtins,
    plain,
    sequences,
    sets,
)
from translator.variables.exception_fields import is_builtin
from translator.variables.exceptions import construct
from translator.variables.functions import MethodVariable
from translator.variables.methods import OF_OBJECT, UnboundMethodVariable
from translator.variables.stand_ins import fail, fail_by_type
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

Handler = Callable[["Translator", "list[Any]", "dict[str, Any]"], Any]

#: builtin types whose instances the translator knows
TYPES = (
    int, float, bool, str, complex, bytes, tuple, list, dict, set, frozenset, range, slice, object, type,
    enumerate, zip, map, filter, reversed,
)  # fmt: skip
#: types that have no name among the builtins, whose instances are known
NAMELESS: frozenset[Any] = frozenset(
    type(made)
    for made in (
        *map(iter, ([], (), {}, {}.values(), {}.items(), set(), "", b"", range(0), range(1 << 99))),  # type: ignore[arg-type]
        reversed([]),
        (each for each in ()),
        iter(int, 0),
        len,
        builtins,
        VariableTracker.truth,
        VariableTracker().truth,
    )
)
#: builtins that do nothing but compute, on plain values and containers of them
PURE = frozenset(
    {abs, ascii, bin, chr, divmod, format, hash, hex, oct, ord, pow, repr, round}
    | {value for value in vars(math).values() if isinstance(value, BuiltinFunctionType)}
)
#: the classes of exceptions that are written in C
EXCEPTIONS = frozenset(
    value
    for value in vars(builtins).values()
    if isinstance(value, type) and issubclass(value, BaseException) and is_builtin(value)
)
_OPERATORS: dict[Any, tuple[str, str]] = {
    **{function: ("binary", written) for written, function in plain.ANY_BINARY.items()},
    **{function: ("compare", written) for written, function in plain.COMPARE.items()},
    **{function: ("unary", written) for written, function in plain.UNARY.items()},
}


class BuiltinVariable(VariableTracker):
    """A builtin function or type, or another object that is known by its identity."""

    __slots__ = ("value",)

    kind = "a builtin"
    equals_itself = True
    rebuildable = True

    def __init__(self, value: Any, source: Source | None = None) -> None:
        self.value = value
        self.source = source

    def describe(self) -> str:
        return getattr(self.value, "__name__", None) or repr(self.value)

    def python_type(self, tx: Translator) -> type:
        return type(self.value)

    def truth(self, tx: Translator) -> bool:
        return True

    def python(self, tx: Translator) -> Any:
        return self.value

    argument = python

    def rebuild(self, parts: list[str], name: Any) -> str:
        return str(name(self.value))

    def items(self, tx: Translator) -> list[Any]:
        if type(self.value) in (type, BuiltinFunctionType):
            return fail(tx, f"iteration over {self.describe()}", iter, self.value)  # type: ignore[no-any-return]
        return super().items(tx)

    def getattr(self, tx: Translator, name: str) -> Any:
        if name == "from_iterable" and self.value is itertools.chain:
            return BuiltinVariable(itertools.chain.from_iterable)
        if name in ("__name__", "__qualname__", "__module__"):
            return getattr(self.value, name)
        if (
            self.value in (dict, str, float, int, bytes)
            and name
            in (
                "fromkeys",
                "maketrans",
                "fromhex",
                "from_bytes",
            )
            and hasattr(self.value, name)
        ):
            return MethodVariable(self, name)
        if self.value is object and (name in OF_OBJECT or name == "__new__"):
            return UnboundMethodVariable(name)
        if not hasattr(self.value, name) and type(self.value) in (type, BuiltinFunctionType):
            return fail(tx, f"attribute {name!r}", getattr, self.value, name)
        return self.give_up(tx, f"attribute {name!r}")

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if name == "fromkeys" and 1 <= len(arguments) <= 2 and not keywords:
            value = arguments[1] if len(arguments) == 2 else None
            keys = [mappings.key_object(tx, key) for key in tx.items(arguments[0])]
            return mappings.DictVariable(dict.fromkeys(keys, value))
        return pure(tx, getattr(self.value, name), arguments, keywords)

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        value = self.value
        handler = HANDLERS.get(value)
        if handler is not None:
            return handler(tx, arguments, keywords)
        if value in _OPERATORS:
            hook, written = _OPERATORS[value]
            count = 1 if hook == "unary" else 2
            return getattr(tx, hook)(
                written, *_positional(tx, self.describe(), arguments, keywords, count, count)
            )
        if value in PURE:
            return pure(tx, value, arguments, keywords)
        if value in EXCEPTIONS:
            return construct(tx, self, arguments, keywords)
        return self.give_up(tx, "a call")


def known_object(tx: Translator, value: Any, source: Source | None = None) -> VariableTracker | None:
    """The tracker for a builtin function, a builtin type or an object of NumPy; None if it is none."""
    kind = type(value)
    if (kind is type or kind is BuiltinFunctionType or kind is FunctionType) and _is_known(value):
        return BuiltinVariable(value, source)
    rules = tx.numpy
    found = None if rules is None else rules.known_object(value, source)
    if found is None:
        from translator import foreign_arrays

        return foreign_arrays.known_object(value, source)
    return found


def _is_known(value: Any) -> bool:
    if value in HANDLERS or value in PURE or value in _OPERATORS or value in TYPES or value in NAMELESS:
        return True
    if value in EXCEPTIONS:
        return True
    return value in (type(None), type(Ellipsis))


def pure(tx: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """Calls a function that only computes, on values that are wholly known."""
    values = [plain.python(tx, tx.realize(value)) for value in arguments]
    named = {key: plain.python(tx, tx.realize(value)) for key, value in keywords.items()}
    if function is hash and any(map(plain.has_nan, values)):
        tx.unsupported("hash() of NaN", "identity of floats is not known in the trace")
    return plain.run(tx, function, *values, **named)


#: methods of plain values that call back, or that make iterators
_NOT_PURE = frozenset({"format_map", "__iter__", "__next__"})


def plain_method(
    tx: Translator, owner: Any, name: str, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    """A method of a plain value."""
    if name in _NOT_PURE or (name.startswith("__") and name.endswith("__")):
        return tx.unsupported(f"method {name}() of a {type(owner).__name__}", "it is not captured")
    if name == "join" and len(arguments) == 1 and type(owner) is str:
        if not tx.is_iterable(tx.realize(arguments[0])):
            return fail_by_type(tx, "join() of this", owner.join, arguments[0])
        pieces = [plain.python(tx, tx.realize(piece)) for piece in tx.items(arguments[0])]
        return plain.run(tx, owner.join, pieces)
    return pure(tx, getattr(owner, name), arguments, keywords)


# -- one handler a builtin


def _len(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    (value,) = _positional(tx, "len", arguments, keywords, 1, 1)
    return tx.length(value)


def _positional(
    tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any], least: int, most: int
) -> list[Any]:
    if keywords or not least <= len(arguments) <= most:
        misfit(tx, getattr(builtins, name, None), arguments, keywords)
    return arguments


def misfit(tx: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """A builtin that is called with arguments that it does not take: its TypeError."""
    name = getattr(function, "__name__", "a builtin")
    if function is None:
        tx.unsupported(f"{name}() with these arguments", "an exception, or a form that is not captured")
    names = list(keywords)
    values = [*arguments, *keywords.values()]

    def call(*values: Any) -> Any:
        count = len(values) - len(names)
        return function(*values[:count], **dict(zip(names, values[count:])))

    return fail_by_type(tx, f"{name}() with these arguments", call, *values)


def _range(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    return pure(tx, range, arguments, keywords)


def _slice(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values = _positional(tx, "slice", arguments, keywords, 1, 3)
    if len(values) == 1:
        return sequences.SliceVariable(None, values[0], None)
    return sequences.SliceVariable(*values, *[None] * (3 - len(values)))


def _with_start(tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> tuple[Any, Any]:
    """The arguments of `name(values, start=0)`."""
    if keywords.keys() == {"start"}:
        (values,) = _positional(tx, name, arguments, {}, 1, 1)
        return values, tx.realize(keywords["start"])
    values, *start = _positional(tx, name, arguments, keywords, 1, 2)
    return values, tx.realize(start[0]) if start else 0


def _enumerate(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values, start = _with_start(tx, "enumerate", arguments, keywords)
    if type(start) is not int:
        tx.unsupported("enumerate() from a start that is no int", "it is not captured")
    return iterators.EnumerateIterator(
        [iterators.PlainIterator(itertools.count(start)), tx.iterate(values, "iter")]
    )


def _zip(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    if keywords.keys() - {"strict"}:
        return misfit(tx, zip, arguments, keywords)
    strict = tx.truth_of(keywords.get("strict", False))
    return iterators.ZipIterator([tx.iterate(value, "iter") for value in arguments], strict)


def _map(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    function, *values = _positional(tx, "map", arguments, keywords, 2, 99)
    return iterators.MapIterator(tx.realize(function), [tx.iterate(value, "iter") for value in values], False)


def _filter(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    function, values = _positional(tx, "filter", arguments, keywords, 2, 2)
    return iterators.MapIterator(tx.realize(function), [tx.iterate(values, "iter")], True)


def _reversed(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    (value,) = _positional(tx, "reversed", arguments, keywords, 1, 1)
    value = tx.realize(value)
    if (
        not isinstance(value, (sequences.SequenceVariable, sequences.RangeVariable))
        and type(value) is not str
    ):
        tx.unsupported("reversed() of this", "it is captured for lists, tuples, ranges and strings")
    if isinstance(value, sequences.ListVariable):
        return iterators.ReversedListIterator(value)
    return iterators.SequenceIterator(tx.items(value)[::-1])


def _iter(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    value, *sentinel = _positional(tx, "iter", arguments, keywords, 1, 2)
    if sentinel:
        function = tx.realize(value)
        if type(function) in PLAIN:
            return fail(tx, "iter() of this", iter, function, None)
        return iterators.CallIterator(function, sentinel[0])
    return tx.iterator_of(value)


def _next(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    iterator, *default = _positional(tx, "next", arguments, keywords, 1, 2)
    iterator = tx.realize(iterator)
    if type(iterator) in PLAIN or not isinstance(iterator, iterators.IteratorVariable):
        return tx.next_of_instance(iterator, *default)
    value = iterator.next(tx)
    if value is STOP:
        if default:
            return default[0]
        tx.raise_variable(tx.new_exception(StopIteration, *stop_value(iterator)))
    return value


def stop_value(iterator: Any) -> list[Any]:
    """The arguments of the StopIteration at an iterator's end."""
    return [] if iterator.result is None else [iterator.result]


_NUMBERS = frozenset({int, float, complex, bool})


def _sum(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values, total = _with_start(tx, "sum", arguments, keywords)
    if type(total) not in _NUMBERS and not isinstance(total, VariableTracker):
        return fail(tx, "sum() from this start", sum, [], total)
    # Python sums up numbers in a way of its own until there is something else
    numbers: list[Any] | None = [] if type(total) in _NUMBERS else None
    for item in map(tx.realize, tx.walk(values)):
        if numbers is not None and type(item) in _NUMBERS:
            numbers.append(item)
            continue
        if numbers:
            total = plain.run(tx, sum, numbers, total)
        numbers = None
        total = tx.binary("+", total, item)
    return plain.run(tx, sum, numbers, total) if numbers else total


def _extreme(function: Any) -> Handler:
    def handler(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        many = len(arguments) > 1 and "default" in keywords
        if not arguments or many or keywords.keys() - {"key", "default"}:
            return misfit(tx, function, arguments, keywords)
        key = tx.realize(keywords.get("key"))
        values, known = [], []
        for value in arguments if len(arguments) > 1 else tx.walk(arguments[0]):
            values.append(value)
            known.append(_compared(tx, value if key is None else tx.call_now(key, [value])))
        if not values and "default" in keywords:
            return keywords["default"]
        if any(type(value) is tuple and plain.has_nan(value) for value in known):
            tx.unsupported(
                "NaN among items that are compared", "identity of floats is not known in the trace"
            )
        index = plain.run(tx, _index_of(function), known)
        return values[index]

    return handler


def _compared(tx: Translator, value: Any) -> Any:
    """The Python object that a value is compared as. One that could change meanwhile is none."""
    value = tx.realize(value)
    if isinstance(value, VariableTracker) and not plain.is_known(value):
        tx.unsupported("min() or max() of these", "it is captured for numbers, strings and tuples of them")
    return plain.python(tx, value)


def _index_of(function: Any) -> Callable[[list[Any]], int]:
    def index(keys: list[Any]) -> int:
        return int(function(range(len(keys)), key=keys.__getitem__))

    index.__name__ = function.__name__
    return index


def sorted_items(tx: Translator, values: list[Any], keywords: dict[str, Any]) -> list[Any]:
    """The values in the order of `sorted(values, **keywords)`."""
    key = tx.realize(keywords.get("key"))
    reverse = tx.realize(keywords.get("reverse", False))
    if keywords.keys() - {"key", "reverse"} or type(reverse) not in (bool, int):
        tx.unsupported("a sort with these arguments", "TypeError is left to the original code")
    keys = values if key is None else [tx.call_now(key, [value]) for value in values]
    known = [plain.python(tx, tx.realize(value)) for value in keys]
    if any(map(plain.has_nan, known)):
        tx.unsupported("NaN among what is sorted", "the order would depend on the identity of floats")
    try:
        order = sorted(range(len(values)), key=known.__getitem__, reverse=reverse)
    except TypeError:
        return fail(tx, "a sort that raises", sorted, known, reverse=reverse)  # type: ignore[no-any-return]
    return [values[index] for index in order]


def _sorted(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    (value,) = _positional(tx, "sorted", arguments, {}, 1, 1)
    return sequences.ListVariable(sorted_items(tx, tx.items(value), keywords))


def _any(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    (value,) = _positional(tx, "any", arguments, keywords, 1, 1)
    return _first_truth(tx, value, True)


def _all(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    (value,) = _positional(tx, "all", arguments, keywords, 1, 1)
    return not _first_truth(tx, value, False)


def _first_truth(tx: Translator, value: Any, wanted: bool) -> bool:
    iterator = tx.iterate(value, "iter")
    while (item := iterator.next(tx)) is not STOP:
        if tx.truth_of(item) is wanted:
            return True
    return False


def _list(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values = _positional(tx, "list", arguments, keywords, 0, 1)
    return sequences.ListVariable(tx.items(values[0]) if values else [])


def _tuple(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values = [tx.realize(value) for value in _positional(tx, "tuple", arguments, keywords, 0, 1)]
    if values and type(values[0]) is sequences.TupleVariable:
        return values[0]
    return sequences.TupleVariable(tx.items(values[0]) if values else [])


def _dict(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values = _positional(tx, "dict", arguments, {}, 0, 1)
    made = mappings.DictVariable({})
    if values:
        made.update(tx, values[0])
    made.values.update(keywords)
    return made


def _set(kind: Any) -> Handler:
    def handler(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        values = [tx.realize(value) for value in _positional(tx, kind.__name__, arguments, keywords, 0, 1)]
        if not values:
            return sets.SetVariable(kind())
        if kind is frozenset and type(getattr(values[0], "value", None)) is frozenset:
            return values[0]
        return sets.SetVariable(kind(sets.hashable_items(tx, values[0])))

    return handler


def _type(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    (value,) = _positional(tx, "type", arguments, keywords, 1, 1)
    return plain.value_of(tx, tx.type_of(tx.realize(value)))


def _bool(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values = _positional(tx, "bool", arguments, keywords, 0, 1)
    return tx.truth_of(values[0]) if values else False


def _number(kind: Any) -> Handler:
    """int(), float(), complex(), abs(), round(), divmod() …: of arrays they are nodes of the graph."""

    def handler(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        values = [tx.realize(value) for value in arguments]
        if tx.numpy is not None and any(map(tx.is_array, values)):
            return tx.numpy.builtin(tx, kind, values, keywords)
        foreign = next((value for value in values if hasattr(value, "library")), None)
        if foreign is not None:
            return foreign.builtin(tx, kind, values, keywords)
        if kind is str and len(values) == 1 and not keywords:
            return tx.text_of(str, values[0])
        return pure(tx, kind, values, keywords)

    return handler


def _text(function: Any) -> Handler:
    def handler(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        (value,) = _positional(tx, function.__name__, arguments, keywords, 1, 1)
        return tx.text_of(function, tx.realize(value))

    return handler


def _format(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    value, *spec = _positional(tx, "format", arguments, keywords, 1, 2)
    return tx.format(value, tx.realize(spec[0]) if spec else "")


def _reduce(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    function, values, *start = _positional(tx, "reduce", arguments, keywords, 2, 3)
    function, items = tx.realize(function), tx.walk(values)
    total = start[0] if start else next(items, STOP)
    if total is STOP:
        fail(tx, "reduce() of nothing", functools.reduce, max, [])
    for item in items:
        total = tx.call_now(function, [total, item])
    return total


HANDLERS: dict[Any, Handler] = {
    **object_builtins.HANDLERS,
    len: _len,
    range: _range,
    slice: _slice,
    enumerate: _enumerate,
    zip: _zip,
    map: _map,
    filter: _filter,
    reversed: _reversed,
    iter: _iter,
    next: _next,
    sum: _sum,
    min: _extreme(min),
    max: _extreme(max),
    sorted: _sorted,
    any: _any,
    all: _all,
    list: _list,
    tuple: _tuple,
    dict: _dict,
    set: _set(set),
    frozenset: _set(frozenset),
    type: _type,
    bool: _bool,
    functools.reduce: _reduce,
    **library.HANDLERS,
    **iteration_tools.HANDLERS,
    **deques.HANDLERS,
    repr: _text(repr),
    ascii: _text(ascii),
    format: _format,
    operator.getitem: lambda tx, arguments, keywords: tx.binary(
        "[]", *_positional(tx, "getitem", arguments, keywords, 2, 2)
    ),
    **{kind: _number(kind) for kind in (int, float, complex, abs, round, divmod, pow, str, bytes)},
}

__all__ = ["HANDLERS", "PURE", "TYPES", "BuiltinVariable", "builtins", "known_object", "plain_method", "pure"]
