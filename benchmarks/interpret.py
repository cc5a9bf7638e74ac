"""How much slower the Interpreter is than CPython on ten workloads, side by side in one run.

    python benchmarks/interpret.py [--json FILE] [--rounds 5]

CPU time, the least of the rounds, native and interpreted in turn; what to trust is the ratio. x-python is
measured too where it is installed (it comes from the package registry and runs on 3.11): a workload that
it gets wrong, or does not finish in a minute, has no figure.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

sys.path[:0] = [
    os.path.dirname(os.path.abspath(__file__)),
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
]

from workloads import WORKLOADS  # noqa: E402

from translator.interpreter import Interpreter  # noqa: E402


def seconds(call: Callable[[], Any]) -> float:
    """CPU time of one call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def measure(function: Any, size: int, rounds: int) -> tuple[float, float]:
    """Native and interpreted, in turn; the least of each."""
    machine = Interpreter()
    expected, got = function(size), machine.run(function, size)
    if expected != got:
        raise SystemExit(f"{function.__name__}: {got!r} instead of {expected!r}")
    native = interpreted = math.inf
    for _ in range(rounds):
        native = min(native, *[seconds(lambda: function(size)) for _ in range(5)])
        interpreted = min(interpreted, seconds(lambda: machine.run(function, size)))
    return native, interpreted


def x_python(function: Any, size: int) -> float | None:
    """x-python's CPU time, if it is here, gives the right answer, and within a minute."""
    try:
        from xpython.execfile import run_code_object  # type: ignore[import-not-found]  # noqa: F401
        from xpython.vm import PyVM  # type: ignore[import-not-found]
    except ImportError:
        return None

    def expired(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, expired)
    signal.alarm(60)
    try:
        scope = dict(function.__globals__, function=function, size=size)
        code = compile("result = function(size)", "<x-python>", "exec")
        began = time.process_time()
        PyVM().run_code(code, f_globals=scope, f_locals=scope)
        took = time.process_time() - began
        return took if scope.get("result") == function(size) else None
    except Exception:
        return None
    finally:
        signal.alarm(0)


def main() -> None:
    """The table, and the same as JSON."""
    parser = argparse.ArgumentParser(description="The Interpreter against CPython on ten workloads.")
    parser.add_argument("--json", default="")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rows, logs = [], 0.0
    print(
        f"CPython {sys.version.split()[0]}\n"
        f"{'workload':16} {'native ms':>10} {'ours ms':>10} {'ratio':>7} {'x-python':>9}"
    )
    for function, size in WORKLOADS:
        native, ours = measure(function, size, options.rounds)
        peer = x_python(function, size)
        logs += math.log(ours / native)
        shown = f"{peer / native:8.0f}x" if peer else "        -"
        print(f"{function.__name__:16} {native * 1e3:10.2f} {ours * 1e3:10.1f} {ours / native:6.1f}x {shown}")
        rows.append({"workload": function.__name__, "native": native, "ours": ours, "x_python": peer})
    mean = math.exp(logs / len(WORKLOADS))
    print(f"geometric mean {mean:.1f}x")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(
                {"python": sys.version.split()[0], "rows": rows, "geometric_mean": mean}, file, indent=1
            )


if __name__ == "__main__":
    main()
