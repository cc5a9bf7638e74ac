"""Whole bodies of other functions, with all that the host's compiler writes, put in anywhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import pytest

import opcodes
from opcodes import Instruction, Label, Program, Region, encode
from opcodes import instructions as ins

PROLOGUE = ("RESUME", "MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR")


def with_code(function: FunctionType, code: CodeType) -> Any:
    """The function with another code object."""
    return FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


def index_of(program: Program, opname: str, number: int = 0) -> int:
    """The index of the n-th instruction of that name."""
    return [index for index, each in enumerate(program) if each.opname == opname][number]


def body(function: FunctionType, result: Label) -> tuple[list[Instruction | Label], list[Region]]:
    """A function's instructions to be put into another: its variables by new names, and instead of
    returning it jumps to `result` with what it would return on the stack."""
    program = opcodes.decode(function.__code__)
    labels = [Label(str(index)) for index in range(len(program) + 1)]
    items: list[Instruction | Label] = []
    for label, each in zip(labels, program):
        items.append(label)
        if each.opname in ("RESUME", "COPY_FREE_VARS"):
            continue
        if each.opname == "RETURN_VALUE":
            items.append(ins.JUMP(result))
            continue
        changes: dict[str, Any] = {name: labels[getattr(each, name)] for name in each.targets}
        if "slot" in each.operands:
            changes |= {"slot": None, "name": f"put_in_{each.name}"}  # type: ignore[attr-defined]
        items.append(each.replace(**changes))
    items.append(labels[-1])
    if program.table.facts["block_stack"]:
        return items, []
    return items, [
        each._replace(start=labels[each.start], end=labels[each.end], target=labels[each.target])  # type: ignore[arg-type]
        for each in program.regions
    ]


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


# -- bodies of other functions, of everything the host's compiler writes


def conditions() -> Any:
    x = 3
    while x and not (x is None or x == 7):
        x -= 1
        if x not in (1, 2) and x < 5 <= 6 != x:
            break
    y = x or "none"
    return [x, y, not y, x is not None, (x, y)[0], -x, ~x, +x, [1, 2, 3][:2], f"{x}{y!r:>8}{x:{4}}"]


def containers() -> Any:
    a, *b, c = range(5)
    d = {"a": a, **dict(b=b), c: {1, *b}}
    d["x"] = [a, *b]
    del d["a"]
    d.setdefault("y", {}).update(z=1)
    e = {**d}
    return e, (*b, c), {x: y for x, y in zip("ab", b)}, [x for x in b if x > 1], max(*b, key=lambda v: -v)


def handlers() -> Any:
    found = []
    for i in range(4):
        try:
            try:
                found.append(6 // i if i != 2 else {}["missing"])
            except ZeroDivisionError as error:
                found.append(str(error))
                raise KeyError from error
            finally:
                found.append("finally")
        except KeyError as error:
            found.append((type(error).__name__, error.__cause__ is None))
            if i == 2:
                continue
        else:
            found.append("else")
    return found


def managers() -> Any:
    import contextlib as c

    found = []
    with c.suppress(KeyError), c.ExitStack() as stack:
        stack.callback(found.append, "left")
        found.append("within")
        raise KeyError
    with c.suppress(KeyError):
        return found
    return None


def matching() -> Any:
    found = []
    for subject in ([1, 2], {"k": 3, "m": 4}, 5, "s", [1, [2, 3]]):
        match subject:
            case [x, int(y)]:
                found.append((x, y))
            case {"k": k, **rest}:
                found.append((k, rest))
            case int(real=3 | 5) | str() as r:
                found.append(r)
            case [_, [*inner]]:
                found.append(inner)
    return found


def imports() -> Any:
    import os.path as path
    from math import floor, pi

    global _put_in_global
    _put_in_global = floor(pi)
    assert _put_in_global == 3, "three"
    return path.join("a", "b"), _put_in_global, type("C", (), {"x": 1}).x


BODIES = (conditions, containers, handlers, managers, matching, imports)


def closures() -> Any:
    n = 3
    add = lambda x: x + n  # noqa: E731
    n = 4
    return add(1), [add(i) + n for i in range(3)], sorted(range(5), key=lambda v: -v * n)


def test_a_body_with_cells_of_its_own():
    """At the head of a function that has cells and free variables itself; MAKE_CELL must run once."""
    free = 5

    def host(x):
        own = x + 1
        return (lambda: own + free)(), [own for _ in range(2)]

    program = opcodes.decode(host.__code__)
    at = next(i for i, each in enumerate(program) if each.opname not in PROLOGUE)
    result, seen = Label("result"), []
    items, regions = body(closures, result)
    items += [result, ins.LOAD_CONST(seen), ins.SWAP(2), ins.LIST_APPEND(1), ins.POP_TOP()]
    new = with_code(host, encode(program.splice(at, items, regions)))
    assert new(2) == host(2) and seen == [closures()]
    assert new.__code__.co_cellvars[0] == "own" and "put_in_n" in new.__code__.co_cellvars
    assert new.__code__.co_freevars == ("free",)


@pytest.mark.parametrize("function", BODIES)
@pytest.mark.parametrize("place", ["head", "loop", "handler", "argument"])
def test_a_body_runs_wherever_it_is_put_in(function, place):
    """At the head; in a loop, inside a try; inside a handler; while a call's arguments are on the stack."""
    program = opcodes.decode(calls.__code__)
    index = {
        "head": index_of(program, "BUILD_LIST"),
        "loop": index_of(program, "FOR_ITER") + 2,
        "handler": index_of(program, "POP_EXCEPT"),
        "argument": index_of(program, "CALL", 1),
    }[place]
    while program.atomic(index):
        index += 1
    result = Label("result")
    items, regions = body(function, result)
    seen: list[Any] = []
    items += [result, ins.LOAD_CONST(seen), ins.SWAP(2), ins.LIST_APPEND(1), ins.POP_TOP()]
    new = with_code(calls, encode(program.splice(index, items, regions)))
    assert new(5, log) == calls(5, log)
    assert seen and all(each == function() for each in seen)
    assert len(seen) == {"head": 1, "loop": 3, "handler": 1, "argument": 3}[place]


# -- the interpreter's own events


def _line_events(function: Any, *arguments: Any) -> list[tuple[str, int]]:
    found = []

    def trace(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_code is function.__code__:
            found.append((event, frame.f_lineno))
            return trace
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return found


@pytest.mark.parametrize("function", [calls, *BODIES])
def test_line_events_come_as_before(function):
    program = opcodes.decode(function.__code__)
    arguments = (5, log) if function is calls else ()
    expected = _line_events(function, *arguments)
    for index in range(len(program)):
        if not program.atomic(index):
            new = with_code(function, encode(program.splice(index, [ins.NOP()] * 12)))
            assert _line_events(new, *arguments) == expected, f"at {index}: {program[index]}"
