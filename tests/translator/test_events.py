"""Events for tools: what they tell, and that a tool can stop a program."""

from __future__ import annotations

import sys

import pytest

from translator.events import Stop, WatchedInterpreter


def program(n):
    total = 0
    for i in range(n):
        if i % 2:
            total += i
    try:
        total = missing(total)
    except KeyError:
        total += 1
    return total + sum(numbers())


def missing(key):
    return {}[key]


def numbers():
    for i in range(2):
        yield i


def lines_by_settrace(function, *args):
    seen = set()

    def trace(frame, event, arg):
        if frame.f_code.co_filename == __file__:
            if event == "line":
                seen.add((frame.f_code.co_name, frame.f_lineno))
            return trace
        return None

    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(None)
    return {entry for entry in seen if entry[0] in ("program", "missing", "numbers")}


def test_lines_are_those_of_settrace():
    seen = set()

    class Lines(WatchedInterpreter):
        def on_line(self, frame, line):
            seen.add((frame.code.co_name, line))

    assert Lines().run(program, 5) == program(5)
    first = {code.co_firstlineno for code in (program.__code__, missing.__code__, numbers.__code__)}
    assert {s for s in seen if s[1] not in first} == {
        s for s in lines_by_settrace(program, 5) if s[1] not in first
    }


def test_calls_returns_yields_and_exceptions():
    events = []
    machine = WatchedInterpreter(
        callback=lambda event, frame, value: events.append((event, frame.code.co_name, value))
    )
    result = machine.run(program, 3)
    told = [e for e in events if e[0] not in ("line", "instruction")]
    assert [e[:2] for e in told if e[0] == "call"] == [
        ("call", "program"),
        ("call", "missing"),
        ("call", "numbers"),
    ]
    assert [e[2] for e in told if e[0] == "yield"] == [0, 1]
    assert ("return", "program", result) in told
    assert [(e[1], type(e[2])) for e in told if e[0] == "exception"] == [
        ("missing", KeyError),
        ("program", KeyError),
    ]


def test_a_tool_can_stop_a_program():
    class Limit(WatchedInterpreter):
        left = 200

        def on_instruction(self, frame, instruction):
            self.left -= 1
            if not self.left:
                raise Stop

    def endless():
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

    with pytest.raises(Stop):
        Limit().run(endless)
