"""The machine itself: docstrings, the check of depths, what is refused."""

from __future__ import annotations

import pytest

import opcodes
from opcodes.effects import parse_effects
from opcodes.foreign import from_xdis
from translator.checking import CheckedInterpreter
from translator.errors import BadProgram, StackEffectMismatch, Unimplemented
from translator.interpreter import Interpreter, RealMachine
from translator.machine import StackMachine
from translator.real.stubs import START, instruction


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


def test_the_older_exception_is_told_from_values():
    def function():
        try:
            read()
        except ValueError:
            read(1)

    program = opcodes.decode(function.__code__)
    stacks = [slots for one, slots in zip(program, program.stack) if one.opname == "CALL" and one.count == 1]
    assert any("previous" in slots for slots in stacks)
    assert not any(slots[place] == "value_or_null" for slots in stacks for place in range(len(slots) - 3))


def damaged(instructions, **fields):
    """Calls a function of these instructions in the Interpreter; CPython never sees them."""

    def function():
        return None

    code = START + b"".join(instruction(name, arg) for name, arg in instructions)
    code += instruction("LOAD_CONST", 0) + instruction("RETURN_VALUE")
    fields = {"co_code": code, "co_exceptiontable": b"", "co_consts": (1,), "co_stacksize": 4} | fields
    machine = Interpreter()
    made = machine.make_foreign(from_xdis(function.__code__, opcodes.HOST).replace(**fields), {}, None)
    try:
        return machine.run(made)
    finally:
        assert machine.frame is None and machine.stack == []


def test_damaged_bytecode_is_refused_and_the_instruction_named():
    assert damaged([]) == 1
    constant = ("LOAD_CONST", 0)
    with pytest.raises(BadProgram, match=r"in function, RERAISE\(.*of type int, no exception"):
        damaged([constant, constant, constant, ("RERAISE", 0)])
    with pytest.raises(BadProgram, match=r"BUILD_LIST\(count=200\) .*more slots than"):
        damaged([("BUILD_LIST", 200)])
    with pytest.raises(BadProgram, match=r"YIELD_VALUE.*no generator"):
        damaged([constant, ("YIELD_VALUE", 0)])
    with pytest.raises(BadProgram, match=r"LOAD_DEREF.*its cell should be"):
        made = [constant, ("STORE_FAST", 0), ("LOAD_DEREF", 0)]
        damaged(made, co_varnames=("b",), co_nlocals=1, co_cellvars=("b",))
    with pytest.raises(opcodes.BadBytecode, match=r"function, instruction .*takes 1 slots from a stack of 0"):
        damaged([("POP_TOP", 0)])
