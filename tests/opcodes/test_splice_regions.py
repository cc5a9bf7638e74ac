"""Jumps, exception regions and blocks that are put in; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import pytest

import opcodes
from opcodes import CannotSplice, Label, Program, encode
from opcodes import instructions as ins


def with_code(function: FunctionType, code: CodeType) -> Any:
    """The function with another code object."""
    return FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


def index_of(program: Program, opname: str, number: int = 0) -> int:
    """The index of the n-th instruction of that name."""
    return [index for index, each in enumerate(program) if each.opname == opname][number]


def calls(x: Any, log: Callable[[Any], Any]) -> Any:
    total = [x]
    for i in range(3):
        try:
            total.append(log(i))
        except ValueError as error:
            total.append(error.args)
    return total


def log(value: Any) -> Any:
    if value == 1:
        raise ValueError(value)
    return value


# -- regions


@pytest.mark.parametrize("fails", [False, True])
def test_setup_finally_makes_a_region(fails):
    """Inside a loop and a try, with values on the stack below; the handler finds what the host pushes."""
    program = opcodes.decode(calls.__code__)
    index = index_of(program, "CALL", 1)
    handler, after = Label("handler"), Label("after")
    seen: list[Any] = []
    caught = (
        [ins.POP_TOP()] * 3 + [ins.POP_EXCEPT(3)]
        if program.table.facts["block_stack"]
        else [ins.PUSH_EXC_INFO(), ins.POP_TOP(), ins.POP_EXCEPT(1)]
    )
    new = program.splice(
        index,
        [
            ins.SETUP_FINALLY(handler),
            *(ins.LOAD_CONST(value) for value in (seen, 1, int(not fails))),
            ins.BINARY_OP("//"),
            ins.LIST_APPEND(1),
            ins.POP_TOP(),
            ins.POP_BLOCK(),
            ins.JUMP(after),
            handler,
            *caught,
            ins.LOAD_CONST(seen),
            ins.LOAD_CONST("caught"),
            ins.LIST_APPEND(1),
            ins.POP_TOP(),
            after,
        ],
    )
    assert with_code(calls, encode(new))(5, log) == calls(5, log)
    assert seen == (["caught"] if fails else [1]) * 3
    first = next(i for i, each in enumerate(new) if each.raw is None)
    region = new.handlers[first + 2]
    assert region is not None and region.depth == len(new.stack[first] or ())


def test_what_is_put_in_is_covered_as_what_it_stands_before():
    program = opcodes.decode(calls.__code__)
    inside = index_of(program, "CALL", 1)
    raising = [ins.LOAD_CONST(ValueError), ins.RAISE_VARARGS(1)]
    found = with_code(calls, encode(program.splice(inside, raising)))(5, log)
    assert found == [5, (), (), ()]
    outside = index_of(program, "BUILD_LIST")
    with pytest.raises(ValueError):
        with_code(calls, encode(program.splice(outside, raising)))(5, log)


def test_jumps_to_the_place_run_what_is_put_in_or_pass_it():
    def loop(n):
        while n:
            n -= 1
        return n

    program = opcodes.decode(loop.__code__)
    target = min(
        each.target for each in program if each.opname.startswith("POP_JUMP") or each.opname == "JUMP"
    )
    back = [each.target for index, each in enumerate(program) if each.targets and each.target <= index]
    target = min(back)
    seen: list[Any] = []
    put_in = [ins.LOAD_CONST(seen), ins.LOAD_CONST(1), ins.LIST_APPEND(1), ins.POP_TOP()]
    assert with_code(loop, encode(program.splice(target, put_in)))(5) == 0
    often = len(seen)
    seen.clear()
    assert with_code(loop, encode(program.splice(target, put_in, jumped_to=False)))(5) == 0
    assert len(seen) < often and len(seen) == 1


def test_an_index_as_target_is_the_instruction_that_had_it():
    """Jumps forward past old instructions, and back to before what is put in."""

    def two(n, found):
        found.append(1)
        found.append(n)
        return found

    program = opcodes.decode(two.__code__)
    second = index_of(program, "POP_TOP") + 1
    end = len(program) - 1
    while program[end - 1].opname != "POP_TOP":
        end -= 1
    skip = program.splice(second, [ins.JUMP(end)])
    assert with_code(two, encode(skip))(3, []) == [1]
    over = Label()
    again = program.splice(
        end,
        [
            ins.LOAD_FAST(0, "n"),
            ins.LOAD_CONST(1),
            ins.BINARY_OP("-"),
            ins.STORE_FAST(0, "n"),
            ins.LOAD_FAST(0, "n"),
            ins.LOAD_CONST(0),
            ins.COMPARE_OP("<"),
            ins.TO_BOOL(),
            ins.POP_JUMP_IF_TRUE(over),
            ins.JUMP(second),
            over,
        ],
    )
    assert with_code(two, encode(again))(3, []) == [1, 3, 2, 1, 0]
    back = program.splice(
        end,
        [
            ins.LOAD_FAST(1, "found"),
            ins.POP_JUMP_IF_NONE(second) if opcodes.HOST > (3, 10) else ins.POP_TOP(),
        ],
    )
    assert with_code(two, encode(back))(3, []) == [1, 3]


@pytest.mark.parametrize("count", [100, 130, 300, 40_000])
def test_jumps_grow_as_far_as_they_must(count):
    def far(n):
        found = 0
        for i in range(n):
            if i % 2:
                found += i
            else:
                found -= 1
        return found

    program = opcodes.decode(far.__code__)
    for index in (index_of(program, "FOR_ITER") + 2, len(program) - 2):
        while program.atomic(index):
            index += 1
        new = with_code(far, encode(program.splice(index, [ins.NOP()] * count)))
        assert [new(n) for n in range(6)] == [far(n) for n in range(6)]


# -- what is refused


def test_atomic_groups_are_refused_with_the_reason():
    def generator():
        yield 1

    program = opcodes.decode(generator.__code__)
    index = index_of(program, "YIELD_VALUE") + 1
    atomic = program[index].opname == "RESUME"
    assert program.atomic(index) == atomic
    if atomic:
        with pytest.raises(
            CannotSplice, match=rf"generator, instruction {index}: .*RESUME after a YIELD_VALUE"
        ):
            program.splice(index, [ins.NOP()])


@pytest.mark.parametrize("constants", [1, 300])
def test_keyword_names_stay_with_their_call(constants):
    """They and PRECALL are no canonical instructions: what is put in before the call stands before them, and
    before their EXTENDED_ARG."""
    many = ", ".join(f"{number}.5" for number in range(constants))
    space: dict[str, Any] = {}
    exec(f"def call():\n  [{many}]\n  return dict(a=1, b=2)", space)
    call = space["call"]
    program = opcodes.decode(call.__code__)
    index = next(i for i, each in enumerate(program) if each.opname in ("CALL", "CALL_KW"))
    assert not program.atomic(index)
    put_in = [ins.LOAD_CONST(print), ins.POP_TOP()]
    assert with_code(call, encode(program.splice(index, put_in)))() == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("index", "instructions", "why"),
    [
        (10_000, [ins.NOP()], "there is no such instruction"),
        (-1, [ins.NOP()], "there is no such instruction"),
        (3, [ins.JUMP(Label("elsewhere"))], "<elsewhere> is a target and does not stand"),
        (3, [ins.JUMP(10_000)], "there is no instruction 10000 to jump to"),
        (3, [ins.LOAD_FAST(0, "y"), ins.POP_TOP()], "slot 0 is not 'y' here"),
        (3, [ins.LOAD_FAST(99, "x"), ins.POP_TOP()], "slot 99 is not 'x' here"),
        (3, [ins.LOAD_DEREF(None, "z"), ins.POP_TOP()], "there is no cell or free variable 'z'"),
    ],
)
def test_what_is_not_there_is_refused(index, instructions, why):
    with pytest.raises(CannotSplice, match=f"calls.*{why}"):
        opcodes.decode(calls.__code__).splice(index, instructions)


def test_new_variables_are_for_functions():
    program = opcodes.decode(compile("x = 1", "<module>", "exec"))
    with pytest.raises(CannotSplice, match=r"<module>: STORE_FAST.*keeps its variables in a namespace"):
        program.splice(len(program) - 1, [ins.STORE_FAST(None, "new"), ins.LOAD_CONST(None)])


def test_jumps_out_of_a_block_must_pop_it():
    """Where blocks are set up by instructions (3.10); where a table says what is covered, nothing is set up."""

    def guarded(n, found):
        try:
            found.append(n)
        except ValueError:
            found.append("caught")
        found.append("after")
        return found

    program = opcodes.decode(guarded.__code__)
    inside = index_of(program, "CALL")
    line = guarded.__code__.co_firstlineno + 5
    after = next(index for index, each in enumerate(program) if each.raw.line == line)
    pops = [ins.POP_TOP()] * len(program.stack[inside] or ())
    if program.table.facts["block_stack"]:
        with pytest.raises(CannotSplice, match=r"guarded, instruction \d+: .*a POP_BLOCK is missing"):
            program.splice(inside, [*pops, ins.JUMP(after)])
        pops.append(ins.POP_BLOCK())
    new = with_code(guarded, encode(program.splice(inside, [*pops, ins.JUMP(after)])))
    assert new(1, []) == ["after"]


def test_the_program_and_what_is_put_in_are_left_alone():
    program = opcodes.decode(calls.__code__)
    before = [(each, each.values()) for each in program]
    jump = ins.JUMP(0)
    program.splice(3, [jump, ins.LOAD_FAST(None, "new"), ins.POP_TOP()])
    assert [(each, each.values()) for each in program] == before
    assert jump.target == 0 and "new" not in program.localsplus
