"""Every syntax of CPython 3.10, and a constant of every kind."""

from __future__ import annotations

import asyncio as aio
import os.path
from collections import OrderedDict as Ordered, deque
from math import *

INTEGERS = (0, 1, -1, 255, 256, 2**15, -(2**15), 2**31 - 1, -(2**31), 2**31, 2**63, -(2**63) - 1)
BIG = 123456789012345678901234567890123456789012345678901234567890
SMALL = -98765432109876543210987654321098765432109876543210
FLOATS = (0.0, -0.0, 1.5, 1e308, 5e-324, 1e999, -1e999, 3.141592653589793)
COMPLEX = (0j, 1j, -0.0 + 0j, 1.5 - 2.5j, 1e999j)
TEXTS = ("", "a", "name", "naïve café", "日本語", "🐍", "\ud800", "a\udfffb", "\x00\x7f\xff", "long " * 70)
BYTES = (b"", b"\x00\xff", b"bytes", b"more than one" * 30)
NESTED = (1, (2, (3, ("four", (5.0, (None, (True, (False, (...,)))))))))
SAME = ("twice", "twice", ("twice", 2.5), ("twice", 2.5), 1, 1.0, True)
LONG = (
    0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5, 18.5,
)  # fmt: skip


def members(x):
    if x in {1, 2.0, "three", b"four", None, ..., (5, 6), -0.0}:
        return x in {"only", "texts"}
    return x not in {7, 8} or x in [9, 10]


def operators(a, b, c=1, *rest: int, d, e=2.0, **more: "str") -> tuple[int, ...]:
    """A docstring."""
    x = a + b - c * d / e // 2 % 3 ** 2 @ a << 1 >> 2 & 3 | 4 ^ 5
    x += 1
    x -= a
    x *= a
    x /= a
    x //= a
    x %= a
    x **= a
    x @= a
    x <<= a
    x >>= a
    x &= a
    x |= a
    x ^= a
    y = -x, +x, ~x, not x
    z = a < b, a <= b, a == b, a != b, a > b, a >= b, a is b, a is not b, a in y, a not in y
    chain = a < b <= c != d
    return (x and y or z) if chain else (a or b and c, not (a and b))


def positional_only(a, b=2, /, c=3, *, d):
    return a, b, c, d


def subscripts(x, i, j):
    x[i] = x[i:j], x[:], x[i:], x[:j], x[::2], x[i:j:-1], x[i, j], x[..., 1:2]
    x[i:j] = x[1:3] = [1]
    x[i] += 1
    x[i:j] += x
    del x[i], x[i:j], x[::2]


def attributes(x):
    x.a = x.b.c.d
    x.a += 1
    del x.a
    return x.method(1, 2), x.method(*x.args, key=1, **x.keywords), x.method()


def calls(f, *args, **kwargs):
    f()
    f(1, 2, 3)
    f(1, key=2, other=3)
    f(*args)
    f(1, *args, 2, *args, key=3)
    f(**kwargs)
    f(1, *args, key=2, **kwargs, last=3)
    return print(f, sep="", end="\n")


def containers(a, b):
    return (
        [a, b],
        (a, b),
        {a, b},
        {a: b, "c": 1},
        [1, 2, 3, 4],
        {1, 2, 3, 4},
        {"k1": 1, "k2": a, "k3": 3},
        [*a, *b],
        (*a, 1, *b),
        {*a, 2},
        {**a, "x": 1, **b},
        [],
        {},
        (),
    )


def unpacking(x):
    a, b = x
    (c, d), [e, *f] = x
    *g, h, i = x
    a, b, c = c, b, a
    j = k = l = x
    return a, b, c, d, e, f, g, h, i, j, k, l


def comprehensions(x, y):
    n = 10
    squares = [i * i for i in x if i if i < n]
    nested = [[i + j for j in y] for i in x]
    pairs = {i: j for i in x for j in y if i != j}
    unique = {i for i in x}
    lazy = (i + n for i in x)
    outer = [i := i for _ in x] if (last := len(x)) else last
    return squares, nested, pairs, unique, lazy, all(i for i in x), any(i for i in x), tuple(i for i in x)


def formats(a, b):
    return f"{a}", f"{a!r:>{b}}", f"{a!s} {b!a} {{}} {a:x}", f"{a=}", f"{a.b['c']:{b}.{b}}" f"tail", f"plain"


def loops(x, y):
    for i in x:
        if i:
            continue
        for j in y:
            if j:
                break
            print(j)
        else:
            print("no break")
    else:
        y = 1
    while x:
        x -= 1
        if x == 3:
            break
    else:
        x = None
    while True:
        if x is None:
            return y
        if x is not None:
            pass


def handlers(f):
    try:
        f()
    except ValueError:
        return 1
    except (TypeError, KeyError) as error:
        raise RuntimeError("again") from error
    except:
        raise
    else:
        f(2)
    finally:
        f(3)
    try:
        try:
            f()
        finally:
            f(1)
    except OSError as e:
        pass
    for i in f:
        try:
            continue
        finally:
            try:
                break
            except Exception as e:
                raise e
    assert f, "message"
    assert f


def contexts(a, b):
    with a:
        pass
    with a as x, b as (y, z):
        with b:
            return x, y, z
    for i in a:
        with b:
            if i:
                continue
            break
    with (a as c, b as d):
        pass


def closures(x, y=[]):
    z = 1

    def inner(a=x, *, b: y = z):
        nonlocal z
        z += 1
        global GLOBAL
        GLOBAL = x
        del GLOBAL

        def deepest():
            return a, x, z, inner

        return deepest

    class Local(Base if x else object, metaclass=type, key=x):
        """Its docstring."""

        attribute: int = x
        later: "Local"
        other = attribute

        def method(self):
            return __class__, super().method(), super(Local, self).other, x

        @staticmethod
        def decorated():
            pass

        @property
        def value(self):
            return [super().value for _ in range(1)]

        squares = [other for other in range(3)]
        del other

    lambda: x
    lambda a, *b, c=1, **d: (yield a)
    return inner, Local, lambda q: lambda: q + x


def generator(x):
    y = yield
    z = yield x, y
    yield from x
    try:
        result = yield from generator(z)
    finally:
        yield 1
    return result


async def coroutine(x):
    await x
    async with x as y, x:
        await y
    async for i in x:
        if i:
            break
    else:
        return [i async for i in x if await i], {await i: 1 for i in x}, (i async for i in x)
    return await aio.sleep(1)


async def asynchronous_generator(x):
    yield x
    async for i in x:
        sent = yield i
        try:
            await sent
        except ValueError:
            return


def patterns(x):
    match x:
        case 0 | 1 | -1:
            return "number"
        case "text" | b"bytes" | None | True:
            return "constant"
        case 1.5 + 2j:
            return "complex"
        case [a, b]:
            return a, b
        case [first, *rest] if rest:
            return first
        case (1, _, *_):
            return "sequence"
        case {"key": value, "other": [1, 2], **more}:
            return value, more
        case {}:
            return "mapping"
        case Point(0, y=0) | Point(1, y=0):
            return "point"
        case Point(x=0, y=Point(p, q) as inner):
            return p, q, inner
        case str(text) | bytes(text):
            return text
        case os.path:
            return "value"
        case captured:
            return captured
    match x, 1:
        case _, 2:
            pass


def nested_deep():
    if 1:
        for a in b:
            with c:
                try:
                    while d:
                        try:
                            yield a
                        except ValueError:
                            pass
                except KeyError:
                    pass


def cells_and_arguments(a, b, c):
    def use():
        return a, c

    b = use
    del a
    return lambda: b


def deletion():
    x = 1
    del x
    y = [x for x in y]
    import sys, os.path as p
    from . import sibling
    from .module import name as alias, other
    return locals()


x: int
y: list[int] = []
y[0]: int = 1
y.attribute: str = "a"
(z): int = 3
if x:
    def conditional(): ...
else:
    conditional = None
if 0:
    unreachable
while 0: unreachable
try:
    import missing
except ImportError:
    missing = None


@decorator
@decorator.with_arguments(1, key=2)
class Decorated(Base, *bases, metaclass=Meta, **keywords):
    pass


class Private:
    __slots__ = ("__mangled",)

    def __init__(self):
        self.__mangled = __name
        self.__dunder__ = lambda: self.__mangled
