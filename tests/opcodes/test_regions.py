"""Where an exception goes by the Program's regions is where the running interpreter sends it.

Functions with every kind of handler are made to fail at one point after the other, watched opcode by opcode.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from types import CodeType, FrameType
from typing import Any

import pytest

import opcodes

PROGRAMS = {
    "nested": """
        def program(at):
            try:
                at(0)
                try:
                    at(1)
                except KeyError:
                    at(2)
                finally:
                    at(3)
                at(4)
            except ValueError as error:
                at(5)
            else:
                at(6)
            return at(7)
    """,
    "with": """
        def program(at):
            with manager(at(0)) as one, manager(at(1), True):
                at(2)
                with manager(None, True):
                    at(3)
                at(4)
            return at(5)
    """,
    "loops": """
        def program(at):
            for i in (1, 2):
                try:
                    at(0)
                    if i == 2:
                        break
                    continue
                except ValueError:
                    at(1)
                    continue
                finally:
                    at(2)
            while True:
                try:
                    at(3)
                    return at(4)
                except ValueError:
                    at(5)
                    break
            return [at(6) for _ in (1,)]
    """,
    "in a handler": """
        def program(at):
            try:
                raise ValueError
            except ValueError:
                try:
                    at(0)
                    raise KeyError
                except KeyError:
                    with manager(at(1)):
                        at(2)
                    try:
                        at(3)
                    finally:
                        at(4)
                at(5)
            return at(6)
    """,
    "generator": """
        def program(at):
            return list(steps(at))

        def steps(at):
            yield at(0)
            try:
                yield at(1)
                yield from (at(2), at(3))
            except ValueError:
                yield at(4)
            finally:
                at(5)
            with manager(at(6)):
                yield at(7)
    """,
    "reraise": """
        def program(at):
            try:
                try:
                    at(0)
                except ValueError:
                    at(1)
                    raise
            except ValueError as again:
                at(2)
                try:
                    raise KeyError from again
                except LookupError:
                    at(3)
            at(4)
    """,
    "class": """
        def program(at):
            try:
                class Body:
                    x = at(0)
                    try:
                        y = at(1)
                    except ValueError:
                        z = at(2)
            finally:
                at(3)
    """,
    "match": """
        def program(at):
            try:
                match at(0):
                    case None if at(1):
                        at(2)
                    case _:
                        at(3)
            except ValueError:
                at(4)
            return at(5)
    """,
}


class manager:
    def __init__(self, value, swallows=False):
        self.swallows = swallows

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return self.swallows


class Watch:
    """Notes, for each exception in the watched files' frames, where it was and where control went."""

    def __init__(self) -> None:
        self.pending: dict[FrameType, int] = {}
        self.jumps: list[tuple[CodeType, int, int | None]] = []

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "watched.py":
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "exception":
            self.pending[frame] = frame.f_lasti
        elif event in ("opcode", "return") and frame in self.pending:
            landed = frame.f_lasti if event == "opcode" else None
            self.jumps.append((frame.f_code, self.pending.pop(frame), landed))
        return self


def run(source: str, failing: int, kind: type[Exception]) -> Watch:
    """Runs the program, its `at(failing)` raising `kind`."""

    def at(point: int) -> None:
        if point == failing:
            raise kind(point)

    namespace = {"manager": manager}
    lines = [line[8:] for line in source.splitlines()]
    exec(compile("\n".join(lines), "watched.py", "exec"), namespace)
    watch, before = Watch(), sys.gettrace()
    sys.settrace(watch)
    try:
        namespace["program"](at)
    except (ValueError, KeyError, IndexError):
        pass  # whether and where it is caught is what was watched
    finally:
        sys.settrace(before)
    return watch


@pytest.fixture(scope="module", autouse=True)
def opcode_events():
    """3.12 has opcode events only from the settrace on that follows the first request for them."""
    run(PROGRAMS["class"], -1, ValueError)


@pytest.mark.parametrize("name", PROGRAMS)
def test_exceptions_go_where_the_regions_say(name):
    source = PROGRAMS[name]
    caught = left = 0
    for failing in range(source.count("at(")):
        for kind in (ValueError, KeyError, IndexError):
            for code, offset, landed in run(source, failing, kind).jumps:
                program = opcodes.decode(code)
                starts = [each.raw.start for each in program]
                region = program.handlers[bisect_right(starts, offset) - 1]
                expected = None if region is None else program[region.target].raw
                where = f"{name}, at({failing}) raising {kind.__name__}, offset {offset} of {code.co_name}"
                if landed is None:
                    assert expected is None, f"{where}: it left the frame, the region says {expected}"
                    left += 1
                else:
                    assert expected is not None, f"{where}: it went to {landed}, no region covers it"
                    assert expected.start <= landed <= expected.offset, where
                    caught += 1
    assert caught and left
