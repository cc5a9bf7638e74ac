"""3.10's block stack, computed over the control flow and given as exception regions.

`Python/ceval.c` of 3.10: SETUP_FINALLY and SETUP_WITH push a block with the depth of the stack; an
exception cuts the stack to it, pushes the older exception's three values and its own, and leaves an
EXCEPT_HANDLER block behind, which POP_EXCEPT (or END_ASYNC_FOR) takes away.
"""

from __future__ import annotations

from typing import NamedTuple

from opcodes import instructions as ins
from opcodes.errors import BadBytecode
from opcodes.instructions import Instruction
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
    before: Blocks | None = None
    for index, blocks in enumerate(_run(instructions, name)):
        if blocks is before and regions and regions[-1].end == index:
            regions[-1] = regions[-1]._replace(end=index + 1)
            continue
        before = blocks
        covering = _covering(blocks) if blocks else None
        if covering is None:
            continue
        target, depth, previous = covering
        last = regions[-1] if regions else None
        if last and last.end == index and (last.target, last.depth, last.previous) == covering:
            regions[-1] = last._replace(end=index + 1)
        else:
            regions.append(Region(index, index + 1, target, depth, False, ENTRY_VALUES, previous))
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
    """The block stack before each instruction; None where control never comes."""
    found: list[Blocks | None] = [None] * len(instructions)
    work: list[tuple[int, int, Blocks]] = [(0, 0, ())]
    size = len(instructions)
    while work:
        index, depth, blocks = work.pop()
        while index < size and found[index] is None:
            instruction = instructions[index]
            found[index] = blocks
            kind = type(instruction)
            if kind in _PUSHES:
                level = depth - _PUSHES[kind]
                target = instruction.target  # type: ignore[attr-defined]
                work.append((target, level + ENTRY_VALUES, (*blocks, Block(-1, level))))
                blocks = (*blocks, Block(target, level))
            elif kind in _POPS:
                if not blocks:
                    raise BadBytecode(f"{name}, instruction {index}: {instruction.opname} without a block")
                blocks = blocks[:-1]
            elif kind.targets and kind is not ins.YIELD_VALUE:
                target = instruction.target  # type: ignore[attr-defined]
                work.append((target, depth + instruction.stack_effect(jump=True), blocks))
            if kind in _LEAVES:
                break
            depth += kind.net_effect(instruction)
            index += 1
    return found
