"""What a capture of objects relied on is guarded: whatever is changed from outside, the next call sees it."""

from __future__ import annotations

import pytest

import translator
from tests.translator.test_capture_objects import agree, everything

__all__ = ["everything"]

PROGRAM = """
import functools
log = []
class Watched:
    def __init__(self, name, value):
        self.name, self.value = name, value
    def __get__(self, instance, owner):
        if instance is not None:
            log.append(self.name)
        return self.value
class Setting(Watched):
    def __set__(self, instance, value):
        log.append((self.name, value))
class Base:
    factor = 2
    def base(self, k=1):
        return self.x * k
class Mixin:
    factor = 11
    def base(self, k=1):
        return "mixin"
class Point(Base):
    limit = 100
    watched = Watched("watched", 1)
    def __init__(self, x):
        self.x = x
    def norm(self):
        return self.base() * self.factor + DELTA + helper(self.x) + TABLE["a"]
    @property
    def double(self):
        return self.x * 2
    @classmethod
    def make(cls, x):
        return cls(x)
    @staticmethod
    def twice(x):
        return x + x
    def __eq__(self, other):
        return self.x == other.x
    __hash__ = None
class Slotted:
    __slots__ = ("x", "y")
def helper(x, by=1, *, more=0):
    return x + by + more
def maker():
    n = 5
    def closed(x):
        return x + n
    return closed
closed = maker()
DELTA = 1
TABLE = {"a": 1}
p, q = Point(3), Point(3)
s = Slotted()
s.x = s.y = 1
method = p.norm
def f(p, q):
    p.seen = 1
    found = [p.norm(), p.double, Point.make(4).x, p.twice(5), p == q, p.limit, p.watched, closed(1), functools.partial(helper, by=2)(1)]
    found += [hasattr(p, "missing"), getattr(q, "gone", None), isinstance(p, Base), method(), s.x, p.seen]
    return found + [TABLE.get("b"), sorted(p.base.__name__), super(Point, p).factor, len("abc")]
"""

#: expressions that change something between two calls
CHANGES = [
    "globals().update(helper=lambda x, by=1: x * 100)",
    "helper.__defaults__.__class__ and setattr(helper, '__defaults__', (7,))",
    "setattr(helper, '__kwdefaults__', {'more': 9})",
    "setattr(helper, '__code__', (lambda x, by=1, *, more=0: -x).__code__)",
    "globals().update(DELTA=50)",
    "globals().update(DELTA=1.5)",
    "TABLE.update(a=7)",
    "TABLE.update(b=7)",
    "TABLE.pop('a', 1) and TABLE.update(a=True)",
    "globals().update(TABLE={'a': 3})",
    "globals().update(len=lambda x: 'own')",
    "globals().pop('DELTA', None)",
    "closed.__closure__[0].__setattr__('cell_contents', 70)",
    "setattr(Point, 'norm', lambda self: 'patched')",
    "setattr(p, 'norm', lambda: 'own')",
    "setattr(Base, 'base', lambda self, k=1: 9)",
    "setattr(Point, 'base', lambda self, k=1: 9)",
    "setattr(Point, 'factor', 5)",
    "setattr(Base, 'factor', 5)",
    "setattr(p, 'factor', 5)",
    "setattr(q, 'x', 9)",
    "setattr(p, 'x', 9)",
    "setattr(p, 'x', 3.0)",
    "setattr(p, 'x', True)",
    "p.__dict__.pop('x', None)",
    "setattr(Point, 'x', property(lambda self: 77))",
    "setattr(Point, 'x', Watched('x', 3))",
    "setattr(Point, 'x', Setting('x', 5))",
    "setattr(Point, 'seen', Setting('seen', 5))",
    "setattr(Point, 'seen', property(lambda self: 4))",
    "setattr(Point, 'limit', Watched('limit', 100))",
    "setattr(p, 'limit', 5)",
    "setattr(p, 'watched', 5)",
    "setattr(p, 'double', 5) if False else p.__dict__.update(double=5)",
    "setattr(Point, 'double', property(lambda self: 'other'))",
    "setattr(Point, 'double', 8)",
    "setattr(Watched, '__get__', lambda self, i, o: 'got')",
    "setattr(Watched, '__set__', lambda self, i, v: None)",
    "setattr(p, 'missing', 1)",
    "setattr(Point, 'missing', 1)",
    "setattr(q, 'gone', 1)",
    "setattr(Point, '__getattr__', lambda self, name: name)",
    "setattr(Point, '__getattribute__', lambda self, name: log.append(name) or object.__getattribute__(self, name))",
    "setattr(Point, '__setattr__', lambda self, name, value: log.append(name) or object.__setattr__(self, name, value))",
    "setattr(Base, '__setattr__', lambda self, name, value: object.__setattr__(self, name, 5))",
    "setattr(Point, '__eq__', lambda self, other: 'equal')",
    "setattr(Point, '__init__', lambda self, x: setattr(self, 'x', -x))",
    "setattr(Point, '__new__', lambda cls, x: object.__new__(cls))",
    "setattr(Point, 'make', classmethod(lambda cls, x: cls(x + 1)))",
    "setattr(Point, 'make', staticmethod(lambda x: Point(x + 2)))",
    "setattr(Point, 'twice', lambda self, x: x)",
    "setattr(Point, 'twice', staticmethod(lambda x: 0))",
    "setattr(Point, '__bases__', (Mixin, Base))",
    "setattr(p, '__class__', Base)",
    "setattr(p, '__class__', type('Other', (Point,), {}))",
    "setattr(p, '__class__', type('Other', (Point,), {'norm': lambda self: 'other'}))",
    "globals().update(Point=Base)",
    "globals().update(closed=maker())",
    "globals().update(method=q.norm)",
    "globals().update(method=Point(8).norm)",
    "globals().update(method=lambda: 1)",
    "setattr(s, 'x', 9)",
    "hasattr(s, 'x') and delattr(s, 'x')",
    "setattr(Slotted, 'x', property(lambda self: 6))",
    "globals().update(s=p)",
    "globals().update(p=q)",
    "globals().update(isinstance=lambda a, b: 'no')",
    "setattr(__import__('builtins'), 'sorted', sorted)",
    "setattr(functools, 'opshift_nothing', 1)",
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_from_outside_is_seen(change):
    agree(PROGRAM, ["f(p, q)", f"f(({change}, p)[1], q)", "f(p, q)", "f(p, p)"], rounds=1)


def test_guards_print_as_expressions_on_sources_with_the_line():
    class Point:
        scale = 2

        def __init__(self, x):
            self.x = x

        def norm(self):
            return self.x * self.scale

    def f(p):
        return p.norm()

    found = translator.explain(f)(Point(3))
    texts = {str(guard) for guard in found.guards}
    name = Point.__qualname__
    assert {"type(L['p']) is Point", "L['p'].x == 3", f"{name}.__dict__['scale'] == 2"} <= texts, texts
    assert f"'x' not in {name}.__dict__" in texts
    assert any(text.startswith(f"{name}.__dict__['norm'].__code__ is ") for text in texts)


def test_what_is_handed_on_needs_no_guard():
    class Point:
        pass

    def f(p, n, text):
        return [p, n], text

    compiled = translator.compile(f, fullgraph=True)
    one = Point()
    for n in range(30):
        assert compiled(one if n % 2 else n, n, str(n)) == ([one if n % 2 else n, n], str(n))
    assert len(compiled.__opshift__.entries) == 1
