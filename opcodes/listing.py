"""A Program for readers: what `dis` shows, beside what it lowers to; and the same as JSON-ready data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from opcodes.argrepr import argrepr, constant_text
from opcodes.positions import Positions
from opcodes.program import PROLOGUE, Raw

if TYPE_CHECKING:
    from opcodes.instructions import Instruction
    from opcodes.program import Program, Region

__all__ = ["ListingRow", "argrepr", "canonical_text", "listing", "listing_rows", "region_text", "to_dict"]


class ListingRow(NamedTuple):
    """One raw instruction and what it lowers to.

    `raw` is None for what no code object had: instructions put in, and 3.10's implicit beginning. Its
    `instructions` are none for what is part of a later instruction (KW_NAMES, PRECALL).
    """

    raw: Raw | None
    argrepr: str
    #: the line, where it is another one than that of the row before
    new_line: int | None
    is_jump_target: bool
    #: (index in the Program, instruction)
    instructions: tuple[tuple[int, Instruction], ...]


def listing_rows(program: Program) -> list[ListingRow]:
    """The rows of a listing, in the order of the program."""
    targets = _targets(program)
    rows: list[ListingRow] = []
    line: int | None = None
    for raw, first, end in _groups(program):
        number = raw.line if raw is not None else None
        rows.append(
            ListingRow(
                raw,
                argrepr(program, raw) if raw is not None else "",
                number if number != line else None,
                not targets.isdisjoint(range(first, end)),
                tuple((index, program[index]) for index in range(first, end)),
            )
        )
        line = number if raw is not None else line
    return rows


def listing(program: Program) -> str:
    """The program as text, a raw instruction a row; the exception regions at the end."""
    code = program.code
    version = ".".join(map(str, program.version))
    rows = listing_rows(program)
    raw_texts = [f"{opname_text(row):<24} {argument_text(row)}".rstrip() for row in rows]
    width = max(map(len, raw_texts), default=0)
    lines = [
        f"{qualname(program)} of CPython {version}, file {code.co_filename!r}, line {code.co_firstlineno}",
        f"{'line':>5}    {'offset':>6}  {'instruction':<{width}}  index  lowers to",
    ]
    for row, raw_text in zip(rows, raw_texts):
        line = "" if row.new_line is None else row.new_line
        offset = "" if row.raw is None else row.raw.offset
        mark = ">>" if row.is_jump_target else ""
        canonical = [f"{index:>5}  {canonical_text(instruction)}" for index, instruction in row.instructions]
        head = f"{line:>5} {mark:>2} {offset:>6}  {raw_text:<{width}}  {canonical[0] if canonical else ''}"
        lines.append(head.rstrip())
        lines += [f"{'':{width + 19}}{text}" for text in canonical[1:]]
    if program.regions:
        lines.append("exception regions, innermost first:")
        lines += [f"  {region_text(region)}" for region in program.regions]
    return "\n".join(lines)


def opname_text(row: ListingRow) -> str:
    """The name of the raw instruction, or that there is none."""
    return "(no raw instruction)" if row.raw is None else row.raw.opname


def argument_text(row: ListingRow) -> str:
    """ "1 (name)", as `dis` has it; long constants cut."""
    if row.raw is None or row.raw.arg is None:
        return ""
    return f"{row.raw.arg} ({shortened(row.argrepr)})" if row.argrepr else f"{row.raw.arg}"


def shortened(text: str, length: int = 32) -> str:
    """The text, cut in the middle if it is longer."""
    return text if len(text) <= length else f"{text[: length - 10]}…{text[-9:]}"


def canonical_text(instruction: Instruction) -> str:
    """A canonical instruction for readers: names and operators bare, targets as "→ index"."""
    parts = [instruction.opname]
    for operand, value in zip(instruction.operands, instruction.values()):
        if operand in instruction.targets:
            if value is not None:
                parts.append(f"→ {value}" if operand == "target" else f"{operand} → {value}")
        elif operand in ("name", "operator", "function", "point"):
            parts.append(str(value) or "''")
        elif operand == "value":
            parts.append(shortened(constant_text(value)))
        elif operand == "slot" or (
            operand in instruction.defaults and value == instruction.defaults[operand]
        ):
            continue
        else:
            parts.append(f"{operand}={value}")
    return " ".join(parts)


def region_text(region: Region) -> str:
    """An exception region for readers, in indexes."""
    lasti = ", lasti" if region.lasti else ""
    previous = "" if region.previous is None else f", the older exception at depth {region.previous}"
    return f"{region.start} … {region.end - 1} → {region.target}, depth {region.depth}{lasti}{previous}"


def qualname(program: Program) -> str:
    """The qualified name of the program's code object, or (3.10) its name."""
    return getattr(program.code, "co_qualname", program.code.co_name)


def to_dict(program: Program) -> dict[str, Any]:
    """The program as JSON-ready data, the same on every host.

    Constants are given as `repr` writes them, so that 1, 1.0 and True differ.
    """
    code = program.code
    return {
        "python": ".".join(map(str, program.version)),
        "name": code.co_name,
        "qualname": qualname(program),
        "filename": code.co_filename,
        "first_line": code.co_firstlineno,
        "flags": code.co_flags,
        "arguments": {
            "positional": code.co_argcount,
            "positional_only": code.co_posonlyargcount,
            "keyword_only": code.co_kwonlyargcount,
        },
        "stack_size": code.co_stacksize,
        "constants": [constant_text(value) for value in code.co_consts],
        "names": list(code.co_names),
        "variables": list(code.co_varnames),
        "cells": list(code.co_cellvars),
        "free": list(code.co_freevars),
        "localsplus": list(program.localsplus),
        "instructions": [_row_dict(row) for row in listing_rows(program)],
        "regions": [region._asdict() for region in program.regions],
    }


def _row_dict(row: ListingRow) -> dict[str, Any]:
    raw = row.raw
    found: dict[str, Any] = dict.fromkeys(
        ("offset", "opname", "opcode", "arg", "argrepr", "line", "end_line", "column", "end_column")
    )
    if raw is not None:
        found.update(offset=raw.offset, opname=raw.opname, opcode=raw.opcode, arg=raw.arg)
        found.update(argrepr=row.argrepr, **raw.position._asdict())
    found["is_jump_target"] = row.is_jump_target
    found["canonical"] = [
        {
            "index": index,
            "opname": instruction.opname,
            "operands": {
                operand: _operand(operand, getattr(instruction, operand)) for operand in instruction.operands
            },
        }
        for index, instruction in row.instructions
    ]
    return found


def _operand(operand: str, value: Any) -> Any:
    if operand == "value":
        return constant_text(value)
    return list(value) if isinstance(value, tuple) else value


def _targets(program: Program) -> set[int]:
    """Indexes that something jumps to, handlers included."""
    found = {region.target for region in program.regions}
    for instruction in program.instructions:
        found.update(getattr(instruction, operand) for operand in instruction.targets)
    return found


def _groups(program: Program) -> Iterator[tuple[Raw | None, int, int]]:
    """(raw instruction, first index, end) in order, those that lower to nothing included."""
    instructions = program.instructions
    index, offset = 0, 0
    while index < len(instructions):
        raw, first = instructions[index].raw, index
        while index < len(instructions) and instructions[index].raw is raw:
            index += 1
        if raw is None or raw is PROLOGUE:
            yield None, first, index
            continue
        for absorbed in _absorbed(program, offset, raw.start):
            yield absorbed, first, first
        offset = raw.end
        yield raw, first, index
    for absorbed in _absorbed(program, offset, len(program.code.co_code)):
        yield absorbed, index, index


def _absorbed(program: Program, offset: int, end: int) -> Iterator[Raw]:
    """The raw instructions between two offsets: they lowered to nothing."""
    if offset >= end:
        return
    code, table = program.code.co_code, program.table
    positions = Positions(program.code, program.version)
    start, prefix = offset, 0
    while offset < end:
        opcode, arg = code[offset], code[offset + 1] | prefix
        after = offset + 2 + 2 * table.cache_at[opcode]
        if opcode == table.opmap["EXTENDED_ARG"]:
            prefix, offset = arg << 8, after
            continue
        given = arg if opcode >= table.have_argument else None
        yield Raw(table.opnames[opcode] or f"<{opcode}>", opcode, given, offset, start, after, positions)
        start, offset, prefix = after, after, 0
