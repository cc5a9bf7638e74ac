"""What the tests of captured language share: a function that must be one graph, and do what CPython does."""

from __future__ import annotations

import copy

import translator
from translator import convert_frame
from translator.same import outcome, same


def wholly_captured(function, *args):
    """Original and compiled on equal arguments, twice: the same results, no break anywhere."""
    convert_frame.capture_everything = True
    try:
        compiled = translator.compile(function, fullgraph=True)
        for _ in range(2):
            given, others = copy.deepcopy(args), copy.deepcopy(args)
            expected, found = outcome(function, given, {}), outcome(compiled, others, {})
            assert expected[0] == "returned", expected
            assert same((expected, given), (found, others)), f"CPython: {expected}\ncompiled: {found}"
        assert len(compiled.__opshift__.entries) == 1, compiled.__opshift__.reasons
    finally:
        convert_frame.capture_everything = False


def surrenders(function, reason, *args):
    """It is left to the original code, for that reason, and does what CPython does."""
    convert_frame.capture_everything = True
    try:
        compiled = translator.compile(function)
        given, others = copy.deepcopy(args), copy.deepcopy(args)
        expected, found = outcome(function, given, {}), outcome(compiled, others, {})
        assert same((expected, given), (found, others)), f"CPython: {expected}\ncompiled: {found}"
        assert any(reason in str(each) for each in compiled.__opshift__.reasons), compiled.__opshift__.reasons
    finally:
        convert_frame.capture_everything = False
