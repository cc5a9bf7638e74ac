"""Small programs, each printing what it computes, run whole in the Interpreter: module level, classes,
functions, all. What they print equals what CPython printed.
"""

from __future__ import annotations

import contextlib
import io
import pathlib
import re

import pytest

import opcodes
import translator

CORPUS = sorted((pathlib.Path(__file__).parent / "corpus").glob("*.py"))


def since(path):
    """The version a program is for: `since_3_12_name.py`, or the oldest."""
    found = re.match(r"since_(\d+)_(\d+)_", path.name)
    return tuple(map(int, found.groups())) if found else opcodes.VERSIONS[0]


HERE = [path for path in CORPUS if since(path) <= opcodes.HOST]


def load(code, namespace):
    exec(code, namespace)


def printed(run, path):
    """What a run of the whole program prints; the program's own errors are not caught."""
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run(load, code, {"__name__": "__main__", "__file__": str(path)})
    return out.getvalue()


def native(function, *args):
    return function(*args)


def test_the_corpus_is_wide_enough():
    assert len(CORPUS) >= 60
    assert {since(path) for path in CORPUS} == set(opcodes.VERSIONS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", HERE, ids=lambda path: path.stem)
def test_program_prints_the_same(path):
    expected = printed(native, path)
    assert expected
    assert printed(translator.run, path) == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", HERE, ids=lambda path: path.stem)
def test_program_is_deterministic(path):
    assert printed(native, path) == printed(native, path)
