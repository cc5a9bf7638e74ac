"""A compiled function gives what the function gives, call after call with changed inputs."""

from __future__ import annotations

from hypothesis import given, settings

from fuzz.programs import EVERYTHING, array_functions, functions

PROOF = settings(settings.get_profile("proof"))


@PROOF
@given(function=functions())
def test_compiled_function_agrees_on_python_values(agrees, function):
    agrees("compile", function)


@PROOF
@given(function=array_functions())
def test_compiled_function_agrees_on_arrays(agrees, function):
    agrees("compile", function)


@given(function=array_functions(EVERYTHING))
def test_compiled_function_agrees_on_the_whole_language(agrees, function):
    agrees("compile", function)
