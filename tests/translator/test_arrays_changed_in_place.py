"""Input arrays that are changed in place, as part of the graph: once, in order, never half and never twice."""

from __future__ import annotations

import linecache
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import translator
from fuzz.oracle import native, observe
from translator.convert_frame import original_code


def entries(compiled):
    return compiled.__dict__["__opshift__"].entries


def agree(function, *makers):
    """Both must do the same on each call, the second time too. Gives the compiled function."""
    compiled = translator.compile(function)
    for make in makers * 2:
        found = observe(native, function, make()).difference(observe(native, compiled, make()))
        assert found is None, found
    return compiled


def test_changes_of_inputs_are_part_of_the_graph():
    def add(x, y):
        x += y
        return x

    def store(x, y):
        x[1:][0] = 5
        return x + y

    def several(x, y):
        x[1:] = y[:-1] * 2
        y.fill(7)
        x.T[0] -= 1
        y.sort()
        return (x * y).sum()

    def steps(x, y):
        for _ in range(3):
            y[1:-1] = (x[:-2] + x[1:-1] + x[2:]) / 3.0
            x[1:-1] = (y[:-2] + y[1:-1] + y[2:]) / 3.0

    for function in (add, store, several, steps):
        compiled = agree(function, lambda: (np.arange(5.0), np.ones(5)))
        assert len(entries(compiled)) == 1
        translator.compile(function, fullgraph=True)(np.arange(5.0), np.ones(5))


def test_the_same_memory_under_two_names():
    def f(x, y):
        x[1:] += y[:-1]
        y *= 2
        return x - y, x

    def same():
        x = np.arange(6.0)
        return x, x

    def overlapping():
        x = np.arange(8.0)
        return x[:6], x[2:]

    def reversed_():
        x = np.arange(6.0)
        return x, x[::-1]

    compiled = agree(f, same, overlapping, reversed_)
    assert entries(compiled)


@pytest.mark.parametrize("place", ["first", "second"])
def test_arrays_that_are_only_to_be_read(place):
    def f(x, y):
        x += 1
        y[0] = 5
        return x * y

    def make():
        x, y = np.arange(3.0), np.arange(3.0)
        (x if place == "first" else y).flags.writeable = False
        return x, y

    agree(f, make, lambda: (np.arange(3.0), np.ones(3)), make)


def test_what_may_fail_behind_a_change_is_not_captured_with_it():
    def index(x, i):
        x += 1
        return x[i]

    def inverse(x, i):
        x[0, 0] += 1
        return np.linalg.inv(x)

    def diagonal(x, i):
        x += 1
        np.diagonal(x)[0] = 3

    agree(index, lambda: (np.arange(4.0), np.array([1, 9])), lambda: (np.arange(4.0), np.array([1, 2])))
    agree(inverse, lambda: (np.zeros((3, 3)), 0), lambda: (np.eye(3), 0))
    agree(diagonal, lambda: (np.eye(3), 0))


@pytest.mark.parametrize("way", ["raise", "warn", "call", "ignore"])
def test_floating_point_errors_behind_a_change(way):
    def f(x, y):
        x += 1
        x /= y
        return np.log(x)

    calls = []

    def make():
        return np.array([1.0, -3.0, 0.0]), np.array([0.0, 1.0, 2.0])

    compiled = translator.compile(f)
    with np.errstate(all=way, call=lambda *what: calls.append(what)):
        for _ in range(2):
            found = observe(native, f, make()).difference(observe(native, compiled, make()))
            assert found is None, found
    assert len(calls) % 2 == 0


def test_warnings_that_are_errors_behind_a_change():
    def f(x, z):
        x += 1
        x[:] = z
        return x

    def make():
        return np.arange(3.0), np.arange(3) * 1j

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agree(f, make)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        translator.compile(f)(*make())
    assert len(seen) == 1


STATEMENTS = st.sampled_from(
    [
        "x += y", "y -= x", "x[1:] = y[:-1]", "y[::2] = x[::2] * 2", "x[0] = y[1]", "z = x * 2", "x *= z",
        "z[...] = y", "z = y.T", "z[1] = -1", "y[:] = x.sum()", "x.fill(3)", "y.sort()", "x[-1] = z.max()",
        "z = x[::-1]", "z += 1", "x = x + 1", "y = x", "x[7] = 1", "z = y.reshape(2, 3)", "z[0] += 1",
        "z = x[1:4]", "x[1:4] = z", "x /= y", "x //= 2", "y[:2] = 1 / x[:2]", "y[0] = 300", "x[y > 1] = 0",
        "z = y[x > 1]", "x[0:0] = y[0]", "x[[0, 1]] = 9", "z = x.astype(int)", "y += z",
    ]
)  # fmt: skip
ARRAYS = st.sampled_from(["float64", "int64", "uint8", "complex128", "float32", "bool"])


def _arguments(dtypes, alias):
    x = np.arange(6).astype(dtypes[0])
    y = (np.arange(6) % 4).astype(dtypes[1])
    if alias == "same":
        y = x
    elif alias == "overlapping":
        whole = np.arange(9).astype(dtypes[0])
        x, y = whole[:6], whole[3:]
    elif alias == "read-only":
        y.flags.writeable = False
    return x, y


@given(
    lines=st.lists(STATEMENTS, min_size=1, max_size=7),
    dtypes=st.tuples(ARRAYS, ARRAYS),
    alias=st.sampled_from(["no", "same", "overlapping", "read-only"]),
)
def test_any_changes_in_any_order(lines, dtypes, alias):
    source = "def f(x, y):\n z = x\n" + "".join(f" {line}\n" for line in lines) + " return x, y, z\n"
    scope = {"np": np}
    linecache.cache["<changes>"] = (len(source), None, source.splitlines(True), "<changes>")
    exec(compile(source, "<changes>", "exec"), scope)
    f = scope["f"]
    compiled = translator.compile(f)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(2):
            expected = observe(native, f, _arguments(dtypes, alias))
            found = expected.difference(observe(native, compiled, _arguments(dtypes, alias)))
            assert found is None, f"{source}\n{found}"
    assert original_code(compiled) is f.__code__
