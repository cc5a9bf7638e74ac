"""What CPython 3.11 added: exception groups, star expressions in subscripts and annotations."""


def groups(f):
    try:
        f()
    except* ValueError:
        f(1)
    except* (TypeError, KeyError) as group:
        raise group
    else:
        f(2)
    finally:
        f(3)
    for i in f:
        try:
            f(i)
        except* OSError as e:
            raise


def subscripts(x, *args: *tuple[int, ...]):
    return x[*args], x[1, *args, 2:3], x[*args, *args]


async def comprehensions(x):
    return [[i async for i in j] for j in x]


def qualified():
    class Outer:
        class Inner:
            def method(self):
                return lambda: [self for _ in self]

    return Outer
