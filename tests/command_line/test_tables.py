"""opshift tables."""

import json
import re

import pytest

import opcodes


def dotted(version):
    return ".".join(map(str, version))


def test_the_versions(run):
    outcome = run("tables")
    assert outcome.status == 0
    for version in opcodes.VERSIONS:
        assert re.search(
            rf"^{dotted(version)} +{opcodes.table(version).magic[-1]} +{len(opcodes.table(version).opmap)}",
            outcome.out,
            re.M,
        )
    data = json.loads(run("tables", "--json").out)
    assert [row["python"] for row in data] == [dotted(version) for version in opcodes.VERSIONS]


@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=dotted)
def test_a_version(version, run):
    table = opcodes.table(version)
    out = run("tables", dotted(version)).out
    for name, number in table.opmap.items():
        assert re.search(rf"^ *{number} +{name} ", out, re.M), name
    data = json.loads(run("tables", dotted(version), "--json").out)
    assert {name: each["number"] for name, each in data["opcodes"].items()} == dict(table.opmap)
    assert {name: each["caches"] for name, each in data["opcodes"].items() if each["caches"]} == dict(
        table.caches
    )
    assert len(data["binary_operators"]) == len(table.binary_operators)


@pytest.mark.parametrize(
    ("old", "new"),
    [pair for pair in zip(opcodes.VERSIONS, opcodes.VERSIONS[1:])] + [((3, 10), (3, 15)), ((3, 15), (3, 10))],
    ids=str,
)
def test_what_changed(old, new, run):
    before, after = opcodes.table(old), opcodes.table(new)
    data = json.loads(run("tables", "--diff", dotted(old), dotted(new), "--json").out)
    assert set(data["removed"]) == before.opmap.keys() - after.opmap.keys()
    assert set(data["added"]) == after.opmap.keys() - before.opmap.keys()
    assert {name: pair[1] for name, pair in data["numbers"].items()} == {
        name: number for name, number in after.opmap.items() if before.opmap.get(name, number) != number
    }
    out = run("tables", "--diff", dotted(old), dotted(new)).out
    for name in (*data["removed"], *data["added"], *data["changed"]):
        assert re.search(rf"^{name}  ", out, re.M)


def test_nothing_changed(run):
    data = json.loads(run("tables", "--diff", "3.12", "3.12", "--json").out)
    assert not any(data[key] for key in data if key not in ("from", "to"))


def test_the_skeleton_for_a_python_without_table(run):
    """As if this interpreter's table had been taken away."""
    outcome = run("tables", "--skeleton", "--without", dotted(opcodes.HOST))
    assert outcome.status == 0 and outcome.err == ""
    compile(outcome.out, "cpython.py", "exec")
    assert f"version={opcodes.HOST}," in outcome.out and '": ...,' in outcome.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("3.9",), "no opcode table for CPython 3.9"),
        (("--diff", "3.12"), "'--diff' requires 2 arguments"),
        (("--diff", "3.12", "3.99"), "no opcode table for CPython 3.99"),
        (("--skeleton",), "has its table, opcodes/cpython3"),
        (("--skeleton", "3.12"), "exclude each other"),
        (("--skeleton", "--json"), "has no --json"),
        (("thirteen",), "'thirteen' is no version: write it like 3.13"),
    ],
)
def test_bad_input(arguments, complaint, refused):
    assert complaint in refused("tables", *arguments)


def test_on_a_terminal_it_is_in_colours(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    for arguments in ((), ("3.13",), ("--diff", "3.12", "3.13")):
        assert "\x1b[" in run("tables", *arguments).out


# -- the command itself


def test_help_teaches_with_examples(run):
    for arguments in ((), ("--help",), ("dis", "--help"), ("tables", "-h")):
        outcome = run(*arguments)
        assert outcome.status == 0 and re.search(r"^  opshift (dis|tables) ", outcome.out, re.M)


def test_the_version_names_the_pythons(run):
    assert run("--version").out.rstrip().endswith("bytecode of CPython 3.10, 3.11, 3.12, 3.13, 3.14, 3.15")


def test_an_unknown_command(refused):
    assert "No such command 'frobnicate'" in refused("frobnicate")
