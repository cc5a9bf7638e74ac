"""Where instructions stand in the source: line tables, read lazily from their bytes and rewritten.

3.10 has the format of PEP 626: pairs (bytes of code, change of the line). From 3.11 it is the location
table of `Objects/locations.md`: entries of one to eight code units with lines and columns. Both are read
from the bytes alone, as the code objects of other versions come without `co_positions()`.

Rewriting copies entries as bytes. Code that is put in lengthens the entry of the instruction it stands
before, so that no line begins anywhere it did not begin before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple

from opcodes.errors import BadBytecode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from opcodes.foreign import ForeignCode


class Position(NamedTuple):
    """A stretch of the source, each part None where the code object does not know it."""

    line: int | None
    end_line: int | None
    column: int | None
    end_column: int | None


NOWHERE = Position(None, None, None, None)


class Entry(NamedTuple):
    """One entry of a line table: the code it covers, in bytes, and how it stands in the table."""

    start: int
    end: int
    position: Position
    encoded: bytes


class Positions:
    """The positions of a code object's instructions; its table is read when first asked."""

    __slots__ = ("_first", "_linetable", "_rows", "_starts", "_units")

    def __init__(self, code: CodeType | ForeignCode, version: tuple[int, int]) -> None:
        self._linetable: bytes = code.co_linetable
        self._first: int = code.co_firstlineno
        self._units = version >= (3, 11)
        self._starts: list[int] | None = None
        self._rows: list[Position] = []

    def at(self, offset: int) -> Position:
        """The position of the instruction at this byte offset."""
        starts = self._starts
        if starts is None:
            starts = self._read()
        return self._rows[bisect_right(starts, offset)]

    def entries(self) -> Iterator[Entry]:
        """The table's entries in order; those that cover no code (3.10 has such) included."""
        read = location_entries if self._units else line_entries
        return read(self._linetable, self._first)

    def _read(self) -> list[int]:
        """Row n is for offsets from starts[n - 1] up to starts[n]; what lies beyond the table is nowhere."""
        starts, rows, end = [], [NOWHERE], 0
        try:
            for entry in self.entries():
                if entry.end > entry.start:
                    starts.append(entry.start)
                    rows.append(entry.position)
                    end = entry.end
        except IndexError:
            raise BadBytecode("the line table is cut off in the middle of an entry") from None
        self._rows = [*rows, NOWHERE]
        self._starts = [*starts, end]
        return self._starts


# -- 3.10


def line_entries(table: bytes, first: int) -> Iterator[Entry]:
    """The entries of 3.10's table: a change of line of -128 means that the code has no line."""
    line, start = first, 0
    for index in range(0, len(table) - 1, 2):
        end = start + table[index]
        change = table[index + 1]
        change -= change > 127 and 256
        if change == -128:
            position = NOWHERE
        else:
            line += change
            position = Position(line, None, None, None)
        yield Entry(start, end, position, table[index : index + 2])
        start = end


def _longer_line(encoded: bytes, size: int) -> bytes:
    """An entry of 3.10 made to cover `size` bytes of code."""
    parts, change = [], encoded[1]
    while size > 254:
        parts.append(bytes((254, change)))
        size -= 254
        change = change if change == 128 else 0
    parts.append(bytes((size, change)))
    return b"".join(parts)


# -- 3.11 and later. The first byte of an entry is 0b1ccccnnn: a code, and the number of units less one.

_LONG, _NO_COLUMNS, _NO_LOCATION = 14, 13, 15


def location_entries(table: bytes, first: int) -> Iterator[Entry]:
    """The entries of the location table."""
    line, start, at = first, 0, 0
    while at < len(table):
        begin = at
        head = table[at]
        end = start + 2 * ((head & 7) + 1)
        code = head >> 3 & 15
        at += 1
        if code == _NO_LOCATION:
            position = NOWHERE
        elif code == _LONG:
            change, at = _signed(table, at)
            line += change
            further, at = _varint(table, at)
            column, at = _varint(table, at)
            end_column, at = _varint(table, at)
            position = Position(
                line, line + further, column - 1 if column else None, end_column - 1 if end_column else None
            )
        elif code == _NO_COLUMNS:
            change, at = _signed(table, at)
            line += change
            position = Position(line, line, None, None)
        elif code >= 10:
            line += code - 10
            position = Position(line, line, table[at], table[at + 1])
            at += 2
        else:
            column = code << 3 | table[at] >> 4
            position = Position(line, line, column, column + (table[at] & 15))
            at += 1
        yield Entry(start, end, position, table[begin:at])
        start = end


def _longer_location(encoded: bytes, size: int) -> bytes:
    """An entry of 3.11+ made to cover `size` bytes of code: as many entries at the same position."""
    units = size // 2
    first = encoded[0] & 0xF8
    if units <= 8:
        return bytes((first | units - 1,)) + encoded[1:]
    parts = [bytes((first | 7,)), encoded[1:]]
    code = first >> 3 & 15
    rest = encoded[1:]
    if code == _LONG or code == _NO_COLUMNS:
        _, after = _varint(rest, 0)
        rest = b"\0" + rest[after:]
    elif 10 <= code < _NO_COLUMNS:
        first = 0x80 | 10 << 3
    units -= 8
    while units > 0:
        parts += bytes((first | min(units, 8) - 1,)), rest
        units -= 8
    return b"".join(parts)


def _varint(table: bytes, at: int) -> tuple[int, int]:
    """Six bits a byte, the lowest first; bit 6 says that more follow."""
    byte = table[at]
    value, shift = byte & 63, 0
    while byte & 64:
        at += 1
        byte = table[at]
        shift += 6
        value |= (byte & 63) << shift
    return value, at + 1


def _signed(table: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(table, at)
    return (-(value >> 1) if value & 1 else value >> 1), at


# -- writing

_ENTRY = re.compile(rb"[\x80-\xff][\x00-\x7f]*", re.DOTALL)


def lengthened(positions: Positions, growth: Sequence[tuple[int, int]]) -> bytes:
    """The line table when code grows: (byte offset before, bytes more) in ascending order.

    What is put in before an instruction counts as its beginning.
    """
    if not growth:
        return positions._linetable
    table = positions._linetable
    if positions._units:
        found = (each[0] for each in _ENTRY.finditer(table))
        return _lengthened(table, found, _units_of, _longer_location, growth)
    pairs = (table[index : index + 2] for index in range(0, len(table) - 1, 2))
    return _lengthened(table, pairs, _bytes_of, _longer_line, growth)


def _units_of(encoded: bytes) -> int:
    return 2 * (encoded[0] & 7) + 2


def _bytes_of(encoded: bytes) -> int:
    return encoded[0]


def _lengthened(
    table: bytes,
    entries: Iterable[bytes],
    size_of: Callable[[bytes], int],
    longer: Callable[[bytes, int], bytes],
    growth: Sequence[tuple[int, int]],
) -> bytes:
    parts: list[bytes] = []
    end = reached = done = 0
    growing = iter(growth)
    offset, more = next(growing)
    for encoded in entries:
        size = size_of(encoded)
        end += size
        reached += len(encoded)
        if offset >= end:
            continue
        while offset < end:
            size += more
            offset, more = next(growing, (_NEVER, 0))
        parts += table[done : reached - len(encoded)], longer(encoded, size)
        done = reached
        if offset == _NEVER:
            break
    return b"".join((*parts, table[done:]))


_NEVER = 1 << 60


def written(spans: Iterable[tuple[int, Position]], first: int, version: tuple[int, int]) -> bytes:
    """A line table from nothing: (bytes of code, position) in the order of the code."""
    write = _write_location if version >= (3, 11) else _write_line
    longer = _longer_location if version >= (3, 11) else _longer_line
    parts: list[bytes] = []
    line = first
    for size, position in _joined(spans):
        prefix, encoded, line = write(position, line)
        parts += prefix, longer(encoded, size)
    return b"".join(parts)


def _joined(spans: Iterable[tuple[int, Position]]) -> Iterator[tuple[int, Position]]:
    """Neighbours at the same position as one; what covers no code left out."""
    total, last = 0, NOWHERE
    for size, position in spans:
        if total and position != last:
            yield total, last
            total = 0
        if size:
            total, last = total + size, position
    if total:
        yield total, last


def _write_line(position: Position, line: int) -> tuple[bytes, bytes, int]:
    """(entries without code for a long way, the entry, the line after it), for 3.10."""
    if position.line is None:
        return b"", b"\0\x80", line
    change, prefix = position.line - line, b""
    while not -127 <= change <= 127:
        step = max(-127, min(127, change))
        prefix += bytes((0, step & 255))
        change -= step
    return prefix, bytes((0, change & 255)), position.line


def _write_location(position: Position, line: int) -> tuple[bytes, bytes, int]:
    """(nothing, the entry of one unit, the line after it), for 3.11+; the forms as CPython chooses them."""
    start, end, column, end_column = position
    if start is None:
        return b"", bytes((0x80 | _NO_LOCATION << 3,)), line
    change = start - line
    if column is None or end_column is None:
        if end is None or end == start:
            return b"", bytes((0x80 | _NO_COLUMNS << 3,)) + _as_signed(change), start
    elif end == start:
        if change == 0 and column < 80 and 0 <= end_column - column < 16:
            second = (column & 7) << 4 | end_column - column
            return b"", bytes((0x80 | column >> 3 << 3, second)), start
        if 0 <= change < 3 and column < 128 and end_column < 128:
            return b"", bytes((0x80 | 10 + change << 3, column, end_column)), start
    ends = (start if end is None else end) - start, -1 if column is None else column
    encoded = (_as_signed(change), _as_varint(ends[0]), _as_varint(ends[1] + 1))
    last = _as_varint(0 if end_column is None else end_column + 1)
    return b"", b"".join((bytes((0x80 | _LONG << 3,)), *encoded, last)), start


def _as_varint(value: int) -> bytes:
    parts = []
    while value > 63:
        parts.append(value & 63 | 64)
        value >>= 6
    return bytes((*parts, value))


def _as_signed(value: int) -> bytes:
    return _as_varint(-value << 1 | 1 if value < 0 else value << 1)
