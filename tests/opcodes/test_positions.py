"""Line tables: read as the interpreter reads them, lengthened and written so that it reads the same."""

from __future__ import annotations

from itertools import pairwise
from types import CodeType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import opcodes
from fuzz.standard_library import code_objects
from opcodes.positions import NOWHERE, Position, Positions, lengthened, written


def interpreted(code: CodeType) -> list[Position]:
    """The position of each code unit, by the interpreter's own account."""
    if hasattr(code, "co_positions"):
        return [Position(*each) for each in code.co_positions()]
    return [
        NOWHERE if line is None else Position(line, None, None, None)
        for start, end, line in code.co_lines()
        for _ in range(start, end, 2)
    ]


def read(code: CodeType) -> list[Position]:
    """The position of each code unit, by ours."""
    positions = Positions(code, opcodes.HOST)
    return [positions.at(offset) for offset in range(0, len(code.co_code), 2)]


@pytest.fixture(scope="module")
def sample() -> list[CodeType]:
    """Every fifth code object of the fixed sample."""
    return list(code_objects())[::5]


def test_read_as_the_interpreter_reads_them(sample):
    for code in sample:
        assert read(code) == interpreted(code), code


def test_entries_are_all_of_the_table(sample):
    for code in sample:
        entries = list(Positions(code, opcodes.HOST).entries())
        assert b"".join(each.encoded for each in entries) == code.co_linetable
        assert all(before.end == after.start for before, after in pairwise(entries))


def test_beyond_the_table_is_nowhere():
    code = interpreted.__code__
    for table in (b"", code.co_linetable[:2]):
        positions = Positions(code.replace(co_linetable=table), opcodes.HOST)
        assert positions.at(len(code.co_code) - 2) == NOWHERE


def test_written_anew_they_say_the_same(sample):
    for code in sample:
        spans = [(each.end - each.start, each.position) for each in Positions(code, opcodes.HOST).entries()]
        again = code.replace(co_linetable=written(spans, code.co_firstlineno, opcodes.HOST))
        assert interpreted(again) == interpreted(code)


@given(data=st.data())
def test_lengthened_they_begin_nowhere_else(sample, data):
    """Code that is put in has the position of what it stands before; all else keeps its own."""
    code = data.draw(st.sampled_from(sample))
    before = interpreted(code)
    unit = st.integers(0, len(before) - 1)
    growth = data.draw(st.dictionaries(unit, st.integers(1, 300), max_size=6))
    table = lengthened(
        Positions(code, opcodes.HOST), [(2 * at, 2 * more) for at, more in sorted(growth.items())]
    )
    expected = [position for at, position in enumerate(before) for _ in range(1 + growth.get(at, 0))]
    longer = code.replace(co_linetable=table, co_code=bytes(2 * len(expected)))
    assert read(longer) == expected
    assert interpreted(longer) == expected


lines = st.integers(1, 1 << 20)
columns = st.integers(0, 1 << 14)


@st.composite
def places(draw: st.DrawFn) -> Position:
    """A position as a line table of this version can say it."""
    line = draw(lines)
    if not hasattr(CodeType, "co_positions"):
        return draw(st.sampled_from([NOWHERE, Position(line, None, None, None)]))
    end = line + draw(st.integers(0, 300))
    full = Position(line, end, draw(columns), draw(columns))
    return draw(st.sampled_from([NOWHERE, Position(line, line, None, None), full]))


@given(spans=st.lists(st.tuples(st.integers(1, 600), places()), min_size=1, max_size=20), first=lines)
def test_any_positions_can_be_written(spans, first):
    """Far jumps of the line, back too, long stretches, columns or none."""
    size = 2 * sum(units for units, _ in spans)
    table = written([(2 * units, position) for units, position in spans], first, opcodes.HOST)
    code = read.__code__.replace(co_linetable=table, co_firstlineno=first, co_code=bytes(size))
    expected = [position for units, position in spans for _ in range(units)]
    assert read(code) == expected
    assert interpreted(code) == expected
