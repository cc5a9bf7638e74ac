"""What CPython 3.15 added: lazy imports, unpacking in comprehensions."""

lazy import json
lazy import os.path as path
lazy from collections import OrderedDict, deque as queue


def unpacking(x, y):
    return [*i for i in x], {*i for i in x if i}, {**d for d in x}, (*i for i in x)


def inlined(x):
    return list(i for i in x), set(i for i in x), tuple(i for i in x), all(i for i in x)


def imports():
    import json
    from os import path

    return None, True, False, "", -1, json, path


async def comprehensions(x):
    return [*i async for i in x], {**await i for i in x}


def delegates(x):
    for i in x:
        yield from i
    return (yield from [1, 2])
