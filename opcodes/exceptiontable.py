"""The exception table of 3.11+, read and written (`Objects/exception_handling_notes.txt`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opcodes.errors import BadBytecode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

#: (start, end, target, depth, lasti); the first three are offsets in bytes
Entry = tuple[int, int, int, int, bool]


def parse_exception_table(data: bytes) -> Iterator[Entry]:
    """The entries in order. Numbers stand in groups of six bits, the highest first; bit 6 of a byte says
    that more follow, bit 7 that an entry begins. BadBytecode if the last entry is cut off."""
    try:
        yield from _entries(data)
    except IndexError:
        raise BadBytecode("the exception table is cut off in the middle of an entry") from None


def _entries(data: bytes) -> Iterator[Entry]:
    position = 0
    while position < len(data):
        values = []
        for _ in range(4):
            byte = data[position]
            value = byte & 63
            while byte & 64:
                position += 1
                byte = data[position]
                value = value << 6 | byte & 63
            position += 1
            values.append(value)
        start, size, target, packed = values
        yield 2 * start, 2 * (start + size), 2 * target, packed >> 1, bool(packed & 1)


def exception_table(entries: Iterable[Entry]) -> bytes:
    """The table of these entries, which must not overlap, in ascending order; empty ones are left out."""
    data = bytearray()
    for start, end, target, depth, lasti in entries:
        if start < end:
            begin = len(data)
            for value in (start >> 1, end - start >> 1, target >> 1, depth << 1 | lasti):
                if value > 63:
                    _append_long(data, value)
                else:
                    data.append(value)
            data[begin] |= 128
    return bytes(data)


def _append_long(data: bytearray, value: int) -> None:
    shift = (value.bit_length() - 1) // 6 * 6
    while shift:
        data.append(value >> shift & 63 | 64)
        shift -= 6
    data.append(value & 63)
