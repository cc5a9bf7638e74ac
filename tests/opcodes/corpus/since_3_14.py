"""What CPython 3.14 added: template strings, deferred annotations, constant slices."""

from annotationlib import Format


def templates(a, b):
    return (
        t"",
        t"plain",
        t"{a}",
        t"{a!r:>{b}} and {b!s}{a:x}{a=}",
        t"{t"{a}"}" t"tail",
        rt"\{a}",
    )


def slices(x):
    x[1:2] = x[:], x[1:], x[:-1], x[::2], x[1:2:3], x[None:None], x["a":"b"], x[1:2, ...], x[1.5:2.5]
    del x[3:4]
    return x[5:]


def handlers(f):
    try:
        f()
    except ValueError, TypeError:
        return 1


x: Undefined = 1
if x:
    y: int


class Annotated[T]:
    a: int
    b: Later[T] = None

    def method(self, x: T, *args: T, **keywords: "T") -> Annotated[T]:
        z: T
        return all(i for i in x), any(i for i in x), tuple(i for i in x)
