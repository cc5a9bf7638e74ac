"""What the tables say an opcode does to the stack is what `dis.stack_effect` says it does.

For every distinct (opcode, argument) that the running interpreter's standard library has: the net effect of
the canonical instructions it lowers to, over each way through them.
"""

from __future__ import annotations

import dis
from types import CodeType

import opcodes
from fuzz.standard_library import code_objects
from opcodes.program import Program

#: Where CPython books an effect elsewhere than it happens: opcode -> (what dis says, what happens), by
#: the versions that do so. RETURN_VALUE's frame takes the value away itself on 3.14 and 3.15; what
#: RETURN_GENERATOR leaves is pushed by the first send on 3.11 and 3.12. Nothing else may differ.
BOOKED_ELSEWHERE = {
    (3, 10): {},
    (3, 11): {"RETURN_GENERATOR": (0, 1)},
    (3, 12): {"RETURN_GENERATOR": (0, 1)},
    (3, 13): {},
    (3, 14): {"RETURN_VALUE": (0, -1)},
    (3, 15): {"RETURN_VALUE": (0, -1)},
}[opcodes.HOST]


def groups(program: Program) -> dict[int, tuple[int, int]]:
    """The indexes (first, one past the last) of each raw instruction's canonical ones, by its offset.

    3.10's implicit prologue has none: it stands at -1.
    """
    found: dict[int, tuple[int, int]] = {}
    for i, instruction in enumerate(program.instructions):
        first, _ = found.get(instruction.raw.offset, (i, i))
        found[instruction.raw.offset] = (first, i + 1)
    return found


def lowered_effects(program: Program, first: int, end: int) -> tuple[set[int], set[int]]:
    """The net effects of running instructions first … end: of leaving at the end, and of jumping away."""
    falls, jumps = set(), set()
    todo, seen = [(first, 0)], set()
    while todo:
        i, depth = todo.pop()
        if (i, depth) in seen:
            continue
        seen.add((i, depth))
        if i == end:
            falls.add(depth)
            continue
        instruction = program.instructions[i]
        effects = instruction.effects()
        if instruction.opname != "JUMP" or end - first == 1:
            todo.append((i + 1, depth + effects.fall.net(instruction)))
        if effects.jump is not None:
            landed = depth + effects.jump.net(instruction)
            # YIELD_FROM (3.10) is a loop of its own: SEND leaves it, JUMP goes round.
            if end - first > 1 and first <= instruction.target <= end:
                todo.append((instruction.target, landed))
            else:
                jumps.add(landed)
    return falls, jumps or falls


def emitted_pairs() -> dict[tuple[str, int | None], tuple[CodeType, int]]:
    """Each distinct (opname, argument) of the library, and the first place it stands."""
    names = dis.opname
    wide, have_argument = dis.EXTENDED_ARG, dis.HAVE_ARGUMENT
    absorbed = {dis.opmap.get(name) for name in ("EXTENDED_ARG", "CACHE", "KW_NAMES", "PRECALL")}
    found: dict[tuple[int, int], tuple[CodeType, int]] = {}
    for code in code_objects():
        extended = 0
        raw = code.co_code
        for offset in range(0, len(raw), 2):
            number = raw[offset]
            argument = raw[offset + 1] | extended
            extended = argument << 8 if number == wide else 0
            if number not in absorbed and (number, argument) not in found:
                found[number, argument] = (code, offset)
    return {
        (names[number], argument if number >= have_argument else None): place
        for (number, argument), place in found.items()
    }


def expected_effect(opname: str, argument: int | None, jump: bool) -> int:
    """What dis says. 3.11 splits a call's effect over PRECALL and CALL, which are one instruction here."""
    effect = dis.stack_effect(dis.opmap[opname], argument, jump=jump)
    if opname == "CALL" and "PRECALL" in dis.opmap:
        effect += dis.stack_effect(dis.opmap["PRECALL"], argument, jump=jump)
    return effect


def test_lowered_effects_are_those_of_dis():
    pairs = emitted_pairs()
    assert len(pairs) > 2500, "the library was not read"
    wrong, excused = [], set()
    for (opname, argument), (code, offset) in pairs.items():
        program = opcodes.decode(code)
        extent = groups(program).get(offset)
        if extent is None:
            wrong.append(f"{opname} {argument} lowers to nothing, in {code.co_name} of {code.co_filename}")
            continue
        falls, jumps = lowered_effects(program, *extent)
        for jump, ours in ((False, falls), (True, jumps)):
            theirs = expected_effect(opname, argument, jump)
            if BOOKED_ELSEWHERE.get(opname) == (theirs, *ours):
                excused.add(opname)
            elif ours != {theirs}:
                lowered = program.instructions[extent[0] : extent[1]]
                wrong.append(
                    f"{opname} {argument} jump={jump}: dis says {theirs}, {list(lowered)} say {sorted(ours)},"
                    f" in {code.co_name} of {code.co_filename}, line {code.co_firstlineno}"
                )
    assert not wrong, f"{len(wrong)} of {len(pairs)} differ:\n" + "\n".join(wrong[:20])
    assert excused == set(BOOKED_ELSEWHERE), "an exception that is no longer needed"
