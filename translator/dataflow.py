"""What is known of a Program's variables before each instruction: which are needed later, which are bound.

And how exceptions nest there: two places of one frame can be exchanged for each other only where the same
blocks are open and the same exception is handled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.program import Program
from opcodes.slots import ENDS, SETS_UP
from translator.frames import CO_VARARGS, CO_VARKEYWORDS

if TYPE_CHECKING:
    from opcodes import Instruction

_LOADS = frozenset({"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_AND_CLEAR", "DELETE_FAST"})
_UNBINDS = frozenset({"LOAD_FAST_AND_CLEAR", "DELETE_FAST"})
#: what cannot raise: their handler is not a way to go on from them
_QUIET = frozenset(
    {
        "NOP",
        "POP_TOP",
        "COPY",
        "SWAP",
        "ROTATE",
        "LOAD_FAST",
        "LOAD_CONST",
        "STORE_FAST",
        "LOAD_FAST_AND_CLEAR",
        "PUSH_NULL",
        "PUSH_EXC_INFO",
        "POP_EXCEPT",
        "POP_BLOCK",
        "SETUP_FINALLY",
        "SETUP_WITH",
        "BUILD_TUPLE",
        "BUILD_LIST",
        "RETURN_VALUE",
        "POP_JUMP_IF_NONE",
        "POP_JUMP_IF_NOT_NONE",
    }
)


#: who calls these sees the variables of the frame: all are needed, read later or not
_SEES_LOCALS = frozenset(
    {"locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe", "stack", "breakpoint", "set_trace"}
)


class Dataflow:
    """Facts of one Program, slots as bits of ints.

    Attributes:
        live: before each instruction, the slots whose value is needed: it is read before it is bound. The
            others may be bound or not, whatever was stored before: regions do not keep them.
        bound, unbound: before each instruction, the slots that may be bound, that may be unbound.
        nesting: before each instruction, what is open there, in a form to be compared.
        loops: (header, backward jump to it), as indexes.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        size = len(program)
        self.ways: list[tuple[int, ...]] = [self._ways(index) for index in range(size)]
        self.live = self._find_live()
        if not _SEES_LOCALS.isdisjoint(program.code.co_names):
            self.live = [-1] * (size + 1)
        self.bound, self.unbound = self._find_bound()
        self.loops = [
            (each.target, index)  # type: ignore[attr-defined]
            for index, each in enumerate(program)
            if each.effects().jump is not None and each.opname not in SETS_UP and each.target <= index  # type: ignore[attr-defined]
        ]
        blocks = program.table.facts["block_stack"]
        self.nesting = [self._nesting(index, blocks) for index in range(size)]

    def _ways(self, index: int) -> tuple[int, ...]:
        """Where control may go from an instruction, its handler included."""
        program = self.program
        each = program.instructions[index]
        found = list(successors(program, index))
        region = program.handlers[index]
        if region is not None and each.opname not in _QUIET:
            found.append(region.target)
        return tuple(found)

    def _nesting(self, index: int, blocks: bool) -> Any:
        stack = self.program.stack[index] or ()
        handled = tuple([place for place, kind in enumerate(stack) if kind == "previous"])
        if not blocks:
            return handled
        around = {
            (each.depth, each.target) for each in self.program.regions if each.start <= index < each.end
        }
        return handled, tuple(sorted(around))

    def _find_live(self) -> list[int]:
        program, ways = self.program, self.ways
        live = [0] * (len(program) + 1)
        uses, kills = [0] * len(program), [0] * len(program)
        for index, each in enumerate(program):
            if each.opname in _LOADS:
                uses[index] = 1 << each.slot  # type: ignore[attr-defined]
            elif each.opname == "STORE_FAST":
                kills[index] = 1 << each.slot  # type: ignore[attr-defined]
        changed = True
        while changed:
            changed = False
            for index in range(len(program) - 1, -1, -1):
                after = 0
                for way in ways[index]:
                    after |= live[way]
                found = (after & ~kills[index]) | uses[index]
                if found != live[index]:
                    live[index] = found
                    changed = True
        return live

    def _find_bound(self) -> tuple[list[int], list[int]]:
        program = self.program
        bound, unbound = [0] * len(program), [0] * len(program)
        count = parameter_count(program.code)
        every = (1 << len(program.localsplus)) - 1
        given = (1 << count) - 1
        work = [(0, given, every & ~given)]
        while work:
            index, may, may_not = work.pop()
            if not (may & ~bound[index] or may_not & ~unbound[index]):
                continue
            may = bound[index] = bound[index] | may
            may_not = unbound[index] = unbound[index] | may_not
            after = self._after(index, may, may_not)
            region = program.handlers[index]
            for way in successors(program, index):
                work.append((way, *after))
            if region is not None:
                work.append((region.target, may | after[0], may_not | after[1]))
        return bound, unbound

    def _after(self, index: int, may: int, may_not: int) -> tuple[int, int]:
        each = self.program.instructions[index]
        name = each.opname
        if name == "STORE_FAST":
            bit = 1 << each.slot  # type: ignore[attr-defined]
            stack = self.program.stack[index]
            if stack and stack[-1] != "value":
                return may | bit, may_not | bit
            return may | bit, may_not & ~bit
        if name in _UNBINDS:
            bit = 1 << each.slot  # type: ignore[attr-defined]
            return may & ~bit, may_not | bit
        return may, may_not


def dataflow(program: Program) -> Dataflow:
    """The facts of a Program, worked out once."""
    found = program.__dict__.get("dataflow")
    if found is None:
        found = program.__dict__["dataflow"] = Dataflow(program)
    return found  # type: ignore[no-any-return]


def successors(program: Program, index: int) -> tuple[int, ...]:
    """Where control goes on from an instruction that does not raise."""
    each: Instruction = program.instructions[index]
    ends = each.opname in ENDS
    jumps = each.effects().jump is not None and each.opname not in SETS_UP
    if not jumps:
        return () if ends or index + 1 >= len(program) else (index + 1,)
    target: int = each.target  # type: ignore[attr-defined]
    return (target,) if ends else (index + 1, target)


def parameter_count(code: Any) -> int:
    """How many slots the parameters take, `*args` and `**kwargs` included."""
    flags = code.co_flags
    return int(
        code.co_argcount + code.co_kwonlyargcount + bool(flags & CO_VARARGS) + bool(flags & CO_VARKEYWORDS)
    )
