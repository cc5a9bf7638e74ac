"""New instructions do what they say wherever they are put in, and what was there does what it did."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import opcodes
from fuzz.standard_library import code_objects
from opcodes import Program, encode
from opcodes import instructions as ins
from opcodes.splice import splice_all


def with_code(function: FunctionType, code: CodeType) -> Any:
    """The function with another code object."""
    return FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


def places(program: Program) -> list[int]:
    """Where something may be put in."""
    return [index for index in range(len(program)) if not program.atomic(index)]


def head(program: Program) -> int:
    """The index of the first instruction after the prologue."""
    prologue = ("RESUME", "MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR")
    return next(index for index, each in enumerate(program) if each.opname not in prologue)


# -- functions with something of everything


def loops(n: int) -> Any:
    found = []
    for i in range(n):
        j = i
        while j:
            j -= 1
            if j == 3:
                continue
            if j == 2 and i > 4:
                break
            found.append((i, j) if i is not j else [*found[-1:]])
        else:
            found.append(not i)
    return found, {k: v for k, v in enumerate(found)}, [x + y for x in range(n) for y in (1, n)], f"{n!r:>9}"


def exceptions(n: int) -> Any:
    found = []
    for i in range(n):
        try:
            try:
                found.append(6 // (i % 3))
            finally:
                found.append("finally")
            if i > 6:
                return found
        except ZeroDivisionError as error:
            found.append(str(error))
        else:
            found.append("else")
    with open(__file__) as file:
        found.append(len(file.readline()) > n)
    return found


def matches(n: int) -> Any:
    match [n, {"key": n % 3, "rest": 1}]:
        case [0, _]:
            return "zero"
        case [int() as x, {"key": 1, **rest}] if x > 3:
            return x, rest
        case [x, {"key": 2 | 0 as key}]:
            return x, key
    return None


def generated(n: int) -> Any:
    def inner(m: int) -> Iterator[Any]:
        got = yield m
        try:
            yield from (x for x in range(m) if x != got)
        except KeyError:
            yield "thrown"

    steps = inner(n + 1)
    found = [next(steps), steps.send(1)]
    found.append(steps.throw(KeyError) if n > 2 else next(steps, "end"))
    return found, list(steps), max(n, *range(2), key=lambda x: -x, default=None) if n < 0 else n


FUNCTIONS = (loops, exceptions, matches, generated)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_nop_at_each_place_changes_nothing(function):
    program = opcodes.decode(function.__code__)
    expected = [function(n) for n in range(12)]
    for index in places(program):
        new = with_code(function, encode(program.splice(index, [ins.NOP()])))
        assert [new(n) for n in range(12)] == expected, f"at {index}: {program[index]}"


@pytest.mark.parametrize("function", FUNCTIONS)
@given(data=st.data(), n=st.integers(0, 15))
def test_calls_at_any_places_are_made_as_often_as_control_comes_there(function, data, n):
    """What is put in runs whenever the instruction runs before which it stands, and leaves all as it was."""
    program = opcodes.decode(function.__code__)
    firsts = [i for i in places(program) if i > head(program) and program[i].raw is not program[i - 1].raw]
    chosen = data.draw(st.sets(st.sampled_from(firsts), max_size=6))
    counted = dict.fromkeys(chosen, 0)

    def count(index: int) -> None:
        counted[index] += 1

    call = opcodes.decode((lambda: count(0)).__code__)
    new = with_code(
        function, encode(splice_all(program, {index: list(_call(call, count, index)) for index in chosen}))
    )
    assert new(n) == function(n)
    expected = _executions(function, n, program)
    assert counted == {index: expected.get(index, 0) for index in chosen}


def _call(call: Program, count: Any, index: int) -> Iterator[ins.Instruction]:
    """`count(index)`, as the host's compiler calls, its result dropped."""
    for each in call:
        if isinstance(each, (ins.LOAD_DEREF, ins.LOAD_GLOBAL)):
            yield ins.LOAD_CONST(count)
        elif isinstance(each, ins.LOAD_CONST):
            yield ins.LOAD_CONST(index)
        elif isinstance(each, (ins.PUSH_NULL, ins.CALL)):
            yield each
    yield ins.POP_TOP()


def _executions(function: Any, n: int, program: Program) -> dict[int, int]:
    """How often the original runs each instruction, by the interpreter's own trace of opcodes."""
    at = {}
    for index, each in reversed(list(enumerate(program))):
        if each.raw is not None and each.raw.offset >= 0:
            at[each.raw.offset] = index
    found: dict[int, int] = {}

    def trace(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_code is not function.__code__:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            index = at.get(frame.f_lasti)
            if index is not None:
                found[index] = found.get(index, 0) + 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(n)  # on 3.13 the first run traces no opcodes yet
        found.clear()
        function(n)
    finally:
        sys.settrace(before)
    return found


# -- the whole library


def test_what_is_decoded_again_is_what_was_spliced():
    """With a NOP at every place: instructions, operands, targets, regions and positions."""
    for code in list(code_objects())[::6]:
        program = opcodes.decode(code)
        spliced = splice_all(program, {index: [ins.NOP()] for index in places(program)})
        again = opcodes.decode(encode(spliced))
        where = f"{code.co_name}, {code.co_filename}:{code.co_firstlineno}"
        assert _said(again) == _said(spliced), where
        assert again.regions == spliced.regions, where
        assert _lines(again) == _lines(spliced), where


def _said(program: Program) -> list[Any]:
    """The instructions; constants by identity, as a NaN is not even equal to itself."""
    return [
        (each.opname, *(id(value) if each.opname == "LOAD_CONST" else value for value in each.values()))
        for each in program
    ]


def _lines(program: Program) -> list[int | None]:
    """The line of each instruction; what is new has that of the next old one."""
    found: list[int | None] = []
    line = None
    for each in reversed(program.instructions):
        line = each.raw.line if each.raw is not None else line
        found.append(line)
    return found[::-1]
