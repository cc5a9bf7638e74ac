"""What `with`, `await`, `async for` and unbound names say of what they cannot use, by module and class."""

import asyncio


class Plain:
    __module__ = "elsewhere"

    class Inner:
        __module__ = "elsewhere"


class Here:
    pass


class NoModule:
    __module__ = 3


class EntersOnly(Plain):
    def __enter__(self):
        pass

    async def __aenter__(self):
        pass


class Sync(Plain):
    def __enter__(self):
        pass

    def __exit__(self, *exc):
        pass


class Async(Plain):
    async def __aenter__(self):
        return 3

    def __aexit__(self, *exc):
        return Plain()


class GivesNoAwaitable(Plain):
    def __aenter__(self):
        return Plain.Inner()

    async def __aexit__(self, *exc):
        pass


class AwaitsPlain(Plain):
    def __await__(self):
        return Plain.Inner()


class AwaitsCoroutine(Plain):
    def __await__(self):
        return nothing()


class NoIterator(Plain):
    def __aiter__(self):
        return Plain()


class NoNext(Plain):
    def __aiter__(self):
        return self

    def __anext__(self):
        return Plain.Inner()


async def nothing():
    pass


def told(action):
    try:
        action()
    except Exception as error:
        print(type(error).__name__, error, "|", error.__cause__ or "", "|", error.__context__ or "")
    else:
        print("nothing raised")


def entered(value):
    with value:
        pass


def run(function, *args):
    asyncio.run(function(*args))


async def entered_async(value):
    async with value:
        pass


async def awaited(value):
    await value


async def iterated(value):
    async for _ in value:
        pass


async def awaited_twice():
    once = nothing()
    await once
    await once


async def thrown_into_finished():
    once = nothing()
    await once
    once.throw(ValueError("late"))


def unbound():
    print(name)
    name = 1


def unbound_free():
    def inner():
        return later

    inner()
    later = 1


for made in (Plain, Plain.Inner, Here, NoModule, EntersOnly, Sync, Async, int):
    told(lambda: entered(made()))
for made in (Plain, Plain.Inner, Here, NoModule, EntersOnly, Sync, Async, GivesNoAwaitable, int):
    told(lambda: run(entered_async, made()))
for made in (Plain, Plain.Inner, Here, NoModule, AwaitsPlain, AwaitsCoroutine, int):
    told(lambda: run(awaited, made()))
for made in (Plain, NoIterator, NoNext, int):
    told(lambda: run(iterated, made()))
told(lambda: run(awaited_twice))
told(lambda: run(thrown_into_finished))
told(unbound)
told(unbound_free)
