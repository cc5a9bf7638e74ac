"""Every instruction that the compiler writes can be written anew by the row that lowers it.

So the rows are inverses of themselves, and what a host compiles can be put into any function of its own.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache
from types import CodeType, ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opcodes
from fuzz.standard_library import code_objects
from fuzz.targets import with_nops
from opcodes import Program, encode


@pytest.fixture(scope="module")
def programs() -> list[Program]:
    """Every third code object of the fixed sample."""
    return [opcodes.decode(code) for code in list(code_objects())[::3]]


def said(program: Program) -> list[Any]:
    """The instructions but for constants, which may be the same in another place."""
    return [(each.opname, *(() if each.opname == "LOAD_CONST" else each.values())) for each in program]


def test_written_anew_they_lower_to_the_same(programs):
    for program in programs:
        again = opcodes.decode(encode(program, relift=True))
        where = f"{program.code.co_name}, {program.code.co_filename}:{program.code.co_firstlineno}"
        assert said(again) == said(program), where
        assert again.regions == program.regions, where
        assert [each.raw.line for each in again] == [each.raw.line for each in program], where


def test_each_opcode_is_written_by_its_own_row(programs):
    """But for those that say what others say, and where they stand are for the interpreter alone."""
    read, written = set(), set()
    for program in programs:
        read |= {each.raw.opname for each in program}
        written |= {each.raw.opname for each in opcodes.decode(encode(program, relift=True))}
    rows = opcodes.table(opcodes.HOST).rows
    never = {opname for opname in read if opname in rows and rows[opname].lift is None}
    assert read - written - never <= {"GEN_START", "NOT_TAKEN"}
    assert never <= {name for name in rows if "FAST_" in name}, "LOAD_FAST and STORE_FAST say the same"


# -- run


def rebuilt(code: CodeType) -> CodeType:
    """The code and all inside it, every instruction written anew."""
    constants = tuple(rebuilt(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return encode(opcodes.decode(code.replace(co_consts=constants)), relift=True)


@cache
def twin(name: str, change: Any) -> ModuleType:
    """A second copy of a module of the standard library, its code changed."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    module, original = importlib.util.module_from_spec(spec), importlib.import_module(name)
    sys.modules[name] = module  # enumerations look themselves up there
    exec(change(spec.loader.get_code(name)), vars(module))  # type: ignore[attr-defined]
    sys.modules[name] = original
    return module


text = st.text(st.sampled_from("ab c\t\n-%s{}$x1é"), max_size=60)
numbers = st.lists(st.integers(-50, 50), max_size=12)
fraction = st.tuples(st.integers(-99, 99), st.integers(1, 99))

#: (module, what it is called with, how its result is shown)
CALLS: tuple[tuple[str, Any, Any], ...] = (
    ("textwrap", st.tuples(text, st.integers(1, 30)), lambda m, a: (m.wrap(a[0], a[1]), m.dedent(a[0]))),
    ("textwrap", text, lambda m, a: (m.shorten(a, 12, placeholder="-"), m.indent(a, ">"))),
    ("string", text, lambda m, a: (m.capwords(a), m.Template("$x ${x}").safe_substitute(x=a))),
    ("string", text, lambda m, a: list(m.Formatter().parse(a.replace("{", "").replace("}", "")))),
    ("heapq", numbers, lambda m, a: (m.nsmallest(3, a), m.nlargest(2, a), list(m.merge(a[:3], a[3:])))),
    ("bisect", numbers, lambda m, a: (m.bisect_left(sorted(a), 3), m.bisect_right(sorted(a), 3))),
    ("statistics", numbers, lambda m, a: a and (m.mean(a), m.median(a), m.multimode(a), m.pvariance(a))),
    ("fractions", fraction, lambda m, a: str(m.Fraction(*a) ** 2 / 3 + m.Fraction("1/7") % 2)),
    ("difflib", st.tuples(text, text), lambda m, a: list(m.ndiff(a[0].split(), a[1].split()))),
    ("difflib", st.tuples(text, text), lambda m, a: m.SequenceMatcher(None, *a).get_opcodes()),
    ("calendar", st.integers(1, 3000), lambda m, a: (m.isleap(a), m.monthrange(a, 2), m.month(a, 2))),
    ("colorsys", st.tuples(*[st.floats(0, 1)] * 3), lambda m, a: (m.rgb_to_hls(*a), m.rgb_to_hsv(*a))),
    (
        "ipaddress",
        st.integers(0, 2**32 - 1),
        lambda m, a: [str(x) for x in m.ip_network((a >> 8 << 8, 26)).hosts()],
    ),
    ("shlex", text, lambda m, a: m.split(a.replace("'", ""), comments=True)),
    (
        "json.encoder",
        st.lists(st.none() | st.integers() | text, max_size=5),
        lambda m, a: m.JSONEncoder(indent=1).encode(a),
    ),
    ("posixpath", text, lambda m, a: (m.normpath(a), m.split(a), m.splitext(a), m.commonpath([a, a]))),
    ("fnmatch", text, lambda m, a: m.translate(a)),
    ("keyword", text, lambda m, a: m.iskeyword(a)),
    ("copy", st.tuples(numbers, numbers), lambda m, a: m.deepcopy([a, a])),
    (
        "pprint",
        st.dictionaries(text, numbers, max_size=4),
        lambda m, a: m.pformat(a, width=20),
    ),
)


def outcome(module: ModuleType, argument: Any, run: Any) -> Any:
    """What comes of a call: the result, or the exception and its text."""
    try:
        return repr(run(module, argument))
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("change", [rebuilt, with_nops], ids=["anew", "nop"])
@pytest.mark.parametrize(
    ("name", "arguments", "run"), CALLS, ids=[f"{i}-{each[0]}" for i, each in enumerate(CALLS)]
)
@settings(max_examples=settings.default.max_examples // 2)
@given(data=st.data())
def test_the_library_runs_as_it_did(change, name, arguments, run, data):
    argument = data.draw(arguments)
    expected = outcome(importlib.import_module(name), argument, run)
    assert outcome(twin(name, change), argument, run) == expected
