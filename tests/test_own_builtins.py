"""Modules that ask for builtins of their own get them: no import of the wrong name passes for one."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from opcodes.own_builtins import OWN

ROOT = Path(__file__).parent.parent
#: needs a library that these tests do without; tests/libraries asks it the same
OPTIONAL = {"translator.backend.fusing"}
ASKING = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in ("opcodes", "translator", "fuzz")
    for path in (ROOT / package).rglob("*.py")
    if path.name != "own_builtins.py" and "opcodes.own_builtins" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", sorted(set(ASKING) - OPTIONAL))
def test_a_module_that_asks_for_its_own_builtins_has_them(name):
    assert importlib.import_module(name).__builtins__ is OWN
