"""A compiled function gives what the function gives, call after call with changed inputs."""

from __future__ import annotations

from hypothesis import given, settings

from fuzz.programs import EVERYTHING, array_functions, functions
from translator import convert_frame

PROOF = settings(settings.get_profile("proof"))


@PROOF
@given(function=functions())
def test_compiled_function_agrees_on_python_values(agrees, function):
    agrees("compile", function)


@PROOF
@given(function=array_functions())
def test_compiled_function_agrees_on_arrays(agrees, function):
    agrees("compile", function)


@settings(max_examples=max(settings.default.max_examples // 5, 1))
@given(function=functions(EVERYTHING))
def test_programs_without_arrays_captured_for_the_sake_of_it(agrees, function):
    """Exceptions, generators, `with`, patterns, classes: without arrays they would be left alone."""
    convert_frame.capture_everything = True
    try:
        agrees("compile", function)
    finally:
        convert_frame.capture_everything = False


@given(function=array_functions(EVERYTHING))
def test_compiled_function_agrees_on_the_whole_language(agrees, function):
    agrees("compile", function)
