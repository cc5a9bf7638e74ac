"""Running the command in this process, as a user would see it."""

import subprocess
import sys

import pytest

from translator.command_line import main

SOURCE = '''\
def f(x, y):
    z = x * y
    return z + 1


class Shape:
    def area(self, scale=2):
        return [side * scale for side in self.sides]

    @property
    def name(self):
        return "first"

    @name.setter
    def name(self, value):
        """second"""


def outer():
    def inner():
        return lambda: 1

    return inner
'''


class Outcome:
    """What a run of the command ended with."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def run(capsys, monkeypatch):
    """`run("dis", "module.py")` -> Outcome, with no terminal unless said so."""
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)

    def run_command(*arguments):
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(end.value.code, captured.out, captured.err)

    return run_command


@pytest.fixture
def refused(run):
    """`refused("dis", "nothing.py")` -> the one line on stderr of a run that ends with status 2."""

    def run_refused(*arguments):
        outcome = run(*arguments)
        assert outcome.status == 2 and outcome.out == ""
        assert outcome.err.startswith("opshift: ") and outcome.err.count("\n") == 1
        return outcome.err

    return run_refused


@pytest.fixture
def module(tmp_path):
    """A source file with some functions."""
    path = tmp_path / "shapes.py"
    path.write_text(SOURCE)
    return path


def run_process(*arguments, **options):
    """The command in a process of its own."""
    order = "from translator.command_line import main; main()"
    options.setdefault("capture_output", True)
    return subprocess.run([sys.executable, "-c", order, *map(str, arguments)], **options)


@pytest.fixture
def process():
    return run_process
