"""`pytest --opshift`: test bodies are carried out by the Interpreter, and it says what it did."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points

TESTS = """
import sys, unittest, pytest
from hypothesis import given, settings, strategies as st

def where():
    names, frame = [], sys._getframe(1)
    while frame:
        names.append(frame.f_code.co_filename)
        frame = frame.f_back
    return any("interpreter.py" in name for name in names)

@pytest.fixture
def three():
    return 3

def test_with_a_fixture(three):
    assert three + 1 == 4 and where() == EXPECTED

class TestMethods:
    @pytest.mark.parametrize("n", [1, 2])
    def test_method(self, n):
        assert n < 3 and where() == EXPECTED

class TestCases(unittest.TestCase):
    def test_raises(self):
        assert where() == EXPECTED
        with self.assertRaises(ZeroDivisionError):
            1 / 0

@settings(max_examples=3, database=None)
@given(st.integers())
def test_given(n):
    assert where() == EXPECTED

def test_that_fails():
    assert 1 == 2
"""


def run(tmp_path, *options):
    path = tmp_path / "test_a_suite.py"
    path.write_text(TESTS.replace("EXPECTED", str("--opshift" in options)), encoding="utf-8")
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    known = any(each.name == "opshift" for each in entry_points(group="pytest11"))
    plugin = [] if known else ["-p", "fuzz.pytest_plugin"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin, *options, str(path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
    ).stdout


def test_bodies_are_interpreted_and_told(tmp_path):
    out = run(tmp_path, "--opshift")
    assert "1 failed, 5 passed" in out, out
    assert "6 test bodies carried out by the Interpreter" in out
    assert "failed in the Interpreter: test_a_suite.py::test_that_fails" in out


def test_without_the_option_nothing_is_changed(tmp_path):
    out = run(tmp_path)
    assert "1 failed, 5 passed" in out, out
    assert "Interpreter" not in out.replace("test_a_suite", "")
