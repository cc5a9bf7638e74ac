"""How many generated programs a second of a core are made, run and compared, in this process.

    python benchmarks/fuzz.py [--programs 400] [--target interpret --target compile] [--json FILE]

Processor time, without the first programs (what is loaded once); what a campaign does with each program is
all in it: making it, compiling it, running it in CPython and in the target, portraits, comparison, and
watching what was carried out.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
import warnings
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from fuzz.trials import Session

_WARM = 400


def measure(target: str, programs: int, seed: int) -> dict[str, Any]:
    """Programs a second against a target, and what was found meanwhile."""
    session = Session(target, seed=seed)
    found = sum(session.trial(number) is not None for number in range(_WARM))
    began = time.process_time()
    for number in range(_WARM, _WARM + programs):
        found += session.trial(number) is not None
    seconds = time.process_time() - began
    return {"target": target, "per_second": programs / seconds, "findings": found, "numpy": session.numpy}


def main() -> None:
    """A line a target, and the same as JSON."""
    parser = argparse.ArgumentParser(description="Generated programs a second of a core.")
    parser.add_argument("--programs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", action="append", choices=["interpret", "compile", "roundtrip", "spliced"])
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable()
    rows = [
        measure(target, options.programs, options.seed)
        for target in options.target or ["interpret", "compile", "roundtrip"]
    ]
    print(f"CPython {sys.version.split()[0]}")
    for row in rows:
        print(f"{row['target']:10} {row['per_second']:6.0f} programs a second, {row['findings']} findings")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"python": sys.version.split()[0], "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
