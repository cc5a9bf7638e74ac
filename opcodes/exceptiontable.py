"""The exception table of 3.11+, read and written (`Objects/exception_handling_notes.txt`)."""

from __future__ import annotations

from collections.abc import Iterator


def parse_exception_table(data: bytes) -> Iterator[tuple[int, int, int, int, bool]]:
    """(start, end, target, depth, lasti) of each entry; the first three in bytes."""
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
