"""CPython's own tests in the Interpreter: a quarter of the sample, and whole modules. (All: `tox -e conformance`.)"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

from tests.conformance import whole

HERE = pathlib.Path(__file__).parent
#: of what is known not to pass each must stand in the file, and what stands there must not pass
PART = "0/4"
FULL = os.environ.get("OPSHIFT_PROFILE") == "full"


def test_a_quarter_of_the_sample():
    command = [sys.executable, "-W", "ignore", str(HERE / "check.py"), "--part", "0/1" if FULL else PART]
    ended = subprocess.run(
        command, env=dict(os.environ, PYTHONHASHSEED="0"), capture_output=True, text=True, cwd=HERE
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("module", whole.QUICK + whole.MORE if FULL else whole.QUICK)
def test_a_whole_module_ends_as_in_cpython(module):
    passed, different = whole.differences(module)
    assert passed
    assert not different, "\n".join(different)
