"""What the Interpreter holds does not grow with what it has run (benchmarks/memory.py runs ten million)."""

from __future__ import annotations

import gc
import pathlib
import runpy
import sys

import pytest

import opcodes
from opcodes.foreign import from_xdis
from translator.interpreter import Interpreter

MEMORY = pathlib.Path(__file__).parents[2] / "benchmarks" / "memory.py"
ROUNDS = 40
MOST_RUNS = 12


@pytest.fixture(scope="module")
def program():
    """Calls, closures, classes, generators, coroutines, exceptions: something of everything, n times."""
    return runpy.run_path(str(MEMORY))["program"]


def native(machine, program):
    return program


def foreign(machine, program):
    """The same bytecode as if another Python had compiled it: its functions are made by the machine."""
    return machine.make_foreign(from_xdis(program.__code__, opcodes.HOST), program.__globals__, None)


def blocks():
    gc.collect()
    return sys.getallocatedblocks()


@pytest.mark.parametrize("kind", [native, foreign])
def test_nothing_is_kept_of_what_has_run(kind, program):
    machine = Interpreter()
    function = kind(machine, program)
    expected = program(ROUNDS)
    held = [0]
    for _ in range(MOST_RUNS):
        assert machine.run(function, ROUNDS) == expected
        held.append(blocks())
        if held[-1] - held[-2] < ROUNDS // 3:
            return
    # CPython fills caches of its own at first; but a block a round is as many as there are rounds, each time
    pytest.fail(f"after each {ROUNDS} rounds there are more blocks: {held[1:]}")
