"""What stands where in a Program whose steps are being made, and the operands of those steps."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

LOADS = {"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_CONST"}


class Fused:
    """The operands of a fused step, see `translator.real.steps`.

    Attributes:
        a, b, c, owner: slots, or constants; the loads of a, b, c begin at the index `begins`.
        name, store: names of attributes or a global.
        first: the index of the instruction that the first operation is.
        target: where it jumps to; `body`, `after`: where a loop goes on, its variable not yet or already
            stored; `at` where its iterator is, counted from the top of the stack.
    """

    __slots__ = (
        *("a", "after", "at", "b", "begins", "body", "c", "first"),
        *("name", "opname", "owner", "pops", "slots", "store", "target"),
    )

    def __init__(self) -> None:
        self.opname = "FUSED"
        self.a = self.b = self.c = self.name = self.target = None


class Lookahead:
    """Looks at the instructions of a Program.

    Attributes:
        leaders: indexes that are jumped to.
        edges: indexes where a region begins or ends.
    """

    def __init__(self, program: Any) -> None:
        self.instructions = program.instructions
        self.edges = {place for region in program.regions for place in (region.start, region.end)}
        self.leaders = {region.target for region in program.regions}
        for one in self.instructions:
            for operand in one.targets:
                self.leaders.add(getattr(one, operand))

    def opname(self, index: int) -> str:
        """The name of an instruction that control comes to only from the one before, in the same region; ""
        otherwise."""
        if index >= len(self.instructions) or index in self.leaders or index in self.edges:
            return ""
        return self.instructions[index].opname  # type: ignore[no-any-return]

    def quiet(self, index: int) -> str:
        """The same where a region may begin or end: it does not raise."""
        if index >= len(self.instructions) or index in self.leaders:
            return ""
        return self.instructions[index].opname  # type: ignore[no-any-return]

    def is_same(self, index: int, opname: str, depth: int) -> bool:
        """Whether the instruction, come to only from the one before, is this one."""
        return self.opname(index) == opname and self.instructions[index].depth == depth

    def loads_at(self, index: int) -> int:
        """How many loads follow one another there (none but the first a jump target)."""
        count, instructions = 0, self.instructions
        if index < len(instructions) and instructions[index].opname in LOADS:
            count = 1
            while count < 8 and self.opname(index + count) in LOADS:
                count += 1
        return count

    def is_loop(self, index: int) -> bool:
        """Whether a FOR_ITER is there."""
        return self.instructions[index].opname == "FOR_ITER"  # type: ignore[no-any-return]

    def kinds(self, index: int, loads: int) -> tuple[str, ...]:
        """The names of loads."""
        return tuple([load.opname for load in self.instructions[index : index + loads]])

    def operand(self, index: int, loads: int) -> Fused:
        """The operands of loads."""
        operand = Fused()
        operand.begins = index
        for place, load in zip("abc", self.instructions[index : index + loads]):
            setattr(operand, place, load.value if load.opname == "LOAD_CONST" else load.slot)
        return operand
