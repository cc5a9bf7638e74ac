"""`opshift dis`: programs, printed."""

from __future__ import annotations

import json
from typing import Any

import opcodes
from opcodes import Program
from opcodes.listing import argument_text, canonical_text, listing_rows, opname_text, qualname, region_text
from translator.command_line.grid import Column, on_terminal, print_grid, print_text
from translator.command_line.interpreters import dotted
from translator.command_line.places import Place, read_code, select

_COLUMNS = (
    Column("line", "right", "yellow"),
    Column("", "left", "magenta"),
    Column("offset", "right", "dim"),
    Column("instruction", "left", "bold cyan"),
    Column("argument"),
    Column("index", "right", "dim"),
    Column("lowers to", "left", "green"),
)


def disassemble(place: Place, version: tuple[int, int] | None, as_json: bool) -> None:
    """Prints the programs a place names."""
    programs = [opcodes.decode(code) for code in select(read_code(place, version), place)]
    if as_json:
        print(json.dumps(_data(place, programs), indent=2))
        return
    for number, program in enumerate(programs):
        if number:
            print()
        print_program(program)


def _data(place: Place, programs: list[Program]) -> dict[str, Any]:
    return {
        "file": place.path,
        "function": place.function,
        "python": dotted(programs[0].version),
        "programs": [program.to_dict() for program in programs],
    }


def print_program(program: Program) -> None:
    """One program: a table on a terminal, its listing in a pipe."""
    if not on_terminal():
        print(program)
        return
    code = program.code
    where = f"file {code.co_filename!r}, line {code.co_firstlineno}"
    print_grid(f"{qualname(program)} of CPython {dotted(program.version)}, {where}", _COLUMNS, _rows(program))
    if program.regions:
        print_text("exception regions, innermost first:", "bold")
        for region in program.regions:
            print_text(f"  {region_text(region)}")


def _rows(program: Program) -> list[list[object]]:
    rows: list[list[object]] = []
    for row in listing_rows(program):
        offset = None if row.raw is None else row.raw.offset
        first: list[object] = [
            row.new_line,
            "▶" if row.is_jump_target else None,
            offset,
            opname_text(row),
            argument_text(row),
        ]
        canonical = [[index, canonical_text(instruction)] for index, instruction in row.instructions]
        rows.append([*first, *(canonical[0] if canonical else (None, None))])
        rows += [[None] * 5 + more for more in canonical[1:]]
    return rows
