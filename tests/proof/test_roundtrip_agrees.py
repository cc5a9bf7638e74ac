"""Code decoded and encoded again does what it did, also with a NOP before every instruction."""

from __future__ import annotations

from hypothesis import given, settings

from fuzz.programs import EVERYTHING, functions
from fuzz.targets import recoded

PROOF = settings(settings.get_profile("proof"))


@PROOF
@given(function=functions(EVERYTHING))
def test_recoded_code_is_the_same(function):
    code = function.code()
    again = recoded(code)
    assert again == code
    assert again.co_code == code.co_code
    assert list(again.co_lines()) == list(code.co_lines())
    assert again.co_stacksize == code.co_stacksize


@PROOF
@given(function=functions(EVERYTHING))
def test_recoded_code_agrees_with_cpython(agrees, function):
    agrees("roundtrip", function)


@given(function=functions(EVERYTHING))
def test_code_with_nops_spliced_in_agrees_with_cpython(agrees, function):
    agrees("spliced", function)
