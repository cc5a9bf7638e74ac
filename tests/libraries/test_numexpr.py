"""The backend numexpr: what is fused cannot be told from NumPy, and something is fused."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import translator
from fuzz.oracle import native, observe
from translator.backend import fusing

UNARY = [operator.neg, abs, np.negative, np.square, np.sqrt, np.absolute]
BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    np.add,
    np.subtract,
    np.multiply,
    np.divide,
]
#: not fused: they end a stretch
OTHERS = [np.sin, np.sign, lambda x: x.clip(-2, 2), lambda x: x[::-1]]
CONSTANTS = [0, 1, 2, -3, 0.5, -0.0, 1e300, 2**40, float("inf"), float("nan")]
VALUES = [0.0, -0.0, 1.0, -1.5, 3.0, 1e-300, 1e200, -1e200, 7.0]
DTYPES = ["f8", "f4", "i8", "i4", "i2", "u8", "?", "c16", ">f8"]


@pytest.fixture(autouse=True)
def small_arrays_too(monkeypatch):
    monkeypatch.setattr(fusing, "LEAST_ELEMENTS", 1)


@st.composite
def programs(draw):
    """(steps, results): each step is an operation on what was there before, by index."""
    steps = []
    for index in range(draw(st.integers(2, 8))):
        operands = st.one_of(
            st.integers(0, index + 1), st.sampled_from(CONSTANTS).map(lambda c: ("constant", c))
        )
        kind = draw(st.sampled_from(["unary", "binary", "binary", "binary", "other"]))
        places = st.integers(0, index + 1)
        if kind == "binary":
            pair = (draw(places), draw(operands))
            steps.append((draw(st.sampled_from(BINARY)), pair if draw(st.booleans()) else pair[::-1]))
        else:
            steps.append((draw(st.sampled_from(UNARY if kind == "unary" else OTHERS)), (draw(places),)))
    return steps, draw(st.lists(st.integers(2, len(steps) + 1), min_size=1, max_size=3))


def carried_out(program, x, y):
    steps, results = program
    values = [x, y]
    for function, operands in steps:
        values.append(function(*(each[1] if type(each) is tuple else values[each] for each in operands)))
    return [values[index] for index in results]


@st.composite
def arrays(draw):
    dtype = np.dtype(draw(st.sampled_from(DTYPES[:4]) | st.sampled_from(DTYPES)))
    shape = draw(st.sampled_from([(6,), (2, 3), (3, 2), (1,), (0,), ()]))
    pool = VALUES if dtype.kind in "fc" else [0, 1, 2, 3, 100, 2**31 - 1]
    size = int(np.prod(shape))
    values = draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size))
    with np.errstate(all="ignore"):
        made = np.array(values).astype(dtype).reshape(shape)
    order = draw(st.sampled_from(["as it is", "as it is", "transposed", "every second"]))
    if order == "transposed":
        return made.T
    return np.repeat(made, 2, axis=0)[::2] if order == "every second" and made.ndim else made


@given(programs(), arrays(), arrays(), st.booleans())
def test_fused_programs_agree_with_numpy(program, x, y, same):
    def function(x, y):
        return carried_out(program, x, y)

    if same:
        y = np.array(x) + x
    compiled = translator.compile(function, backend="numexpr")
    for state in ({}, {"all": "raise"}, {"all": "ignore"}, {"under": "raise"}):
        with np.errstate(**state):
            expected = observe(native, function, (x, y))
            found = expected.difference(observe(native, compiled, (x, y)))
        assert found is None, f"{state}: {found}"


def test_what_can_be_fused_is(monkeypatch):
    calls = []
    fused = fusing.Stretch._fused

    def counted(self, values):
        found = fused(self, values)
        calls.append((len(self.nodes), found is not None))
        return found

    monkeypatch.setattr(fusing.Stretch, "_fused", counted)

    def function(x, y):
        z = x * 2 + y
        return np.sin((z * z - y) / 3.0), np.sqrt(abs(z))

    compiled = translator.compile(function, backend="numexpr")
    x = np.linspace(0, 1, 1000)
    for dtype in ("f8", "f4"):
        arguments = x.astype(dtype), x.astype(dtype) + 1
        for one, other in zip(function(*arguments), compiled(*arguments)):
            assert one.dtype == other.dtype and one.tobytes() == other.tobytes()
    assert calls and all(done for _, done in calls) and max(count for count, _ in calls) == 5
    calls.clear()
    with np.errstate(invalid="ignore"):
        compiled(x, x * np.inf)
    assert calls and not calls[0][1]


def test_results_own_their_memory_and_inputs_are_left_alone():
    def function(x):
        return x * 2 - x

    x = np.ones((50, 4))
    made = translator.compile(function, backend="numexpr")(x)
    assert made.base is None and made.flags.c_contiguous and made.flags.writeable
    assert (x == 1).all() and not np.shares_memory(x, made)


def test_the_module_has_builtins_of_its_own():
    from opcodes.own_builtins import OWN
    from translator.backend import fusing

    assert fusing.__builtins__ is OWN
