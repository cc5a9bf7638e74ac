"""A program may rebind builtins: capturing it does not call what it put there, unless the program does."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path

import numpy as np
import pytest

import opcodes
import translator

OURS = (str(Path(opcodes.__file__).parent), str(Path(translator.__file__).parent))
NAMES = sorted(name for name in vars(builtins) if name.islower() and callable(getattr(builtins, name)))
NAMES = [name for name in NAMES if not isinstance(getattr(builtins, name), type) and not name.startswith("_")]


def scale(values, by=2):
    return [value * by for value in values]


def function(x, names):
    made = {name: index for index, name in enumerate(names)}
    total = np.zeros(3)
    for value in scale([x, x + 1]):
        total += value
    return total, made, sorted(names), len(total), max(names), x.shape, [v for v in zip(total, names)]


@pytest.mark.parametrize("name", NAMES)
def test_capturing_calls_no_builtin_that_the_program_put_there(name, monkeypatch):
    x, names = np.arange(3.0), ["a", "c", "b"]
    expected = function(x, names)
    compiled = translator.compile(function)
    real, called = getattr(builtins, name), []

    def put_there(*args, **kwargs):
        called.append(sys._getframe(1).f_code.co_filename)
        return real(*args, **kwargs)

    monkeypatch.setattr(builtins, name, put_there)
    found = [compiled(x, names), compiled(np.arange(3.0) * 2, names), compiled(x, names)]
    monkeypatch.undo()
    for result in found[::2]:
        assert str(result) == str(expected)
    assert not {filename for filename in called if filename.startswith(OURS)}
