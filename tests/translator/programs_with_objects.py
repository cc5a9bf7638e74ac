"""Programs whose function `f` is wholly captured: what they do with classes, objects, closures and globals.

By name: (the module's text, calls of `f` one after the other on the same globals). `log` is observed.
"""

from __future__ import annotations

POINT = """
log = []
class Point:
    scale = 2
    def __init__(self, x, y=1):
        self.x = x
        self.y = y
    def norm(self):
        return (self.x * self.x + self.y * self.y) * self.scale
    def move(self, by):
        self.x += by
        return self
    def __repr__(self):
        return "point"
"""

PROGRAMS: dict[str, tuple[str, list[str]]] = {
    "attributes and methods of an input": (
        POINT
        + """
def f(p):
    log.append(p.norm())
    p.move(3).y = p.x
    return p.norm(), p, p.scale, p.__class__ is Point, type(p) is Point
""",
        ["f(Point(1))", "f(Point(1.5, 2))", "f(Point(1))"],
    ),
    "an attribute of the instance hides the class's": (
        POINT
        + """
def f(p, q):
    return p.norm(), q.norm(), p.scale
p, q = Point(1), Point(1)
q.scale = 5
r = Point(1)
r.norm = lambda: "own"
""",
        ["f(p, q)", "f(q, p)", "f(r, p)", "f(p, r)"],
    ),
    "aliased inputs": (
        POINT
        + """
def f(p, q):
    p.x = 10
    q.x += 1
    return p.x, q.x, p is q, [p, q]
one = Point(1)
""",
        ["f(Point(1), Point(2))", "f(one, one)", "f(one, Point(3))"],
    ),
    "attributes that come and go": (
        POINT
        + """
def f(p):
    found = [hasattr(p, "z"), getattr(p, "z", "none")]
    p.z = 1
    found += [p.z, hasattr(p, "z")]
    del p.z
    setattr(p, "w", 5)
    delattr(p, "y")
    return found, hasattr(p, "z"), hasattr(p, "y"), p.w, callable(p.move), callable(p)
with_z = Point(1)
with_z.z = 9
""",
        ["f(Point(1))", "f(with_z)", "f(Point(2))"],
    ),
    "made, changed and given back": (
        POINT
        + """
def f(n):
    made = [Point(i) for i in range(n)]
    for p in made:
        p.move(len(made))
    made[0].friend = made[-1]
    made[-1].friend = made[0]
    return made, made[0].friend.x
""",
        ["f(1)", "f(3)"],
    ),
    "made and not given back": (
        POINT
        + """
def f(n):
    p = Point(n)
    return Point(p.norm()).move(p.x).norm()
""",
        ["f(1)", "f(2.5)"],
    ),
    "made and put into what came in": (
        POINT
        + """
def f(p, items, table):
    q = Point(p.x)
    p.friend = q
    items.append(q)
    items.append(p)
    table["q"] = q
    q.owner = p
    return q
""",
        ["f(Point(1), [], {})", "f(Point(2), [1], {'q': 0})"],
    ),
    "inheritance and super": (
        POINT
        + """
class Named(Point):
    scale = 3
    def __init__(self, name, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.name = name
    def norm(self):
        return super().norm() + 1
    def move(self, by):
        super(Named, self).move(by)
        return Point.move(self, by)
class Other(Named):
    pass
def f(p):
    q = Named("n", 1, y=2)
    return q.norm(), q.move(1), p.norm(), isinstance(p, Named), isinstance(p, (int, Point)), issubclass(Named, Point)
""",
        ["f(Named('a', 1))", "f(Point(1))", "f(Other('b', 2))"],
    ),
    "a diamond": (
        """
log = []
class A:
    def go(self):
        log.append("A")
class B(A):
    def go(self):
        log.append("B")
        super().go()
class C(A):
    def go(self):
        log.append("C")
        super().go()
class D(B, C):
    def go(self):
        log.append("D")
        super().go()
def f(d):
    d.go()
    D().go()
    return [each.__name__ for each in D.__mro__]
""",
        ["f(D())", "f(B())"],
    ),
    "properties": (
        """
log = []
class Box:
    def __init__(self, v):
        self._v = v
    @property
    def v(self):
        log.append("get")
        return self._v
    @v.setter
    def v(self, new):
        log.append("set")
        self._v = new
    @v.deleter
    def v(self):
        log.append("del")
        self._v = None
def f(box):
    box.v += 1
    got = box.v
    del box.v
    return got, box.v, hasattr(box, "v"), getattr(box, "v")
""",
        ["f(Box(1))", "f(Box(2.5))"],
    ),
    "descriptors": (
        """
log = []
class Data:
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __get__(self, instance, owner):
        log.append("get")
        return self if instance is None else getattr(instance, self.name, 0)
    def __set__(self, instance, value):
        log.append("set")
        setattr(instance, self.name, value * 2)
    def __delete__(self, instance):
        log.append("delete")
        delattr(instance, self.name)
class Plain:
    def __get__(self, instance, owner):
        return "class" if instance is None else "instance"
class Box:
    d = Data()
    p = Plain()
def f(box):
    before = box.d
    box.d = 5
    box.d += 1
    after = box.d
    del box.d
    first = box.p
    box.p = "own"
    return before, after, box.d, first, box.p, Box.p
""",
        ["f(Box())", "f(Box())"],
    ),
    "class and static methods": (
        POINT
        + """
class Maker(Point):
    made = 0
    @classmethod
    def of(cls, x):
        return cls(x, cls.made)
    @staticmethod
    def twice(x):
        return 2 * x
class Other(Maker):
    made = 7
def f(cls, p):
    q = cls.of(3)
    return q, q.of(4).x, cls.twice(4), p.twice(2), p.of(1).y
""",
        ["f(Maker, Maker(1))", "f(Other, Maker(1))", "f(Maker, Other(1))"],
    ),
    "attributes of classes that are changed": (
        """
class Counter:
    count = 0
    def __init__(self):
        Counter.count += 1
        self.number = Counter.count
class Sub(Counter):
    pass
def f():
    one, two = Counter(), Sub()
    type(two).own = 5
    return one.number, two.number, Sub.count, two.count, two.own
""",
        ["f()", "f()", "f()"],
    ),
    "getattr and setattr of its own": (
        """
log = []
class Any:
    def __init__(self, **values):
        object.__setattr__(self, "values", values)
    def __getattr__(self, name):
        log.append(name)
        return self.values[name]
    def __setattr__(self, name, value):
        log.append((name, value))
        self.values[name] = value
    def __delattr__(self, name):
        del self.values[name]
def f(a):
    a.x = a.y + 1
    b = Any(p=1)
    b.q = b.p
    del b.p
    return a.x, b, b.q
""",
        ["f(Any(y=1))", "f(Any(y=2, x=1))"],
    ),
    "calls of objects": (
        """
class Layer:
    def __init__(self, w, b):
        self.w, self.b = w, b
    def __call__(self, x, *rest, k=0, **named):
        return self.forward(x) + k + len(rest) + len(named)
    def forward(self, x):
        return x * self.w + self.b
class Model:
    def __init__(self, *layers):
        self.layers = list(layers)
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x, 1, k=2, z=3)
        return x
def f(model, x):
    return model(x), callable(model), Model(Layer(x, 1))(2)
""",
        ["f(Model(Layer(2, 1), Layer(3, 0)), 5)", "f(Model(Layer(2, 1)), 5)"],
    ),
    "operators": (
        """
log = []
class Num:
    def __init__(self, v):
        self.v = v
    def __add__(self, other):
        log.append("add")
        return Num(self.v + (other.v if isinstance(other, Num) else other))
    def __radd__(self, other):
        log.append("radd")
        return Num(other + self.v)
    def __iadd__(self, other):
        log.append("iadd")
        self.v += other
        return self
    def __mul__(self, other):
        return NotImplemented if isinstance(other, str) else Num(self.v * other)
    def __neg__(self):
        return Num(-self.v)
    def __pos__(self):
        return self
    def __invert__(self):
        return Num(~self.v)
    def __matmul__(self, other):
        return self.v
    def __lt__(self, other):
        log.append("lt")
        return self.v < other.v
    def __eq__(self, other):
        return self.v == other.v if isinstance(other, Num) else NotImplemented
    def __hash__(self):
        return hash(self.v)
    def __bool__(self):
        log.append("bool")
        return self.v != 0
class Text:
    def __rmul__(self, other):
        return "rmul"
def f(a, b):
    c = a + b
    a += 5
    d = 1 + a
    return [c, d, a, -a, ~b, +a is a, a @ b, a < b, a > b, a == b, a != b, a == 3, a != 3, a is b,
            bool(a), not b, a and b, a * 2, a * Text(), 5 * Text(), [] == a, hash(a) == hash(b)]
""",
        ["f(Num(1), Num(2))", "f(Num(3), Num(0))", "f(Num(-5), Num(0))"],
    ),
    "reflected operators of subclasses": (
        """
log = []
class A:
    def __add__(self, other):
        return "A.add"
    def __radd__(self, other):
        return "A.radd"
    def __lt__(self, other):
        return "A.lt"
    def __gt__(self, other):
        return "A.gt"
    def __sub__(self, other):
        return NotImplemented
class B(A):
    def __radd__(self, other):
        return "B.radd"
    def __rsub__(self, other):
        return "B.rsub"
class C(A):
    pass
def f(a, b, c):
    return a + b, a + c, b + a, c + a, a < b, a < c, a - b, b < c, c < b
""",
        ["f(A(), B(), C())"],
    ),
    "containers of its own": (
        """
log = []
class Bag:
    def __init__(self, *items):
        self.items = list(items)
    def __len__(self):
        return len(self.items)
    def __getitem__(self, key):
        log.append(key)
        return self.items[key]
    def __setitem__(self, key, value):
        self.items[key] = value
    def __delitem__(self, key):
        del self.items[key]
    def __contains__(self, item):
        return 1 if item in self.items else 0
    def __iter__(self):
        return iter(self.items)
def f(bag):
    bag[0] = bag[-1] + 1
    del bag[1]
    bag[1:] = [7, 8]
    return len(bag), bool(bag), 7 in bag, 99 in bag, [x for x in bag], list(bag), sum(bag), bag, bool(Bag())
""",
        ["f(Bag(1, 2, 3))", "f(Bag(4, 5))"],
    ),
    "slots": (
        """
class Base:
    __slots__ = ("a",)
class Slotted(Base):
    __slots__ = ("b", "c")
    def __init__(self, a):
        self.a = a
        self.b = a
class Both(Slotted):
    pass
def f(s):
    s.c = s.a + s.b
    t = Slotted(s.c)
    u = Both(1)
    u.extra = t
    found = [hasattr(s, "c"), hasattr(t, "c"), getattr(t, "c", None)]
    del s.b
    return found, t, u, hasattr(s, "b"), s
""",
        ["f(Slotted(1))", "f(Both(2))"],
    ),
    "dataclasses": (
        """
from dataclasses import dataclass, field
@dataclass
class Plain:
    x: int
    y: int = 2
    tags: list = field(default_factory=list)
    def total(self):
        return self.x + self.y
@dataclass(frozen=True)
class Frozen:
    a: int
    b: str = "b"
@dataclass(order=True)
class Ordered:
    k: int
    v: float = 0.0
    def __post_init__(self):
        self.twice = self.k * 2
def f(p, q):
    p.tags.append(q.a)
    p.x += 1
    r = Plain(5, tags=[1])
    return (p.total(), r, r == Plain(5, tags=[1]), r != p, Frozen(1) == q, hash(Frozen(1)) == hash(q),
            Ordered(1) < Ordered(2), Ordered(3).twice, Ordered(1, 2.0) >= Ordered(1, 1.0), {q: 1}[Frozen(q.a)])
""",
        ["f(Plain(1), Frozen(1))", "f(Plain(1, 5), Frozen(2))"],
    ),
    "named tuples": (
        """
from collections import namedtuple
from typing import NamedTuple
P = namedtuple("P", "x y")
class Q(NamedTuple):
    a: int
    b: int = 3
    def total(self):
        return self.a + self.b
    @property
    def twice(self):
        return 2 * self.a
def f(p, q):
    x, y = p
    made = P(y, x=x) if False else P(y, y=x)
    return (p.x, p[1], len(q), q.total(), q.twice, made, Q(5), p == (1, 2), p + (3,), isinstance(p, tuple),
            type(p) is P, p._replace(x=9), P._fields, {p: 1}, 2 in p, p[:1], p.count(1), P._make([1, 2]))
""",
        ["f(P(1, 2), Q(1))", "f(P(3, 4), Q(2, 5))"],
    ),
    "enums": (
        """
import enum
class Color(enum.Enum):
    RED = 1
    GREEN = "g"
    def shown(self):
        return self.name.lower()
def f(c, n):
    if c is Color.RED:
        n += 1
    elif c == Color.GREEN:
        n *= 2
    return n, c, c.name, c.value, c.shown(), {c: n}, c in (Color.RED,), Color(1), isinstance(c, Color), c != Color.RED
""",
        ["f(Color.RED, 3)", "f(Color.GREEN, 3)"],
    ),
    "partial": (
        """
from functools import partial
def add(a, b, c=0, d=0):
    return a, b, c, d
class Box:
    def go(self, n):
        return self, n
def f(p, n):
    q = partial(add, 1, c=n)
    r = partial(q, 2, d=5)
    return p(n), q(2), r(), r(c=7), p.func is add, partial(Box().go, n)()[1], type(r) is partial
""",
        ["f(partial(add, 1), 2)", "f(partial(add, 1, 5), 2)"],
    ),
    "bound methods as values": (
        POINT
        + """
def f(p, method):
    norm = p.norm
    moves = [p.move, Point(5).move]
    return norm(), [m(1) for m in moves], method(2), norm, Point.norm(p), list(map(Point.norm, [p]))
one = Point(3)
""",
        ["f(Point(1), one.move)", "f(one, one.move)"],
    ),
    "objects in sets and dicts": (
        """
log = []
class K:
    def __init__(self, v):
        self.v = v
    def __eq__(self, other):
        log.append(("eq", self.v))
        return isinstance(other, K) and self.v == other.v
    def __hash__(self):
        log.append(("hash", self.v))
        return self.v % 3
class Identity:
    pass
def f(k):
    a, b, c = K(1), K(1), K(4)
    d = {a: "a"}
    d[b] = "b"
    d[c] = "c"
    d[k] = "k"
    i, j = Identity(), Identity()
    found = d.pop(K(1), None), d.get(K(9)), d.setdefault(K(4), "new"), len({a, b, c}), len({i, j, i})
    return found, [key.v for key in d], K(1) in [a, b], [b].index(a), (a, 1) == (b, 1), {i: 1}, a in {b}, {(a, 1): 2}[b, 1]
""",
        ["f(K(1))", "f(K(7))"],
    ),
    "closures that change what they close over": (
        """
log = []
def make(start):
    n = start
    def up(by=1):
        nonlocal n
        n += by
        log.append(n)
        return n
    def get():
        return n
    return up, get
up, get = make(5)
def f(steps):
    own_up, own_get = make(0)
    up(steps)
    own_up()
    return up(), get(), own_up(by=steps), own_get(), own_up, own_get
""",
        ["f(1)", "f(2)", "f(1)"],
    ),
    "what it is that is made of closures": (
        """
def f(n):
    def fact(k: int, *, one=n) -> int:
        return one if k <= 1 else k * fact(k - 1, one=one)
    fact.tag = "t"
    def even(k):
        return True if k == 0 else odd(k - 1)
    def odd(k):
        return False if k == 0 else even(k - 1)
    return fact(4), fact, even(3), [lambda v, i=i: v + i + n for i in range(2)], even.__name__, fact.__defaults__
""",
        ["f(1)", "f(2)"],
    ),
    "a function of its own variables": (
        """
def make():
    n = 0
    def f(by):
        nonlocal n
        n = n + by
        if n > 100:
            del n
        return by
    return f
f = make()
""",
        ["f(1)", "f(1)", "f(5)"],
    ),
    "globals that change": (
        """
log = []
N = 0
TABLE = {"a": 1}
class Config:
    rate = 1
def helper():
    global N
    N += 1
    log.append(N)
    return N
def f(by):
    global N, FRESH
    N += by
    got = helper(), N
    FRESH = [N]
    same = FRESH
    TABLE["a"] += N
    del FRESH
    FRESH = 5
    return got, same, N, len
""",
        ["f(1)", "f(1)", "f(2)"],
    ),
    "attributes of functions": (
        """
import functools
def counted(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return function(*args, **kwargs)
    wrapper.calls = 0
    return wrapper
@counted
def double(x: int, k: int = 2) -> int:
    "Doubles."
    return x * k
def other(x):
    return -x
def f(x):
    made = counted(other)
    return double(x), double(x, k=3), double.calls, double.__name__, double.__doc__, made(x), made.calls, made
""",
        ["f(1)", "f(2)"],
    ),
    "order of effects": (
        """
log = []
class Box:
    pass
class Loud(Box):
    def __setattr__(self, name, value):
        log.append((name, value))
        object.__setattr__(self, name, value)
N = 0
def f(box, items, table):
    global N
    box.a = 1
    items.append(box.a)
    N = 1
    box.b = items[-1] + N
    table["k"] = box.b
    items.extend([N, table["k"]])
    box.a = items
    del table["gone"]
    return vars if N > 5 else box
""",
        ["f(Box(), [], {'gone': 1})", "f(Loud(), [1], {'gone': 1, 'k': 3})"],
    ),
    "sets that came in": (
        """
def f(s, t):
    found = 3 in s, len(s), "x" in t
    s.add(5)
    s.discard(1)
    s |= {7}
    return found, 5 in s, sorted(s) if len(s) < 1 else len(s), s, [x for x in t]
""",
        ["f({1, 2}, {'x'})", "f({3}, {'y'})", "f({3}, frozenset({'x'}))"],
    ),
    "cached properties and __new__": (
        """
from functools import cached_property
log = []
class Lazy:
    def __init__(self, n):
        self.n = n
    @cached_property
    def big(self):
        log.append("made")
        return self.n * 100
class Single:
    count = 0
    def __new__(cls, *args):
        made = super().__new__(cls)
        made.born = len(args)
        return made
    def __init__(self, *args):
        self.args = args
def f(lazy):
    other = Lazy(2)
    return lazy.big, lazy.big, other.big + other.big, other, Single(1, 2), Single().born
""",
        ["f(Lazy(1))", "f(Lazy(3))"],
    ),
    "a linked list": (
        """
class Node:
    def __init__(self, v, rest=None):
        self.v, self.rest = v, rest
def f(node):
    total = 0
    last = None
    while node is not None:
        total += node.v
        node.v = total
        last, node.rest, node = node, last, node.rest
    return total, last
""",
        ["f(Node(1, Node(2, Node(3))))", "f(None)", "f(Node(1))"],
    ),
    "abstract classes and generic ones": (
        """
import abc
from typing import Generic, TypeVar
T = TypeVar("T")
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
    def twice(self):
        return 2 * self.area()
class Square(Shape):
    def __init__(self, a):
        self.a = a
    def area(self):
        return self.a ** 2
class Box(Generic[T]):
    def __init__(self, item):
        self.item = item
def f(s):
    return s.twice(), Square(3).twice(), isinstance(s, Shape), Box(s).item is s, Box(1)
""",
        ["f(Square(2))"],
    ),
    "metaclasses": (
        """
class Meta(type):
    def __new__(meta, name, bases, namespace):
        return super().__new__(meta, name, bases, namespace)
    def shown(cls):
        return "shown"
class Point(metaclass=Meta):
    scale = 2
    def __init__(self, x):
        self.x = x
    def norm(self):
        return self.x * self.scale
def f(p):
    q = Point(p.x)
    return p.norm(), q.norm(), q, type(q) is Point, isinstance(q, Point), type(Point) is Meta, Point.scale
""",
        ["f(Point(1))", "f(Point(2))"],
    ),
}
