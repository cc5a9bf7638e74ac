"""Damage in a `.pyc` file of the running version that would crash the interpreter, found beforehand.

CPython trusts that no file holds the opcodes that it writes into its own copy of the bytecode
(ENTER_EXECUTOR, INSTRUMENTED_LINE, …): from 3.12 on it crashes when a code object with one of them is made
or its `co_code` is read. `marshal` does not look; so a damaged file has to be looked at first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opcodes.foreign import ForeignCode
    from opcodes.table import OpcodeTable

#: what begins a marshalled code object (since 3.11): its type, five integers, then the bytes of co_code
_CODE = re.compile(rb"(?=[\x63\xe3].{20}[\x73\xf3](.{4}))", re.DOTALL)
_BEFORE_CODE = 26


def looks_damaged(data: bytes, table: OpcodeTable) -> bool:
    """Whether something in marshalled data looks like a code object with an opcode no file has.

    True may be a coincidence of bytes; False means that `marshal` may have it.
    """
    if table.facts["block_stack"]:
        return False  # nothing is written into the bytecode yet
    for match in _CODE.finditer(data):
        start = match.start() + _BEFORE_CODE
        size = int.from_bytes(match[1], "little")
        if size <= len(data) - start and bad_opcode(data[start : start + size], table) is not None:
            return True
    return False


def bad_opcode(code: bytes, table: OpcodeTable) -> tuple[int, int] | None:
    """(offset, number) of the first opcode that no code object of this version has in a file."""
    offset = 0
    while offset < len(code):
        row = table.row_at[code[offset]]
        if row is None or not row.sequences:
            return offset, code[offset]
        offset += 2 + 2 * table.cache_at[code[offset]]
    return None


def damaged_code(code: ForeignCode, table: OpcodeTable) -> Iterator[str]:
    """What is wrong with the bytecode of a code object and those in it, one line each."""
    found = bad_opcode(code.co_code, table)
    if found is not None:
        yield f"{code.co_name}, offset {found[0]}: there is no opcode {found[1]} in CPython {table}"
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from damaged_code(constant, table)
