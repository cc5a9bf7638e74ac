"""opshift dis."""

import json
import os
import py_compile
import re
import sys

import pytest

import opcodes
from translator.command_line import interpreters


def dotted(version):
    return ".".join(map(str, version))


def test_a_function_of_a_source(run, module):
    outcome = run("dis", f"{module}:f")
    assert outcome.status == 0 and outcome.err == ""
    assert outcome.out.startswith(f"f of CPython {dotted(opcodes.HOST)}, file ")
    assert re.search(r"BINARY_\S+ +\S.* +BINARY_OP \*\n", outcome.out)
    assert "Shape" not in outcome.out


@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=dotted)
def test_a_function_as_another_python_compiles_it(version, run, module):
    outcome = run("dis", f"{module}:f", "--python", dotted(version))
    assert outcome.status == 0, outcome.err
    assert outcome.out.startswith(f"f of CPython {dotted(version)}, file ")
    assert ("BINARY_MULTIPLY" if version == (3, 10) else "BINARY_OP                5 (*)") in outcome.out
    canonical = re.findall(r"BINARY_OP [*+]$", outcome.out, re.MULTILINE)
    assert canonical == ["BINARY_OP *", "BINARY_OP +"]


@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=dotted)
def test_json_is_the_programs(version, run, module):
    data = json.loads(run("dis", f"{module}:Shape.area", "--python", dotted(version), "--json").out)
    assert (data["python"], data["function"], data["file"]) == (dotted(version), "Shape.area", str(module))
    (program,) = data["programs"]
    assert program["name"] == "area" and program["python"] == dotted(version)
    assert program["instructions"][-1]["opname"]


def test_a_module_is_all_its_code_objects(run, module):
    data = json.loads(run("dis", module, "--json").out)
    names = [program["name"] for program in data["programs"]]
    assert names[0] == "<module>"
    assert [name for name in names if not name.startswith("<")] == [
        "f",
        "Shape",
        "area",
        "name",
        "name",
        "outer",
        "inner",
    ]
    plain = run("dis", module).out
    assert len(re.findall(r"of CPython 3\.\d\d, file", plain)) == len(names)


def test_a_name_defined_twice_is_both(run, module):
    data = json.loads(run("dis", f"{module}:Shape.name", "--json").out)
    assert [program["first_line"] for program in data["programs"]] == [10, 14]


@pytest.mark.parametrize("name", ["outer.inner", "outer.<locals>.inner", "outer.inner.<lambda>"])
def test_dotted_names(name, run, module):
    outcome = run("dis", f"{module}:{name}")
    assert outcome.status == 0 and outcome.out


def test_functions_with_type_parameters(run, tmp_path):
    path = tmp_path / "generic.py"
    path.write_text("class Box[T]:\n    def get[S](self, other: S) -> T:\n        return self.item\n")
    outcome = run("dis", f"{path}:Box.get", "--python", "3.12")
    assert outcome.status == 0 and "LOAD_ATTR item" in outcome.out


def test_a_pyc(run, module, tmp_path):
    compiled = tmp_path / "shapes.pyc"
    py_compile.compile(str(module), str(compiled), doraise=True)
    assert run("dis", f"{compiled}:f").out == run("dis", f"{module}:f").out
    assert run("dis", f"{compiled}:f", "--python", dotted(opcodes.HOST)).status == 0


def test_on_a_terminal_it_is_a_table_in_colours(run, module, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    out = run("dis", f"{module}:f").out
    assert "\x1b[" in out and "──" in out
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out)
    for word in ("f of CPython", "RETURN_VALUE", "lowers to", r"LOAD_FAST(_CHECK)? x"):
        assert re.search(word, plain)
    assert plain.splitlines()[0].endswith("shapes.py', line 1")


def test_exception_regions_on_a_terminal(run, tmp_path, monkeypatch):
    path = tmp_path / "t.py"
    path.write_text("def f(x):\n    try:\n        x()\n    except E:\n        pass\n")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "exception regions, innermost first:" in run("dis", f"{path}:f").out


# -- bad input


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "Missing argument 'FILE[:FUNCTION]'. (see: opshift dis --help)"),
        (("nothing.py",), "cannot read 'nothing.py': No such file or directory"),
        (("nothing.py:f",), "cannot read 'nothing.py': No such file or directory"),
        (("{module}:g",), "has no function 'g'; it has f, Shape, Shape.area"),
        (("{module}:Shape.aera",), "has no function 'Shape.aera'; it has Shape.area"),
        (("{module}", "--python", "3.9"), "no opcode table for CPython 3.9; there are tables for 3.10, "),
        (("{module}", "--python", "three"), "'three' is no version: write it like 3.13"),
        (("{module}", "--colour"), "No such option"),
        (("{folder}",), "Is a directory"),
    ],
)
def test_bad_input(arguments, complaint, refused, module):
    names = {"module": module, "folder": module.parent}
    assert complaint in refused("dis", *(each.format(**names) for each in arguments))


@pytest.mark.parametrize("version", [None, "3.11", "3.14"])
@pytest.mark.parametrize(
    ("source", "complaint"),
    [(b"x = 1\ndef (\n", ", line 2: CPython "), (b"x = '\0'\n", "refuses it: "), (b"\xff\n", "refuses it: ")],
)
def test_sources_that_do_not_compile(version, source, complaint, refused, tmp_path):
    path = tmp_path / "broken.py"
    path.write_bytes(source)
    assert complaint in refused("dis", path, *(("--python", version) if version else ()))


def test_a_module_without_functions(refused, tmp_path):
    path = tmp_path / "flat.py"
    path.write_text("x = 1\n")
    assert refused("dis", f"{path}:f").endswith("has no function 'f': it defines none\n")


def test_a_pyc_of_another_version_than_asked_for(refused, module, tmp_path):
    compiled = tmp_path / "shapes.pyc"
    py_compile.compile(str(module), str(compiled), doraise=True)
    other = next(version for version in opcodes.VERSIONS if version != opcodes.HOST)
    line = refused("dis", compiled, "--python", dotted(other))
    assert f"is bytecode of CPython {dotted(opcodes.HOST)}: --python {dotted(other)} needs the source" in line


def test_a_corrupt_pyc(refused, tmp_path):
    path = tmp_path / "broken.pyc"
    path.write_bytes(b"not one")
    assert "is not a .pyc file" in refused("dis", path)


def test_an_interpreter_that_is_not_there(refused, module, monkeypatch, tmp_path):
    other = next(version for version in opcodes.VERSIONS if version != opcodes.HOST)
    monkeypatch.setattr(interpreters, "_candidates", lambda name, version: iter(()))
    line = refused("dis", module, "--python", dotted(other))
    assert f"no CPython {dotted(other)} found to compile" in line and "put python" in line


def test_an_interpreter_that_is_another_one_is_passed_over(refused, module, monkeypatch, tmp_path):
    """A shim of that name that does not run, gives nothing, or is another Python."""
    other = next(version for version in opcodes.VERSIONS if version != opcodes.HOST)
    name = f"python{dotted(other)}"
    texts = {
        "a": "#!/nowhere/at/all\n",
        "b": "#!/bin/sh\nexit 127\n",
        "c": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
    }
    shims = [tmp_path / folder / name for folder in texts]
    for path, text in zip(shims, texts.values()):
        path.parent.mkdir()
        path.write_text(text)
        path.chmod(0o755)
    monkeypatch.setattr(interpreters, "_candidates", lambda *_: iter([[str(path)] for path in shims]))
    line = refused("dis", module, "--python", dotted(other))
    assert f"(tried {shims[0]} (FileNotFoundError), {shims[1]}, {shims[2]})" in line


def test_interpreters_are_found_in_pyenv_too(monkeypatch, tmp_path):
    folder = tmp_path / "versions" / "3.10.99" / "bin"
    folder.mkdir(parents=True)
    (folder / "python3.10").write_text("")
    (folder / "python3.10").chmod(0o755)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert [str(folder / "python3.10")] in list(interpreters.candidates((3, 10)))


# -- as a process


def test_as_a_process(process, module):
    done = process("dis", f"{module}:f")
    assert done.returncode == 0 and done.stderr == b"" and b"BINARY_OP *" in done.stdout


def test_output_that_nobody_reads_to_its_end(process, module):
    read, write = os.pipe()
    os.close(read)
    try:
        done = process("dis", os.__file__, **{"stdout": write, "stderr": -1, "capture_output": False})
    finally:
        os.close(write)
    assert done.returncode == 0 and done.stderr == b""


def test_a_narrow_encoding(process, tmp_path):
    path = tmp_path / "names.py"
    path.write_text("def f():\n    return 'café \\ud800 日本'\n", encoding="utf-8")
    done = process("dis", f"{path}:f", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and rb"caf\xe9" in done.stdout and done.stderr == b""
