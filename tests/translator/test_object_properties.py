"""Random classes, objects and changes between calls: compiled code does what CPython does."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings

import translator
from fuzz.object_programs import object_functions
from fuzz.oracle import observe_calls
from translator import convert_frame

PROOF = settings(max_examples=settings.default.max_examples // 2)


@pytest.fixture(autouse=True, scope="module")
def everything():
    convert_frame.capture_everything = True
    yield
    convert_frame.capture_everything = False


@PROOF
@given(function=object_functions())
def test_objects(function):
    try:
        function.namespace()
    except Exception:
        assume(False)
    expected = observe_calls(lambda f: f, function)
    found = observe_calls(translator.compile, function)
    for call, one, other in zip(function.calls, expected, found):
        parted = one.difference(other)
        assert parted is None, f"{call}: {parted}\n{function.script()}"
