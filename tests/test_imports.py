"""What is loaded only when it is used, and that the benchmarks run."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ("numpy", "torch", "xdis", "click", "rich")


def run(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "statement",
    [
        "import opcodes",
        "import translator",
        "import opcodes; opcodes.encode(opcodes.decode((lambda x: x + 1).__code__))",
        "import translator; assert translator.compile(lambda x: x + 1)(1) == 2",
        "import translator; assert translator.run(lambda x: x + 1, 1) == 2",
    ],
)
def test_nothing_is_loaded_before_it_is_used(statement):
    loaded = run(
        "-c", f"{statement}\nimport sys\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    )
    assert loaded.split() == []


def test_the_decode_benchmark_runs():
    found = json.loads(run("benchmarks/decode.py", "--json", "--rounds", "1", "--every", "400"))
    assert found["instructions"] > 0
    assert all(row["seconds"] > 0 for row in found["contenders"])


def test_the_encode_benchmark_runs():
    found = json.loads(run("benchmarks/encode.py", "--json", "--rounds", "1"))
    assert found["new_instructions"] > 40
    assert len(found["microseconds"]) == 3


def test_the_import_benchmark_runs():
    found = json.loads(run("benchmarks/imports.py", "--json", "--rounds", "1"))
    assert found["loaded_too_early"] == []


@pytest.mark.parametrize("submodule", ["decode", "encode", "table", "foreign", "program"])
def test_the_names_of_opcodes_are_not_hidden_by_its_modules(submodule):
    """`opcodes.encode` is the function, whoever has imported the module of that name before."""
    names = "decode", "encode", "table", "load", "ForeignCode", "Program"
    test = f"print(*[callable(getattr(opcodes, name)) for name in {names!r}])"
    assert run("-c", f"import opcodes.{submodule}, opcodes; {test}").split() == ["True"] * len(names)
