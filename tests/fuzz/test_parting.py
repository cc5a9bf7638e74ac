"""Where two runs part: the instruction, the line, the first effect that differs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from fuzz.coverage import Watcher, executed
from fuzz.findings import category
from fuzz.generated import GeneratedFunction
from fuzz.oracle import native, observe
from fuzz.parting import interpreted_steps, part_by_effects, part_interpreted
from fuzz.programs import EVERYTHING, functions
from translator.interpreter import Interpreter

SOURCE = """\
def f(n):
    x = n * 2
    note(x)
    if x > 3:
        x = x - 1
    return [x, n]
"""
FUNCTION = GeneratedFunction(SOURCE, ("f(3)",), prelude=("log", "note"))


@settings(max_examples=max(20, settings.default.max_examples // 4))
@given(functions(EVERYTHING))
def test_runs_that_agree_have_the_same_effects_at_the_same_places(function):
    call = function.calls[0]
    where = part_interpreted(function, call)
    assert not where.what.startswith("effect"), f"{where}\n{function.script()}"


@pytest.fixture
def wrong_subtraction(monkeypatch):
    """The Interpreter adds where it should subtract."""
    plain = Interpreter.handlers["BINARY_OP"]

    def add(machine, instruction):
        if instruction.operator != "-":
            return plain(machine, instruction)
        right, left = machine.pop(), machine.pop()
        return machine.push(left + right)

    monkeypatch.setattr(
        Interpreter, "make_prepared", classmethod(Interpreter.__mro__[2].make_prepared.__func__)
    )
    monkeypatch.setitem(Interpreter.handlers, "BINARY_OP", add)


def test_the_instruction_that_does_it_is_named(wrong_subtraction):
    again = GeneratedFunction(SOURCE.replace("x - 1", "x - 2"), ("f(3)",), prelude=("log", "note"))
    where = part_interpreted(again, "f(3)")
    assert where.line in (5, 6) and where.function == "f"
    assert where.what == "the variable x" and (where.expected, where.got) == ("4", "8")


def test_the_first_effect_that_differs_is_named():
    def wrong(function, *args):
        function.__globals__["log"].append("more")
        return function(*args)

    where = part_by_effects(FUNCTION, "f(3)", wrong)
    assert (where.what, where.expected, where.got) == ("effect 0", "6", "'more'")
    assert where.line == 3 or where.function == "note"


def test_what_is_carried_out_is_told_and_what_is_not_is_not():
    names, pairs = executed(FUNCTION, "f(3)")
    assert {"BUILD_LIST", "RETURN_VALUE"} <= names
    assert ("BUILD_LIST", "RETURN_VALUE") in pairs
    taken = executed(GeneratedFunction("def f(n):\n    if n:\n        del n[0]\n", ("f(0)",)), "f(0)")[0]
    assert "DELETE_SUBSCR" not in taken
    steps = interpreted_steps(FUNCTION, "f(3)").steps
    assert {step.instruction for step in steps} & {"BUILD_LIST", "BINARY_OP", "BINARY_MULTIPLY"}


def test_a_watcher_counts_programs():
    watcher = Watcher()
    for _ in range(3):
        assert watcher.worth_it(1, FUNCTION)
        watcher.watch(FUNCTION)
    assert watcher.counts["BUILD_LIST"] == 3
    assert watcher.since_last_told()["BUILD_LIST"] == 3
    assert watcher.since_last_told() == {}


def test_a_category_has_no_names_or_numbers_of_the_program():
    def seen(source, call):
        return observe(native, GeneratedFunction(source, (call,), prelude=("log", "note")))

    first = category(seen("def f(n):\n    return n\n", "f(1)"), seen("def f(n):\n    return n\n", "f(2)"))
    again = category(seen("def f(m):\n    return m\n", "f(5)"), seen("def f(m):\n    return m\n", "f(77)"))
    assert first == again
    raised = category(seen("def f(n):\n    return n\n", "f(1)"), seen("def f(n):\n    1 / 0\n", "f(2)"))
    assert raised == "a value became ZeroDivisionError"
