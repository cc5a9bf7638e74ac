"""decode: a code object to a Program, by the table of its version."""

from __future__ import annotations

import sys
from types import CodeType
from typing import TYPE_CHECKING, Any
from weakref import ref

from opcodes import instructions as ins
from opcodes.blocks import regions_of_blocks
from opcodes.errors import BadBytecode, OpcodesError
from opcodes.exceptiontable import parse_exception_table
from opcodes.lowering import Lowering
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.program import PROLOGUE, Origin, Program, Region
from opcodes.table import OpcodeTable, Version, table

if TYPE_CHECKING:
    from opcodes.foreign import ForeignCode
    from opcodes.instructions import Instruction

#: the version of the running interpreter
HOST: Version = (sys.version_info[0], sys.version_info[1])

#: id of a code object -> (weak reference to it, its Program without it). By identity: code objects of
#: different files compare equal. Weakly: a cache must not keep code alive that CPython would free.
_cache: dict[int, tuple[ref[Any], Program]] = {}


def decode(code: CodeType | ForeignCode, version: Version | None = None) -> Program:
    """The Program of a code object.

    Args:
        code: a native code object, or a foreign one (`opcodes.load`, `ForeignCode`, xdis' code objects).
            `co_code` is read: what the interpreter specialised or instrumented in its own copy does not
            show there.
        version: whose bytecode it is; a native code object is the host's, a ForeignCode knows.

    Raises:
        UnknownVersion: there is no table for that version.
        BadBytecode: the bytes do not follow the table.
        OpcodesError: it is no code object.
    """
    key = id(code)
    cached = _cache.get(key)
    if cached is not None and cached[0]() is code and version in (None, cached[1].version):
        return cached[1].of(code)
    if isinstance(code, CodeType):
        program = decode_with(code, table(HOST if version is None else version))
    else:
        own, version = _foreign(code, version)
        program = decode_with(own, table(version))
        if own is not code:
            return program
    _cache[key] = (ref(code, lambda _: _cache.pop(key, None)), program.of(None))
    return program


def _foreign(code: Any, version: Version | None) -> tuple[ForeignCode, Version]:
    own = getattr(code, "version", None)
    if not hasattr(code, "co_code"):
        raise OpcodesError(
            f"{type(code).__name__} object has no bytecode: decode takes a code object, such as"
            " function.__code__ or compile(…)"
        )
    from opcodes.foreign import ForeignCode, from_xdis

    if isinstance(code, ForeignCode):
        if version is not None and version != own:
            raise OpcodesError(f"{code.co_name} is bytecode of CPython {own}, not of {version}")
        return code, code.version
    foreign = from_xdis(code, version)
    return foreign, foreign.version


def decode_with(code: CodeType | ForeignCode, table: OpcodeTable) -> Program:
    """The Program of a code object by a given table (as `decode`, not cached)."""
    lowering = Lowering(code, table)
    index_at = _lower(lowering)
    out = lowering.out
    for instruction, operand in lowering.jumps:
        offset = getattr(instruction, operand)
        setattr(instruction, operand, _index(index_at, offset, code, instruction.opname))
    if table.facts["block_stack"]:
        regions = regions_of_blocks(out, lowering.jumps, code.co_name)
    else:
        regions = _regions(code, index_at)
    return Program(table.version, code, table, tuple(out), regions, lowering.localsplus, Origin())


def _lower(lowering: Lowering) -> list[int]:
    """Fills `lowering.out`; gives, for each code unit that a raw instruction begins at, its first index
    there (-1 for the others)."""
    table, code, out = lowering.table, lowering.bytecode, lowering.out
    lower_at, cache_at, extended = table.lower_at, table.cache_at, table.opmap["EXTENDED_ARG"]
    if len(code) % 2:
        raise BadBytecode(f"{lowering.code.co_name}: the bytecode is cut off after {len(code)} bytes")
    if table.facts["implicit_prologue"]:
        _prologue(lowering)
    units = len(code) // 2
    index_at = [-1] * (units + 1)
    at = following = prefix = 0  # an instruction, EXTENDED_ARGs before it included, begins at `following`
    try:
        for at, opcode, arg in zip(range(units), code[::2], code[1::2]):
            if at < following:
                continue  # an inline cache entry
            if opcode == extended:
                prefix = (prefix | arg) << 8
                continue
            index_at[following] = len(out)
            if prefix:
                arg |= prefix
                lowering.raws.wide[at] = following, arg
                prefix = 0
            following = at + 1 + cache_at[opcode]
            lower_at[opcode](lowering, at, arg)
    except IndexError:
        raise lowering.bad(at, "its argument is out of range") from None
    if prefix or following != units:
        raise lowering.bad(at, "the bytecode is cut off after it")
    index_at[-1] = len(out)
    return index_at


def _index(index_at: list[int], offset: int, code: CodeType | ForeignCode, what: str) -> int:
    """The index of the instruction that begins at a byte offset."""
    index = index_at[offset // 2] if 0 <= offset < 2 * len(index_at) else -1
    if index < 0:
        raise BadBytecode(
            f"{code.co_name}: {what} goes to offset {offset}, where no instruction begins"
            " (is it bytecode of another version?)"
        )
    return index


def _prologue(lowering: Lowering) -> None:
    """What later versions have instructions for and this one does before the first instruction."""
    code, localsplus = lowering.code, lowering.localsplus
    made: list[Instruction] = []
    for name in code.co_cellvars:
        made.append(ins.MAKE_CELL(localsplus.index(name), name))
    if code.co_freevars:
        made.append(ins.COPY_FREE_VARS(len(code.co_freevars)))
    if lowering.is_generator:
        made.append(ins.RETURN_GENERATOR())
    for instruction in made:
        instruction.raw = PROLOGUE
        lowering.append(instruction)


def _regions(code: CodeType | ForeignCode, index_at: list[int]) -> tuple[Region, ...]:
    """The exception table in indexes."""
    found = []
    table: bytes = code.co_exceptiontable  # since 3.11
    if not table:
        return ()
    for start, end, target, depth, lasti in parse_exception_table(table):
        first, last, handler = (
            _index(index_at, offset, code, "the exception table") for offset in (start, end, target)
        )
        found.append(Region(first, last, handler, depth, lasti, 2 if lasti else 1))
    return tuple(found)
