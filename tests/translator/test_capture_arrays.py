"""What a capture foresees of arrays without their data is what they are: shape, type, dtype, identity."""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
import pytest

import translator
from fuzz.oracle import native, observe

X = np.array([1.0, -2.0, 3.0, 0.0])
SCALARS = [np.int64(2), np.int8(0), np.array(2)]

#: each makes an array of an array and a scalar
MAKERS = [
    lambda x, n: x[x > 0],
    lambda x, n: x[x > n] * 2,
    lambda x, n: x[np.isnan(x)],
    lambda x, n: x[None][:, x > 0],
    lambda x, n: x[np.ix_(x > 0)],
    lambda x, n: x[n],
    lambda x, n: x[:n],
    lambda x, n: x[n:],
    lambda x, n: x[:: n + 1],
    lambda x, n: x[None, :n],
    lambda x, n: np.arange(n),
    lambda x, n: np.arange(n.item()),
    lambda x, n: np.zeros(n),
    lambda x, n: np.zeros((n, 2)),
    lambda x, n: np.ones(shape=n),
    lambda x, n: np.full(n, x[0]),
    lambda x, n: np.eye(n),
    lambda x, n: np.tri(n),
    lambda x, n: np.linspace(0, 1, n),
    lambda x, n: np.linspace(n, 1, 3),
    lambda x, n: np.tile(x, n),
    lambda x, n: np.repeat(x, n),
    lambda x, n: np.pad(x, n),
    lambda x, n: np.roll(x, n),
    lambda x, n: np.vander(x, n),
    lambda x, n: np.diff(x, n),
    lambda x, n: np.broadcast_to(x, (n, 4)),
    lambda x, n: np.expand_dims(x, n),
    lambda x, n: np.split(x, n),
    lambda x, n: np.array_split(x, n),
    lambda x, n: np.indices((n, 2)),
    lambda x, n: x.reshape(n, -1),
    lambda x, n: x[None].sum(axis=n),
    lambda x, n: x.sum(),
    lambda x, n: x.sum().item() ** n.item(),
    lambda x, n: np.array(x.sum().item()),
    lambda x, n: np.array(n.item() * 2**70),
    lambda x, n: x.max() ** n,
    lambda x, n: np.where(x > n),
    lambda x, n: np.where(x > n, x, n),
    lambda x, n: np.nonzero(x),
    lambda x, n: np.unique(x),
    lambda x, n: np.linalg.eigvals(np.array([[0.0, -1.0], [n, 0.0]])),
    lambda x, n: np.clip(x, None, n),
    lambda x, n: np.take(x, n),
    lambda x, n: np.concatenate([x, [n]]),
    lambda x, n: np.float64(x),
    lambda x, n: x.astype("O"),
    lambda x, n: np.empty(2, "O"),
    lambda x, n: np.where(x > 0, "yes", "no"),
    lambda x, n: np.array(None),
    lambda x, n: np.full(2, None),
    lambda x, n: np.histogram(x, n),
    lambda x, n: np.bincount(x.astype(int) ** 2),
]

#: what Python asks of it
ASKERS = [
    lambda x, y: (len(y), y.shape, y.ndim, y.size),
    lambda x, y: y.dtype == x.dtype,
    lambda x, y: [v * 2 for v in y],
    lambda x, y: (isinstance(y, np.ndarray), isinstance(y, (float, tuple)), type(y) is np.float64),
    lambda x, y: (y is x, y is None, y.base is None),
    lambda x, y: y,
]


def disagreement(function, *calls):
    """What parts the compiled function from the original, in the calls one after the other; None if nothing."""
    compiled = translator.compile(function)
    for args in calls:
        expected = observe(native, function, args)
        found = expected.difference(observe(native, compiled, args))
        if found is not None:
            return found
    return None


@pytest.mark.parametrize("ask", ASKERS)
def test_what_depends_on_data_is_not_foreseen(ask):
    for number, make in enumerate(MAKERS):

        def function(x, n, make=make):
            return x + 1, ask(x, make(x, n))

        found = disagreement(function, *((X, n) for n in SCALARS))
        assert found is None, f"{number}: {found}"


@pytest.mark.parametrize("ask", [
    lambda x: x.T.base is x,
    lambda x: (x.sum().__class__ is np.float64, x.flags is None, callable(x.flags)),
    lambda x: (3).__class__ is int and {}.__class__ is dict,
    lambda x: {}.missing,
    lambda x: (1, 2).missing,
    lambda x: slice(1).missing,
    lambda x: "text".missing,
    lambda x: frozenset([1]).add,
    lambda x: bool(x.sum().item().sort),
    lambda x: x.sum().item().T,
    lambda x: x.astype(">f8").dtype is x.astype(">f8").dtype,
    lambda x: (x > 1).any() is np.True_,
    lambda x: np.add(x, 1) is x,
    lambda x: np.asarray(x) is x,
    lambda x: x.dtype is np.ones(2).dtype,
])  # fmt: skip
def test_attributes_and_identities(ask):
    assert disagreement(lambda x: (x * 2, ask(x)), (X,)) is None


@pytest.mark.parametrize("change", [
    lambda x: np.float64(x),
    lambda x: np.fft.fftn(x, axes=()),
    lambda x: np.isposinf(x, np.zeros(4, bool)),
    lambda x: x.astype(float, copy=False),
    lambda x: np.array(x, copy=None),
    lambda x: np.reshape(x, (2, 2)),
])  # fmt: skip
def test_a_change_is_never_made_twice(change):
    def function(x, i):
        y = change(x)
        y += 1
        return y[:1].astype(int)[i]

    assert disagreement(function, (X, 9), (X, 0), (X.astype(complex), 9)) is None


def loop(x):
    y, total = x * 2, 0
    for v in y:
        y[2] = 100
        total = total + v
    return total


def counted(x):
    y, seen = x * 2, []
    for i, v in enumerate(y):
        y += i
        seen.append(v)
    return seen


def suspended(x):
    y = x * 2
    values = (v for v in y)
    y[0] = 50
    return list(values), list(zip(y, map(lambda v: v + y[0], y)))


@pytest.mark.parametrize(
    "function", [loop, counted, suspended, lambda x: [(v.copy(), v.fill(0)) for v in x * 2]]
)
def test_an_array_that_changes_while_it_is_walked(function):
    assert disagreement(function, (X,), (X[:, None] * np.ones(2),)) is None


@contextlib.contextmanager
def one_message_is_an_error():
    warnings.filterwarnings("error", message="divide")
    yield


BIG, ODD = np.array([1e300, 1.0]), np.array([np.nan, np.nan])


@pytest.mark.parametrize("state", [
    contextlib.nullcontext,
    lambda: np.errstate(over="warn", divide="raise"),
    lambda: np.errstate(over="raise", divide="warn"),
    lambda: np.errstate(over="ignore", divide="raise"),
    one_message_is_an_error,
])  # fmt: skip
@pytest.mark.parametrize(("function", "odd"), [
    (lambda x, y: (x * x, x / y), np.array([1.0, 0.0])),
    (lambda x, y: (x * x, x + y), np.ones(3)),
    (lambda x, y: (x * x, np.nanargmax(y)), ODD),
    (lambda x, y: (x * x, np.digitize(x, y)), ODD),
    (lambda x, y: (x * x, np.percentile(x, y)), np.array([200.0, 1.0])),
    (lambda x, y: (x * x, x[:: y[0].astype(int)]), np.zeros(2)),
    (lambda x, y: (x * x, x[y.astype(int)]), np.array([9, 9])),
    (lambda x, y: (np.cross(x, x), x[y.astype(int)]), np.array([9, 9])),
    (lambda x, y: (x.astype(complex).astype(float), x[y.astype(int)]), np.array([9, 9])),
    (lambda x, y: (x * x, y.astype(int) ** np.array([-1, -1])), np.ones(2)),
    (lambda x, y: (y / 0, np.linalg.inv(y.reshape(1, 2).T * y)), np.zeros(2)),
])  # fmt: skip
def test_a_warning_is_shown_as_often_as_by_the_original(function, odd, state):
    compiled = translator.compile(function)

    def shown(run, x, y):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with state():
                found = observe(native, run, (x, y))
        return found.outcome, found.warnings, [str(each.message) for each in caught]

    for y in (np.ones(2), odd, np.ones(2), odd):
        assert shown(function, BIG, y) == shown(compiled, BIG, y)


def test_tracing_shows_no_warnings_of_its_own():
    def function(x, flag):
        return x * ~flag, np.mean(x[:0]), np.reshape(x, (2, 2)).shape

    assert disagreement(function, (X, True), (X, False)) is None
    warnings.warn("before", stacklevel=1)
    seen = dict(globals().get("__warningregistry__", {}))
    translator.compile(lambda x: len(np.sort(x)))(X)
    assert all(globals()["__warningregistry__"][key] == value for key, value in seen.items())
