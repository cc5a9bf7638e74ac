"""itertools: each iterator asks for no more than CPython's does, and when it does."""

from __future__ import annotations

import inspect
import itertools
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.sentinels import STOP
from translator.variables import plain
from translator.variables.iterators import IteratorVariable, PlainIterator
from translator.variables.sequences import TupleVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class StepIterator(IteratorVariable):
    """An iterator of itertools.

    Attributes:
        step: gives the next value or STOP.
    """

    __slots__ = ("sample", "step")

    def __init__(self, step: Callable[[Translator], Any], sample: Callable[[], Any]) -> None:
        self.source = None
        self.step = step
        self.sample = sample

    def next(self, tx: Translator) -> Any:
        return self.step(tx)


# -- one function each: the arguments, looked at, are values of the trace


def _chained(tx: Translator, iterables: Any) -> Any:
    state: list[Any] = [iterables, None]

    def step(tx: Translator) -> Any:
        while state[0] is not None:
            if state[1] is None:
                following = state[0].next(tx)
                if following is STOP:
                    state[0] = None
                    return STOP
                source, state[0] = state[0], None  # (what cannot be iterated over ends it)
                state[1], state[0] = tx.iterate(following), source
            value = state[1].next(tx)
            if value is not STOP:
                return value
            state[1] = None
        return STOP

    return StepIterator(step, itertools.chain)


def chain(tx: Translator, *iterables: Any) -> Any:
    return _chained(tx, TupleVariable(list(iterables)).iterate(tx))


def chain_from(tx: Translator, iterables: Any) -> Any:
    return _chained(tx, tx.iterate(iterables))


def islice(tx: Translator, iterable: Any, *bounds: Any) -> Any:
    known = [tx.realize(bound) for bound in bounds]
    if not all(bound is None or type(bound) is int for bound in known):
        tx.unsupported("islice() with these bounds", "it is captured for ints")
    _check(tx, lambda: itertools.islice((), *known))
    start, stop, by = (None, known[0], None) if len(known) == 1 else (*known, None)[:3]
    every = by or 1
    # the iterator, how many were asked for, which is the next one to be given
    state: list[Any] = [tx.iterate(iterable), 0, start or 0]

    def advance(tx: Translator) -> Any:
        iterator = state[0]
        while state[1] < state[2]:
            if iterator.next(tx) is STOP:
                return STOP
            state[1] += 1
        if stop is not None and state[1] >= stop:
            return STOP
        value = iterator.next(tx)
        state[1] += value is not STOP
        state[2] = state[2] + every if stop is None else min(state[2] + every, stop)
        return value

    return StepIterator(_until_the_end(state, advance), lambda: itertools.islice((), 0))


def _until_the_end(state: list[Any], advance: Callable[[Translator], Any]) -> Callable[[Translator], Any]:
    """Steps of an iterator that has ended once one gives STOP or raises; `state[0]` is None from then on."""

    def step(tx: Translator) -> Any:
        if state[0] is None:
            return STOP
        value = STOP
        try:
            value = advance(tx)
        finally:
            if value is STOP:
                state[0] = None
        return value

    return step


def _check(tx: Translator, call: Callable[[], Any]) -> None:
    """Raises in the trace what the real function says of such arguments."""
    try:
        call()
    except Exception as error:
        tx.raise_host(error)


def count(tx: Translator, start: Any = 0, step: Any = 1) -> Any:
    if type(tx.realize(start)) not in (int, float, complex, bool) or type(tx.realize(step)) not in (
        int,
        float,
    ):
        tx.unsupported("count() of these", "it is captured for numbers")
    made = itertools.count(tx.realize(start), tx.realize(step))
    return PlainIterator(made, itertools.count)


def cycle(tx: Translator, iterable: Any) -> Any:
    iterator: Any = tx.iterate(iterable)
    saved: list[Any] = []
    state = [iterator, 0]

    def step(tx: Translator) -> Any:
        if state[0] is not None:
            value = state[0].next(tx)
            if value is not STOP:
                saved.append(value)
                return value
            state[0] = None
        if not saved:
            return STOP
        value = saved[state[1]]
        state[1] = (state[1] + 1) % len(saved)
        return value

    return StepIterator(step, lambda: itertools.cycle(()))


def repeat(tx: Translator, object: Any, times: Any = None) -> Any:
    times = tx.realize(times)
    if times is not None and type(times) is not int:
        tx.unsupported("repeat() so many times", "it is captured for ints")
    made: Any = itertools.repeat(object) if times is None else itertools.repeat(object, times)
    return PlainIterator(made, lambda: itertools.repeat(0, 0))


def zip_longest(tx: Translator, *iterables: Any, fillvalue: Any = None) -> Any:
    iterators: list[Any] = [tx.iterate(each) for each in iterables]

    def advance(tx: Translator) -> Any:
        found = []
        for place, iterator in enumerate(iterators):
            value = fillvalue if iterator is None else iterator.next(tx)
            if value is STOP:
                iterators[place] = None
                if all(each is None for each in iterators):
                    return STOP
                value = fillvalue
            found.append(value)
        return TupleVariable(found) if found else STOP

    return StepIterator(_until_the_end([iterators], advance), lambda: itertools.zip_longest(()))


def _of_pools(function: Any) -> Any:
    """product, combinations …: the items are taken at once; what is made of them is Python's own."""

    def handler(tx: Translator, *iterables: Any, **named: Any) -> Any:
        many = function is itertools.product
        pools = [tx.items(each) for each in (iterables if many else iterables[:1])]
        numbers = [tx.realize(each) for each in ((), iterables[1:])[not many]]
        known = {key: tx.realize(value) for key, value in named.items()}
        if not all(type(each) is int or each is None for each in [*numbers, *known.values()]):
            tx.unsupported(f"{function.__name__}() with these arguments", "it is captured for ints")
        if any(type(each) is int and each > 100 for each in [*numbers, *known.values()]):
            tx.unsupported(f"{function.__name__}() of so many", "it is not worked out ahead of the run")
        try:
            made = function(*pools, *numbers, **known)
        except Exception as error:
            return tx.raise_host(error)
        return PlainIterator(
            (TupleVariable(list(each)) for each in made), lambda: function((), *numbers, **known)
        )

    return handler


def accumulate(tx: Translator, iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    iterator, func, initial = tx.iterate(iterable), tx.realize(func), tx.realize(initial)
    state: list[Any] = [STOP, initial is not None]

    def step(tx: Translator) -> Any:
        if state[1]:
            state[1], state[0] = False, initial
            return initial
        value = iterator.next(tx)
        if value is STOP:
            return STOP
        if state[0] is not STOP:
            value = tx.binary("+", state[0], value) if func is None else tx.call_now(func, [state[0], value])
        state[0] = value
        return value

    return StepIterator(step, lambda: itertools.accumulate(()))


def takewhile(tx: Translator, predicate: Any, iterable: Any) -> Any:
    state = [tx.iterate(iterable)]

    def step(tx: Translator) -> Any:
        value = STOP if state[0] is None else state[0].next(tx)
        if value is STOP:
            return STOP
        if tx.truth_of(tx.call_now(predicate, [value])):
            return value
        state[0] = None
        return STOP

    return StepIterator(step, lambda: itertools.takewhile(bool, ()))


def dropwhile(tx: Translator, predicate: Any, iterable: Any) -> Any:
    iterator, state = tx.iterate(iterable), [True]

    def step(tx: Translator) -> Any:
        while True:
            value = iterator.next(tx)
            if value is STOP or not state[0]:
                return value
            if not tx.truth_of(tx.call_now(predicate, [value])):
                state[0] = False
                return value

    return StepIterator(step, lambda: itertools.dropwhile(bool, ()))


def filterfalse(tx: Translator, predicate: Any, iterable: Any) -> Any:
    iterator, predicate = tx.iterate(iterable), tx.realize(predicate)

    def step(tx: Translator) -> Any:
        while True:
            value = iterator.next(tx)
            if value is STOP:
                return STOP
            kept = value if predicate is None else tx.call_now(predicate, [value])
            if not tx.truth_of(kept):
                return value

    return StepIterator(step, lambda: itertools.filterfalse(None, ()))


def starmap(tx: Translator, function: Any, iterable: Any) -> Any:
    iterator = tx.iterate(iterable)

    def step(tx: Translator) -> Any:
        value = iterator.next(tx)
        return STOP if value is STOP else tx.call_now(function, tx.items(value))

    return StepIterator(step, lambda: itertools.starmap(len, ()))


def compress(tx: Translator, data: Any, selectors: Any) -> Any:
    iterator, chosen = tx.iterate(data), tx.iterate(selectors)

    def step(tx: Translator) -> Any:
        while True:
            value = iterator.next(tx)
            if value is STOP:
                return STOP
            selector = chosen.next(tx)
            if selector is STOP:
                return STOP
            if tx.truth_of(selector):
                return value

    return StepIterator(step, lambda: itertools.compress((), ()))


def pairwise(tx: Translator, iterable: Any) -> Any:
    state = [tx.iterate(iterable), STOP]

    def advance(tx: Translator) -> Any:
        if state[1] is STOP:
            state[1] = state[0].next(tx)
            if state[1] is STOP or state[0] is None:
                return STOP
        before, state[1] = state[1], state[0].next(tx)
        return STOP if state[1] is STOP else TupleVariable([before, state[1]])

    return StepIterator(_until_the_end(state, advance), lambda: itertools.pairwise(()))


def _tee() -> Any:
    return itertools.tee(())[0]


_TEE = type(_tee())


def tee(tx: Translator, iterable: Any, n: Any = 2) -> Any:
    n = tx.realize(n)
    if type(n) is not int or not 0 <= n <= 100:
        tx.unsupported("tee() so many times", "it is captured for small ints")
    iterator = tx.iterate(iterable)
    if type(iterator) is StepIterator and type(iterator.sample()) is _TEE:
        tx.unsupported("tee() of what tee() gave", "it is captured for other iterators")
    queues: list[deque[Any]] = [deque() for _ in range(n)]

    def make(queue: deque[Any]) -> Any:
        def step(tx: Translator) -> Any:
            if not queue:
                value = iterator.next(tx)
                if value is STOP:
                    return STOP
                for each in queues:
                    each.append(value)
            return queue.popleft()

        return StepIterator(step, _tee)

    return TupleVariable([make(queue) for queue in queues])


def batched(tx: Translator, iterable: Any, n: Any, **named: Any) -> Any:
    n, strict = tx.realize(n), tx.truth_of(named.pop("strict", False))
    function = itertools.batched  # type: ignore[attr-defined]
    if type(n) is not int or named:
        tx.unsupported("batched() with these arguments", "it is captured for ints")
    _check(tx, lambda: function((), n))
    state: list[Any] = [tx.iterate(iterable)]

    def advance(tx: Translator) -> Any:
        found: list[Any] = []
        while len(found) < n:
            value = state[0].next(tx)
            if value is STOP:
                break
            found.append(value)
        if strict and found and len(found) < n:
            _check(tx, lambda: list(function([1], 2, strict=True)))
        return TupleVariable(found) if found else STOP

    return StepIterator(_until_the_end(state, advance), lambda: function((), 1))


def groupby(tx: Translator, iterable: Any, key: Any = None) -> Any:
    iterator, key = tx.iterate(iterable), tx.realize(key)
    # the value and key that were asked for last, the key of the group that was given last, its number
    state: dict[str, Any] = {"value": STOP, "key": STOP, "group": STOP, "number": 0}

    def advance(tx: Translator) -> bool:
        value = iterator.next(tx)
        if value is STOP:
            return False
        state["key"] = value if key is None else tx.call_now(key, [value])
        state["value"] = value
        return True

    def step(tx: Translator) -> Any:
        state["number"] += 1
        while state["key"] is STOP or (
            state["group"] is not STOP and plain.equal(tx, state["group"], state["key"])
        ):
            if not advance(tx):
                return STOP
        state["group"] = state["key"]
        return TupleVariable([state["key"], members(tx, state["key"], state["number"])])

    def members(tx: Translator, own: Any, number: int) -> Any:
        def inner(tx: Translator) -> Any:
            if state["number"] != number:
                return STOP
            if state["value"] is STOP and not advance(tx):
                return STOP
            if not plain.equal(tx, own, state["key"]):
                return STOP
            value, state["value"], state["key"] = state["value"], STOP, STOP
            return value

        return StepIterator(inner, lambda: next(itertools.groupby("a"))[1])

    return StepIterator(step, lambda: itertools.groupby(()))


#: those that take no keyword arguments
_POSITIONAL = frozenset(
    {"chain", "islice", "cycle", "takewhile", "dropwhile", "filterfalse", "starmap", "pairwise", "tee"}
)
_FUNCTIONS: dict[str, Any] = {
    "chain": chain,
    "islice": islice,
    "count": count,
    "cycle": cycle,
    "repeat": repeat,
    "zip_longest": zip_longest,
    "accumulate": accumulate,
    "takewhile": takewhile,
    "dropwhile": dropwhile,
    "filterfalse": filterfalse,
    "starmap": starmap,
    "compress": compress,
    "pairwise": pairwise,
    "tee": tee,
    "batched": batched,
    "groupby": groupby,
    **{
        name: _of_pools(getattr(itertools, name))
        for name in ("product", "permutations", "combinations", "combinations_with_replacement")
    },
}


def _handler(real: Any, own: Any) -> Any:
    signature = inspect.signature(own)

    def handler(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        try:
            signature.bind(tx, *arguments, **keywords)
        except TypeError:
            from translator.variables.builtins import misfit

            return misfit(tx, real, arguments, keywords)
        if keywords and real.__name__ in _POSITIONAL:
            tx.unsupported(
                f"{real.__name__}() with keyword arguments", "TypeError is left to the original code"
            )
        return own(tx, *arguments, **keywords)

    return handler


#: by the function of itertools: (translator, arguments, keywords) -> value
HANDLERS: dict[Any, Any] = {
    getattr(itertools, name): _handler(getattr(itertools, name), own)
    for name, own in _FUNCTIONS.items()
    if hasattr(itertools, name)
}
HANDLERS[itertools.chain.from_iterable] = _handler(itertools.chain.from_iterable, chain_from)
