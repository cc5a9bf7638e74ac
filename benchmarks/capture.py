"""What capturing costs: the first call of a function, and each call after it.

    python benchmarks/capture.py [--json FILE] [--only TEXT]

On NumPy arrays, and on torch tensors where torch is installed; there TorchDynamo with its `eager` backend is
measured beside, in the same run, on the same functions. CPU time, medians; ratios are what to trust. A case
without graphs was not captured: its figures say nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from capturing import FIRST_CALLS, Layer, Network, list_of_ten, scaled, three_ints

import translator

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]


def arrays() -> dict[str, Callable[..., Any]]:
    """What makes an array of a shape, by library."""
    found: dict[str, Callable[..., Any]] = {"numpy": lambda *shape: np.full(shape, 0.5)}
    if torch is not None:
        found["torch"] = lambda *shape: torch.full(shape, 0.5)
    return found


def opshift(function: Any) -> Any:
    """The function captured by opshift, anew."""
    return translator.compile(function)


def dynamo(function: Any) -> Any:
    """The function captured by TorchDynamo, anew."""
    torch._dynamo.reset()
    return torch.compile(function, backend="eager")


def first_call(compile: Any, function: Any, given: tuple[Any, ...], rounds: int) -> float:
    """Seconds of the call that captures: compiling anew each time, the median."""
    took = []
    for _ in range(rounds):
        compiled = compile(function)
        began = time.process_time()
        compiled(*given)
        took.append(time.process_time() - began)
    return median(took)


def per_call(function: Any, given: tuple[Any, ...], calls: int) -> float:
    """Seconds of one call, of many."""
    began = time.process_time()
    for _ in range(calls):
        function(*given)
    return (time.process_time() - began) / calls


def overhead(compile: Any, function: Any, given: tuple[Any, ...]) -> float:
    """Seconds that a call of the compiled function takes over the original: the least of rounds in turn."""
    compiled = compile(function)
    for _ in range(20):
        compiled(*given)
    plain, warm = [], []
    for _ in range(15):
        plain.append(per_call(function, given, 3000))
        warm.append(per_call(compiled, given, 3000))
    return min(warm) - min(plain)


def first_calls(library: str, make: Any, only: str) -> list[dict[str, Any]]:
    """Rows of first calls."""
    x, y = make(4), make(4)
    cases = [(name, function, (x, y), rounds) for name, function, rounds in FIRST_CALLS]
    network = Network([Layer(make(8, 8), make(8)) for _ in range(10)])
    cases.append(("10-layer module", lambda x: network(x), (make(2, 8),), 5))
    rows = []
    for name, function, given, rounds in cases:
        if only not in name:
            continue
        seen = translator.explain(function)(*given)
        ours = first_call(opshift, function, given, rounds)
        theirs = first_call(dynamo, function, given, min(rounds, 3)) if torch is not None else None
        row = {"case": name, "arrays": library, "graphs": len(seen.graphs), "operations": seen.operations}
        rows.append(row | {"opshift_s": ours, "dynamo_s": theirs})
        shown = f"{theirs * 1e3:10.1f} {theirs / ours:7.1f}x" if theirs else f"{'-':>10} {'-':>8}"
        print(f"{name:28} {library:6} {ours * 1e3:10.2f} {shown} {len(seen.graphs):6} {seen.operations:6}")
    return rows


def warm_calls(library: str, make: Any, only: str) -> list[dict[str, Any]]:
    """Rows of overheads."""
    cases: list[tuple[str, Any, tuple[Any, ...]]] = [
        ("x * 2 + 1", scaled, (make(4),)),
        ("three ints and an array", three_ints, (make(4), 2, 3, 4)),
        ("a list of ten", list_of_ten, ([make(4) for _ in range(10)],)),
    ]
    rows = []
    for name, function, given in cases:
        if only not in name:
            continue
        ours = overhead(opshift, function, given)
        theirs = overhead(dynamo, function, given) if torch is not None else None
        rows.append({"case": name, "arrays": library, "opshift_s": ours, "dynamo_s": theirs})
        print(f"{name:28} {library:6} {ours * 1e6:10.3f} {theirs * 1e6 if theirs else float('nan'):10.2f}")
    return rows


def main() -> None:
    """Two tables, and the same as JSON."""
    parser = argparse.ArgumentParser(description="What capturing costs.")
    parser.add_argument("--json", default="")
    parser.add_argument("--only", default="", help="cases whose name has this text")
    options = parser.parse_args()
    peers = f", torch {torch.__version__}" if torch is not None else ", no torch"
    print(f"CPython {sys.version.split()[0]}, NumPy {np.__version__}{peers}\n")
    columns = f"{'opshift ms':>10} {'Dynamo ms':>10} {'faster':>8} {'graphs':>6} {'nodes':>6}"
    print(f"{'first call':28} {'arrays':6} {columns}")
    first = [row for name, make in arrays().items() for row in first_calls(name, make, options.only)]
    print(f"\n{'overhead of a warm call':28} {'arrays':6} {'opshift us':>10} {'Dynamo us':>10}")
    warm = [row for name, make in arrays().items() for row in warm_calls(name, make, options.only)]
    if options.json:
        found = {"python": sys.version.split()[0], "first_calls": first, "warm_calls": warm}
        Path(options.json).write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
