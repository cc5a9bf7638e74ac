"""The machine itself: docstrings, the check of depths, what is refused."""

from __future__ import annotations

import pytest

import opcodes
from opcodes.effects import parse_effects
from translator.checking import CheckedInterpreter
from translator.errors import BadProgram, StackEffectMismatch, Unimplemented
from translator.interpreter import Interpreter, RealMachine
from translator.machine import StackMachine


@pytest.mark.parametrize("name", opcodes.INSTRUCTIONS)
@pytest.mark.parametrize("machine", [StackMachine, RealMachine, Interpreter])
def test_a_handler_says_the_stack_effect_of_its_instruction(machine, name):
    instruction = opcodes.INSTRUCTIONS[name]

    def effect(text):
        lines = [line.strip() for line in text.strip().splitlines()]
        return [lines[0], *[line for line in lines if line.startswith("jump:")]]

    assert effect(machine.handlers[name].__doc__) == effect(instruction.__doc__)
    assert parse_effects(instruction)


def test_checking_finds_a_handler_that_leaves_too_much():
    class Wrong(CheckedInterpreter):
        def POP_TOP(self, instruction):
            """(value -- )"""

    def function(x):
        x + 1
        return x

    with pytest.raises(StackEffectMismatch, match="POP_TOP"):
        Wrong().run(function, 1)


def test_checking_checks_each_instruction():
    def function(n):
        total = 0
        for i in range(n):
            total += i if i % 2 else -i
        return total

    machine = CheckedInterpreter()
    assert machine.run(function, 50) == function(50)
    assert machine.checked > 50 * 6


def test_a_machine_without_meanings_says_what_is_missing():
    def function(x):
        return x + 1

    machine = StackMachine()
    prepared = machine.prepare(function.__code__)
    frame = machine.new_frame(prepared, function, {}, [1, *prepared.unbound])
    with pytest.raises(Unimplemented, match=r"does not say what it means.*define StackMachine\."):
        machine.execute(frame)


def test_bytecode_that_falls_off_its_end_is_named():
    def function():
        return 1

    program = opcodes.decode(function.__code__)
    machine = RealMachine()
    prepared = machine.prepare(function.__code__)
    prepared.steps = prepared.steps[:-1]
    with pytest.raises(BadProgram, match="falls off its end"):
        machine.run(function)
    assert len(program) == len(prepared.steps) + 1


def test_each_class_of_machine_prepares_for_itself():
    def function():
        return 1

    assert RealMachine.prepare(function.__code__) is RealMachine.prepare(function.__code__)
    assert RealMachine.prepare(function.__code__) is not Interpreter.prepare(function.__code__)
