"""Damage in a `.pyc` file of the running version that `marshal` would not survive, found beforehand.

`marshal` trusts the file: a size that is wrong makes it ask for gigabytes, and an opcode that CPython
writes only into its own copy of the bytecode (ENTER_EXECUTOR, INSTRUMENTED_LINE, …) crashes the interpreter
(3.12+) when the code object is made or its `co_code` is read. So the values are skimmed first: no object is
made, every size is held against what is left of the file, every opcode against the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opcodes.table import OpcodeTable

#: marshal's types (`Python/marshal.c`) whose payload has a fixed size
_FIXED = {**dict.fromkeys(b"NFT.S0", 0), ord("i"): 4, ord("g"): 8, ord("y"): 16, ord("r"): 4}
#: those that say how many bytes follow, and how many bytes say it
_SIZED = {**dict.fromkeys(b"stuaA", 4), **dict.fromkeys(b"zZ", 1)}
#: those that say how many values follow, and how many bytes say it
_COUNTED = {**dict.fromkeys(b"([<>", 4), ord(")"): 1}
_LONG, _SLICE, _CODE, _NULL, _BYTES = b"l:c0s"
_DICTS = b"{}"

#: a code object after its type: an integer is a number of bytes, "b" the bytecode, "v" another value
_LAYOUT = {
    True: (24, "b", *"vvvvvvv", 4, "v"),  # 3.10
    False: (20, "b", *"vvvvvvv", 4, "v", "v"),
}
_DICT = -1


class Damaged(ValueError):
    """Marshalled data that no interpreter should be given. EOFError: that ends too early."""


def skim(data: bytes, table: OpcodeTable) -> None:
    """Looks through one marshalled value; Damaged or EOFError if it should not be unmarshalled."""
    layout = _LAYOUT[table.facts["block_stack"]]
    position = 0
    #: what is to come at each level: a number of values, _DICT, or the rest of a code object
    levels: list[int | list[int | str]] = [1]
    while levels:
        level = levels[-1]
        is_bytecode = False
        if isinstance(level, list):
            part = level.pop() if level else None
            if part is None:
                levels.pop()
                continue
            if isinstance(part, int):
                position = _after(position, part, data)
                continue
            is_bytecode = part == "b"
        elif level == 0:
            levels.pop()
            continue
        elif level != _DICT:
            levels[-1] = level - 1
        position = _value(data, position, levels, layout, table if is_bytecode else None)


def _value(
    data: bytes,
    position: int,
    levels: list[int | list[int | str]],
    layout: tuple[int | str, ...],
    table: OpcodeTable | None,
) -> int:
    """Skims what stands at a position up to the values in it; the position after it. With a table, it is
    bytecode of that version."""
    begin, position = position, _after(position, 1, data)
    kind = data[begin] & 0x7F
    if kind in _FIXED:
        if kind == _NULL:
            if levels[-1] != _DICT:
                raise Damaged(f"nothing where a value should be, at byte {begin}")
            levels.pop()
        return _after(position, _FIXED[kind], data)
    if kind in _SIZED:
        size, position = _number(data, position, _SIZED[kind])
        end = _after(position, size, data)
        if table is not None and kind == _BYTES:
            _check_bytecode(data[position:end], table)
        return end
    if kind in _COUNTED:
        count, position = _number(data, position, _COUNTED[kind])
        _after(position, count, data)  # a value takes a byte at least
        levels.append(count)
    elif kind == _LONG:
        digits, position = _number(data, position, 4)
        digits -= digits >> 31 << 32  # the sign of the integer is that of the size
        return _after(position, 2 * abs(digits), data)
    elif kind == _CODE:
        levels.append(list(reversed(layout)))
    elif kind == _SLICE:
        levels.append(3)
    elif kind in _DICTS:
        levels.append(_DICT)
    else:
        raise Damaged(f"unknown type {chr(kind)!r} at byte {begin}")
    return position


def _after(position: int, size: int, data: bytes) -> int:
    if size > len(data) - position:
        raise EOFError
    return position + size


def _number(data: bytes, position: int, size: int) -> tuple[int, int]:
    end = _after(position, size, data)
    return int.from_bytes(data[position:end], "little"), end


def _check_bytecode(code: bytes, table: OpcodeTable) -> None:
    offset = 0
    while offset < len(code):
        number = code[offset]
        row = table.row_at[number]
        if row is None or not row.sequences:
            raise Damaged(f"offset {offset}: there is no opcode {number} in the files of CPython {table}")
        offset += 2 + 2 * table.cache_at[number]
