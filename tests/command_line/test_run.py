"""opshift run: what a program prints, how it ends and what it leaves in its traceback are python's own."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import opcodes

SCRIPTS = {
    "chain.py": """
        import sys, __main__
        class E(Exception): pass
        def f(n):
            try:
                return [1,
                        1 // n]
            except ZeroDivisionError as error:
                raise E("no", n) from error
        def g():
            try:
                f(0)
            except E:
                {}["missing"]
        print(sys.argv, input(), sys.stdin.read(), __main__.E is E, E.__module__)
        print(sorted(set(globals()) - {"__cached__", "__annotations__"}), __spec__, __package__)
        print("to stderr", file=sys.stderr)
        g()
    """,
    "text.py": "import sys; print('partial', end=''); sys.exit('a text')",
    "three.py": "raise SystemExit(3)",
    "syntax.py": "x = 1\ndef f(:\n    pass\n",
    "interrupt.py": """
        import os, signal
        def f():
            while True:
                os.kill(os.getpid(), signal.SIGINT)
        f()
    """,
    "ends.py": """
        import atexit, sys, threading, traceback
        def hook(kind, value, entries):
            print("hook", kind.__name__, [entry.name for entry in traceback.extract_tb(entries)])
        sys.excepthook = hook
        atexit.register(print, "atexit")
        def work():
            raise ValueError("in a thread")
        thread = threading.Thread(target=work, name="worker")
        thread.start()
        thread.join()
        class Loud:
            def __del__(self):
                print("deleted")
        kept = Loud()
        def generate():
            try:
                yield
            finally:
                print("closed")
        unfinished = generate()
        next(unfinished)
        def deep(n):
            try:
                return deep(n + 1)
            except RecursionError:
                return n
        print(deep(0) - sys.getrecursionlimit())
        {}["unhandled"]
    """,
    "bad_hook.py": """
        import sys
        def hook(*error):
            raise KeyError("in the hook")
        sys.excepthook = hook
        [].pop()
    """,
    "package/__init__.py": "",
    "package/__main__.py": """
        import sys
        from . import other
        print(other.value, __package__, __spec__.name, sys.argv[1:], sys.argv[0] == __file__)
        raise ValueError("in the main module")
    """,
    "package/other.py": "value = 5\nif __name__ == '__main__': print('as main', __spec__.name)",
    "folder/__main__.py": "import sys, helper\nprint(sys.argv, sys.path[0], __package__)\nhelper.fails()",
    "folder/helper.py": "def fails(): raise OSError(2, 'no')",
    "nothing/helper.py": "",
    "only_init/__init__.py": "",
}
TEXT = "import sys\nprint(sys.argv, __name__)\ndef f(): return 1 / 0\nf()"
COMMANDS = [
    ["chain.py", "a", "--b", "--stats", "-c"],
    ["text.py"],
    ["three.py"],
    ["syntax.py"],
    ["interrupt.py"],
    ["ends.py"],
    ["bad_hook.py"],
    ["folder", "x"],
    ["archive.zip"],
    ["chain.pyc", "x"],
    ["-", "x"],
    ["-c", TEXT, "-m", "x"],
    ["-m", "package", "x"],
    ["-mpackage.other"],
]
MAIN = "import sys; sys.path.append({!r}); from translator.command_line import main; main()"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The scripts, and what is made of them."""
    made = tmp_path_factory.mktemp("scripts")
    for name, text in SCRIPTS.items():
        path = made / name
        path.parent.mkdir(exist_ok=True)
        lines = text.split("\n")
        indent = len(lines[1]) - len(lines[1].lstrip()) if not lines[0] and len(lines) > 1 else 0
        path.write_text("\n".join(line[indent:] if not lines[0] else line for line in lines))
    with zipfile.ZipFile(made / "archive.zip", "w") as archive:
        for name in ("__main__.py", "helper.py"):
            archive.write(made / "folder" / name, name)
    compile_by(sys.executable, made / "chain.py", made / "chain.pyc")
    return made


def compile_by(interpreter, source, compiled):
    order = "import py_compile, sys; py_compile.compile(sys.argv[1], cfile=sys.argv[2], doraise=True)"
    subprocess.run([interpreter, "-I", "-c", order, str(source), str(compiled)], check=True, timeout=60)


def ended(command, folder):
    """Exit status, output and errors of a command."""
    environment = {"PYTHONHASHSEED": "0", "NO_COLOR": "1", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        command,
        input="a line\nthe rest",
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=120,
    )
    return done.returncode, done.stdout, re.sub(r"0x[0-9a-f]+", "0x…", done.stderr)


def opshift(*arguments):
    """The command that runs `opshift run`."""
    root = opcodes.__file__.rpartition("opcodes")[0]
    return [sys.executable, "-c", MAIN.format(root), "run", *arguments]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_ends_as_with_python(command, folder):
    expected = ended([sys.executable, *command], folder)
    assert expected[1] or expected[2] or expected[0]
    assert ended(opshift(*command), folder) == expected


OTHER = """
import sys
class Point:
    def __init__(self, x): self.x = x
def main(*rest):
    try:
        print([v * 2 for v in map(int, rest)], __name__, sys.argv[0] == __file__[-len(sys.argv[0]):])
        return Point(1).y
    finally:
        print("finally")
main(*sys.argv[1:])
"""


@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=lambda version: ".".join(map(str, version)))
def test_a_pyc_of_any_version(version, folder):
    name = ".".join(map(str, version))
    interpreter = shutil.which(f"python{name}")
    assert interpreter, f"python{name} is not on PATH: this test needs CPython 3.10 to 3.15 there"
    (folder / "other.py").write_text(OTHER)
    compile_by(interpreter, folder / "other.py", folder / f"other{name}.pyc")
    status, out, err = ended(opshift(f"other{name}.pyc", "3", "4"), folder)
    assert (status, out) == (1, "[6, 8] __main__ True\nfinally\n")
    assert re.findall(r'"(.*)", line (\d+), in (\w+|<module>)', err) == [
        (str(folder / "other.py"), "11", "<module>"),
        (str(folder / "other.py"), "8", "main"),
    ]
    assert err.endswith("AttributeError: 'Point' object has no attribute 'y'\n")


def test_what_it_does_and_what_it_has_run(folder):
    text = "def f(n):\n    return f(n - 1) if n else 'end'\nprint(f(3))"
    status, out, err = ended(opshift("--trace", "--stats", "-c", text), folder)
    assert (status, out) == (0, "end\n")
    told = [line.split() for line in err.splitlines()]
    assert [line[1:] for line in told if line[0] == "call"] == [
        ["<string>,", "<module>()"],
        *(["<string>,", f"f(n={n})"] for n in (3, 2, 1, 0)),
    ]
    assert err.count("return           ") and err.count(": 'end'") == 4
    names = {
        instruction.raw.opname
        for instruction in opcodes.decode(compile("f(n - 1)", "", "eval"))
        if instruction.raw
    }
    assert all(
        re.search(rf"^ +\d+ {name} ", err, re.MULTILINE) for name in names - {"RETURN_VALUE", "LOAD_NAME"}
    )
    total = re.search(
        r"^(\d+) instructions, 5 calls of 2 functions, 5 frames deep, 0 frames", err, re.MULTILINE
    )
    counts = re.findall(r"^ +(\d+) +[\d.]+ %  [A-Z_]+$", err, re.MULTILINE)
    assert total and sum(map(int, counts)) == int(total[1])
    assert re.search(r"^ +4  f \(<string>:1\)$", err, re.MULTILINE)


def test_what_is_skipped_is_not_in_the_count(folder):
    text = "import string; string.capwords('a b'); f = lambda: 1; f()"
    _, _, err = ended(opshift("--stats", "--skip", "string", "-c", text), folder)
    assert "2 calls of 2 functions" in err and "capwords" not in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nothing.py"], "cannot read 'nothing.py': No such file or directory"),
        (["{folder}/nothing"], "cannot run '{folder}/nothing': there is no __main__ module in it"),
        (["-m", "nothing_of_that_name"], "-m nothing_of_that_name: No module named nothing_of_that_name"),
        (["-m", "json.nothing"], "-m json.nothing: No module named json.nothing"),
        (["-m", "importlib.metadata"], "importlib.metadata: it is a package, and has no __main__ to run"),
        (["-m", "sys"], "sys has no Python code that could be run (built-in)"),
        (["-m"], "Option '-m' requires an argument"),
        (["--nothing", "x.py"], "No such option '--nothing'"),
        (["--args", "3", "{folder}/chain.py"], "a program's arguments stand after it"),
        ([], "What is to be run? Give FILE, -m MODULE, -c CODE or FILE:FUNCTION"),
        (["{folder}/junk.pyc"], "is not a .pyc file"),
    ],
)
def test_bad_input_is_one_line(arguments, complaint, refused, folder):
    (folder / "junk.pyc").write_bytes(b"junk and more")
    assert complaint.format(folder=folder) in refused(
        "run", *(argument.format(folder=folder) for argument in arguments)
    )


def test_damaged_bytecode_of_another_version_is_one_line(folder):
    version = next(version for version in opcodes.VERSIONS if version != opcodes.HOST)
    name = ".".join(map(str, version))
    source, compiled = folder / "damaged.py", folder / "damaged.pyc"
    source.write_text("try:\n    def f(): return [1, 2, x]\n    f()\nexcept Exception: print('caught')\n")
    compile_by(shutil.which(f"python{name}"), source, compiled)
    data = compiled.read_bytes()
    build = bytes((opcodes.table(version).opmap["BUILD_LIST"], 3))
    assert data.count(build) == 1
    compiled.write_bytes(data.replace(build, bytes((build[0], 4))))
    status, out, err = ended(opshift("damaged.pyc"), folder)
    assert (status, out) == (2, "") and err.startswith("opshift: ") and err.count("\n") == 1
    assert "BUILD_LIST" in err and "damaged.py:2, in f" in err
