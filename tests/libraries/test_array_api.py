"""The array API standard: captured programs agree with array-api-strict itself."""

from __future__ import annotations

import operator
import warnings

import array_api_strict as xp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import translator
from translator.errors import Unimplemented

UNARY = [
    operator.neg, abs, operator.pos, operator.invert, xp.sin, xp.exp, xp.log, xp.square, lambda x: x.T,
    lambda x: xp.sum(x), lambda x: xp.mean(x, axis=0), lambda x: xp.reshape(x, (-1,)), lambda x: x[0],
    lambda x: x[..., 1:], lambda x: xp.expand_dims(x, axis=0), lambda x: xp.flip(x), lambda x: x[x > 0],
    lambda x: xp.astype(x, xp.float64), lambda x: xp.concat([x, x]), lambda x: x * x.shape[0],
    lambda x: xp.sort(x), lambda x: xp.unique_values(x), lambda x: xp.nonzero(x)[0], lambda x: x.mT,
    lambda x: xp.ones(x.shape, dtype=x.dtype) + x, lambda x: xp.max(x) + x.size, lambda x: float(xp.sum(x)),
    lambda x: xp.where(x > 0, x, -x), lambda x: x.__array_namespace__().cos(x), lambda x: xp.unstack(x)[0],
    lambda x: xp.broadcast_arrays(x, xp.zeros(2))[1], lambda x: xp.tril(x), lambda x: list(x)[0],
]  # fmt: skip
BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.matmul, operator.pow, operator.lt,
    operator.floordiv, operator.mod, operator.and_, xp.add, xp.maximum, xp.atan2, operator.iadd, operator.imul,
    lambda x, y: x == y, lambda x, y: xp.tensordot(x, y, axes=1), lambda x, y: xp.stack([x, y]),
]  # fmt: skip


@st.composite
def programs(draw):
    """Steps: each is an operation on what was there before, by index."""
    steps = []
    for index in range(draw(st.integers(1, 6))):
        places = st.integers(0, index + 1)
        if draw(st.booleans()):
            steps.append((draw(st.sampled_from(UNARY)), (draw(places),)))
        else:
            constants = st.sampled_from([0, 1, -2, 0.5, True]).map(lambda value: ("constant", value))
            steps.append((draw(st.sampled_from(BINARY)), (draw(places), draw(places | constants))))
    return steps


def carried_out(steps, x, y):
    values = [x, y]
    for function, operands in steps:
        values.append(function(*(each[1] if type(each) is tuple else values[each] for each in operands)))
    return values[-1], values[len(values) // 2]


arrays = st.tuples(
    st.sampled_from([(3,), (2, 2), (2, 3), (), (0,), (1, 3)]),
    st.sampled_from(["float64", "float64", "float32", "int64", "uint8", "bool", "complex128"]),
    st.integers(0, 3),
)


def made(shape, dtype, seed):
    values = np.random.default_rng(seed).integers(-3, 4, size=shape)
    return xp.asarray(values.astype(dtype))


def outcome(function, *descriptions):
    arguments = [made(*each) for each in descriptions]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = [facts(each) for each in function(*arguments)]
        except Exception as error:
            found = [type(error), str(error)]
    return found, [facts(each) for each in arguments], [str(each.message) for each in caught]


def facts(value):
    if type(value) is not type(made((), "int64", 0)):
        return type(value), repr(value)
    inner = np.asarray(value)
    return type(value), value.dtype, value.shape, inner.tobytes()


@settings(max_examples=100)
@given(programs(), arrays, arrays, arrays)
def test_programs_agree(steps, x, y, z):
    def function(x, y):
        return carried_out(steps, x, y)

    compiled = translator.compile(function)
    for arguments in ((x, y), (x, y), (z, y), (x, z)):
        assert outcome(function, *arguments) == outcome(compiled, *arguments)


X = xp.asarray([[1.0, 2.0], [3.0, 4.0]])


def generic(x):
    namespace = x.__array_namespace__()
    y = namespace.matmul(x, namespace.ones((2,), dtype=x.dtype))
    z = y * 2
    z[0] = 5
    z += 1
    return namespace.concat([z, y]) if x.ndim == 2 else z


@pytest.mark.parametrize("function", [
    generic,
    lambda x: xp.sum(x * 2 + 1, axis=0),
    lambda x: (x.shape, x.dtype, x.size, x.T, len(x.shape)),
    lambda x: xp.meshgrid(x[0, :], x[1, :])[0] @ x,
])  # fmt: skip
def test_these_are_one_graph(function):
    assert repr(translator.compile(function, fullgraph=True)(X)) == repr(function(X))


def test_inputs_are_left_alone_and_what_depends_on_data_gives_up():
    def change(x):
        x[0] = 1
        return x * 2

    with pytest.raises(Unimplemented, match="a change in place of memory that L\\['x'\\] has"):
        translator.compile(change, fullgraph=True)(X)
    with pytest.raises(Unimplemented, match=r"the shape of .* depends on data"):
        translator.compile(lambda x: x[x > 2].shape, fullgraph=True)(X)
    with pytest.raises(Unimplemented, match=r"array_api_strict's arrays and numbers"):
        translator.compile(lambda x: x + np.ones(2), fullgraph=True)(X)
    with pytest.raises(Unimplemented, match="it is no array of NumPy"):
        translator.compile(lambda x, n: np.add(n, x), fullgraph=True)(X, np.ones(2))


def test_operations_run_at_the_users_lines():
    def fails(x):
        y = x * 2
        return y @ xp.ones((3,))

    places = []
    for function in (fails, translator.compile(fails)):
        with pytest.raises(ValueError) as caught:
            function(X)
        places.append([entry.lineno for entry in caught.traceback if entry.name == "fails"])
    assert places[0] == places[1] and len(places[0]) == 1
