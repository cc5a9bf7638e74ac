"""The bytecode of each of the six CPythons in the Interpreter on this one: what it prints equals what its own
version printed by itself.
"""

from __future__ import annotations

import contextlib
import io
import pathlib
import shutil
import subprocess

import pytest

import opcodes
from translator.interpreter import Interpreter

SOURCE = pathlib.Path(__file__).with_name("language_functions.py")
MAIN = """

if __name__ == "__main__":
    for one in FUNCTIONS:
        print(one.__name__, attempt(one))
"""
#: what these print is the words of the host's compiler, objects or traceback module
HOSTS_OWN = {
    "unpacking_errors": "how many there are too many is said by the host's own unpacking",
    "argument_errors": "f(*1) is reported by the host",
    "context_managers": "exec() compiles with the host's compiler",
    "traceback_text": "the host's traceback module draws the carets",
    "special_exceptions": "exec() compiles with the host's compiler",
    "keywords_from_mappings": "what a mapping's errors become the host says",
    "classes": "co_qualname is the host's where a code object has none",
}
COMPILE = "import py_compile, sys; py_compile.compile(sys.argv[1], cfile=sys.argv[2], doraise=True)"


def name_of(version):
    return ".".join(map(str, version))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The program as a file."""
    path = tmp_path_factory.mktemp("programs") / "language_functions.py"
    path.write_text(SOURCE.read_text(encoding="utf-8") + MAIN, encoding="utf-8")
    return path


def told(text):
    """Lines by the function that they are about (a traceback has several)."""
    found, name = {}, None
    for line in text.splitlines():
        first = line.partition(" ")[0]
        if first.isidentifier() and not line.startswith(" ") and first.islower():
            name = first
        found.setdefault(name, []).append(line)
    return found


@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=name_of)
def test_prints_what_its_own_version_prints(version, program):
    interpreter = shutil.which(f"python{name_of(version)}")
    assert interpreter, f"python{name_of(version)} is not on PATH: this test needs CPython 3.10 to 3.15 there"
    compiled = program.with_name(f"python{name_of(version)}.pyc")
    subprocess.run([interpreter, "-I", "-c", COMPILE, str(program), str(compiled)], check=True, timeout=60)
    native = subprocess.run(
        [interpreter, "-I", "-W", "ignore", str(program)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    out = io.StringIO()
    namespace = {"__name__": "__main__", "__file__": str(program)}
    with contextlib.redirect_stdout(out):
        Interpreter().run_module(opcodes.load(compiled).code, namespace)
    expected, got = told(native), told(out.getvalue())
    assert expected.keys() == got.keys() and len(expected) > 25
    allowed = set() if version == opcodes.HOST else set(HOSTS_OWN)
    assert {name: got[name] for name in got if name not in allowed} == {
        name: expected[name] for name in expected if name not in allowed
    }


def test_a_foreign_function_called_by_the_host_is_carried_out_too(program):
    version = next(v for v in opcodes.VERSIONS if v != opcodes.HOST)
    interpreter = shutil.which(f"python{name_of(version)}")
    assert interpreter
    source = program.with_name("sorting.py")
    source.write_text(
        "def outer(k):\n    def key(x, *rest, sign=-1):\n        return sign * x + k\n    return key\nkey = outer(0)\n"
    )
    compiled = source.with_suffix(".pyc")
    subprocess.run([interpreter, "-I", "-c", COMPILE, str(source), str(compiled)], check=True, timeout=60)
    namespace = {"__name__": "sorting"}
    Interpreter().run_module(opcodes.load(compiled).code, namespace)
    key = namespace["key"]
    assert sorted([1, 3, 2], key=key) == [3, 2, 1]
    assert key(2, sign=3) == 6
    assert (key.__name__, key.__module__, key.__kwdefaults__) == ("key", "sorting", {"sign": -1})
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        key()
