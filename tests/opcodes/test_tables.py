"""The tables' facts are those of the interpreter that runs the tests, and of no other.

Each comparison is an equality of whole mappings: what a table misses and what it has too much both fail.
"""

from __future__ import annotations

import importlib
import importlib.util
import opcode

import pytest

import opcodes
from opcodes.errors import TableError, UnknownVersion
from opcodes.instructions import INSTRUCTIONS
from opcodes.rows import fixed

HOST = opcodes.table(opcodes.HOST)

#: How many opcodes each version has, by its own account.
COUNTS = {(3, 10): 127, (3, 11): 110, (3, 12): 111, (3, 13): 119, (3, 14): 122, (3, 15): 122}

every_version = pytest.mark.parametrize("version", opcodes.VERSIONS, ids=lambda v: ".".join(map(str, v)))


def real_opcodes() -> dict[str, int]:
    """The interpreter's opcodes but the compiler's own (256 and up) and the instrumented ones, which
    `co_code` never shows."""
    return {
        name: number
        for name, number in opcode.opmap.items()
        if number < 256 and not name.startswith("INSTRUMENTED_")
    }


def listed(name: str) -> list:
    """A list of the `opcode` module, empty where the interpreter has not heard of it."""
    return list(getattr(opcode, name, ()))


def intrinsics(name: str) -> tuple[str | None, ...]:
    """INTRINSIC_STOPITERATION_ERROR is "stopiteration_error" here, an id nobody uses is None."""
    return tuple(
        None if text.endswith("_INVALID") else text.removeprefix("INTRINSIC_").lower()
        for text in listed(name)
    )


def test_names_and_numbers():
    assert dict(HOST.opmap) == real_opcodes()


def test_cache_sizes():
    entries = getattr(opcode, "_inline_cache_entries", {})
    sizes = {
        name: entries[number] if isinstance(entries, list) else entries.get(name, 0)
        for name, number in real_opcodes().items()
    }
    assert dict(HOST.caches) == {name: size for name, size in sizes.items() if size}


def test_which_opcodes_take_an_argument():
    real = real_opcodes()
    if hasattr(opcode, "hasarg"):
        theirs = {name for name, number in real.items() if number in opcode.hasarg}
    else:
        theirs = {name for name, number in real.items() if number >= opcode.HAVE_ARGUMENT}
    assert {name for name, number in HOST.opmap.items() if number >= HOST.have_argument} == theirs


def test_jumps():
    jumping = {name for name, row in HOST.rows.items() if row.jump}
    absolute = {name for name, row in HOST.rows.items() if row.jump == "absolute"}
    names = {number: name for name, number in real_opcodes().items()}
    # From 3.14 END_ASYNC_FOR says where its SEND is, in the manner of a jump; it never goes there.
    pointing = {name for name, row in HOST.rows.items() if ("END_ASYNC_FOR",) in row.sequences}
    relative = {names[number] for number in opcode.hasjrel if number in names}
    assert jumping - pointing == (relative | {names[number] for number in opcode.hasjabs}) - pointing
    assert absolute == {names[number] for number in opcode.hasjabs}


def test_binary_operators():
    assert HOST.binary_operators == tuple(symbol for _, symbol in listed("_nb_ops"))


def test_compare_operators():
    assert HOST.compare_operators == tuple(opcode.cmp_op)


def test_intrinsics():
    assert HOST.intrinsics_1 == intrinsics("_intrinsic_1_descs")
    assert HOST.intrinsics_2 == intrinsics("_intrinsic_2_descs")


def test_common_constants():
    theirs = listed("_common_constants")
    assert list(HOST.common_constants) == theirs
    assert [type(each) for each in HOST.common_constants] == [type(each) for each in theirs]


def test_special_methods():
    assert HOST.special_methods == tuple(listed("_special_method_names"))


def test_magic_number():
    assert HOST.magic[-1] == int.from_bytes(importlib.util.MAGIC_NUMBER[:2], "little")


@every_version
def test_a_table_is_consistent_in_itself(version):
    table = opcodes.table(version)
    assert table.version == version
    assert len(table.opmap) == COUNTS[version]
    assert set(table.rows) == set(table.opmap)
    assert len(set(table.opmap.values())) == len(table.opmap)
    assert all(0 <= number < 256 for number in table.opmap.values())
    assert all(name in table.opmap and size > 0 for name, size in table.caches.items())
    for name, row in table.rows.items():
        for sequence in row.sequences:
            unknown = [each for each in sequence if each not in INSTRUCTIONS]
            assert not unknown, f"{name} lowers to {unknown}, which are no instructions"


def test_every_instruction_is_the_meaning_of_an_opcode():
    used = {
        name
        for version in opcodes.VERSIONS
        for row in opcodes.table(version).rows.values()
        for sequence in row.sequences
        for name in sequence
    }
    assert set(INSTRUCTIONS) == used


def test_no_magic_number_belongs_to_two_versions():
    owners: dict[int, set] = {}
    for version in opcodes.VERSIONS:
        for magic in opcodes.table(version).magic:
            owners.setdefault(magic, set()).add(version)
    assert {magic: versions for magic, versions in owners.items() if len(versions) > 1} == {}


def test_a_version_without_table_is_refused_by_name():
    with pytest.raises(UnknownVersion, match=r"no opcode table for CPython 3\.9"):
        opcodes.table((3, 9))


def test_an_unknown_host_names_the_opcodes_we_do_not_know(monkeypatch):
    """As on a CPython that nobody has written a table for: the newest table known has other opcodes."""
    module = importlib.import_module("opcodes.table")
    rest = tuple(version for version in opcodes.VERSIONS if version != opcodes.HOST)
    other = opcodes.table(rest[-1])
    monkeypatch.setattr(module, "VERSIONS", rest)
    monkeypatch.setattr(module, "_tables", {rest[-1]: other})
    with pytest.raises(UnknownVersion) as refusal:
        opcodes.table(opcodes.HOST)
    text = str(refusal.value)
    new = sorted(real_opcodes().keys() - other.opmap.keys())
    assert new and all(name in text for name in new)
    assert "\n" not in text


EVOLUTIONS = {
    "removed but was not there": dict(removed=("SETUP_EVERYTHING",)),
    "added but was there": dict(added={"POP_TOP": fixed(INSTRUCTIONS["POP_TOP"])}),
    "changed but was not there": dict(changed={"SETUP_EVERYTHING": fixed(INSTRUCTIONS["POP_TOP"])}),
    "caches of BINARY_OP are said to change and do not": dict(caches={"BINARY_OP": 5}),
    "compare_operators is said to change and does not": dict(
        compare_operators=("<", "<=", "==", "!=", ">", ">=")
    ),
}


@pytest.mark.parametrize("complaint", EVOLUTIONS)
def test_an_overlay_that_contradicts_the_version_before_it_is_refused(complaint):
    newest = opcodes.table(opcodes.VERSIONS[-1])
    with pytest.raises(TableError, match=complaint):
        newest.evolve(version=(3, 99), magic=(9999,), **EVOLUTIONS[complaint])


def test_an_overlay_changes_what_it_says_and_nothing_else():
    newest = opcodes.table(opcodes.VERSIONS[-1])
    number = min(set(range(256)) - set(newest.opmap.values()))
    numbers = {name: at for name, at in newest.opmap.items() if name != "NOP"} | {"PASS": number}
    next_one = newest.evolve(
        version=(3, 99),
        magic=(9999,),
        numbers=numbers,
        removed=("NOP",),
        added={"PASS": fixed(INSTRUCTIONS["NOP"])},
        caches={"BINARY_OP": 0, "PASS": 2},
    )
    assert next_one.opmap == numbers
    assert next_one.caches == {name: n for name, n in newest.caches.items() if name != "BINARY_OP"} | {
        "PASS": 2
    }
    assert "NOP" in newest.opmap and "PASS" not in newest.opmap
    for name in next_one.opmap.keys() & newest.opmap.keys():
        assert next_one.rows[name] is newest.rows[name]
