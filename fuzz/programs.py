"""Hypothesis strategies for functions: `functions()`, for any test of anything that runs bytecode.

    from hypothesis import given
    from fuzz.programs import functions

    @given(functions())
    def test_my_machine(function):
        assert observe(my_machine, function) == observe(native, function)

A drawn program always ends, gives the same each time, leaves traces of what it does (a `log`, its
arguments, its globals), and shrinks to something a person reads.
"""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st

from fuzz.generated import (
    EVERYTHING,
    PLAIN,
    GeneratedFunction,
    from_script,
    parsed,
    vocabulary_of,
    write,
)

__all__ = ["EVERYTHING", "PLAIN", "GeneratedFunction", "array_functions", "from_script", "functions", "write"]

_HEAD = st.binary(min_size=4, max_size=24)
_STATEMENTS = st.lists(st.binary(min_size=24, max_size=66), min_size=1, max_size=9)
_HELPERS = st.lists(st.binary(min_size=20, max_size=52), max_size=3)
_CALLS = st.lists(st.binary(min_size=2, max_size=14), min_size=1, max_size=4)


def functions(features: Iterable[str] = PLAIN) -> st.SearchStrategy[GeneratedFunction]:
    """Functions of the plain language, and of the features named.

    Args:
        features: of fuzz.features.SAMPLES; those the running version does not parse are left out.
            `EVERYTHING` is all of them.
    """
    return _programs(parsed(features))


def array_functions(features: Iterable[str] = PLAIN) -> st.SearchStrategy[GeneratedFunction]:
    """Functions over NumPy arrays of several dtypes and shapes, mixed with Python values.

    Args:
        features: as for `functions`.
    """
    wanted = parsed(features)
    return st.one_of(_programs(wanted, arrays=True, quiet=True), _programs(wanted, arrays=True))


def _programs(
    features: frozenset[str], *, arrays: bool = False, quiet: bool = False
) -> st.SearchStrategy[GeneratedFunction]:
    vocabulary = vocabulary_of(features, arrays, quiet)
    return st.builds(write, st.just(vocabulary), head=_HEAD, helpers=_HELPERS, body=_STATEMENTS, calls=_CALLS)
