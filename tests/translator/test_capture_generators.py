"""Generators, iterators and `with` in captured code."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from tests.translator.wholly_captured import surrenders, wholly_captured

# -- generators


def count_to(n):
    for i in range(n):
        got = yield i
        if got:
            yield got * 10
    return "done"


def echoes(log):
    try:
        while True:
            try:
                log.append((yield len(log)))
            except ValueError as error:
                log.append(repr(error))
                yield "caught"
    finally:
        log.append("finally")


def steps():
    it = count_to(3)
    found = [next(it), it.send(5), it.send(None), list(it), next(it, "default"), list(it)]
    for wrong in (lambda: next(it), lambda: it.send(1), lambda: count_to(2).send(1), lambda: it.missing):
        try:
            wrong()
        except (StopIteration, TypeError, AttributeError) as error:
            found.append((type(error), error.args))
    ends = count_to(0)
    try:
        next(ends)
    except StopIteration as stop:
        found.append((stop.value, stop.args))
    return found


def throws():
    log = []
    it = echoes(log)
    found = [next(it), it.send("a"), it.throw(ValueError("thrown")), it.send("b"), it.throw(ValueError)]
    try:
        it.throw(KeyError(3))
    except KeyError as error:
        found += [error.args, repr(error.__context__)]
    try:
        it.throw(ValueError("after its end"))
    except ValueError as error:
        found.append(error.args)
    fresh = echoes(log)
    try:
        fresh.throw(IndexError("before its start"))
    except IndexError as error:
        found.append(error.args)
    return found, log, list(fresh)


def closes():
    log, found = [], []
    it = echoes(log)
    next(it)
    found += [it.close(), it.close(), list(it)]
    fresh = echoes(log)
    found += [fresh.close(), list(fresh)]

    def ignores():
        try:
            yield 1
        except GeneratorExit:
            yield 2

    def returns():
        try:
            yield 1
        except GeneratorExit:
            return 5

    def raises():
        try:
            yield 1
        finally:
            raise KeyError("closing")

    for make in (ignores, returns, raises):
        it = make()
        next(it)
        try:
            found.append(it.close())
        except (RuntimeError, KeyError) as error:
            found.append(repr(error))
        found.append(list(it))
    return found, log


def delegates():
    log, found = [], []

    def inner(name):
        try:
            got = yield name
            log.append((name, got))
        except KeyError as error:
            log.append(repr(error))
            yield "handled"
        finally:
            log.append(("end", name))
        return name * 2

    def outer():
        first = yield from inner("a")
        second = yield from inner("b")
        third = yield from [first, second]
        yield from "xy"
        return third, (yield from iter(()))

    it = outer()
    found += [next(it), it.send(1), it.throw(KeyError("k")), next(it), next(it), next(it), next(it)]
    try:
        next(it)
    except StopIteration as stop:
        found.append((next(it, "ended"), stop.value, stop.args))
    for finish in (
        lambda it: it.close(),
        lambda it: it.throw(IndexError(1)),
        lambda it: it.throw(GeneratorExit),
    ):
        it = outer()
        next(it)
        try:
            found.append(finish(it))
        except (IndexError, GeneratorExit) as error:
            found.append(repr(error))
    return found, log


def handled_exceptions_are_their_own():
    found = []

    def inside():
        try:
            raise KeyError("inner")
        except KeyError as error:
            yield error
            found.append(repr(error.__context__))
            try:
                raise IndexError
            except IndexError as other:
                found.append(other.__context__ is error)
        try:
            raise OSError
        except OSError as other:
            found.append(repr(other.__context__))

    it = inside()
    next(it)
    try:
        raise ValueError("outer")
    except ValueError as outer:
        list(it)
        try:
            raise TypeError
        except TypeError as error:
            found.append(error.__context__ is outer)
    return found


def stop_iteration_inside():
    found = []

    def raises(n):
        yield n
        raise StopIteration(n)

    def asks():
        yield next(iter([]))

    for make in (lambda: list(raises(1)), lambda: list(asks()), lambda: [*raises(2)], lambda: sum(raises(3))):
        try:
            make()
        except RuntimeError as error:
            found.append((error.args, repr(error.__cause__), error.__context__ is error.__cause__))
    try:
        for _ in raises(4):
            pass
    except RuntimeError as error:
        found.append(repr(error))
    return found


def asking_itself():
    def asks():
        yield next(own)

    own = asks()
    try:
        next(own)
    except ValueError as error:
        return error.args, list(own)


def expressions(n):
    squares = (i * i for i in range(n) if i % 2)
    first = next(squares, None)
    pairs = [(a, b) for a in range(3) for b in (x for x in range(a))]
    return (
        first,
        list(squares),
        pairs,
        {k: v for k, v in ((c, ord(c)) for c in "ab")},
        {x % 3 for x in range(9)},
    )


def lazily():
    log = []

    def source(n):
        for i in range(n):
            log.append(i)
            yield i

    found = [any(x > 1 for x in source(9)), all(x < 2 for x in source(9)), 3 in source(9)]
    found += [next(x for x in source(9) if x == 2), list(zip(source(3), source(2)))]
    a, *rest = source(3)
    found += [a, rest, max(source(4)), sorted(source(3), reverse=True), [*source(2), *source(1)]]
    first, second = source(2)
    found += [
        first,
        second,
        dict(zip("ab", source(5))),
        list(map(str, source(2))),
        tuple(enumerate(source(2))),
    ]
    try:
        first, second = source(9)
    except ValueError as error:
        found.append(error.args)
    return found, log


def with_arrays(x):
    def parts():
        total = x
        for i in range(3):
            total = total + i
            yield total

    return sum(parts()), [part * 2 for part in parts()], max(len(part) for part in parts())


GENERATORS = [
    steps, throws, closes, delegates, handled_exceptions_are_their_own, stop_iteration_inside, asking_itself, lazily,
]  # fmt: skip


@pytest.mark.parametrize("function", GENERATORS, ids=lambda function: function.__name__)
def test_generators_are_absorbed(function):
    wholly_captured(function)


def test_generators_with_arguments():
    wholly_captured(expressions, 7)
    wholly_captured(with_arrays, np.arange(3.0))


def left_in_try():
    log = []
    it = echoes(log)
    next(it)
    del it
    return log


def left_in_with():
    with contextlib.nullcontext():
        it = delegating_with()
    next(it)
    return 1


def delegating_with():
    with contextlib.nullcontext():
        yield 1


def test_generators_that_would_do_something_when_freed():
    surrenders(left_in_try, "left unfinished")
    surrenders(left_in_with, "left unfinished")


def left_alone():
    it, other = count_to(3), echoes([])
    return next(it), type(other).__name__


def test_generators_that_would_not():
    wholly_captured(left_alone)


# -- iterators


class Down:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if not self.n:
            raise StopIteration("landed")
        self.n -= 1
        return self.n


class Items:
    def __getitem__(self, index):
        if index > 2:
            raise IndexError(index)
        return index * index


class Yielding:
    def __iter__(self):
        yield from "ab"


class NoIterator:
    def __iter__(self):
        return 3


class NotIterable:
    def __len__(self):
        return 2


def own_iterators():
    found = [list(Down(3)), [x for x in Items()], tuple(Down(2)), sum(Down(4)), 9 in Items(), 4 in Down(7)]
    found += [
        [*Yielding()],
        dict(zip(Yielding(), Down(2))),
        sorted(Down(3)),
        max(Items()),
        list(map(abs, Down(2))),
    ]

    def delegates():
        found.append((yield from Down(2)))

    found.append(list(delegates()))
    it = Down(1)
    found += [iter(it) is it, next(it), next(it, "default")]
    for wrong in (
        lambda: next(it),
        lambda: iter(NoIterator()),
        lambda: iter(NotIterable()),
        lambda: next(Items()),
    ):
        try:
            wrong()
        except (TypeError, StopIteration) as error:
            found.append((type(error), error.args))
    a, b = Down(2)
    first, *rest = Items()
    try:
        a, b = Items()
    except ValueError as error:
        found.append(error.args)
    return found, a, b, first, rest


def growing():
    values, found = [1, 2], []
    for value in values:
        found.append(value)
        if len(values) < 6:
            values.append(value * 2)
    it = iter(values)
    for _ in it:
        next(it, None)
    values.append(9)
    return found, list(it), [x for x in reversed(values)], next(iter(values))


def until_a_sentinel():
    values = [3, 2, 1, 0, 5]
    it = iter(values.pop, 1)
    found = list(it)
    values.extend([7, 8])
    return found, values, list(it), list(iter(lambda: 3, 3))


def strict_zips():
    found = [list(zip([1, 2], "ab", strict=True)), list(zip()), list(zip([1], strict=False))]
    it, other = iter([1, 2, 3]), iter([1])
    try:
        list(zip(it, other, strict=True))
    except ValueError as error:
        found += [error.args, list(it)]
    return found


@pytest.mark.parametrize(
    "function",
    [own_iterators, growing, until_a_sentinel, strict_zips],
    ids=lambda function: function.__name__,
)
def test_iterators_are_absorbed(function):
    wholly_captured(function)


# -- with


class Manager:
    def __init__(self, log, swallows=False):
        self.log = log
        self.swallows = swallows

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, error, traceback):
        self.log.append((kind, error and error.args, traceback is None))
        return self.swallows


@contextlib.contextmanager
def managed(log, value):
    log.append("in")
    try:
        yield value + 1
    except KeyError as error:
        log.append(("caught", error.args))
    finally:
        log.append("out")


class Closes:
    def __init__(self, log):
        self.log = log

    def close(self):
        self.log.append("closed")


def own_managers():
    log = []
    with Manager(log) as manager:
        log.append(manager.swallows)
    with Manager(log, True):
        raise ValueError(3)
    try:
        with Manager(log) as first, Manager(first.log):
            {}["missing"]  # noqa: B018
    except KeyError as error:
        log.append((repr(error), error.__context__))
    for i in range(4):
        with Manager(log):
            if i == 1:
                continue
            if i == 2:
                break

    def returns():
        with Manager(log, True):
            return "value"

    def swallows():
        with Manager(log, True):
            return 1 / 0

    for wrong in (3, Closes(log), None, []):
        try:
            with wrong:
                log.append("never")
        except (TypeError, AttributeError) as error:
            log.append((type(error), error.args))
    return log, returns(), swallows()


def generator_managers():
    log = []
    with managed(log, 3) as value:
        log.append(value)
    with managed(log, 3):
        raise KeyError("swallowed")
    for error in (ValueError("through"), StopIteration(3), RuntimeError("own")):
        try:
            with managed(log, 1):
                raise error
        except (ValueError, StopIteration, RuntimeError) as caught:
            log.append((caught is error, repr(caught.__context__)))
    return log


def managers_of_contextlib():
    log = []
    with contextlib.suppress(KeyError, IndexError):
        [][1]  # noqa: B018
    try:
        with contextlib.suppress(KeyError):
            [][1]  # noqa: B018
    except IndexError as error:
        log.append(repr(error))
    with contextlib.nullcontext(5) as value:
        log.append(value)
    with contextlib.closing(Closes(log)) as closes:
        log.append(type(closes) is Closes)
    return log


@pytest.mark.parametrize(
    "function",
    [own_managers, generator_managers, managers_of_contextlib],
    ids=lambda function: function.__name__,
)
def test_with_is_absorbed(function):
    wholly_captured(function)


def test_arrays_within_with():
    def f(x):
        log = []
        with managed(log, 1) as n, Manager(log, True):
            x = x * n
            raise ValueError(x)
        return x + len(log)

    wholly_captured(f, np.arange(3.0))
