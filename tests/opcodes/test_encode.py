"""encode gives back what decode was given; what is put in gets its place in the code object."""

from __future__ import annotations

import dis
import math
from types import CodeType, FunctionType
from typing import Any

import pytest

import opcodes
from fuzz.standard_library import code_objects
from fuzz.targets import with_nops
from opcodes import CannotEncode, Program, encode
from opcodes import instructions as ins
from opcodes.foreign import ForeignCode

ATTRIBUTES = tuple(
    name
    for name in dir(CodeType)
    if name.startswith("co_") and name != "co_lnotab" and not callable(getattr(encode.__code__, name))
)


def head(program: Program) -> int:
    """The index of the first instruction after the prologue."""
    return next(
        index
        for index, each in enumerate(program)
        if each.opname not in ("RESUME", "MAKE_CELL", "COPY_FREE_VARS", "RETURN_GENERATOR")
    )


def with_code(function: FunctionType, code: CodeType) -> FunctionType:
    """The function with another code object."""
    return FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )


def returning(function: FunctionType, *instructions: ins.Instruction) -> FunctionType:
    """The function, which now first runs these instructions and returns what they leave."""
    program = opcodes.decode(function.__code__)
    return with_code(function, encode(program.splice(head(program), [*instructions, ins.RETURN_VALUE()])))


def test_untouched_programs_give_back_the_same_code():
    """Every attribute of every code object: bytes, constants, names, variables, stack size, both tables."""
    assert {"co_code", "co_consts", "co_linetable", "co_stacksize"} <= set(ATTRIBUTES)
    count = 0
    for code in code_objects():
        count += 1
        again = encode(opcodes.decode(code))
        wrong = [name for name in ATTRIBUTES if getattr(again, name) != getattr(code, name)]
        assert not wrong, f"{', '.join(wrong)} of {code.co_name}, {code.co_filename}:{code.co_firstlineno}"
        assert again == code
        assert all(one is other for one, other in zip(again.co_consts, code.co_consts))
    assert count > 5000, "the library was not read"


def test_code_objects_that_nobody_compiled():
    """Empty and short line tables, constants that nobody loads, code without an end, stay as they are."""
    code = with_code.__code__
    for changed in (
        code.replace(co_linetable=b""),
        code.replace(co_consts=(*code.co_consts, [1], 1.5)),
        code.replace(co_stacksize=99),
        code.replace(co_code=code.co_code + code.co_code[-2:]),
    ):
        again = encode(opcodes.decode(changed))
        assert [getattr(again, name) for name in ATTRIBUTES] == [
            getattr(changed, name) for name in ATTRIBUTES
        ]


def test_hidden_variables_of_inlined_comprehensions_stay_hidden():
    source = "x = 5\ny = [x for x in range(3)]\nbefore = dict(locals())\nclass C:\n  z = [y for y in 'ab']\n"
    space: dict[str, Any] = {}
    exec(with_nops(compile(source, "<test>", "exec")), space)
    assert (space["x"], space["y"], space["before"]["x"]) == (5, [0, 1, 2], 5)
    assert "y" not in vars(space["C"]) and space["C"].z == ["a", "b"]


def one() -> Any:
    return 1


class NeverEqual:
    """A constant whose `==` must not be asked."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise AssertionError("asked whether a constant is equal")


@pytest.mark.parametrize(
    "value",
    [[1], {}, NeverEqual(), math.nan, -0.0, True, 1.0, "one", (), AssertionError, print, 300, None, b"1", 1j],
    ids=repr,
)
def test_constants_are_put_in_as_they_are(value):
    got = returning(one, ins.LOAD_CONST(value))()
    assert got is value or (type(value) is int and got == value)


def test_a_constant_is_put_in_once():
    value = [1]
    new = returning(one, ins.LOAD_CONST(value), ins.POP_TOP(), ins.LOAD_CONST(value))
    assert sum(each is value for each in new.__code__.co_consts) == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(new.__code__)


def cells(a, b, c=3):
    """Arguments in cells, cells, free variables, and fused instructions on variables."""
    d = a + b
    e = d * c

    def inner(x):
        nonlocal e
        e = e + x + b + d
        return e

    f, g, h = e, d, a
    return inner(a), f, g, h, [each + a + f for each in range(3)]


@pytest.mark.parametrize("count", [1, 3, 9, 20, 300])
def test_new_variables_move_cells_and_free_variables(count):
    """They come after the old ones, and so before the cells; also past the sixteenth and the 255th slot."""
    program = opcodes.decode(cells.__code__)
    names = [f"new_{number}" for number in range(count)]
    put_in: list[ins.Instruction] = []
    for number, name in enumerate(names):
        put_in += [ins.LOAD_CONST(number), ins.STORE_FAST(None, name)]
    put_in += [*(ins.LOAD_FAST(None, name) for name in names), ins.BUILD_TUPLE(count)]
    at = head(program)
    spliced = program.splice(at, [*put_in, ins.POP_TOP()])
    new = with_code(cells, encode(spliced))
    assert new(1, 2) == cells(1, 2) and new(5, -7, 2) == cells(5, -7, 2)
    assert new.__code__.co_varnames == (*cells.__code__.co_varnames, *names)
    assert new.__code__.co_stacksize >= count
    got = with_code(cells, encode(program.splice(at, [*put_in, ins.RETURN_VALUE()])))(1, 2)
    assert got == tuple(range(count))


def test_new_variables_before_free_variables():
    def outer(n):
        def inner(x):
            return x + n, [n + y for y in range(x)]

        return inner

    inner = outer(3)
    program = opcodes.decode(inner.__code__)
    new = with_code(
        inner, encode(program.splice(head(program), [ins.LOAD_CONST(1), ins.STORE_FAST(None, "new")]))
    )
    assert new(4) == inner(4)
    assert new.__code__.co_freevars == inner.__code__.co_freevars


def test_what_is_put_in_makes_the_stack_deep_enough():
    depth = 500
    put_in = [ins.LOAD_CONST(7) for _ in range(depth)] + [ins.BUILD_TUPLE(depth)]
    assert returning(one, *put_in)() == (7,) * depth


def test_a_stack_that_does_not_agree_is_refused():
    end = ins.Label()
    put_in = [ins.LOAD_CONST(True), ins.POP_JUMP_IF_TRUE(end), ins.LOAD_CONST(1), end]
    with pytest.raises(CannotEncode, match=r"one, instruction \d+: the stack is \d deep on one way"):
        encode(opcodes.decode(one.__code__).splice(head(opcodes.decode(one.__code__)), put_in))


def test_borrowed_references_are_owned_where_new_code_stores():
    """A store to a variable between a borrowing load and its use would free what is on the stack."""

    def pair(x):
        return [x, one()]

    program = opcodes.decode(pair.__code__)
    at = next(index for index, each in enumerate(program) if each.opname == "CALL")
    new = encode(program.splice(at, [ins.LOAD_CONST(None), ins.STORE_FAST(0, "x")]))
    assert not [each for each in dis.get_instructions(new) if "BORROW" in each.opname]
    value = object()
    assert with_code(pair, new)(value) == [value, 1]


def test_foreign_bytecode_is_not_encoded():
    version = next(each for each in opcodes.VERSIONS if each != opcodes.HOST)
    code = one.__code__
    foreign = ForeignCode(
        **{
            **{name: getattr(code, name) for name in ForeignCode.__slots__ if hasattr(code, name)},
            "co_code": bytes((opcodes.table(version).opmap["NOP"], 0)),
            "co_exceptiontable": b"",
            "co_qualname": "one",
            "version": version,
        }
    )
    with pytest.raises(CannotEncode, match=r"one is bytecode of CPython .*compile the source here"):
        encode(opcodes.decode(foreign))


def test_instructions_that_the_version_has_not_are_refused_by_name():
    missing = {
        "LOAD_SPECIAL": ins.LOAD_SPECIAL("__enter__"),
        "BUILD_TEMPLATE": ins.BUILD_TEMPLATE(),
        "COPY_DICT_WITHOUT_KEYS": ins.COPY_DICT_WITHOUT_KEYS(),
        "PUSH_NULL": ins.PUSH_NULL(),
        "GET_YIELD_FROM_ITER": ins.GET_YIELD_FROM_ITER(),
    }
    refused = set()
    for name, instruction in missing.items():
        effect = instruction.effects().fall
        pushes = [ins.LOAD_CONST(None) for _ in effect.inputs]
        pops = [ins.POP_TOP() for _ in effect.outputs]
        program = opcodes.decode(one.__code__)
        spliced = program.splice(head(program), [*pushes, instruction, *pops])
        try:
            encode(spliced)
        except CannotEncode as error:
            assert name in str(error) and "CPython" in str(error)
            refused.add(name)
    rows = opcodes.table(opcodes.HOST).rows
    assert refused == {name for name in missing if name not in rows}


def test_positions_of_what_is_put_in():
    """It stands where the instruction stands before which it is put in."""

    def three(a):
        b = a + 1
        return (
            b,
            a * b,
        )

    program = opcodes.decode(three.__code__)
    for index in range(head(program), len(program)):
        if program.atomic(index):
            continue
        new = opcodes.decode(encode(program.splice(index, [ins.NOP(), ins.NOP()])))
        expected = [each.raw.position for each in program]
        expected[index:index] = [program[index].raw.position] * 2
        assert [each.raw.position for each in new] == expected
    assert opcodes.HOST == (3, 10) or program[head(program)].raw.position.column is not None
