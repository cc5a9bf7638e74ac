"""A function decodes the same while it runs under a debugger, is watched, or has been specialised."""

from __future__ import annotations

import dis
import sys
from types import CodeType
from typing import Any

import opcodes

SOURCE = """
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def norm(self):
        return self.x * self.x + self.y * self.y


def work(n):
    total, names = 0, {}
    for i in range(n):
        point = Point(i, i + 1)
        total += point.norm() - len(names)
        names[i % 3] = str(total)
        if total > 10 and names[0]:
            total = total // 2
        first, second = point.x, point.y
    return [total, *sorted(names.values())]


def values(n):
    for i in range(n):
        yield from (i, i * 2)


def caught(n):
    try:
        return n / 0
    except ZeroDivisionError as error:
        return str(error)
"""


def codes() -> dict[str, CodeType]:
    """Fresh code objects of the same source: never run, never decoded."""
    return {name: code for name, code in walk(compile(SOURCE, "watched.py", "exec"))}


def walk(code: CodeType):
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant.co_name, constant
            yield from walk(constant)


def listing(program: opcodes.Program) -> list[tuple]:
    """All that a Program says, as plain data."""
    return [
        (each.opname, [same_code(value) for value in each.values()], each.raw and tuple(each.raw)[:6])
        for each in program
    ] + [tuple(region) for region in program.regions]


def same_code(value: object) -> object:
    return value.co_name if isinstance(value, CodeType) else value


def run_all() -> dict[str, CodeType]:
    """Runs every function often enough to be specialised, and gives the code objects that ran."""
    namespace: dict[str, Any] = {}
    exec(compile(SOURCE, "watched.py", "exec"), namespace)
    for n in (200, 5, 50):
        namespace["work"](n)
        list(namespace["values"](n))
        namespace["caught"](n)
    point = namespace["Point"]
    return {
        "work": namespace["work"].__code__,
        "values": namespace["values"].__code__,
        "caught": namespace["caught"].__code__,
        "__init__": point.__init__.__code__,
        "norm": point.norm.__code__,
    }


def assert_decoded_as_fresh(ran: dict[str, CodeType]) -> None:
    fresh = codes()
    for name, code in ran.items():
        assert listing(opcodes.decode(code)) == listing(opcodes.decode(fresh[name])), name


def test_specialised_functions_decode_as_fresh_ones():
    ran = run_all()
    if hasattr(ran["work"], "_co_code_adaptive"):
        assert ran["work"]._co_code_adaptive != ran["work"].co_code, "it was not specialised"
    assert_decoded_as_fresh(ran)


def test_functions_under_settrace_decode_as_fresh_ones():
    """Decoded from inside the trace function: line and opcode events are on, the code instrumented."""
    seen: set[str] = set()
    fresh = {name: listing(opcodes.decode(code)) for name, code in codes().items()}
    different: list[str] = []

    def trace(frame, event, argument):
        code = frame.f_code
        if code.co_filename == "watched.py" and code.co_name in fresh:
            frame.f_trace_opcodes = True
            if event in ("line", "opcode") and code.co_name not in seen:
                seen.add(code.co_name)
                if listing(opcodes.decode(code)) != fresh[code.co_name]:
                    different.append(code.co_name)
            return trace
        return None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run_all()
    finally:
        sys.settrace(before)
    assert seen == {"Point", "work", "values", "caught", "__init__", "norm"}
    assert different == []


def test_functions_under_monitoring_decode_as_fresh_ones():
    """With every event of sys.monitoring switched on for each code object, where there is such a thing."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None:
        assert sys.version_info < (3, 12)
        return
    tool = monitoring.PROFILER_ID
    everything = 0
    for name in ("PY_START", "PY_RESUME", "PY_RETURN", "PY_YIELD", "CALL", "LINE", "INSTRUCTION", "JUMP"):
        everything |= getattr(monitoring.events, name)
    namespace: dict[str, Any] = {}
    exec(compile(SOURCE, "watched.py", "exec"), namespace)
    watched = {name: namespace[name].__code__ for name in ("work", "values", "caught")}
    monitoring.use_tool_id(tool, "opshift tests")
    try:
        for code in watched.values():
            monitoring.set_local_events(tool, code, everything)
        namespace["work"](100), list(namespace["values"](3)), namespace["caught"](1)
        assert any(
            "INSTRUMENTED" in each.opname for each in dis.get_instructions(watched["work"], adaptive=True)
        )
        assert_decoded_as_fresh(watched)
    finally:
        for code in watched.values():
            monitoring.set_local_events(tool, code, 0)
        monitoring.free_tool_id(tool)
