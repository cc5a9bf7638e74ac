"""What a Program says of its stack: as deep as the interpreter has it, and of the kinds it holds."""

from __future__ import annotations

import contextlib
from types import CodeType
from typing import Any

import pytest

import opcodes
from fuzz.standard_library import code_objects
from opcodes import BadBytecode, Program
from opcodes import instructions as ins
from opcodes.depths import depths
from opcodes.slots import KINDS

KNOWN = KINDS | {"value"}


@pytest.fixture(scope="module")
def sample() -> list[Program]:
    """Every fifth code object of the fixed sample."""
    return [opcodes.decode(code) for code in list(code_objects())[::5]]


def test_stacks_agree_on_every_way_and_fit(sample):
    """No two ways to an instruction disagree (that would be an error); none is deeper than the code object
    says, but for opcodes that lower to several instructions, which may hold one more between them."""
    for program in sample:
        for index, stack in enumerate(program.stack):
            if stack is not None:
                spare = 0 if index == 0 or program[index].raw is not program[index - 1].raw else 1
                assert len(stack) <= program.code.co_stacksize + spare, program.code
                assert KNOWN.issuperset(stack)


def test_depths_are_those_of_the_kinds(sample):
    for program in sample:
        for depth, stack in zip(depths(program), program.stack):
            assert stack is None or depth == len(stack), program.code


def test_handlers_find_what_the_regions_say(sample):
    for program in sample:
        for region in program.regions:
            stack = program.stack[region.target]
            if stack is not None:
                assert len(stack) == region.depth + region.entry_values
                assert stack[-1] == "value"
                assert region.entry_values != 2 or stack[-2] == "lasti"
                assert region.entry_values != 6 or stack[-6:-3] == ("previous",) * 3


def before(code: CodeType, opname: str, number: int = 0) -> tuple[str, ...]:
    """The stack before the n-th instruction of that name."""
    program = opcodes.decode(code)
    found = [stack for each, stack in zip(program, program.stack) if each.opname == opname]
    stack = found[number]
    assert stack is not None
    return stack


def test_pairs_of_a_method_call():
    def call(x):
        return x.y(1)

    assert before(call.__code__, "CALL") in (
        ("value_or_null", "value", "value"),
        ("value", "self_or_null", "value"),
    )


def test_null_beside_a_function_and_for_no_keywords():
    def call(f, x):
        return f(*x)

    null = "PUSH_NULL" in opcodes.table(opcodes.HOST).rows
    stack = before(call.__code__, "CALL_FUNCTION_EX")
    (instruction,) = (each for each in opcodes.decode(call.__code__) if each.opname == "CALL_FUNCTION_EX")
    assert stack.count("null") == null + instruction.keywords
    assert stack.count("value") == 2
    assert not instruction.keywords or stack[-1] == "null"


def test_iterators_of_two_slots():
    def loop(x):
        for y in x:
            print(y)

    slots = next(each.slots for each in opcodes.decode(loop.__code__) if each.opname == "FOR_ITER")
    assert before(loop.__code__, "FOR_ITER") == ("value", "index")[:slots]
    assert before(loop.__code__, "STORE_FAST") == (*("value", "index")[:slots], "value")


def test_the_exception_handled_before():
    def handle(x):
        try:
            x()
        except ValueError:
            return 1

    stack = before(handle.__code__, "CHECK_EXC_MATCH")
    assert stack.count("previous") in (1, 3)
    assert stack[-2:] == ("value", "value")


def test_saved_variables_of_inlined_comprehensions():
    def inline(x):
        return [y for y in x]

    if "LOAD_FAST_AND_CLEAR" in opcodes.table(opcodes.HOST).rows:
        assert "value_or_null" in before(inline.__code__, "FOR_ITER")
    else:
        assert "LOAD_FAST_AND_CLEAR" not in {each.opname for each in opcodes.decode(inline.__code__)}


def test_what_stands_below_a_with_block():
    def within(x):
        with x as y:
            print(y)

    stack = before(within.__code__, "WITH_EXCEPT_START")
    assert (stack[0] == "value" and "lasti" in stack) or len(stack) == 7


def test_code_that_control_never_reaches_has_no_stack():
    program = opcodes.decode(before.__code__)
    end = ins.Label()
    dead = program.splice(len(program) - 1, [ins.JUMP(end), ins.NOP(), end])
    index = next(index for index, each in enumerate(dead) if each.opname == "NOP" and each.raw is None)
    assert dead.stack[index] is None
    assert dead.stack[index + 1] is not None


def _broken(*put_in: Any) -> Program:
    program = opcodes.decode(contextlib.suppress.__enter__.__code__)
    return program.splice(len(program) - 1, put_in)


def test_bytecode_that_takes_what_is_not_there_is_refused():
    with pytest.raises(
        BadBytecode, match=r"__enter__, instruction \d+, .*: it takes 3 slots from a stack of 1"
    ):
        _ = _broken(ins.STORE_SUBSCR()).stack


def test_bytecode_whose_ways_disagree_is_refused():
    end = ins.Label()
    put_in = [ins.LOAD_CONST(True), ins.POP_JUMP_IF_TRUE(end), ins.LOAD_CONST(1), end]
    with pytest.raises(BadBytecode, match="the stack is"):
        _ = _broken(*put_in).stack
