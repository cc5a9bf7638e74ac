"""Small functions that between them use the whole language; each takes nothing and gives a value."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import functools
import inspect
import sys
import traceback
import types
import warnings

FUNCTIONS = []


def function(f):
    """Registers it."""
    FUNCTIONS.append(f)
    return f


@function
def recursion():
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return fib(10)


@function
def closures_and_nonlocal():
    x = 1

    def add(k=2, *more, scale=1, **named):
        nonlocal x
        x += (k + sum(more)) * scale
        return x, named

    return add(), add(1, 2, 3), add(scale=3, other=4), x, add.__qualname__


@function
def operators():
    a, b = 7, 3
    values = [
        a + b,
        a - b,
        a * b,
        a / b,
        a // b,
        a % b,
        a**b,
        a << b,
        a >> b,
        a & b,
        a | b,
        a ^ b,
        -a,
        ~a,
        +a,
        not a,
    ]
    c = [1]
    d = c
    c += [2]
    c *= 2
    e = {1} | {2}
    e |= {3}
    return values, c is d, c, e, a < b <= 4, 1 < 2 < 3, a in c, b not in c, a is b, a is not b


@function
def displays_and_comprehensions():
    pairs = {k: v for k, v in zip("abc", range(3))}
    return (
        [x * y for x in range(4) for y in range(x) if y != 1],
        {x % 3 for x in range(7)},
        {**pairs, "d": 9},
        [*pairs, *range(2)],
        (*"ab", 1),
        list(x + 1 for x in range(3)),
        [lambda: i for i in range(3)][0](),
        [[j for j in range(i)] for i in range(3)],
    )


@function
def unpacking():
    (a, b), *c, d = (1, 2), 3, 4, 5
    [e, f] = "xy"
    g = h = i = 0
    g, h = h + 1, g + 2
    for j, (k, *rest) in enumerate([(1, 2, 3), "ab"]):
        i += j + len(rest)
    return a, b, c, d, e, f, g, h, i, k


@function
def unpacking_errors():
    errors = []
    for source, value in (
        ("a, b", 1),
        ("a, b", (1,)),
        ("a, b", (1, 2, 3)),
        ("a, *b, c", "x"),
        ("a, b", {1: 2}),
    ):
        try:
            exec(f"{source} = value", {"value": value})
        except (TypeError, ValueError) as error:
            errors.append(f"{type(error).__name__}: {error}")
    return errors


@function
def loops_with_else():
    out = []
    for i in range(5):
        if i == 3:
            break
        out.append(i)
    else:
        out.append("never")
    while out:
        if out.pop() == 1:
            continue
    else:
        out.append("else")
    return out


@function
def strings():
    v = 3.14159
    n = "x"
    return f"{v:.2f} {n!r:>5} {v!s} {1 + 1=} {{}} {n!a}", "%s %d" % (n, 4), "ab", f"{v:{'>' + '9.1f'}}"


@function
def subscripts_and_slices():
    x = list(range(10))
    x[2:4] = [7]
    del x[0], x[-2:]
    x[1] += 5
    return x, x[::2], x[-1], x[1:], "hello"[1:3], x[slice(None, 2)]


@function
def exceptions_and_context():
    log = []
    try:
        try:
            1 / 0
        except ZeroDivisionError as error:
            log.append(sys.exc_info()[0].__name__)
            raise KeyError("k") from error
        finally:
            log.append("finally")
    except (LookupError, TypeError) as error:
        log += [type(error.__cause__).__name__, type(error.__context__).__name__, error.args]
    else:
        log.append("else")
    log.append(sys.exc_info())
    try:
        error
    except NameError as missing:
        log.append(str(missing))
    return log


@function
def exceptions_in_handlers():
    def nested():
        try:
            try:
                raise ValueError(1)
            except ValueError:
                raise TypeError(2)
            finally:
                try:
                    raise KeyError(3)
                except KeyError:
                    pass
        except TypeError as error:
            return type(error.__context__).__name__, sys.exc_info()[1] is error

    try:
        raise RuntimeError
    except RuntimeError as outer:
        return nested(), sys.exc_info()[1] is outer, outer.__context__


@function
def return_in_finally_and_loops():
    log = []

    def one():
        for i in range(3):
            try:
                if i == 1:
                    continue
                if i == 2:
                    return "returned"
                log.append(i)
            finally:
                log.append(f"f{i}")

    def bare():
        try:
            try:
                raise ValueError("again")
            except ValueError:
                raise
        except ValueError as error:
            return error.args

    return one(), log, bare()


@function
def unbound_names():
    def local():
        if not sys:
            x = 1
        return x

    def free():
        def inner():
            return y

        if not sys:
            y = 1
        return inner()

    def deleted():
        z = 1
        del z
        return z

    return [attempt(local), attempt(free), attempt(deleted), attempt(lambda: no_such_name)]


def attempt(call, *args, **kwargs):
    """The value, or the exception in words."""
    try:
        return call(*args, **kwargs)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@function
def argument_errors():
    def f(a, b=1, /, c=2, *, d, **e):
        return a, b, c, d, e

    def g(x):
        return x

    return [
        attempt(f),
        attempt(f, 1),
        attempt(f, 1, 2, 3, 4, d=1),
        attempt(f, 1, a=3, d=4),
        attempt(f, 1, c=3, d=4),
        attempt(lambda: f(1, 2, 3, c=4, d=5)),
        attempt(lambda: f(*1)),
        attempt(lambda: f(**1)),
        attempt(lambda: f(**{"d": 1}, **{"d": 2})),
        attempt(lambda: g(1, x=2)),
        attempt(lambda: g(y=2)),
        attempt(lambda: g(*[1], **{"x": 2})),
        attempt(lambda: g(**{1: 2})),
    ]


class Manager:
    """Says what happens to it."""

    def __init__(self, log, swallow=False):
        self.log, self.swallow = log, swallow

    def __enter__(self):
        self.log.append("enter")
        return self

    def __exit__(self, kind, value, trace):
        self.log.append(("exit", kind and kind.__name__, sys.exc_info()[1] is value))
        return self.swallow


@function
def context_managers():
    log = []
    with Manager(log) as a, Manager(log, True) as b:
        log.append(a is b)
        raise ValueError
    for i in range(3):
        with Manager(log):
            if i == 0:
                continue
            break

    def returning():
        with Manager(log):
            return "value"

    with contextlib.suppress(KeyError), contextlib.ExitStack() as stack:
        stack.callback(log.append, "callback")
        raise KeyError
    return log, returning(), attempt(lambda: exec("with 1: pass"))


@function
def generators():
    log = []

    def numbers(n):
        try:
            for i in range(n):
                got = yield i
                if got:
                    log.append(got)
            return "done"
        except ValueError as error:
            yield f"caught {error}"
        finally:
            log.append("closed")

    def delegating():
        result = yield from numbers(2)
        log.append(result)
        yield from "xy"

    first = numbers(3)
    steps = [next(first), first.send("sent"), first.throw(ValueError("thrown")), next(first, "end")]
    second = numbers(5)
    next(second)
    second.close()
    third = delegating()
    more = [next(third), third.send("deep"), *third]
    left = numbers(2)
    next(left)
    del left
    return steps, more, log, [*numbers(2)], sum(x for x in numbers(4)), attempt(lambda: list(broken()))


def broken():
    """A StopIteration that would leave a generator."""
    yield 1
    raise StopIteration


@function
def throw_through_delegation():
    log = []

    def inner():
        try:
            yield 1
        except KeyError:
            yield "inner caught"
        yield "inner goes on"
        return "inner result"

    def outer():
        log.append((yield from inner()))
        try:
            yield from [1, 2]
        except TypeError as error:
            log.append(str(error))
            yield "outer caught"

    g = outer()
    return [next(g), g.throw(KeyError()), next(g), next(g), g.throw(TypeError("t")), next(g, "over")], log


@function
def deep_delegation():
    def nest(n):
        if n:
            yield from nest(n - 1)
        else:
            yield from range(3)

    return list(nest(400))


@function
def coroutines():
    log = []

    class Async:
        async def __aenter__(self):
            await asyncio.sleep(0)
            return self

        async def __aexit__(self, *details):
            log.append(details[0] and details[0].__name__)
            return True

    async def numbers(n):
        try:
            for i in range(n):
                await asyncio.sleep(0)
                yield i
        finally:
            log.append("agen closed")

    async def work(x):
        async with Async():
            await asyncio.sleep(0)
            raise ValueError
        total = 0
        async for i in numbers(x):
            total += i
        return total, [j async for j in numbers(2)], [await asyncio.sleep(0, k) for k in "ab"]

    async def main():
        stepped = numbers(9)
        first = await stepped.asend(None)
        await stepped.aclose()
        return first, await asyncio.gather(work(2), work(3))

    return asyncio.run(main()), log


@function
def async_loops_that_fail():
    class Numbers:
        def __aiter__(self):
            return self

        async def __anext__(self):
            raise KeyError("anext")

    class Odd(Numbers):
        def __anext__(self):
            return ()

    async def loop(source):
        try:
            raise ValueError("outer")
        except ValueError:
            async for _ in source:
                pass

    def run(source):
        try:
            asyncio.run(loop(source))
        except Exception as error:
            return (
                type(error).__name__,
                str(error),
                type(error.__context__).__name__,
                sys.exc_info()[1] is error,
            )

    return run(Numbers()), run(Odd()), attempt(lambda: asyncio.run(loop(3))), sys.exc_info()


@function
def classes():
    events = []

    class Meta(type):
        @classmethod
        def __prepare__(meta, name, bases, **options):
            events.append(("prepare", name, options))
            return {}

        def __new__(meta, name, bases, namespace, **options):
            return super().__new__(meta, name, bases, namespace)

        def __init__(cls, *args, **options):
            super().__init__(*args)

    class Named:
        def __set_name__(self, owner, name):
            events.append((owner.__name__, name))

    class Base(metaclass=Meta, flag=1):
        x = 1
        y = x + 1
        field = Named()
        listed = [n for n in range(3)]

        def __init_subclass__(cls, **options):
            events.append(("subclass", cls.__name__))

        def who(self):
            return __class__.__name__

        @property
        def prop(self):
            return self.x

        @staticmethod
        def static():
            return "s"

        @classmethod
        def make(cls):
            return cls.__name__

    class Derived(Base):
        __private = 3

        def who(self):
            return super().who() + "+" + str(self.__private)

    d = Derived()
    return (
        d.who(),
        d.prop,
        d.static(),
        d.make(),
        Base.y,
        Base.listed,
        events,
        Derived.__qualname__,
        Derived.__module__,
    )


@function
def pattern_matching():
    class Point:
        __match_args__ = ("x", "y")

        def __init__(self, x, y):
            self.x, self.y = x, y

    def match(subject):
        match subject:
            case None | True:
                return "singleton"
            case Point(0, y=py):
                return "point", py
            case Point(x, y) if x == y:
                return "diagonal", x
            case [1, [*inner], *rest]:
                return inner, rest
            case {"k": value, **others}:
                return value, others
            case int(n) | float(n):
                return "number", n
            case str() as text:
                return text
            case _:
                return "other"

    subjects = [
        None,
        Point(0, 3),
        Point(2, 2),
        Point(1, 2),
        [1, "ab", 4],
        {"k": 1, "l": 2},
        3.5,
        "s",
        (),
        [1],
    ]
    return [match(s) for s in subjects], attempt(lambda: match_too_many(Point(1, 2)))


def match_too_many(point):
    """More positions than the class has."""
    cls = type(point)
    match point:
        case cls(1, 2, 3):
            return 1


@function
def names_of_the_caller():
    a = 1
    b = [locals()["a"], eval("a + 1"), sorted(vars()), dir()]
    scope = {}
    exec("def f(x):\n    return x + y\ny = 4\nz = f(1)", scope)

    class Body:
        c = 3
        seen = sorted(n for n in locals() if not n.startswith("__"))

    return a, b[:2], scope["z"], Body.seen, globals()["__name__"], sys._getframe().f_code.co_name


@function
def imports():
    import os.path
    from collections import OrderedDict as Ordered
    from os import path

    errors = [
        attempt(lambda: exec("from os import no_such_name")),
        attempt(lambda: exec("import no_such_module")),
    ]
    scope = {}
    exec("from string import *", scope)
    return os.path is path, Ordered.__name__, [e.partition(" (")[0] for e in errors], "digits" in scope


@function
def assertions_and_deletion():
    x = [1, 2]
    del x[0]
    errors = [attempt(lambda: asserting(0)), attempt(lambda: asserting(1))]

    class Empty:
        pass

    e = Empty()
    e.a = 1
    del e.a
    return x, errors, attempt(lambda: e.a), (y := 3) + y


def asserting(x):
    """With a message."""
    assert x, f"{x} is false"
    return "fine"


@function
def traceback_text():
    def inner(x):
        y = x - 1
        return 1 / y

    def middle():
        try:
            return inner(1)
        except ZeroDivisionError as error:
            raise ValueError("second") from error

    try:
        middle()
    except ValueError:
        return traceback.format_exc()


@function
def warnings_with_stacklevel():
    def deprecated():
        warnings.warn("old", DeprecationWarning, stacklevel=2)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        deprecated()
    return [(w.lineno, w.filename == __file__) for w in caught]


@function
def callbacks_from_c():
    @functools.total_ordering
    class Key:
        def __init__(self, n):
            self.n = n

        def __eq__(self, other):
            return self.n == other.n

        def __lt__(self, other):
            return self.n < other.n

        def __hash__(self):
            return hash(self.n)

    keys = [Key(n) for n in (3, 1, 2)]
    table = {key: key.n for key in keys}
    return (
        [k.n for k in sorted(keys)],
        sorted("bca", key=lambda c: -ord(c)),
        list(map(lambda x: x * 2, [1, 2])),
        functools.reduce(lambda a, b: a + b, range(5)),
        table[Key(1)],
        max(keys).n,
    )


@function
def recursion_limit():
    def endless(n):
        return endless(n + 1)

    try:
        endless(0)
    except RecursionError as error:
        return str(error).partition(" while")[0].partition(" in comparison")[0]


@function
def special_exceptions():
    class Odd(Exception):
        def __init__(self):
            raise KeyError("while being made")

    def raising(what):
        raise what

    return [
        attempt(raising, Odd),
        attempt(raising, 1),
        attempt(raising, ValueError),
        attempt(lambda: exec("raise")),
        attempt(lambda: exec("raise ValueError from 1")),
        attempt(lambda: exec("try:\n  1/0\nexcept 1: pass")),
    ]


@function
def locals_of_comprehensions():
    return (
        [sorted(locals()) for v in (1,)],
        list(sorted(locals()) for v in (1,)),
        [sorted(locals()) for n in (1,) for v in (2,)],
    )


@function
def classes_that_are_called():
    class Plain:
        def __init__(self, x, *, k=1):
            self.x = x, k

    class Made(Plain):
        def __new__(cls, *arguments, **keywords):
            made = super().__new__(cls)
            made.given = arguments, keywords
            return made

    class Other:
        def __new__(cls, *arguments):
            return arguments

        def __init__(self):
            raise AssertionError("not an object of the class")

    class Giving:
        def __init__(self):
            return 5

    class Yielding:
        def __init__(self):
            yield

    class Meta(type):
        def __call__(cls, *arguments):
            return super().__call__(*arguments).x, type.__call__(cls, *arguments).x

        def __new__(meta, name, bases, namespace):
            return super().__new__(meta, name, bases, namespace)

    class Twice(Plain, metaclass=Meta):
        pass

    class Unbound:
        @staticmethod
        def __init__(*arguments):
            seen.append(arguments)

    class Nothing:
        pass

    class Odd(ValueError):
        def __init__(self, text):
            super().__init__(text, "odd")

    seen = []
    Unbound(1, 2)
    made = Made(3, k=4)
    return [
        (Plain(1).x, Plain(2, k=3).x, made.x, made.given, Other(1, 2), Twice(5), seen, Odd("x").args),
        (Meta("Named", (), {}).__module__, type("Other", (), {}).__module__),
        *[
            attempt(call)
            for call in (Giving, Yielding, Plain, Made, lambda: Nothing(1), lambda: type.__call__(5))
        ],
        attempt(lambda: type.__call__(Plain, 1, x=2)),
    ]


@function
def generators_that_are_done():
    def steps():
        yield 1

    async def value():
        return 2

    async def awaiting(one):
        return await one

    def drive(coroutine):
        try:
            coroutine.send(None)
        except StopIteration as stop:
            return stop.value

    exhausted = steps()
    for _ in exhausted:
        pass
    failing = (1 / x for x in (1, 0))
    failure = attempt(lambda: [x for x in failing])
    awaited = value()
    first = drive(awaiting(awaited))
    return (
        (exhausted.gi_frame, list(exhausted), failing.gi_frame, failure[:2], next(failing, "done")),
        (
            first,
            awaited.cr_frame,
            attempt(lambda: drive(awaiting(awaited))),
            attempt(lambda: awaited.send(None)),
        ),
    )


@function
def where_coroutines_come_from():
    async def value():
        pass

    def made():
        return value()

    before = sys.get_coroutine_origin_tracking_depth()
    sys.set_coroutine_origin_tracking_depth(2)
    try:
        coroutine = made()
    finally:
        sys.set_coroutine_origin_tracking_depth(before)
    coroutine.close()
    return [entry[1:] for entry in coroutine.cr_origin]


@function
def code_of_a_module_in_a_function():
    source = "import asyncio\nfound = [await asyncio.sleep(0, x) for x in (1, 2)]\nother = await asyncio.sleep(0, 3)"
    code = compile(source, "<string>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    namespace, plain = {}, {}
    asyncio.run(types.FunctionType(code, namespace)())
    types.FunctionType(compile("x = 1\ny = [x for _ in 'ab']", "<string>", "exec"), plain)()
    return namespace["found"], namespace["other"], plain["x"], plain["y"]


@function
def generators_that_are_looked_at():
    def inner():
        yield 1

    def outer(x, *rest):
        seen = x
        yield seen
        yield from inner()

    class Waiting:
        def __await__(self):
            yield from inner()

    async def awaiting(one):
        await one

    def look(one):
        return (
            inspect.getgeneratorstate(one),
            one.gi_running,
            one.gi_yieldfrom and one.gi_yieldfrom.__qualname__,
        )

    generator = outer(1, 2)
    coroutine = awaiting(Waiting())
    looks = [
        look(generator),
        coroutine.cr_await,
        inspect.getcoroutinestate(coroutine),
    ]
    for _ in generator:
        looks.append(look(generator))
    looks.append(look(generator))
    coroutine.send(None)
    looks += [
        type(coroutine.cr_await),
        inspect.getcoroutinestate(coroutine),
    ]
    coroutine.close()
    looks += [coroutine.cr_await, inspect.getcoroutinestate(coroutine), coroutine.cr_frame]
    return looks, outer(1).gi_code is outer.__code__


@function
def keywords_from_mappings():
    class Mapping:
        def __init__(self, keys, failure=None):
            self.given, self.failure = keys, failure

        def keys(self):
            return self.given

        def __getitem__(self, key):
            if self.failure:
                raise self.failure
            return key

    class Keys:
        def keys(self):
            return [1]

    def called(x=0, **rest):
        return x, rest

    return [
        (attempt(lambda: called(**one)), attempt(lambda: called(a=1, **one)))
        for one in (
            Mapping(["x"]),
            Mapping(["x", "x"]),
            Mapping(["a", "x"]),
            Mapping([1]),
            Mapping(["x"], KeyError("q")),
            Mapping(["x"], KeyError("q", "r")),
            Mapping(["x"], ValueError("q")),
            Mapping(5),
            Keys(),
        )
    ]
