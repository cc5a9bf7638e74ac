"""Functions whose every instruction is to be a place where a region can end, and the next one begin."""

from __future__ import annotations

import contextlib

import numpy as np

SCALE = 2.0
seen: list[object] = []


def note(value, *more):
    seen.append(repr(value))
    return value


@contextlib.contextmanager
def noted(name):
    seen.append(("enter", name))
    try:
        yield name
    finally:
        seen.append(("leave", name))


class Holder:
    def __init__(self, value):
        self.value = value

    def scaled(self, factor, shift=0.0):
        return self.value * factor + shift


def x():
    return np.array([1.0, -2.0, 3.0])


def straight(x, y):
    a = x * 2 + y
    b = a - 1
    a = a * b
    return a, b


def half_evaluated(x, y):
    return max(note((x * 2).sum(), x + 1), abs(y.sum() - 3)), [x - 1, {"k": y * 2, **{"l": (x, y)}}]


def methods(x, y):
    holder = Holder(x)
    return holder.scaled(3.0, shift=(y * 2).sum()).reshape(-1, 1).T + note(1)


def loop(x, y):
    total = y
    for i in range(4):
        if i == 2:
            continue
        total = total + x * i
        note(i)
    else:
        total = total - 1
    return total


def loop_left(x, y):
    for i, row in enumerate([x, y, x]):
        z = row * i
        if i == 1:
            break
    return z, i


def returned_from_a_loop(x, y):
    for a in (x, y):
        for b in [1, 2]:
            c = a * b
            if b == 2:
                return c
    return None


def while_loop(x, y):
    n = 0
    while n < 3:
        x = x + y
        n += 1
    return x, n


def comprehensions(x, y):
    y = [(a * 2).sum() for a in (x, y) if a.ndim]
    z = {k: x * k for k in (1, 2)}
    return y, z, {len(str(k)) for k in z}, sum(x[i] * i for i in range(2))


def branches(x, y):
    if x.sum() > 0:
        z = x * 2
    elif y.sum() > 0:
        z = y * 3
    else:
        z = x
    return z + 1 if (z > 0).any() else z - 1


def tries(x, y):
    try:
        z = x * 2
        note(z)
        z = z + y
    except ValueError as error:
        z = x - 1
        note(str(error))
    finally:
        y = y * 2
    return z, y


def raises_and_catches(x, y):
    z = x + 1
    try:
        z = z * 2
        {}["k"]
    except KeyError as error:
        w = z - y
        note(error)
        return w + 1, z
    return z


def nested_tries(x, y):
    try:
        try:
            a = x * 2
            note(1 // 0)
        except ZeroDivisionError:
            a = x - 1
            raise ValueError("again") from None
        finally:
            b = y * 2
    except ValueError as error:
        return a, b, str(error), x + y
    return None


def uncaught(x, y):
    z = x * 2
    note(1)
    z = z + y
    return z, z @ np.ones((7, 7))


def withs(x, y):
    with noted("a") as name, contextlib.suppress(KeyError):
        z = x * len(name)
        note(2)
        z = z + y
        {}["k"]
    return z * 2


def closures(x, y):
    factor = 2

    def scaled(a):
        nonlocal factor
        factor += 1
        return a * factor

    z = scaled(x)
    note(factor)
    x = y * factor
    return z, scaled(x), factor, (lambda: x + 1)()


def deletes(x, y):
    z = x * 2
    del x
    w = z + y
    del z
    try:
        return z
    except UnboundLocalError:
        y = w * 2
    return w, y


def maybe_unbound(x, y):
    for i in range(2):
        if i:
            w = x * 2
        note(i)
        z = y + i
    return z, w


def aliases(x, y):
    a = b = x * 2
    c = [a, b]
    d = c
    note(len(c))
    d.append(a)
    return a, b, c, d, x


def side_effects(x, y, l):
    l.append(x * 2)
    note(len(l))
    l[0] = y + 1
    x = x * 3
    l.append(x)
    return l, x


def in_place(x, y):
    x += y
    note(1)
    x[0] = 5.0
    z = x * 2
    z += 1
    return z, x


def globals_and_names(x, y):
    z = x * SCALE
    note(SCALE)
    return np.add(z, y) * SCALE, np.linalg.norm(y)


def unpacked(x, y):
    a, *b = (x * 2, y, x + 1)
    (c, d), e = (a, b), b[0]
    note(len(b))
    c, d = d, c
    return a, b, c, d, e


def texts(x, y):
    z = x * 2
    s = f"{len(x)}: {note('s')!r:>5}"
    return s + "!", z


def chained(x, y):
    return 0 < len(x * 2) < 5 <= note(5), (x * 2).sum() < y.sum() < 100.0


def matched(x, y):
    match [x, {"k": y}]:
        case [a, {"k": b}] if len(a) == 3:
            return a * 2, note(1), b
    return None


def star_arguments(x, y):
    args = [x * 2, y]
    return note(*args, *[1]), np.hypot(*args), dict(a=x + 1, **{"b": y})


def locals_seen(x, y):
    z = x * 2
    w = z + y
    names = sorted(locals())
    return names, w


def asserts(x, y):
    z = x * 2
    assert len(z) == 3, note("no")
    assert z is x, (z + y).tolist()
    return z


FUNCTIONS = [
    each
    for each in list(globals().values())
    if callable(each)
    and getattr(each, "__module__", "") == __name__
    and hasattr(each, "__code__")
    and each.__name__ not in ("note", "noted", "x")
]
