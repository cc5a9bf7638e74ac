"""examples/line_coverage.py finds the line that did not run."""

from __future__ import annotations

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent.parent


def test_it_prints_what_did_not_run():
    example = ROOT / "examples" / "line_coverage.py"
    done = subprocess.run(
        [sys.executable, str(example)],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.strip().partition(":")[2].strip() == 'return "zero"', done.stderr
