"""Faults planted on purpose are found: a small fixed part of them (`tox -e faults` measures all)."""

from __future__ import annotations

import pytest

from tests.fuzz.faults import planting
from tests.fuzz.faults.measure import Child, main

planting.load()

#: found within the first programs
QUICK = [
    "minus_is_plus",
    "loop_ends_one_instruction_late",
    "cause_is_lost",
    "list_is_extended_backwards",
    "handler_keeps_a_value_too_many",
    "unequal_is_equal",
    "comparison_is_one_off",
    "effects_are_not_replayed",
]


@pytest.mark.parametrize("name", QUICK)
def test_a_planted_fault_is_found(name):
    fault = planting.FAULTS[name]
    child = Child(name, fault.target, seconds=600, programs=120)
    while not child.read():
        pass
    found = child.result()
    assert found and not found.startswith("!"), found


def test_there_are_at_least_sixty_of_all_kinds():
    assert len(planting.FAULTS) >= 60
    kinds = {fault.kind for fault in planting.FAULTS.values()}
    assert len(kinds) >= 12
    for fault in planting.FAULTS.values():
        assert fault.target in ("interpret", "compile", "roundtrip")


def test_a_fault_that_is_none_is_refused_by_name(capsys):
    assert main(["no_such_fault"]) == 2
    assert "no fault 'no_such_fault'" in capsys.readouterr().err
