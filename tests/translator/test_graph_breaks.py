"""Graph breaks: which regions a function has, how they begin and end, and what they cost."""

from __future__ import annotations

import logging
import traceback
import weakref

import numpy as np
import pytest

import translator
from fuzz.oracle import native, observe
from translator import convert_frame
from translator.errors import Unimplemented


def x():
    return np.array([1.0, -2.0, 3.0])


def agree(function, *calls, rounds=5):
    """Original and compiled in turn, often enough for each region to be captured; gives the compiled one."""
    compiled = translator.compile(function)
    for make in calls * rounds:
        found = observe(native, function, make()).difference(observe(native, compiled, make()))
        assert found is None, found
    return compiled


def regions(compiled):
    """How many operations each region of a function has, in the order of their places."""
    sites = compiled.__opshift__.sites
    return [len(each.capture.graph.operations) for place in sorted(sites) for each in sites[place].entries]


def test_a_call_that_is_not_captured_parts_a_function_in_two():
    def f(x):
        y = x * 2 + 1
        print("so far", y.sum())
        return y * 3 - 1

    compiled = agree(f, lambda: (x(),))
    assert regions(compiled) == [3, 2]
    assert [each.end is None for each in compiled.__opshift__.entries] == [False, True]
    assert "print" in str(compiled.__opshift__.reasons[0])


def test_graph_break_is_one():
    def f(x):
        y = x * 2
        translator.graph_break()
        return y + 1

    assert regions(agree(f, lambda: (x(),))) == [1, 1]


def test_with_fullgraph_a_break_is_an_error():
    def f(x):
        y = x * 2
        print(end="")
        return y

    compiled = translator.compile(f, fullgraph=True)
    for _ in range(3):
        with pytest.raises(Unimplemented, match="print"):
            compiled(x())


def test_each_side_of_a_branch_on_data_goes_on():
    def f(x):
        if x.sum() > 0:
            y = x * 2
        else:
            y = x * 3 - 1
        return y + 1

    compiled = agree(f, lambda: (x(),), lambda: (-x(),))
    assert sorted(regions(compiled)) == [2, 2, 3]


def test_a_loop_with_breaks_is_a_loop_with_a_region_in_its_body():
    def f(x, n):
        total = x * 0
        for i in range(n):
            total = total * 0.5 + x
            print(end="")
            total = total - i
        return total

    compiled = agree(f, lambda: (x(), 2_000), rounds=4)
    assert len(compiled.__opshift__.entries) <= 4
    assert max(regions(compiled)) <= 4


def test_a_loop_that_is_too_long_stays_a_loop(monkeypatch):
    monkeypatch.setattr("translator.instruction_translator.MOST_STEPS", 4_000)

    def counted(x, n):
        for i in range(n):
            x = x * 0.5 + i
        return x + 1

    def while_(x, n):
        while n > 0:
            x = x * 0.5 + n
            n -= 1
        return x + 1

    for function in (counted, while_):
        compiled = agree(function, lambda: (x(), 400), lambda: (x(), 401))
        assert compiled.__opshift__.entries
        assert max(regions(compiled)) <= 4, regions(compiled)


def test_what_a_loop_counts_is_no_constant():
    def f(x, n):
        return x * n + n

    compiled = agree(f, *(lambda n=n: (x(), n) for n in (1, 2, 3, -4, 0)), rounds=1)
    assert len(compiled.__opshift__.entries) == 1
    assert [str(each) for each in compiled.__opshift__.entries[0].capture.guards if "'n'" in str(each)] == [
        "type(L['n']) is int"
    ]
    agree(
        f, lambda: (x(), 1), lambda: (x(), 2), lambda: (x(), 2.5), lambda: (x(), 10**400), lambda: (x(), True)
    )


def test_a_number_that_python_needs_stays_a_constant():
    def f(x, n):
        for _ in range(n):
            x = x + 1
        return x

    compiled = agree(f, lambda: (x(), 1), lambda: (x(), 2), lambda: (x(), 3), rounds=2)
    assert sorted(regions(compiled)) == [1, 2, 3]


def helper(x):
    y = x * 2
    print(end="")
    return y + 1


compiled_helper = translator.compile(helper)


def test_a_callee_that_breaks_is_called():
    def f(x):
        return compiled_helper(x - 1) * 3

    assert sorted(regions(agree(f, lambda: (x(),)))) == [1, 1]
    assert sorted(regions(compiled_helper)) == [1, 1]


def test_where_nothing_is_captured_nothing_is_left_behind():
    def f(x):
        print(end="")
        text = str(x)
        print(end="")
        return text.upper()

    compiled = agree(f, lambda: (x(),), rounds=2 * convert_frame.LIMIT)
    assert compiled.__code__ is compiled.__opshift__.original


def test_an_operation_that_fails_fails_in_its_line():
    def f(x, y):
        z = x * 2
        print(end="")
        z = z + 1
        w = z @ y
        return w - 1

    compiled = translator.compile(f)
    for _ in range(4):
        compiled(x(), x())
    for function in (f, compiled):
        with pytest.raises(ValueError) as caught:
            function(x(), np.ones(5))
        frame = traceback.extract_tb(caught.tb)[-1]
        assert (frame.name, frame.line) == ("f", "w = z @ y")


def test_an_exception_in_a_region_reaches_the_handler_around_it():
    def f(x, y):
        print(end="")
        try:
            z = x * 2
            z = z + y
        except ValueError as error:
            print(type(error))
            z = x - 1
        return z * 3

    agree(f, lambda: (x(), x()), lambda: (x(), np.ones(5)))


def test_a_region_within_a_handler():
    def f(x):
        try:
            len(5)
        except TypeError as error:
            y = x * 2
            print(error)
            z = y + 1
            return z - y
        return x

    compiled = agree(f, lambda: (x(),))
    assert regions(compiled)


def test_with_blocks_stay_open():
    def f(x):
        with np.errstate(all="ignore"):
            y = x / 0
            print(y)
            z = y + 1
        return z * 2

    compiled = agree(f, lambda: (x(),))
    assert len(regions(compiled)) >= 2


def test_what_two_names_share_they_go_on_sharing():
    def f(x):
        a = [x * 2]
        b = (a, a)
        print(end="")
        a.append(b)
        return a[0] is b[0][0], b[0] is b[1], len(a), b[1][0] + 1

    agree(f, lambda: (x(),))


def test_variables_that_may_be_unbound():
    def f(x, flag):
        if flag:
            y = x * 2
        print(end="")
        z = x - 1
        try:
            return y + z
        except UnboundLocalError:
            return z * 3

    agree(f, lambda: (x(), True), lambda: (x(), False))


def test_a_comprehension_around_a_break():
    def f(xs):
        return [str(x * 2 + 1) for x in xs], [(x - 1).tolist() for x in xs if x.sum() > 0]

    agree(f, lambda: ([x(), -x(), x() + 2],))


def test_what_a_region_binds_anew_is_let_go():
    def f(x):
        y = x * 2
        del x
        print(seen())
        y = y + 1
        print(seen())
        return y

    def seen():
        return ends

    ends = []
    compiled = translator.compile(f)
    for _ in range(4):
        found = []
        for function in (f, compiled):
            ends = []
            given = [x()]
            weakref.finalize(given[0], ends.append, 1)
            found.append((function(given.pop()).tolist(), list(ends)))
        assert found[0] == found[1]


def test_the_limit_of_a_place_with_one_warning(caplog):
    def f(x, text):
        y = x * 2
        print(end="")
        return y * len(text)

    compiled = translator.compile(f)
    with caplog.at_level(logging.WARNING, "opshift"):
        for n in range(3 * convert_frame.LIMIT):
            assert (compiled(x(), "a" * n) == x() * 2 * n).all()
    (record,) = caplog.records
    assert "L['text']" in record.getMessage() and "test_graph_breaks.py" in record.getMessage()
    assert len(compiled.__opshift__.entries) == convert_frame.LIMIT + 1


def test_code_of_a_function_that_breaks_is_its_own():
    def make(factor):
        def f(x):
            nonlocal factor
            y = x * factor
            print(end="")
            factor += 1
            z = y - factor
            return z, (lambda: y + factor)()

        return f

    one, other = translator.compile(make(2)), make(2)
    for _ in range(5):
        assert str(one(x())) == str(other(x()))


def test_generators_are_captured_between_what_they_yield():
    def numbers(x, n):
        total = x * 0
        for i in range(n):
            total = total + x * 2
            got = yield total - 1
            if got is not None:
                total = total * got
        return total + 1

    def run(make, sent):
        found, generator = [], make(x(), 4)
        value = next(generator)
        try:
            while True:
                found.append(value.tolist())
                value = generator.send(sent)
        except StopIteration as end:
            found.append(end.value.tolist())
        return found

    compiled = translator.compile(numbers)
    for _ in range(5):
        for sent in (None, 3.0):
            assert run(compiled, sent) == run(numbers, sent)
    assert sum(regions(compiled)) >= 4
    generator = compiled(x(), 2)
    next(generator)
    with pytest.raises(KeyError):
        generator.throw(KeyError("thrown"))
    with pytest.raises(Unimplemented, match="generator"):
        translator.compile(numbers, fullgraph=True)


def test_coroutines_are_captured_between_what_they_await():
    import asyncio

    async def scaled(x):
        y = x * 2
        await asyncio.sleep(0)
        y = y + 1
        async with Opened() as z:
            y = y * z
        return y - x

    class Opened:
        async def __aenter__(self):
            await asyncio.sleep(0)
            return 3.0

        async def __aexit__(self, *error):
            return False

    compiled = translator.compile(scaled)
    for _ in range(8):
        assert (asyncio.run(compiled(x())) == asyncio.run(scaled(x()))).all()
    assert sum(regions(compiled)) >= 3
