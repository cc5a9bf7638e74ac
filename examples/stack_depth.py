"""A machine of your own: how deep does the stack get, and do all ways to a place agree on it?

    python examples/stack_depth.py FILE

Its values are no values at all, only how many there are. One class serves the bytecode of every CPython that
opshift has a table for.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType

import opcodes


class StackDepth(metaclass=opcodes.BytecodeDispatchTableMeta, partial=True):
    """The depth of the stack before each instruction of a code object; None where control never comes."""

    def __init__(self, code: CodeType) -> None:
        self.program = opcodes.decode(code)
        self.depths: list[int | None] = [None] * len(self.program)
        self.todo = [(0, 0)]
        while self.todo:
            self.index, self.depth = self.todo.pop()
            if self.depths[self.index] is None:
                self.depths[self.index] = self.depth
                self.step(self.program[self.index])
            elif self.depths[self.index] != self.depth:
                raise ValueError(
                    f"{code.co_name}, instruction {self.index}: {self.depths[self.index]} or {self.depth}?"
                )

    def step(self, instruction: opcodes.Instruction) -> None:
        handler = self.program.handlers[self.index]
        if handler is not None:
            self.todo.append((handler.target, handler.depth + handler.entry_values))
        self.handlers[instruction.opname](self, instruction)

    def unimplemented(self, instruction: opcodes.Instruction) -> None:
        """What has no method below goes on with the next instruction, and may jump."""
        self.todo.append((self.index + 1, self.depth + instruction.stack_effect()))
        if "target" in instruction.targets:
            self.JUMP(instruction)

    def JUMP(self, instruction: opcodes.Instruction) -> None:
        self.todo.append((instruction.target, self.depth + instruction.stack_effect(jump=True)))

    def RETURN_VALUE(self, instruction: opcodes.Instruction) -> None:
        """The way ends here."""

    RAISE_VARARGS = RERAISE = RETURN_VALUE

    @property
    def deepest(self) -> int:
        """The most slots in use before any instruction, as `dis` counts them: one may be several here."""
        program = self.program.instructions
        begins = [i == 0 or each.raw is not program[i - 1].raw for i, each in enumerate(program)]
        return max(depth for depth, begin in zip(self.depths, begins) if begin and depth is not None)


def report(code: CodeType) -> None:
    print(
        f"{StackDepth(code).deepest:4} of {code.co_stacksize:4}  {code.co_name}, line {code.co_firstlineno}"
    )
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            report(constant)


if __name__ == "__main__":
    for name in sys.argv[1:] or [__file__]:
        report(compile(Path(name).read_bytes(), name, "exec"))
