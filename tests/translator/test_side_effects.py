"""Lists and dicts that came in are changed as CPython changes them, once, at the end of the region."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import translator
from translator import convert_frame
from translator.same import outcome, same

LOG: list = []
TABLE = {"a": 1, "b": [1, 2]}


@pytest.fixture(autouse=True)
def as_it_was():
    LOG.clear()
    before = copy.deepcopy(TABLE)
    yield
    TABLE.clear()
    TABLE.update(before)


def agree(function, *calls, captured=True):
    """Original and compiled on equal arguments and globals: the same results, arguments and globals."""
    compiled = translator.compile(function)
    for make in calls * 2:
        found = []
        start = copy.deepcopy((LOG, TABLE))
        for run in (function, compiled):
            LOG[:], new = copy.deepcopy(start[0]), copy.deepcopy(start[1])
            TABLE.clear()
            TABLE.update(new)
            args = make()
            found.append((outcome(run, args, {}), list(args), list(LOG), dict(TABLE)))
        assert same(*found), f"CPython: {found[0]}\ncompiled: {found[1]}"
    assert compiled.__opshift__.whole is captured, compiled.__opshift__.reasons
    return compiled


X = lambda: np.arange(3.0)  # noqa: E731


def test_appending_needs_no_look_at_the_list():
    def f(x):
        y = x * 2
        LOG.append(y.ndim)
        LOG.extend([1, y])
        return y

    compiled = agree(f, lambda: (X(),), lambda: (X(),))
    for _ in range(20):
        compiled(X())
    assert len(compiled.__opshift__.entries) == 1


def test_changes_are_seen_by_later_reads():
    def f(x, items, table):
        items.append(x + 1)
        items[0] = len(items)
        first = items.pop(1)
        table["new"] = items[-1]
        table["k"] = table.get("k", 0) + 1
        del table["gone"]
        items.insert(0, "head")
        items += [1, 2]
        items[1:2] = []
        return first, len(items), items, table, list(table), items[::-1], "new" in table, "gone" in table

    agree(f, lambda: (X(), [5, 6, 7], {"gone": 1, "k": 2}), lambda: (X(), [1, 2], {"k": 1, "gone": None}))


def test_methods_of_dicts():
    def f(x, d):
        d.update(b=2, c=x * 2)
        d.setdefault("z", []).append(1)
        d.pop("a", None)
        d |= {"q": 1}
        for key in list(d):
            if key == "b":
                d.pop(key)
        return d, x + 1

    agree(f, lambda: (X(), {"a": 1}), lambda: (X(), {"b": 5, "z": [0]}), lambda: (X(), {}))


def test_sorts_and_reversals():
    def f(x, items):
        items.sort(key=lambda v: -v)
        items.reverse()
        items.remove(2)
        return x + items[0], items

    agree(f, lambda: (X(), [3, 1, 2]), lambda: (X(), [2, 2, 1]))


def test_aliases_of_what_is_changed():
    def f(x, one, other):
        one.append(len(other))
        other.append(x * 2)
        return one, other, one is other

    shared = [1]
    compiled = agree(f, lambda: (X(), [1], [2]))
    shared_compiled, shared_plain = [1], [1]
    assert same(compiled(X(), shared_compiled, shared_compiled), f(X(), shared_plain, shared_plain))
    assert same(shared_compiled, shared_plain) and shared == [1]


def test_what_is_new_goes_into_what_is_old_as_one_object():
    def f(x, items):
        made = [x + 1]
        items.append(made)
        items.append(made)
        items.append(items)
        return made

    items: list = []
    got = translator.compile(f)(X(), items)
    assert items[0] is items[1] is got and items[2] is items


def test_the_mutable_default_of_a_helper():
    def helper(v, seen=[]):  # noqa: B006
        seen.append(len(seen))
        return v + len(seen)

    def f(x):
        return helper(x), helper(x)

    compiled = translator.compile(f)
    for start in (0, 2, 4):
        assert len(helper.__defaults__[0]) == start
        assert same(compiled(X()), (X() + start + 1, X() + start + 2))


def test_a_region_that_fails_changes_nothing():
    def f(x, i):
        LOG.append("before")
        y = (x * 2)[np.array([i])]
        LOG.append(y)
        return y

    compiled = agree(f, lambda: (X(), 1), lambda: (X(), 99))
    assert convert_frame.counters["failed runs"] or compiled.__opshift__.reasons


class Shared:
    items: list = []  # noqa: RUF012 (one list for all is what is looked at)

    def __init__(self, x):
        self.x = x


def test_what_is_deleted_may_be_gone_at_the_next_call():
    def f(one, x):
        one.items.append(1)
        try:
            del one.x
        except AttributeError:
            return x + 1
        return x * 2

    Shared.items = []
    compiled = translator.compile(f)
    one = Shared(1)
    assert [compiled(one, np.ones(1))[0] for _ in range(3)] == [2, 2, 2]
    assert Shared.items == [1, 1, 1]
    one.x = 2
    compiled(one, np.ones(1))
    assert Shared.items == [1, 1, 1, 1] and not hasattr(one, "x")
