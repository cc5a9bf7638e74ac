"""Guards: what is used is guarded, nothing else; they print as Python on sources."""

from __future__ import annotations

import numpy as np
import pytest

import translator

SCALE = 2
CONFIG = {"k": 2.0, "other": 1}


def guards(function, *args):
    explained = translator.explain(function)(*args)
    assert not explained.reasons
    return explained.guards


def test_they_print_as_python_on_sources():
    def f(x, n, config, items=()):
        return x.reshape(n) * config["k"] + len(items) + SCALE * CONFIG["k"]

    found = guards(f, np.ones(3), 3, {"k": 2}, [1, 2])
    assert set(found) >= {
        "type(L['x']) is ndarray",
        "L['x'].dtype is dtype('float64')",
        "type(L['n']) is int",
        "L['n'] == 3",
        "type(L['config']) is dict",
        "'k' in L['config']",
        "L['config']['k'] == 2",
        "type(L['items']) is list",
        "len(L['items']) == 2",
        "G['SCALE'] == 2",
        "G['CONFIG']['k'] == 2.0",
    }


def test_what_is_not_used_is_not_guarded():
    def f(x, unused, items, config):
        return items[1] * x, unused, config

    found = guards(f, np.ones(3), 3, [np.ones(2), np.ones(3), 5], {"a": 1})
    assert not [guard for guard in found if "unused" in guard or "config" in guard]
    assert not [guard for guard in found if "L['items'][0]" in guard or "L['items'][2]" in guard]


def test_what_a_path_goes_through_is_guarded_before_it():
    def f(x, nested):
        return x + nested["a"][0]["b"]

    found = guards(f, np.ones(3), {"a": [{"b": 1}]})
    order = [found.index(guard) for guard in (
        "type(L['nested']) is dict",
        "'a' in L['nested']",
        "type(L['nested']['a']) is list",
        "len(L['nested']['a']) == 1",
        "type(L['nested']['a'][0]) is dict",
        "'b' in L['nested']['a'][0]",
        "L['nested']['a'][0]['b'] == 1",
    )]  # fmt: skip
    assert order == sorted(order)


@pytest.mark.parametrize(
    "value, guard",
    [
        (None, "L['n'] is None"),
        (True, "L['n'] is True"),
        (1, "L['n'] == 1"),
        (1.5, "L['n'] == 1.5"),
        ("a", "L['n'] == 'a'"),
        (float("nan"), "pack(L['n']) == "),
        (-0.0, "pack(L['n']) == "),
    ],
)
def test_constants(value, guard):
    def f(x, n):
        return x + 1, [n, n == n]

    assert any(found.startswith(guard) for found in guards(f, np.ones(3), value))


def test_an_input_is_none_or_not_without_its_value():
    def f(x, n):
        return x if n is None else x + 1

    assert "L['n'] is not None" in guards(f, np.ones(3), 12345)
    assert not [guard for guard in guards(f, np.ones(3), 12345) if "12345" in guard]


def test_missing_keys_and_the_order_of_keys():
    def f(x, d):
        return x + d.get("a", 1), list(d)

    assert "'a' not in L['d']" in guards(f, np.ones(3), {"b": 1})
    compiled = translator.compile(f)
    for d in ({"b": 1, "c": 2}, {"c": 2, "b": 1}, {"a": 5}, {}, {"b": 1, "c": 2}):
        assert compiled(np.float64(1), d) == f(np.float64(1), d)


def test_whether_inputs_are_one_object():
    def f(x, y):
        return x + 1 if x is y else y

    compiled = translator.compile(f)
    one, other = np.ones(3), np.zeros(3)
    for args in ((one, one), (one, other), (other, other)):
        assert (compiled(*args) == f(*args)).all()


def test_functions_are_guarded_by_what_they_are_made_of():
    def apply(function, x):
        return function(x)

    def make(text):
        return lambda x: x + len(text)

    compiled = translator.compile(apply)
    for text in ("a", "a", "ab", "a"):
        assert (compiled(make(text), np.ones(3)) == 1 + len(text)).all()
    assert len(compiled.__opshift__.entries) == 2
    assert (compiled(lambda x: x * 5, np.ones(3)) == 5).all()
