"""Definitions that generated programs use; each is put in only where it is used."""

from __future__ import annotations

import linecache
from collections.abc import Iterable
from functools import cache
from types import CodeType

#: Pieces by name, in the order they stand in a program.
PRELUDE: dict[str, str] = {
    "log": "log = []",
    "np": "import numpy as np",
    "SCALE": "SCALE = 3",
    "TABLE": "TABLE = {'a': 1, 'b': 20}",
    "ITEMS": "ITEMS = [4, 5, 6]",
    "note": """
def note(value):
    log.append(value)
    return value
""",
    "Point": """
class Point:
    made = 0

    def __init__(self, x, y=0):
        Point.made += 1
        self.x = x
        self.y = y

    @classmethod
    def origin(cls):
        return cls(0)

    @staticmethod
    def distance(a, b):
        return abs(a - b)

    @property
    def total(self):
        return self.x + self.y

    @total.setter
    def total(self, value):
        log.append(("total", value))
        self.x, self.y = value, 0

    def norm(self):
        return abs(self.x) + abs(self.y)

    def scale(self, factor):
        return self.x - factor

    def move(self, dx, dy=1):
        self.x += dx
        self.y += dy
        log.append(("move", dx, dy))
        return self

    def copy(self):
        return Point(self.x, self.y)

    def label(self, n):
        return f"P{n}"

    def __add__(self, other):
        if not isinstance(other, Point):
            return NotImplemented
        return Point(self.x + other.x, self.y + other.y)

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return 7

    def __iter__(self):
        return iter((self.x, self.y))

    def __str__(self):
        return f"<{self.x}>"
""",
    "Loud": '''
class Loud:
    """Says whatever is done to it."""

    def __init__(self, value):
        self.value = value

    def fail(self):
        log.append("fail")
        raise ValueError(self.value)

    def __repr__(self):
        return f"Loud({self.value})"

    def __bool__(self):
        log.append(("bool", self.value))
        return self.value > 1

    def __len__(self):
        log.append("len")
        return 2

    def __eq__(self, other):
        log.append(("eq", self.value))
        return self.value == (other.value if isinstance(other, Loud) else other)

    __hash__ = None

    def __lt__(self, other):
        log.append(("lt", self.value))
        return self.value < other.value

    def __add__(self, other):
        log.append(("add", self.value))
        return Loud(self.value + 1)

    def __iadd__(self, other):
        log.append(("iadd", self.value))
        self.value += 1
        return self

    def __rsub__(self, other):
        log.append(("rsub", self.value))
        return Loud(other)

    def __matmul__(self, other):
        log.append(("matmul", self.value))
        return other

    def __contains__(self, item):
        log.append(("contains", item))
        return item == self.value

    def __getitem__(self, key):
        log.append(("getitem", key))
        return 5

    def __setitem__(self, key, value):
        log.append(("setitem", key, value))

    def __delitem__(self, key):
        log.append(("delitem", key))

    def __iter__(self):
        log.append("iter")
        return iter([self.value, 1])

    def __call__(self, *args, **kwargs):
        log.append(("call", args, kwargs))
        return self.value

    def __getattr__(self, name):
        log.append(("getattr", name))
        if name == "other":
            return 11
        raise AttributeError(name)
''',
    "Manager": """
class Manager:
    def __init__(self, name, swallows=()):
        self.name = name
        self.swallows = swallows

    def __enter__(self):
        log.append(("enter", self.name))
        return self.name

    def __exit__(self, kind, error, traceback):
        log.append(("exit", self.name, kind, error and error.args))
        return kind is not None and issubclass(kind, self.swallows)
""",
    "AsyncManager": """
class AsyncManager:
    def __init__(self, name, swallows=()):
        self.name = name
        self.swallows = swallows

    async def __aenter__(self):
        log.append(("aenter", self.name))
        return await pause(self.name)

    async def __aexit__(self, kind, error, traceback):
        log.append(("aexit", self.name, kind))
        await pause("leaving")
        return kind is not None and issubclass(kind, self.swallows)
""",
    "pause": '''
class pause:
    """Awaiting it gives control to whoever drives the coroutine, once, then its value."""

    def __init__(self, value):
        self.value = value

    def __await__(self):
        yield self.value
        return self.value
''',
    "stream": '''
class stream:
    """An asynchronous iterator over the numbers below `n`."""

    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.n <= 0:
            raise StopAsyncIteration
        self.n -= 1
        return await pause(self.n)
''',
    "Trouble": """
class Trouble(Exception):
    def __init__(self, value=0):
        super().__init__(value)
        self.value = value
""",
    "decorate": """
def decorate(function):
    log.append(function.__name__)
    return function
""",
    "drive": '''
def drive(coroutine):
    """Runs a coroutine to its end, logging what it waits for."""
    try:
        while True:
            log.append(coroutine.send(None))
    except StopIteration as done:
        return done.value
''',
}

#: What a piece of the prelude needs before it.
_NEEDS: dict[str, tuple[str, ...]] = {name: ("log",) for name in PRELUDE if name != "log"}
_NEEDS["AsyncManager"] = ("log", "pause")
_NEEDS["stream"] = ("pause",)
_NEEDS["pause"] = ()
for _name in ("Trouble", "np", "SCALE", "TABLE", "ITEMS"):
    _NEEDS[_name] = ()


FILENAME = "<prelude of the generated programs>"


def closure(used: Iterable[str]) -> tuple[str, ...]:
    """The pieces used and what they need, in the order they stand in."""
    wanted = set(used)
    for name in tuple(wanted):
        wanted.update(_NEEDS.get(name, ()))
    return tuple(name for name in PRELUDE if name in wanted)


def text(names: tuple[str, ...]) -> str:
    """The source of these pieces."""
    return "".join(PRELUDE[name].strip("\n") + "\n\n\n" for name in names)


@cache
def piece(name: str) -> CodeType:
    """One piece, compiled; its lines are those of PRELUDE put together."""
    before = list(PRELUDE)[: list(PRELUDE).index(name)]
    lines = "\n" * text(tuple(before)).count("\n")
    return compile(lines + PRELUDE[name].strip("\n"), FILENAME, "exec", dont_inherit=True)


def show_lines() -> None:
    """Lets tracebacks show the prelude's lines."""
    whole = text(tuple(PRELUDE))
    linecache.cache[FILENAME] = (len(whole), None, whole.splitlines(keepends=True), FILENAME)
