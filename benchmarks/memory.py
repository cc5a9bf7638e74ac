"""Whether a long run of the Interpreter grows: what the process holds after each million instructions.

    python benchmarks/memory.py [--millions 10] [--json FILE]

The program calls functions, makes closures, classes and objects, drives generators and coroutines, raises,
catches and reads locals, all of it let go again. Printed: the resident set as the system sees it, the blocks
that Python's allocator has handed out, the objects that the collector tracks. Only what grows from one
million to the next, without end, is a leak; the last line says how much the last half has added.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from translator.events import WatchedInterpreter
from translator.interpreter import Interpreter


class Counting(WatchedInterpreter):
    """How many instructions a round of the program is."""

    count = 0

    def on_instruction(self, frame: Any, instruction: Any) -> None:
        """One more."""
        Counting.count += 1


def program(rounds):  # type: ignore[no-untyped-def]
    """Something of everything, `rounds` times; nothing is kept."""

    async def pause(value):  # type: ignore[no-untyped-def]
        return value + 1

    async def numbers(n):  # type: ignore[no-untyped-def]
        for i in range(n):
            yield await pause(i)

    async def summed(n):  # type: ignore[no-untyped-def]
        return sum([value async for value in numbers(n)])

    def finished(coroutine):  # type: ignore[no-untyped-def]
        try:
            while True:
                coroutine.send(None)
        except StopIteration as stop:
            return stop.value

    def count(n):  # type: ignore[no-untyped-def]
        try:
            yield from range(n)
        finally:
            sorted([3, 1, 2], key=lambda v: -v)

    def deep(n):  # type: ignore[no-untyped-def]
        if not n:
            raise LookupError("at the bottom")
        return deep(n - 1)

    total = 0
    for turn in range(rounds):

        class Point:
            def __init__(self, x):  # type: ignore[no-untyped-def]
                self.x = x
                self.itself = self  # for the collector

            def __add__(self, other):  # type: ignore[no-untyped-def]
                return Point(self.x + other.x)

        total += (Point(turn) + Point(1)).x
        total += sum(count(5)) + next(count(3)) + len([v for v in range(9) if v % 2])
        total += finished(summed(3))
        try:
            deep(6)
        except LookupError as error:
            try:
                raise ValueError(turn) from error
            except ValueError as other:
                total += len(other.args) + len(str(other.__cause__))
        total += len(locals()) + eval("turn % 3", globals(), {"turn": turn})
        total += len({"a": turn, "b": [*range(3)]}) + len(f"{turn:>5}{total!r}"[:4])
    return total


def resident() -> int:
    """Bytes of the process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def holds() -> dict[str, int]:
    """What the process holds now."""
    gc.collect()
    return {
        "resident": resident(),
        "blocks": sys.getallocatedblocks(),
        "objects": len(gc.get_objects()),
    }


def main() -> None:
    """The table, and JSON if asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--millions", type=int, default=10)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    Counting().run(program, 50)
    a_round = Counting.count // 50
    rounds = 1_000_000 // a_round
    machine = Interpreter()
    machine.run(program, 200)
    rows = [holds()]
    print(f"CPython {sys.version.split()[0]}, {a_round} instructions a round")
    print(f"{'millions':>8} {'resident, KiB':>14} {'blocks':>10} {'objects':>9}")
    for million in range(options.millions + 1):
        if million:
            machine.run(program, rounds)
            rows.append(holds())
        row = rows[-1]
        print(
            f"{million:>8} {row['resident'] // 1024:>14,} {row['blocks']:>10,} {row['objects']:>9,}",
            flush=True,
        )
    middle = rows[len(rows) // 2]
    grown = {name: rows[-1][name] - middle[name] for name in middle}
    print(
        f"the last half added {grown['resident'] // 1024:,} KiB, {grown['blocks']:,} blocks,"
        f" {grown['objects']:,} objects"
    )
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"python": sys.version.split()[0], "rows": rows, "grown": grown}, file, indent=1)


if __name__ == "__main__":
    main()
