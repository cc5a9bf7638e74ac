"""What CPython 3.12 added: type parameters, type aliases, comprehensions inlined, f-strings nested."""

type Alias = int | str
type Generic[T, *Ts, **P] = tuple[T, *Ts] | Callable[P, T] | Generic[T, Ts, P]


def function[T: int, U: (str, bytes), *Ts, **P](x: T, y: U, *args: *Ts) -> list[T]:
    z: T = x

    def inner[V](a: V) -> T:
        return a, x

    return inner


class Container[T: Bound]:
    type Local = dict[str, T]
    item: T

    def method[S](self, other: S) -> Container[S]:
        return super().method(other), __class__

    squares = [T for _ in range(3)]
    nested = [[lambda: (x, T) for x in y] for y in range(2)]


async def coroutine[T](x: T):
    return [await i for i in x]


def inlined(x):
    try:
        return [x for x in x if (y := x)], {x: y for x in x}, {x for x in x}
    finally:
        [lambda: x for x in [1]]


def strings(a, b):
    return f"{f"{a!r:{b}}" + "it's"}", f"{a:{"<"}{b}}", f"{
        a  # a comment
    }"


class Scope:
    x = 1
    y = [x for x in range(x)]
    z = lambda: [__class__ for _ in ()]
