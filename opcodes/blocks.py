"""3.10's block stack, computed over the control flow and given as exception regions.

`Python/ceval.c` of 3.10: SETUP_FINALLY and SETUP_WITH push a block with the depth of the stack; an
exception cuts the stack to it, pushes the older exception's three values and its own, and leaves an
EXCEPT_HANDLER block behind, which POP_EXCEPT (or END_ASYNC_FOR) takes away.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate
from typing import Any, NamedTuple

from opcodes import instructions as ins
from opcodes.errors import BadBytecode
from opcodes.instructions import INSTRUCTIONS, Instruction
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.program import Region

ENTRY_VALUES = 6


class Block(NamedTuple):
    """An entry of the block stack; the target of a handler block is -1."""

    target: int
    depth: int


Blocks = tuple[Block, ...]


#: where the block that an instruction pushes begins, counted down from the top
_PUSHES: dict[type[Instruction], int] = {ins.SETUP_FINALLY: 0, ins.SETUP_WITH: 1}
_POPS = frozenset((ins.POP_BLOCK, ins.POP_EXCEPT, ins.END_ASYNC_FOR))
_LEAVES = frozenset((ins.JUMP, ins.RETURN_VALUE, ins.RERAISE, ins.RAISE_VARARGS))
_JUMPS = frozenset(kind for kind in INSTRUCTIONS.values() if "target" in kind.targets and kind not in _PUSHES)
#: everything that does more to the block stack or the control flow than going on
_SPECIAL = frozenset((*_PUSHES, *_POPS, *_LEAVES, *_JUMPS))

#: the change of depth of going on, where it is the same for every instruction of the class
_same_change: dict[type[Instruction], int] = {}
UNKNOWN = 1 << 30
#: the others' as a function of the instruction; and that of jumping
_own_change: dict[type[Instruction], Callable[[Instruction], int]] = {}
_jump_change: dict[type[Instruction], Callable[[Instruction], int]] = {}


def regions_of_blocks(
    instructions: list[Instruction], jumps: list[tuple[Instruction, str]], name: str
) -> tuple[Region, ...]:
    """The exception regions of 3.10 instructions, whose `jumps` are those of them that have a target.
    `name` is the code object's, for errors."""
    for instruction, _ in jumps:
        if type(instruction) in _PUSHES:
            break
    else:
        return ()
    regions: list[Region] = []
    found = _run(instructions, name)
    before: Blocks | None = None
    start, current = 0, None
    for index, blocks in enumerate((*found, None)):
        if blocks is before:
            continue
        before = blocks
        covering = _covering(blocks) if blocks else None
        if covering != current:
            if current is not None:
                target, depth, previous = current
                regions.append(Region(start, index, target, depth, False, ENTRY_VALUES, previous))
            start, current = index, covering
    return tuple(regions)


def _covering(blocks: Blocks) -> tuple[int, int, int | None] | None:
    """(target, depth, depth of the older exception to be handled again) of the innermost try block."""
    previous = None
    for block in reversed(blocks):
        if block.target >= 0:
            return block.target, block.depth, previous
        previous = block.depth
    return None


def _run(instructions: list[Instruction], name: str) -> list[Blocks | None]:
    """The block stack before each instruction; None where control never comes.

    What lies between two special instructions is taken in one step.
    """
    size = len(instructions)
    changes = [_same_change.get(type(each), UNKNOWN) for each in instructions]
    for index, change in enumerate(changes):
        if change == UNKNOWN:
            changes[index] = _change(instructions[index])
    before = [0, *accumulate(changes)]
    special = [index for index, each in enumerate(instructions) if type(each) in _SPECIAL]
    found: list[Blocks | None] = [None] * size
    work: list[tuple[int, int, Blocks]] = [(0, 0, ())]
    while work:
        index, depth, blocks = work.pop()
        _agree(found, index, blocks, name)
        while index < size and found[index] is None:
            at = bisect_left(special, index)
            stop = special[at] if at < len(special) else size - 1
            seen = found[stop] is not None
            end = next(i for i in range(index, stop + 1) if found[i] is not None) if seen else stop + 1
            found[index:end] = [blocks] * (end - index)
            if seen:
                _agree(found, end, blocks, name)
                break
            blocks = _pass(instructions, stop, depth + before[stop] - before[index], blocks, work, name)
            if type(instructions[stop]) in _LEAVES:
                break
            depth += before[stop + 1] - before[index]
            index = stop + 1
    return found


def _agree(found: list[Blocks | None], index: int, blocks: Blocks, name: str) -> None:
    """An instruction that control comes to on two ways has the same blocks on both."""
    before = found[index] if index < len(found) else None
    if before is not None and before != blocks:
        raise BadBytecode(
            f"{name}, instruction {index}: control comes there with {len(before)} blocks set up on one way"
            f" and with {len(blocks)}, or others, on another (a POP_BLOCK is missing?)"
        )


def _pass(
    instructions: list[Instruction], index: int, depth: int, blocks: Blocks, work: list[Any], name: str
) -> Blocks:
    """The block stack after this instruction; where it may lead besides is put on `work`."""
    instruction = instructions[index]
    kind = type(instruction)
    if kind in _JUMPS:
        target = instruction.target  # type: ignore[attr-defined]
        work.append((target, depth + _change_of_jump(instruction), blocks))
    elif kind in _PUSHES:
        level = depth - _PUSHES[kind]
        target = instruction.target  # type: ignore[attr-defined]
        work.append((target, level + ENTRY_VALUES, (*blocks, Block(-1, level))))
        return (*blocks, Block(target, level))
    elif kind in _POPS:
        if not blocks:
            raise BadBytecode(f"{name}, instruction {index}: {instruction.opname} without a block")
        return blocks[:-1]
    return blocks


def _change(instruction: Instruction) -> int:
    """The change of depth when this instruction falls through."""
    kind = type(instruction)
    net = _own_change.get(kind)
    if net is None:
        fall = kind.effects().fall
        net = fall.net
        if all(slots.size.strip("()").isdigit() for slots in (*fall.inputs, *fall.outputs)):
            _same_change[kind] = net(instruction)
        else:
            _own_change[kind] = net
    return net(instruction)


def _change_of_jump(instruction: Instruction) -> int:
    """The change of depth when it jumps."""
    kind = type(instruction)
    net = _jump_change.get(kind)
    if net is None:
        jump = kind.effects().jump
        assert jump is not None, f"{kind.opname} does not jump"
        net = _jump_change[kind] = jump.net
    return net(instruction)
