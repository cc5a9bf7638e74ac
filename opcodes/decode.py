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
from opcodes.positions import Positions
from opcodes.program import PROLOGUE, Program, Raw, Region
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
    index_at = _lower(lowering, Positions(code, table.version))
    out = lowering.out
    index_at[len(lowering.bytecode)] = len(out)
    for instruction, operand in lowering.jumps:
        offset = getattr(instruction, operand)
        try:
            setattr(instruction, operand, index_at[offset])
        except KeyError:
            raise BadBytecode(
                f"{code.co_name}: {instruction.opname} goes to offset {offset}, where no instruction of"
                f" CPython {table} begins"
            ) from None
    if table.facts["block_stack"]:
        regions = regions_of_blocks(out, code.co_name)
    else:
        regions = _regions(code, index_at) if code.co_exceptiontable else ()
    return Program(table.version, code, table, tuple(out), regions, lowering.localsplus)


def _lower(lowering: Lowering, positions: Positions) -> dict[int, int]:
    """Fills `lowering.out`; gives, for the offset of each raw instruction, its first index there."""
    table, code = lowering.table, lowering.bytecode
    opnames, row_at, cache_at = table.opnames, table.row_at, table.cache_at
    have_argument, extended = table.have_argument, table.opmap["EXTENDED_ARG"]
    out, raws, make = lowering.out, lowering.raws, tuple.__new__
    if table.facts["implicit_prologue"]:
        _prologue(lowering)
    index_at: dict[int, int] = {}
    offset = start = prefix = 0
    size = len(code)
    try:
        while offset < size:
            opcode = code[offset]
            arg = code[offset + 1] | prefix
            if opcode == extended:
                prefix = arg << 8
                offset += 2
                continue
            row = row_at[opcode]
            end = offset + 2 + 2 * cache_at[opcode]
            raw = make(
                Raw,
                (
                    opnames[opcode],
                    opcode,
                    arg if opcode >= have_argument else None,
                    offset,
                    start,
                    end,
                    positions,
                ),
            )
            raws.append(raw)
            index_at[start] = len(out)
            if row is None:
                raise lowering.bad(raw, f"there is no opcode {opcode}")
            row.lower(lowering, raw, arg)
            offset = start = end
            prefix = 0
    except IndexError:
        raise lowering.bad(raw, "its argument is out of range, or the bytecode is cut off") from None
    return index_at


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


def _regions(code: CodeType | ForeignCode, index_at: dict[int, int]) -> tuple[Region, ...]:
    """The exception table in indexes."""
    found = []
    for start, end, target, depth, lasti in parse_exception_table(code.co_exceptiontable):
        try:
            found.append(
                Region(index_at[start], index_at[end], index_at[target], depth, lasti, 2 if lasti else 1)
            )
        except KeyError as error:
            raise BadBytecode(
                f"{code.co_name}: the exception table speaks of offset {error}, where no instruction begins"
            ) from None
    return tuple(found)
