"""The state of lowering one code object: what a row sees besides its opcode and argument."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import TYPE_CHECKING, Any

from opcodes.errors import BadBytecode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.positions import Positions
from opcodes.program import Raws

if TYPE_CHECKING:
    from opcodes.foreign import ForeignCode
    from opcodes.instructions import Instruction
    from opcodes.table import OpcodeTable

CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 0x20, 0x80, 0x200


class Lowering:
    """One code object on its way to canonical instructions.

    Attributes:
        raws: the raw instructions by code unit, made when asked for.
        out: the instructions so far; `append` is its method.
        bytecode: co_code: rows look ahead.
        jumps: (instruction, operand) whose operand is a byte offset until the end.
        deref_slots: slot of localsplus for each cell and free variable, as the version numbers them.
        kw_names: the names that KW_NAMES left for the next CALL (3.11, 3.12).
    """

    __slots__ = (
        "append",
        "bytecode",
        "code",
        "consts",
        "deref_slots",
        "jumps",
        "kw_names",
        "localsplus",
        "names",
        "out",
        "raws",
        "table",
    )

    def __init__(self, code: CodeType | ForeignCode, table: OpcodeTable) -> None:
        self.code = code
        self.table = table
        self.bytecode = code.co_code
        self.names = code.co_names
        self.consts: tuple[Any, ...] = code.co_consts
        self.raws = Raws(self.bytecode, table, Positions(code, table.version))
        self.out: list[Instruction] = []
        self.append: Callable[[Instruction], None] = self.out.append
        self.jumps: list[tuple[Instruction, str]] = []
        self.kw_names: tuple[str, ...] = ()
        variables, cells = code.co_varnames, code.co_cellvars
        if cells:
            known = set(variables)
            self.localsplus = (
                variables + tuple(name for name in cells if name not in known) + code.co_freevars
            )
        else:
            self.localsplus = variables + code.co_freevars
        self.deref_slots = table.deref_slots(self)

    def bad(self, at: int, why: str) -> BadBytecode:
        """The error for the instruction at this code unit."""
        version = ".".join(map(str, self.table.version))
        raw = self.raws[at]
        return BadBytecode(
            f"{self.code.co_name}, offset {raw.offset}: {raw.opname} {raw.arg} of CPython {version}: {why}"
            " (is it bytecode of another version?)"
        )

    def end(self, at: int) -> int:
        """The byte offset after this instruction and its inline caches."""
        return 2 * (at + 1 + self.table.cache_at[self.bytecode[2 * at]])

    def jump_offset(self, at: int, arg: int, direction: str) -> int:
        """The byte offset a jump's argument stands for. The unit is the two-byte instruction."""
        if direction == "forward":
            return self.end(at) + 2 * arg
        if direction == "backward":
            return self.end(at) - 2 * arg
        return 2 * arg

    def before(self, count: int) -> list[str]:
        """The names of the raw instructions before the one being lowered, nearest first; no NOPs."""
        found: list[str] = []
        last = None
        for instruction in reversed(self.out):
            raw = instruction.raw
            if raw is not last and raw is not None and raw.opname != "NOP":
                found.append(raw.opname)
                if len(found) == count:
                    break
            last = raw
        return found

    def resumes_with(self, at: int, resume: int) -> int | None:
        """The argument of the RESUME (opcode `resume`) right after this instruction, if one is there."""
        code, offset = self.bytecode, self.end(at)
        if offset + 1 < len(code) and code[offset] == resume:
            return code[offset + 1]
        return None

    @property
    def is_generator(self) -> bool:
        """Whether calling the code makes a generator, coroutine or async generator."""
        return bool(self.code.co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR))


def slots_of_cells(lowering: Lowering) -> tuple[int, ...]:
    """3.10: LOAD_DEREF and its kin number the cells, then the free variables."""
    code = lowering.code
    slots = [lowering.localsplus.index(name) for name in code.co_cellvars]
    first_free = len(lowering.localsplus) - len(code.co_freevars)
    return (*slots, *range(first_free, len(lowering.localsplus)))


def slots_of_localsplus(lowering: Lowering) -> range:
    """3.11+: every index is one into localsplus."""
    return range(len(lowering.localsplus))
