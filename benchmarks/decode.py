"""How fast is decoding, beside `list(dis.get_instructions(code))`? Both over the same code objects of the
standard library, in one process, in turn; nothing is cached between rounds.

    python benchmarks/decode.py [--rounds 3] [--every 12] [--json]

`decode` reads line tables when a position is asked for. Since 3.11 `dis` reads them always, so the comparison
is made both ways: as they are, and with every position read on our side.
"""

from __future__ import annotations

import argparse
import dis
import gc
import json
import platform
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from types import CodeType

# benchmarks/fuzz.py stands beside this file: `fuzz` is the package
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import opcodes
from fuzz.standard_library import all_sources, code_objects
from opcodes.decode import decode_with

#: code objects that one contender does before it is another's turn
TURN = 50


def by_dis(code: CodeType, table: opcodes.OpcodeTable) -> object:
    return list(dis.get_instructions(code))


def by_opshift(code: CodeType, table: opcodes.OpcodeTable) -> object:
    return decode_with(code, table)


def by_opshift_with_positions(code: CodeType, table: opcodes.OpcodeTable) -> object:
    program = decode_with(code, table)
    return program, [instruction.raw.position for instruction in program]


CONTENDERS: dict[str, Callable[[CodeType, opcodes.OpcodeTable], object]] = {
    "list(dis.get_instructions(code))": by_dis,
    "decode(code)": by_opshift,
    "decode(code), every position read": by_opshift_with_positions,
}


def measure(codes: list[CodeType], rounds: int) -> dict[str, list[float]]:
    """CPU seconds of each contender in each round. They take turns every few code objects, so that a slow
    moment of the machine meets them all; the collector is off, as `timeit` has it."""
    table = opcodes.table(opcodes.HOST)
    times: dict[str, list[float]] = {name: [0.0] * rounds for name in CONTENDERS}
    for i in range(rounds):
        gc.collect()
        gc.disable()
        try:
            for at in range(0, len(codes), TURN):
                for name, contender in CONTENDERS.items():
                    begin = process_time()
                    for code in codes[at : at + TURN]:
                        contender(code, table)
                    times[name][i] += process_time() - begin
        finally:
            gc.enable()
    return times


def results(every: int, rounds: int) -> dict[str, object]:
    """The measured figures, JSON-ready."""
    codes = list(code_objects(all_sources()[::every]))
    instructions = sum(len(list(dis.get_instructions(code))) for code in codes)
    times = measure(codes, rounds)
    reference = times[next(iter(CONTENDERS))]
    return {
        "python": platform.python_version(),
        "code_objects": len(codes),
        "instructions": instructions,
        "rounds": rounds,
        "contenders": [
            {
                "name": name,
                "seconds": statistics.median(each),
                "ns_per_instruction": statistics.median(each) / instructions * 1e9,
                "times_as_fast_as_dis": statistics.median(d / own for d, own in zip(reference, each)),
            }
            for name, each in times.items()
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=12, help="take every N-th file of the library (1: all)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    found = results(options.every, options.rounds)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(
        f"CPython {found['python']}: {found['code_objects']:,} code objects,"
        f" {found['instructions']:,} instructions, median of {found['rounds']}"
    )
    for row in found["contenders"]:  # type: ignore[attr-defined]
        print(
            f"{row['name']:36} {row['seconds']:8.3f} s {row['ns_per_instruction']:8.0f} ns an instruction"
            f" {row['times_as_fast_as_dis']:6.2f} × dis"
        )


if __name__ == "__main__":
    main()
