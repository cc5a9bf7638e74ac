"""Damaged code objects decode to a Program or to one error that says what is wrong, and list."""

from __future__ import annotations

from hypothesis import given, settings

from fuzz.mutations import mutated_functions
from opcodes import BadBytecode
from opcodes.decode import decode

MANY = settings(max_examples=5 * settings.default.max_examples)


@MANY
@given(mutated_functions())
def test_decoding_gives_a_program_or_says_what_is_wrong(function):
    try:
        program = decode(function.code())
    except BadBytecode as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert str(program)
