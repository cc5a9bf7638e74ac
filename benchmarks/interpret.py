"""How much slower the Interpreter is than CPython on ten workloads, side by side in one run.

    python benchmarks/interpret.py [--json FILE] [--rounds 5] [--x-python PYTHON]

CPU time, the least of the rounds, native and interpreted in turn: what to trust is the ratio. x-python (it
comes from the package registry, and runs on 3.11) is measured where it is installed, or by an interpreter
that has it; in a process of its own each time, as it may give a wrong value, or none.
"""

from __future__ import annotations

import argparse
import builtins
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from workloads import WORKLOADS  # noqa: E402

#: how long x-python may take for a workload, in seconds
PATIENCE = 60


class Row(NamedTuple):
    """One workload: seconds; x-python's, or why there are none."""

    workload: str
    native: float
    ours: float
    x_python: float | str | None

    @property
    def ratio(self) -> float:
        """How many times as long as CPython."""
        return self.ours / self.native


def seconds(call: Callable[[], Any]) -> float:
    """CPU time of one call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def measure(function: Any, size: int, rounds: int) -> tuple[float, float]:
    """Native and interpreted, in turn; the least of each."""
    from translator.interpreter import Interpreter

    machine = Interpreter()
    expected, got = function(size), machine.run(function, size)
    if expected != got:
        raise SystemExit(f"{function.__name__}: {got!r} instead of {expected!r}")
    native = interpreted = math.inf
    for _ in range(rounds):
        native = min(native, *[seconds(lambda: function(size)) for _ in range(5)])
        interpreted = min(interpreted, seconds(lambda: machine.run(function, size)))
    return native, interpreted


def x_python_here(number: int) -> None:
    """Runs a workload in x-python, which interprets the functions that it defines itself; prints its CPU time
    and whether the value is right."""
    from xpython.vm import PyVM  # type: ignore[import-not-found]

    function, size = WORKLOADS[number]
    source = (HERE / "workloads.py").read_text(encoding="utf-8").partition("#: (workload, size)")[0]
    code = compile(f"{source}\nresult = {function.__name__}({size})\n", "<x-python>", "exec")
    scope: dict[str, Any] = {"__name__": "workloads", "__builtins__": builtins}
    machine = PyVM()
    took = seconds(lambda: machine.run_code(code, f_globals=scope, f_locals=scope))
    print(json.dumps([took, scope.get("result") == function(size)]))


def x_python(python: str, number: int) -> float | str:
    """x-python's CPU time for a workload; or why it has none."""
    command = [python, __file__, "--in-x-python", str(number)]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE)
        took, right = json.loads(ended.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return f"none in {PATIENCE} s"
    except (IndexError, ValueError):
        last = ended.stderr.strip().splitlines()[-1:] or [f"status {ended.returncode}"]
        return f"fails: {last[0][:60]}"
    if not right:
        return "wrong value"
    return float(took) if took <= PATIENCE else f"none in {PATIENCE} s"


def geometric_mean(ratios: list[float]) -> float:
    """Of the ratios; 1 of none."""
    return math.exp(sum(map(math.log, ratios)) / max(len(ratios), 1))


def shown(rows: list[Row]) -> None:
    """Prints the table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"CPython {sys.version.split()[0]}: times as long as native")
    table.add_column("workload")
    for name in ("native ms", "ours ms", "ours", "x-python"):
        table.add_column(name, justify="right")
    for row in rows:
        peer = (
            f"{row.x_python / row.native:,.0f}×" if isinstance(row.x_python, float) else row.x_python or "–"
        )
        table.add_row(
            row.workload, f"{row.native * 1e3:.2f}", f"{row.ours * 1e3:.1f}", f"{row.ratio:.1f}×", peer
        )
    table.add_section()
    peers = [row.x_python / row.native for row in rows if isinstance(row.x_python, float)]
    peer = f"{geometric_mean(peers):,.0f}× of {len(peers)}" if peers else "–"
    table.add_row("geometric mean", "", "", f"{geometric_mean([row.ratio for row in rows]):.1f}×", peer)
    Console(width=100).print(table)


def written(rows: list[Row], path: str) -> None:
    """Writes the same as JSON."""
    found = {
        "python": sys.version.split()[0],
        "rows": [row._asdict() | {"ratio": row.ratio} for row in rows],
        "geometric_mean": geometric_mean([row.ratio for row in rows]),
    }
    Path(path).write_text(json.dumps(found, indent=1), encoding="utf-8")


def main() -> None:
    """Measures, prints the table and writes the file."""
    parser = argparse.ArgumentParser(description="The Interpreter against CPython on ten workloads.")
    parser.add_argument("--json", default="", metavar="FILE", help="write the figures there as well")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--x-python", default="", metavar="PYTHON", help="an interpreter that has x-python")
    parser.add_argument("--in-x-python", type=int, default=-1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.in_x_python >= 0:
        x_python_here(options.in_x_python)
        return
    peer = options.x_python or (sys.executable if find_spec("xpython") else "")
    rows = []
    for number, (function, size) in enumerate(WORKLOADS):
        native, ours = measure(function, size, options.rounds)
        rows.append(Row(function.__name__, native, ours, x_python(peer, number) if peer else None))
    shown(rows)
    if options.json:
        written(rows, options.json)


if __name__ == "__main__":
    main()
