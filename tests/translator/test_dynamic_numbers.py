"""Numbers that change from call to call: constants, or inputs of the graph, as `dynamic` says."""

from __future__ import annotations

import numpy as np
import pytest

import translator
from translator.same import same


class Counter:
    def __init__(self):
        self.n = 0

    def step(self, x):
        self.n += 1
        return x * self.n


@pytest.mark.parametrize("dynamic, entries", [(True, 1), (None, 1), (False, 4)])
def test_a_number_that_only_meets_arrays(dynamic, entries):
    def f(x, n, scale):
        return (x + n) * scale - n

    compiled = translator.compile(f, dynamic=dynamic, fullgraph=True)
    for n in (1, 2, 3, 5):
        for _ in range(2):
            assert same(compiled(np.arange(3.0), n, 0.5), f(np.arange(3.0), n, 0.5))
    assert len(compiled.__opshift__.entries) == entries


@pytest.mark.parametrize("dynamic", [True, None, False])
def test_a_number_whose_value_is_needed(dynamic):
    def f(x, n):
        return x + 1 if n > 2 else x[:n] * n

    compiled = translator.compile(f, dynamic=dynamic)
    for n in (1, 2, 3, 1, 2.5, True, 4, 2, -0.0, 0):
        expected = f(np.arange(3.0), n) if type(n) is not float or n > 2 else None
        if expected is not None:
            assert same(compiled(np.arange(3.0), n), expected)


@pytest.mark.parametrize("dynamic", [True, None, False])
def test_a_counter_of_an_object(dynamic):
    one, other = Counter(), Counter()
    compiled = translator.compile(Counter.step, dynamic=dynamic)
    for _ in range(12):
        assert same(compiled(one, np.arange(3.0)), Counter.step(other, np.arange(3.0)))
        assert one.n == other.n and type(one.n) is int


def test_the_options_reach_methods_and_decorators():
    class Owner:
        @staticmethod
        @translator.compile(dynamic=True)
        def twice(x, n):
            return x * n

    for n in (2, 3, 4):
        assert same(Owner.twice(np.arange(3.0), n), np.arange(3.0) * n)
    assert len(Owner.twice.__opshift__.entries) == 1
