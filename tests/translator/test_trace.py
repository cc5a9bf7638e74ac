"""trace(): one row an instruction, the same graph from the bytecode of every version."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import opcodes
import translator

SOURCE = """
def walk(x, y):
    z = x * y
    return z + 1


def busy(x, n=3):
    out = []
    for i in range(n):
        if i == 1:
            continue
        out.append(x * i + sum([v + 1 for v in [x, x]]))
    d = {k: v for k, v in zip("ab", out)}
    h = lambda a, *r, b=2: a + b + len(r)
    s = f"{n!r:>4}|{len(out)}"
    a, *rest = out
    a = a + sum(v * k for v in rest for k in range(2)) * any(v > 1 for v in range(3))
    while n > 1:
        n -= 1
        a = a[1:] if n > 5 else a[None]
    return out, d, h(x, 1, 2, b=3), s, a, rest, x[1:] @ x[1:]
"""
NAMES = {}
exec(compile(SOURCE, "source.py", "exec"), NAMES)
ARGUMENTS = {"walk": (np.ones(3), np.arange(3.0)), "busy": (np.arange(3.0),)}


@pytest.fixture(scope="module", params=opcodes.VERSIONS, ids=lambda version: ".".join(map(str, version)))
def foreign(request, tmp_path_factory):
    """The functions of SOURCE as Programs of each version."""
    name = ".".join(map(str, request.param))
    interpreter = shutil.which(f"python{name}")
    assert interpreter, f"python{name} is not on PATH: this test needs CPython 3.10 to 3.15 there"
    folder = tmp_path_factory.mktemp(name)
    (folder / "source.py").write_text(SOURCE)
    make = "import py_compile; py_compile.compile('source.py', cfile='source.pyc', doraise=True)"
    subprocess.run([interpreter, "-I", "-c", make], cwd=folder, check=True, timeout=60)
    code = opcodes.load(folder / "source.pyc").code
    return {each.co_name: opcodes.decode(each) for each in code.co_consts if hasattr(each, "co_code")}


@pytest.mark.parametrize("name", ["walk", "busy"])
def test_the_bytecode_of_every_version_gives_the_same_graph(foreign, name):
    own = translator.trace(NAMES[name], *ARGUMENTS[name])
    traced = translator.trace(NAMES[name], *ARGUMENTS[name], program=foreign[name])
    assert traced.reason is None and traced.result_equal
    assert str(traced.graph) == str(own.graph)
    assert set(traced.guards) == set(own.guards)


def test_the_walk_row_by_row():
    traced = translator.trace(NAMES["walk"], *ARGUMENTS["walk"])
    assert traced.python == ".".join(map(str, opcodes.HOST))
    data = json.loads(json.dumps(traced.to_json()))
    assert {"python", "rows", "graph", "guards", "result_equal"} <= data.keys()
    added = [name for row in data["rows"] for name in row["graph_nodes"]]
    assert added == ["mul", "add"]
    assert data["rows"][-1]["opname"] == "RETURN_VALUE" and data["result_equal"] is True
    lines = [row["line"] for row in data["rows"] if row["line"]]
    assert lines[-1] == 4 and 3 in lines
    mul = next(row for row in data["rows"] if row["graph_nodes"] == ["mul"])
    assert mul["stack"] == ["%mul"] and mul["argrepr"] in ("*", "")
    assert any("z" in row["locals"] for row in data["rows"])
    assert "bytecode after" in str(traced) and "mul = x * y" in str(traced)


def test_a_capture_that_ends_early_says_why():
    def f(x):
        y = x + 1
        return y if y.sum() else x

    traced = translator.trace(f, np.ones(3))
    assert traced.reason is not None and "depends on data" in str(traced.reason)
    assert traced.result_equal and traced.code_after is None
    assert traced.rows and json.dumps(traced.to_json())


def test_a_call_that_does_not_fit_is_cpythons_error():
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        translator.trace(NAMES["walk"], 1)


@pytest.mark.parametrize("names, expected", [
    ("graph", "[graph] walk"),
    ("guards", "type(L['x']) is ndarray"),
    ("bytecode", "[bytecode] walk"),
    ("trace_bytecode", "%mul"),
    ("nothing", "OPSHIFT_LOGS has no nothing"),
])  # fmt: skip
def test_logs_from_any_program(names, expected, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        SOURCE + "\nimport numpy as np, translator\nprint(translator.compile(walk)(np.ones(3), np.ones(3)))\n"
    )
    found = subprocess.run(
        [sys.executable, str(program)],
        env={**os.environ, "OPSHIFT_LOGS": names, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert found.stdout == "[2. 2. 2.]\n"
    assert expected in found.stderr
