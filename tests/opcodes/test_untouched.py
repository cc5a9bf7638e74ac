"""What is copied in runs because it stays as it was is what comes of looking at every instruction."""

from __future__ import annotations

from random import Random
from typing import Any

import opcodes
from fuzz.standard_library import code_objects
from opcodes import Label, Program, encode
from opcodes import instructions as ins
from opcodes.errors import CannotSplice
from opcodes.splice import splice_all


def looked_at(program: Program) -> Program:
    """The Program, with nothing known of where it came from."""
    return Program(
        program.version,
        program.code,
        program.table,
        program.instructions,
        program.regions,
        program.localsplus,
    )


def put_in(random: Random, stores: bool) -> list[ins.Instruction | Label]:
    """Something that leaves the stack as it was: a branch, some of it long, perhaps a new variable."""
    end = Label()
    found: list[ins.Instruction | Label] = [ins.LOAD_CONST(random.random()), ins.TO_BOOL()]
    found += [ins.POP_JUMP_IF_TRUE(end), *[ins.NOP()] * random.choice((0, 1, 3, 140)), end]
    if stores and random.random() < 0.5:
        found += [ins.LOAD_CONST(None), ins.STORE_FAST(None, "put_in"), ins.LOAD_FAST(None, "put_in")]
        found += [ins.POP_TOP(), ins.DELETE_FAST(None, "put_in")]
    return found


def spliced(program: Program, random: Random) -> Program:
    """With something at the head, at one place or at several."""
    free = [index for index in range(len(program)) if not program.atomic(index)]
    count = random.choice((1, 1, 2, 5))
    chosen = free[:1] if random.random() < 0.3 else random.sample(free, min(count, len(free)))
    stores = bool(program.code.co_flags & 1)
    passed = frozenset(chosen[:1]) if random.random() < 0.5 else frozenset()
    return splice_all(program, {index: put_in(random, stores) for index in chosen}, passed=passed)


def parts(code: Any) -> dict[str, Any]:
    """What a code object is made of, its constants and the size of its stack aside."""
    aside = ("co_consts", "co_stacksize", "co_lnotab")
    names = [name for name in dir(code) if name.startswith("co_") and name not in aside]
    return {name: value for name in names if not callable(value := getattr(code, name))}


def test_encoded_as_if_each_instruction_was_looked_at():
    random = Random(10)
    compared = 0
    for code in list(code_objects())[::12]:
        program = opcodes.decode(code)
        assert parts(encode(program)) == parts(encode(looked_at(program))) == parts(code)
        try:
            new = spliced(program, random)
        except CannotSplice:
            continue
        where = f"{code.co_name}, {code.co_filename}:{code.co_firstlineno}"
        one, other = encode(new), encode(looked_at(new))
        assert parts(one) == parts(other), where
        assert one.co_stacksize >= other.co_stacksize, where  # more where control never comes
        compared += 1
    assert compared > 100
