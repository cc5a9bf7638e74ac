"""Scientific kernels under `translator.compile`: right, in one graph, no slower, compiled soon.

    python benchmarks/kernels [--only NAME] [--json FILE] [--rounds 7]

Each kernel is run as it is and compiled, in turn; CPU time, the least of the rounds; what to trust is the
ratio. A kernel is right when its results and its arguments afterwards are the original's, bit for bit.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent.parent)]

import linear_algebra  # noqa: E402, F401
import numpy as np  # noqa: E402
import physics  # noqa: E402, F401
import recurrences  # noqa: E402, F401
import signals  # noqa: E402, F401
import stencils  # noqa: E402, F401
from kernel import KERNELS, Kernel  # noqa: E402

import translator  # noqa: E402
from translator.errors import TranslatorError  # noqa: E402


def equal(one: Any, other: Any) -> bool:
    """Whether two results are the same: types, dtypes, shapes, every bit."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, (np.ndarray, np.generic)):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    return bool(one == other)


def arguments(each: Kernel) -> tuple[Any, ...]:
    """The kernel's arguments, made anew."""
    return each.arguments(np.random.default_rng(0))


def seconds(function: Any, each: Kernel, calls: int) -> float:
    """CPU time of one call, as the mean of several, each with arguments of its own."""
    given = [copy.deepcopy(arguments(each)) for _ in range(calls)]
    began = time.process_time()
    for values in given:
        function(*values)
    return (time.process_time() - began) / calls


def one_graph(each: Kernel) -> tuple[bool, str]:
    """Whether the whole call is one graph, or why it is not."""
    try:
        translator.compile(each.function, fullgraph=True)(*arguments(each))
    except TranslatorError as reason:
        return False, str(reason)
    return True, ""


def measure(each: Kernel, rounds: int) -> dict[str, Any]:
    """What is told of a kernel."""
    given = arguments(each)
    expected = each.function(*given), given
    compiled = translator.compile(each.function)
    given = arguments(each)
    began = time.process_time()
    first = compiled(*given), given
    first_call = time.process_time() - began
    given = arguments(each)
    again = compiled(*given), given
    native = warm = math.inf
    calls = 1 + int(0.003 / seconds(each.function, each, 1))
    for _ in range(rounds):
        native = min(native, seconds(each.function, each, calls))
        warm = min(warm, seconds(compiled, each, calls))
    whole, reason = one_graph(each)
    return {
        "kernel": each.name,
        "right": equal(expected, first) and equal(expected, again),
        "one_graph": whole,
        "first_call_s": first_call,
        "native_s": native,
        "warm_ratio": warm / native,
        "reason": reason,
    }


def main() -> None:
    """The table, and the same as JSON."""
    parser = argparse.ArgumentParser(description="Scientific kernels under translator.compile.")
    parser.add_argument("--only", default="")
    parser.add_argument("--json", default="")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    chosen = [each for each in KERNELS if options.only in each.name]
    if not chosen:
        known = ", ".join(each.name for each in KERNELS)
        print(f"no kernel is called {options.only!r}; there are {known}", file=sys.stderr)
        raise SystemExit(2)
    print(f"CPython {sys.version.split()[0]}, NumPy {np.__version__}")
    print(f"{'kernel':28} {'right':>5} {'graph':>5} {'first ms':>9} {'native ms':>9} {'warm':>6}")
    rows = []
    for each in chosen:
        row = measure(each, options.rounds)
        rows.append(row)
        print(
            f"{row['kernel']:28} {'yes' if row['right'] else 'NO':>5} {'one' if row['one_graph'] else '-':>5}"
            f" {row['first_call_s'] * 1e3:9.1f} {row['native_s'] * 1e3:9.2f} {row['warm_ratio']:5.2f}x"
            f"  {row['reason']}"
        )
    right, whole = sum(row["right"] for row in rows), sum(row["one_graph"] for row in rows)
    print(
        f"{len(rows)} kernels: {right} right, {whole} in one graph; slowest warm"
        f" {max(row['warm_ratio'] for row in rows):.2f}x, longest first call"
        f" {max(row['first_call_s'] for row in rows):.2f} s"
    )
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
