"""Exception tables (3.11+): what is written is read again, and is what the interpreter's compiler wrote."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from opcodes.exceptiontable import exception_table, parse_exception_table

numbers = st.integers(0, 1 << 20).map(lambda number: 2 * number)
entries = st.lists(st.tuples(numbers, numbers, numbers, st.integers(0, 4000), st.booleans()))


@given(entries=entries)
def test_what_is_written_is_read_again(entries):
    wanted = [(start, start + 2 + size, *rest) for start, size, *rest in entries]
    assert list(parse_exception_table(exception_table(wanted))) == wanted


def test_as_the_compiler_writes_it():
    """The bytes of CPython's own example (`Objects/exception_handling_notes.txt`)."""
    assert exception_table([(40, 56, 200, 3, False)]) == bytes((148, 8, 65, 36, 6))
    assert list(parse_exception_table(bytes((148, 8, 65, 36, 6)))) == [(40, 56, 200, 3, False)]


def test_entries_that_cover_nothing_are_left_out():
    assert exception_table([(4, 4, 8, 0, False), (4, 6, 8, 0, False)]) == exception_table(
        [(4, 6, 8, 0, False)]
    )
