"""opshift trace and opshift run."""

import json
import re

import pytest

import opcodes

FUNCTIONS = """\
import math

SCALE = 2


def f(x, y):
    z = x * y
    return z + 1


def outer(x):
    return f(x, SCALE)


def raises(x):
    y = x + 1
    raise ValueError("no", y)


def talks(x):
    print("spoken")
    return x + 1


def reads(iterator, x):
    return x + next(iterator)


class Box:
    def __init__(self, content=1):
        self.content = content

    def add(self, x):
        return self.content + x

    @staticmethod
    def double(x):
        return x * 2


class Bad:
    def __repr__(self):
        raise ValueError("no text")


def bad(x):
    return Bad()


def ends(x):
    raise SystemExit(3)


async def coroutine(x):
    return x


def generator(x):
    yield x


def holds_itself(x):
    found = [x]
    found.append(found)
    return found, {"found": found}


def counts(x, seen=[]):
    seen.append(x)
    return len(seen)


root = math.sqrt
print("loaded")
"""


def dotted(version):
    return ".".join(map(str, version))


@pytest.fixture
def functions(tmp_path):
    path = tmp_path / "functions_to_trace.py"
    path.write_text(FUNCTIONS)
    return path


@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=dotted)
def test_the_bytecode_of_every_version_gives_the_same_graph(version, run, functions):
    outcome = run(
        "trace", f"{functions}:f", "--args", "np.ones(3), np.ones(3)", "--python", dotted(version), "--json"
    )
    assert outcome.status == 0, outcome.err
    data = json.loads(outcome.out)
    assert data["python"] == dotted(version)
    assert [node["op"] for node in data["graph"]] == ["placeholder"] * 2 + ["call_function"] * 2 + ["output"]
    names = [node["name"] for node in data["graph"]]
    product, total = data["graph"][2:4]
    assert (product["target"], product["args"]) == ("operator.mul", names[:2])
    assert (total["target"], total["args"]) == ("operator.add", [product["name"], "1"])
    assert [name for row in data["rows"] for name in row["graph_nodes"]] == [product["name"], total["name"]]
    assert data["result_equal"] is True
    assert data["guards"] and all(isinstance(guard, str) for guard in data["guards"])
    for row in data["rows"]:
        assert row.keys() >= {"offset", "opname", "argrepr", "stack", "graph_nodes"}
        assert all(isinstance(value, str) for value in row["stack"])
    multiplies = next(row for row in data["rows"] if row["graph_nodes"])
    assert multiplies["opname"] == ("BINARY_MULTIPLY" if version == (3, 10) else "BINARY_OP")


def test_what_the_program_prints_is_not_in_the_json(run, functions):
    outcome = run("trace", f"{functions}:talks", "--args", "np.ones(3)", "--json")
    json.loads(outcome.out)
    assert "loaded" in outcome.err and "spoken" in outcome.err


def test_a_trace_for_people(run, functions):
    out = run("trace", f"{functions}:f", "--args", "np.ones(3), 2").out
    for part in (
        r"^f, bytecode of CPython 3\.\d\d$",
        r"^line  offset  instruction +argument +stack after it",
        r"BINARY_\S+ .*\+ mul$",
        r"z = ",
        r"^graph$",
        r"^call_function +add +operator\.add",
        r"^guards$",
        r"^bytecode before$",
        r"^bytecode after$",
        r"^result, the same as without opshift: array\(\[3\., 3\., 3\.\]\)$",
    ):
        assert re.search(part, out, re.M), part


def test_a_trace_on_a_terminal(run, functions, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    out = run("trace", f"{functions}:f", "--args", "np.ones(3), 2").out
    assert "\x1b[" in out and "stack after it" in re.sub(r"\x1b\[[0-9;]*m", "", out)


def test_a_call_that_is_inlined(run, functions):
    out = run("trace", f"{functions}:outer", "--args", "np.ones(3)").out
    assert re.search(r"^in outer$.*^in f$.*^in outer$", out, re.M | re.S)


def test_a_function_that_raises(run, functions):
    outcome = run("trace", f"{functions}:raises", "--args", "np.ones(2)", "--json")
    assert outcome.status == 0 and json.loads(outcome.out)["result_equal"] is True


def test_a_function_that_ends_the_program(run, functions):
    outcome = run("trace", f"{functions}:ends", "--args", "1")
    assert outcome.status == 0 and "the same as without opshift: SystemExit(3)" in outcome.out


@pytest.mark.parametrize("command", ["trace", "run"])
def test_a_result_that_has_no_text(command, run, functions):
    outcome = run(command, f"{functions}:bad", "--args", "1")
    assert outcome.status == 0 and outcome.err == ""
    assert "Bad whose repr() raises ValueError>" in outcome.out


@pytest.mark.parametrize("name", ["coroutine", "generator"])
def test_generators_and_coroutines_have_no_trace(name, run, functions):
    outcome = run("trace", f"{functions}:{name}", "--args", "1")
    assert outcome.status == 2 and outcome.err.count("\n") == 1
    assert f"the generator or coroutine {name}() at {functions}:" in outcome.err


def test_a_result_that_holds_itself(run, functions):
    outcome = run("trace", f"{functions}:holds_itself", "--args", "1", "--json")
    assert outcome.status == 0 and json.loads(outcome.out)["result_equal"] is True


def test_a_function_that_does_not_give_the_same_twice(run, functions):
    place = f"{functions}:counts"
    assert json.loads(run("trace", place, "--args", "1", "--json").out)["result_equal"] is None
    assert "two runs without opshift differ" in run("trace", place, "--args", "1").out


@pytest.mark.parametrize("name", ["Box.add", "Box.double"])
def test_methods(name, run, functions):
    args = "Box(), np.ones(2)" if name == "Box.add" else "np.ones(2)"
    data = json.loads(run("trace", f"{functions}:{name}", "--args", args, "--json").out)
    assert data["result_equal"] is True


def test_a_module_of_a_package_is_run_as_such(run, tmp_path):
    package = tmp_path / "package_to_trace"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "constants.py").write_text("ONE = 1\n")
    (package / "code.py").write_text("from .constants import ONE\ndef f(x):\n    return x + ONE\n")
    assert run("run", f"{package / 'code.py'}:f", "--args", "2").out == "3\n"


# -- opshift run


def test_a_function_run_in_the_interpreter(run, functions):
    assert run("run", f"{functions}:f", "--args", "2, y=3").out == "loaded\n7\n"
    assert run("run", f"{functions}:Box.add", "--args", "Box(2), 3").out == "loaded\n5\n"


def test_an_exception_of_the_function_is_shown_as_python_shows_it(run, functions):
    outcome = run("run", f"{functions}:raises", "--args", "1")
    assert outcome.status == 1
    assert outcome.err.startswith("Traceback (most recent call last):\n") and outcome.err.endswith(
        "ValueError: ('no', 2)\n"
    )
    assert f'File "{functions}", line 17, in raises' in outcome.err
    assert "translator" not in outcome.err


# -- bad input


@pytest.mark.parametrize("command", ["trace", "run"])
@pytest.mark.parametrize(
    ("place", "args", "complaint"),
    [
        ("nothing.py:f", "", "cannot read 'nothing.py': No such file or directory"),
        ("{folder}:f", "", "Is a directory"),
        ("{file}:g", "", "has no 'g'; it has f, outer, raises"),
        ("{file}:Box.remove", "", "'Box' in '{file}' has no 'remove'; it has add"),
        (
            "{file}:root",
            "1",
            "root in '{file}' is a builtin_function_or_method, not a function written in Python",
        ),
        ("{file}:Box", "1", "is a type, not a function"),
        ("{file}:f", "1", "f(x, y) does not take these --args: missing a required argument: 'y'"),
        ("{file}:f", "1, 2, z=3", "does not take these --args: got an unexpected keyword argument 'z'"),
        ("{file}:f", "1, (", "does not evaluate: SyntaxError"),
        ("{file}:f", "1), __collect(2", "write what stands between the parentheses of a call"),
        ("{file}:f", "nothing, 1", "does not evaluate: NameError: name 'nothing' is not defined"),
        ("{file}:f", "1 / 0, 1", "does not evaluate: ZeroDivisionError"),
        ("{file}:f", "exit(3), 1", "does not evaluate: "),
    ],
)
def test_bad_input(command, place, args, complaint, run, functions):
    names = {"file": functions, "folder": functions.parent}
    outcome = run(command, place.format(**names), "--args", args)
    assert outcome.status == 2 and outcome.out in ("", "loaded\n")
    assert complaint.format(**names) in outcome.err
    assert outcome.err.startswith("opshift: ") and outcome.err.count("\n") == 1


def test_a_trace_is_of_a_function(run, functions):
    outcome = run("trace", functions)
    assert outcome.status == 2 and "which function? Write" in outcome.err and outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "import nothing_of_that_name\n",
            "raised ModuleNotFoundError: No module named 'nothing_of_that_name'",
        ),
        ("1 / 0\n", "raised ZeroDivisionError: "),
        ("x = 1\ndef (\n", "does_not_run.py', line 2)"),
        ("raise SystemExit(3)\n", "raised SystemExit: 3"),
    ],
)
def test_a_module_that_does_not_run(text, complaint, refused, tmp_path):
    path = tmp_path / "does_not_run.py"
    path.write_text(text)
    assert complaint in refused("trace", f"{path}:f")


@pytest.mark.parametrize("version", ["3.9", "4.0"])
def test_a_version_without_table(version, refused, functions):
    assert f"no opcode table for CPython {version}" in refused(
        "trace", f"{functions}:f", "--args", "1, 2", "--python", version
    )


def test_np_without_numpy(run, functions, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "numpy", None)
    outcome = run("run", f"{functions}:f", "--args", "np.ones(3), 1")
    assert (
        outcome.status == 2
        and "np is NumPy, which is not installed: pip install 'opshift[numpy]'" in outcome.err
    )


def test_arguments_that_cannot_be_copied(run, functions):
    """Both runs of a trace need their own arguments."""
    outcome = run("trace", f"{functions}:reads", "--args", "(i for i in [1]), np.ones(2)")
    assert outcome.status == 2 and "cannot be copied (" in outcome.err and outcome.err.count("\n") == 1


def test_explain_tells_what_was_captured_and_what_was_not(run, functions):
    outcome = run("explain", f"{functions}:talks", "--args", "np.ones(3)")
    assert outcome.status == 0 and "graph break 1, in talks" in outcome.out
    assert 'print("spoken")' in outcome.out
    outcome = run("explain", f"{functions}:f", "--args", "np.ones(3), 2", "--calls", "2", "--json")
    data = json.loads(outcome.out)
    assert data["function"] == "f" and data["operations"] == 2 and not data["breaks"]
    assert "type(L['x']) is ndarray" in data["guards"]
    outcome = run("explain", f"{functions}:f", "--args", "1, 2", "--backend", "nobody")
    assert outcome.status != 0 and "no backend is called 'nobody'" in outcome.err


def test_explain_in_colours(run, functions, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    outcome = run("explain", f"{functions}:f", "--args", "np.ones(3), 2")
    assert outcome.status == 0 and "\033[" in outcome.out and "mul" in outcome.out
