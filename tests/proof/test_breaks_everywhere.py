"""A region ends before each instruction in turn, and the next one begins behind it: all is as it was."""

from __future__ import annotations

import types
import weakref

import numpy as np
import pytest

import opcodes
import translator
from fuzz.oracle import native, observe
from tests.proof import breaking_functions as programs
from translator.capture import Capture
from translator.codegen import FAILED
from translator.places import may_begin
from translator.region_code import Spot, hook_piece, with_sites
from translator.sentinels import NULL

CALLS = 4


def arguments(function):
    given = [programs.x(), np.array([0.5, 4.0, -1.0]), [programs.x()]]
    return given[: function.__code__.co_argcount]


def observed(run, function):
    programs.seen.clear()
    found = observe(run, function, arguments(function))
    return found, list(programs.seen)


def same_as(expected, got, what):
    difference = expected[0].difference(got[0])
    assert difference is None and expected[1] == got[1], f"{what}: {difference}, {expected[1]} {got[1]}"


def compiled_with_breaks(function, places):
    compiled = translator.compile(function)
    compiled.__opshift__.breaks = frozenset(places)
    return compiled


#: of these each place is tried alone
ALONE = [programs.half_evaluated, programs.tries]
#: elsewhere places so far apart are tried together
APART = 6


def check_breaks(function, places):
    """Calls it often enough for each region to be captured, and run; gives how many there are."""
    expected = observed(native, function)
    compiled = compiled_with_breaks(function, places)
    for call in range(CALLS):
        same_as(expected, observed(native, compiled), f"breaks before {places}, call {call}")
    return len(compiled.__opshift__.entries)


@pytest.mark.parametrize("function", ALONE, ids=lambda each: each.__name__)
def test_a_break_before_each_instruction(function):
    assert sum(check_breaks(function, [index]) for index in range(len(opcodes.decode(function.__code__))))


@pytest.mark.parametrize("function", programs.FUNCTIONS, ids=lambda each: each.__name__)
def test_many_breaks(function):
    size = len(opcodes.decode(function.__code__))
    for first in range(APART):
        check_breaks(function, range(first, size, APART))


@pytest.mark.parametrize("function", programs.FUNCTIONS, ids=lambda each: each.__name__)
def test_a_hook_before_each_instruction(function):
    """Where nothing is captured: what the hook is given is what is live, and nothing else happens."""
    expected = observed(native, function)
    program = opcodes.decode(function.__code__)
    spots = [Spot(program, index) for index in range(len(program)) if may_begin(program, index)]
    called = []

    def hook_at(spot):
        def hook(namespace, cells, certain, perhaps, stack):
            live = spot.live(cells, certain, list(perhaps), stack)
            called.append((spot.index, len(live.values), len(live.stack)))
            return FAILED

        return [hook_piece(hook, spot, NULL)]

    copy = types.FunctionType(
        with_sites(function.__code__, {spot.index: hook_at(spot) for spot in spots}),
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    same_as(expected, observed(native, copy), "hooks")
    assert called


@pytest.mark.parametrize("function", programs.FUNCTIONS, ids=lambda each: each.__name__)
def test_each_operation_fails_in_turn(function, monkeypatch):
    """A region in which an operation raises is dropped: the original instructions run, once."""
    expected = observed(native, function)
    made = Capture.runner

    def failing(number):
        def runner(capture, backend, failed):
            operations = capture.graph.operations
            if number < len(operations):
                node = operations[number]
                if not any(each.visible for each in operations[: number + 1]):
                    node.op, node.target, node.kwargs = "call_function", fail, {}
            return made(capture, backend, failed)

        return runner

    for number in range(5):
        with monkeypatch.context() as patched:
            patched.setattr(Capture, "runner", failing(number))
            compiled = translator.compile(function)
            for call in range(CALLS + 1):
                same_as(expected, observed(native, compiled), f"operation {number} fails, call {call}")


def fail(*arguments):
    raise ArithmeticError("injected")


def test_arguments_live_as_long_as_in_the_original():
    def f(x, y, ends):
        z = x * 2
        del x
        ends.append(1)
        programs.note(len(ends))
        y = z + y
        programs.note(ends[0]())
        return z.sum()

    def lives(run):
        given = [np.arange(3.0), np.ones(3)]
        ends: list[object] = []
        found = []
        for name in given:
            weakref.finalize(name, found.append, len(found))
        run(given.pop(0), given.pop(0), ends_of(ends, found))
        return found

    class ends_of(list):
        def __init__(self, items, found):
            super().__init__([lambda: list(found)])

    expected = lives(f)
    for index in range(len(opcodes.decode(f.__code__))):
        compiled = compiled_with_breaks(f, [index])
        for _ in range(CALLS):
            programs.seen.clear()
            assert lives(compiled) == expected, index
            seen = list(programs.seen)
            programs.seen.clear()
            lives(f)
            assert seen == programs.seen


def test_a_break_before_each_instruction_of_a_generator():
    def f(x, y):
        z = x * 2
        try:
            for i in range(2):
                y = y + z * i
                got = yield y - 1
                z = z * (got or 2)
            yield from [z, y + 1]
        finally:
            z = z + 1
            programs.note(z)
        return z * y

    def run(function):
        programs.seen.clear()
        found = []
        generator = function(programs.x(), programs.x())
        try:
            found.append(next(generator).tolist())
            found.append(generator.send(3.0).tolist())
            while True:
                found.append(next(generator).tolist())
        except StopIteration as end:
            found.append(end.value.tolist())
        closed = function(programs.x(), programs.x())
        next(closed)
        closed.close()
        return found, list(programs.seen)

    expected = run(f)
    size = len(opcodes.decode(f.__code__))
    for first in range(APART):
        compiled = compiled_with_breaks(f, range(first, size, APART))
        for _ in range(CALLS + 2):
            assert run(compiled) == expected
        assert compiled.__opshift__.entries
