"""Functions that C code calls: plain ones, closures, generators, coroutines; and what they look like to it."""

import asyncio
import contextlib
import functools
import inspect
import itertools
import types


def main():
    base = 10

    def shifted(x, *rest, sign=1, **named):
        """Adds the base."""
        return base + sign * x + len(rest) + len(named)

    print(list(map(shifted, [3, 1, 2])), functools.reduce(lambda a, b: a * b + base, [1, 2, 3]))
    print(shifted.__doc__, functools.partial(shifted, 1, 2, k=3)(sign=-1))
    copy = types.FunctionType(shifted.__code__, {"base": 0}, "copy", None, shifted.__closure__)
    copy.__kwdefaults__ = {"sign": 2}
    print(list(map(copy, [1])), copy.__name__)

    def count(n):
        try:
            for i in range(n):
                got = yield i + base
                if got:
                    print("got", got)
        except ValueError as error:
            print("thrown", error)
            yield "after"
        finally:
            print("closed")
        return n

    for one in map(count, [2]):
        print(next(one), one.send("x"), one.throw(ValueError("v")), one.__name__, list(one))
    print(list(itertools.chain.from_iterable(map(count, [1, 2]))))
    print(
        inspect.isgeneratorfunction(count),
        inspect.isgeneratorfunction(shifted),
        inspect.isgenerator(count(1)),
    )

    @contextlib.contextmanager
    def manager(name):
        print("enter", name)
        try:
            yield name
        finally:
            print("exit", name)

    with manager("m") as value:
        print(value)
    try:
        with manager("n"):
            raise KeyError("in n")
    except KeyError as error:
        print("left", error)

    async def add(a, b=5):
        await asyncio.sleep(0)
        return a + b + base

    async def numbers(n):
        try:
            for i in range(n):
                got = yield i
                await asyncio.sleep(0)
                if got:
                    print("asent", got)
        except ValueError as error:
            print("athrown", error)
            yield "recovered"
        finally:
            print("aclosed")

    @types.coroutine
    def old_style(x):
        yield
        return x * 2

    async def program():
        print(await asyncio.gather(*map(add, [1, 2])), [await one for one in map(old_style, [4])])
        for made in map(numbers, [3]):
            print(await made.asend(None), await made.asend("s"), await made.athrow(ValueError("w")))
            await made.aclose()
        for made in map(numbers, [2, 0]):
            print([item async for item in made])
        try:
            for one in map(add, ["a"]):
                await one
        except TypeError as error:
            print(names(error))

    asyncio.run(program())
    print(inspect.iscoroutinefunction(add), inspect.isasyncgenfunction(numbers), inspect.isfunction(add))

    def fails(x):
        return 1 // x

    def fails_late(x):
        yield x
        raise LookupError(x)

    for action in (lambda: sorted([0, 0], key=fails), lambda: list(itertools.chain(*map(fails_late, [1])))):
        try:
            action()
        except (ArithmeticError, LookupError) as error:
            print(type(error).__name__, names(error))


def names(error):
    found, entry = [], error.__traceback__
    while entry is not None:
        found.append((entry.tb_frame.f_code.co_name, entry.tb_lineno))
        entry = entry.tb_next
    return found


main()
