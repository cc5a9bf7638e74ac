"""Classes, objects, closures and globals in captured code: wholly captured, and as CPython has it."""

from __future__ import annotations

import numpy  # noqa: F401  (numbers that change need it)
import pytest

import translator
from fuzz.generated import GeneratedFunction
from fuzz.oracle import observe_calls
from tests.translator.programs_with_objects import PROGRAMS
from translator import convert_frame


@pytest.fixture(autouse=True)
def everything():
    convert_frame.capture_everything = True
    yield
    convert_frame.capture_everything = False


#: what a break is put before: the last statement of `f`
BEFORE, BREAK = "\n    return", "\n    gc.isenabled()"


def agree(source, calls, rounds=2, **options):
    """The calls, one after the other and so often, of the function and of its compiled form."""
    function = GeneratedFunction(source, tuple(calls))
    calls = [*calls] * rounds
    kept = []

    def prepare(f):
        kept.append(translator.compile(f, **options))
        return kept[0]

    expected = observe_calls(lambda f: f, function, calls)
    found = observe_calls(prepare, function, calls)
    for call, one, other in zip(calls, expected, found):
        parted = one.difference(other)
        assert parted is None, f"{call}: {parted}\n{source}"
    return kept[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_wholly_captured_and_right(name):
    compiled = agree(*PROGRAMS[name], fullgraph=True)
    assert compiled.__opshift__.entries


@pytest.mark.parametrize("name", PROGRAMS)
def test_right_with_breaks(name):
    source, calls = PROGRAMS[name]
    head, define, body = source.rpartition("\ndef f(")
    agree(f"{head}\nimport gc{define}{body.replace(BEFORE, BREAK + BEFORE)}", calls)
