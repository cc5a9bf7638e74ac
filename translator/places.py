"""Where a region may begin and end, and where the next one begins after an instruction that broke."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.program import Program
from translator.dataflow import dataflow, successors

#: what a region that begins here would leave to CPython first of all: nothing begins before it
_PASSED = frozenset(
    {"NOP", "POP_TOP", "STORE_FAST", "JUMP", "RESUME", "FOR_ITER", "PUSH_EXC_INFO"}
) | frozenset(
    {
        "SEND",
        "YIELD_VALUE",
        "GET_AWAITABLE",
        "GET_YIELD_FROM_ITER",
        "GET_AITER",
        "GET_ANEXT",
        "BEFORE_ASYNC_WITH",
    }
)
#: the same, and what decides is a value that CPython has worked out
_DECIDES = frozenset(
    {"POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE", "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE", "TO_BOOL"}
)
#: what does nothing that is worth a region
_IDLE = (
    _PASSED
    | frozenset(
        {
            "LOAD_FAST",
            "LOAD_FAST_CHECK",
            "LOAD_CONST",
            "LOAD_GLOBAL",
            "LOAD_DEREF",
            "PUSH_NULL",
            "COPY",
            "SWAP",
        }
    )
    | frozenset({"POP_EXCEPT", "POP_BLOCK", "BUILD_TUPLE", "MAKE_CELL", "COPY_FREE_VARS", "ROTATE"})
)
_LAST = frozenset({"RETURN_VALUE", "RERAISE", "RAISE_VARARGS"})
#: more open blocks leave no room for those of what is put in (CPython 3.10 has twenty in a frame)
_MOST_BLOCKS = 14


def head_of(program: Program) -> int:
    """The first instruction that is no prologue."""
    prologue = ("RESUME", "MAKE_CELL", "COPY_FREE_VARS")
    return next(index for index, each in enumerate(program) if each.opname not in prologue)


def may_begin(program: Program, index: int) -> bool:
    """Whether a region may stand before this instruction."""
    kinds = program.stack[index]
    if kinds is None or "lasti" in kinds or program.atomic(index) or index < head_of(program):
        return False
    nesting = dataflow(program).nesting[index]
    blocks = nesting[1] if nesting and type(nesting[0]) is tuple else ()
    return len(blocks) <= _MOST_BLOCKS


def may_end(program: Program, index: int) -> bool:
    """Whether control may come to this instruction from a region."""
    kinds = program.stack[index]
    if kinds is None or "lasti" in kinds:
        return False
    each = program.instructions[index]
    before = program.instructions[index - 1].raw if index else None
    if each.raw is not None and each.raw is before:
        return not program.atomic(index)
    # what is not to be parted from what stands before it may be jumped to, if jumps are what comes there
    return each.opname == "FOR_ITER" or not program.atomic(index)


def next_places(program: Program, index: int) -> list[int]:
    """Where regions may begin after this instruction has been carried out by CPython."""
    ways = list(successors(program, index))
    region = program.handlers[index]
    if region is not None:
        ways.append(region.target)
    found: list[int] = []
    seen: set[int] = set()
    for way in ways:
        for place in _settle(program, way, seen):
            if place not in found and _is_worth_it(program, place):
                found.append(place)
    return found


def after_statement(program: Program, index: int) -> list[int]:
    """Where regions may begin after the statement, or the part of one, that begins at an instruction."""
    depth = len(kinds_at(program, index))
    while True:
        ways = successors(program, index)
        if len(ways) != 1 or ways[0] <= index:
            return next_places(program, index)
        if len(kinds_at(program, ways[0])) <= depth or program.instructions[ways[0]].opname == "FOR_ITER":
            return next_places(program, index)
        index = ways[0]


def _settle(program: Program, index: int, seen: set[int]) -> Iterator[int]:
    """The first places on the ways from here where a region has something to do."""
    while index not in seen:
        seen.add(index)
        each = program.instructions[index]
        stack = program.stack[index]
        if stack is None or each.opname in _LAST:
            return
        passed = each.opname in _PASSED or each.opname in _DECIDES or _is_sent(program, index)
        if not passed and may_begin(program, index):
            yield index
            return
        ways = successors(program, index)
        for way in ways[1:]:
            yield from _settle(program, way, seen)
        if not ways:
            return
        index = ways[0]


def _is_sent(program: Program, index: int) -> bool:
    """Whether it is the None that is sent first to what is awaited (below it a NULL, in some versions)."""
    names = [each.opname for each in program.instructions[index : index + 3]]
    return names[:2] == ["LOAD_CONST", "SEND"] or names == ["PUSH_NULL", "LOAD_CONST", "SEND"]


def _is_worth_it(program: Program, index: int) -> bool:
    """Whether there is anything to be captured between here and the end, or the next jump."""
    while True:
        name = program.instructions[index].opname
        if name in _LAST:
            return False
        if name not in _IDLE:
            return True
        ways = successors(program, index)
        if len(ways) != 1 or ways[0] <= index:
            return name == "FOR_ITER" and bool(ways) and len(ways) > 1 and _is_worth_it(program, ways[0])
        index = ways[0]


def kinds_at(program: Program, index: int) -> tuple[str, ...]:
    """What the stack's slots hold before an instruction."""
    found: Any = program.stack[index]
    return found or ()
