"""Workers: what they are asked, and that a crash, a hang and too much memory are findings, not the end."""

from __future__ import annotations

import sys

import pytest

from fuzz.findings import to_data
from fuzz.generated import GeneratedFunction
from fuzz.processes import WorkerDied, WorkerProcess, main_command
from fuzz.slices import Lane, carry_out, dismiss_all, make_small

HELLO = {"seed": 3, "cpu": 20, "memory": 2 << 30, "setup": "", "numpy": False}
MODULE = "tests.fuzz.wrong_machines"
SUBTRACTION = GeneratedFunction(
    "def f(n):\n    note(n)\n    return n - 1\n", ("f(3)",), prelude=("log", "note")
)


def lane(target, **changes):
    command = (sys.executable,)
    return Lane("here", "here", target, command, command, tuple({**HELLO, **changes}.items()))


@pytest.fixture(autouse=True)
def no_workers_left():
    yield
    dismiss_all()


def test_a_machine_that_is_right_has_no_findings():
    outcome = carry_out(lane(f"user:{MODULE}.right"), 0, 6, 60, [])
    assert outcome.findings == []
    assert outcome.done["next"] == outcome.done["programs"] == 6
    assert sum(outcome.done["coverage"].values()) > 20


def test_the_same_numbers_give_the_same_findings():
    wrong = lane(f"user:{MODULE}.boxing")
    first = carry_out(wrong, 0, 12, 60, []).findings
    dismiss_all()
    again = carry_out(wrong, 0, 12, 60, []).findings
    assert first and [each.program for each in first] == [each.program for each in again]


def test_a_finding_says_where_the_runs_part_and_is_small():
    wrong = lane(f"user:{MODULE}.logging_twice")
    found = next(each for number in range(6) for each in carry_out(wrong, 9 * number, 9, 60, []).findings)
    ((number, small),) = make_small(wrong, 7, found, 4).small
    assert number == 7
    assert len(small.program["source"]) <= len(found.program["source"])
    assert "effect" in small.parting["what"]
    assert small.rough == found.rough and small.signature.startswith(small.rough)


@pytest.mark.parametrize(
    ("machine", "kind", "how"),
    [("crashing", "crash", "SIGSEGV"), ("hanging", "hang", "does not end"), ("growing", "memory", "limit")],
)
def test_a_worker_that_dies_is_a_finding(machine, kind, how):
    dying = lane(f"user:{MODULE}.{machine}", cpu=1 if kind == "hang" else 30, memory=300 << 20)
    outcome = carry_out(dying, 0, 3, 60, [])
    (found,) = outcome.findings
    assert (found.kind, found.target) == (kind, dying.target)
    assert how in found.title
    assert outcome.done["next"] == 1, "the next worker goes on after the program that did it"
    assert "def f(" in found.program["source"]


def test_a_hang_says_where_it_was():
    process = WorkerProcess([sys.executable], {"target": f"user:{MODULE}.hanging", **HELLO, "cpu": 1})
    with pytest.raises(WorkerDied) as death:
        process.ask({"do": "judge", "target": f"user:{MODULE}.hanging", "program": to_data(SUBTRACTION)})
    assert "hanging" in death.value.where


def test_what_a_program_prints_does_not_get_in_between():
    process = WorkerProcess([sys.executable], {"target": "interpret", **HELLO})
    loud = GeneratedFunction("import os\ndef f():\n    os.write(1, b'{}\\n')\n    return input\n", ("f()",))
    assert process.ask({"do": "judge", "target": "interpret", "program": to_data(loud)}) == {"finding": None}
    process.close()


@pytest.mark.parametrize(
    ("python", "said"),
    [
        ("3.9", "no opcode tables for CPython 3.9"),
        ("three", "neither a version such as 3.13 nor a path"),
        ("/no/such/python", "no interpreter at '/no/such/python'"),
    ],
)
def test_an_interpreter_that_is_not_there_is_named(python, said):
    with pytest.raises(ValueError, match=said):
        main_command(python)
