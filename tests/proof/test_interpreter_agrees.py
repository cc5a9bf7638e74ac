"""The Interpreter gives what CPython gives: values, exceptions, tracebacks, output, order of effects."""

from __future__ import annotations

from hypothesis import given, settings

from fuzz.programs import EVERYTHING, array_functions, functions

PROOF = settings(settings.get_profile("proof"))


@PROOF
@given(function=functions())
def test_interpreter_agrees_with_cpython(agrees, function):
    agrees("interpret", function)


@PROOF
@given(function=functions(EVERYTHING))
def test_interpreter_agrees_on_the_whole_language(agrees, function):
    agrees("interpret", function)


@given(function=array_functions())
def test_interpreter_agrees_on_arrays(agrees, function):
    agrees("interpret", function)
