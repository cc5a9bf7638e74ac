"""How long does it take to put code into a function, and to make it bytecode again?

    python benchmarks/encode.py [--rounds 400] [--json]

A function of about fifty instructions, untouched; and with about fifty new ones at its head, as an entry of a
compiled function has (guards, a call, what is built of its result).
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

# benchmarks/fuzz.py stands beside this file: `fuzz` is the package
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import opcodes
from opcodes import Instruction, Label
from opcodes import instructions as ins


def original(a: int, b: int) -> Any:
    t = 0
    for i in range(a):
        if i % 3 == 0:
            t += i * b
        else:
            t -= 1
    try:
        t = t // b
    except ZeroDivisionError:
        t = -1
    return [t, a, b]


def entry(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int and a < 10:
        result = run(a, b)  # type: ignore[name-defined]  # noqa: F821
        if result is not None:
            return result[0], [result[1]], {"k": result[2]}
    return original(a, b)


def new_instructions() -> list[Instruction | Label]:
    """The instructions of `entry`, its jumps to labels, its variable by name."""
    program = opcodes.decode(entry.__code__)
    labels = [Label() for _ in program]
    items: list[Instruction | Label] = []
    for label, each in zip(labels, program):
        changes: dict[str, Any] = {operand: labels[getattr(each, operand)] for operand in each.targets}
        if "slot" in each.operands:
            changes["slot"] = None
        items += [label, ins.NOP() if each.opname == "RESUME" else each.replace(**changes)]
    return items


def quickest(task: Callable[[], object], rounds: int) -> float:
    """Microseconds of the quickest tenth of the rounds at most: the machine has other things to do."""
    times = []
    for _ in range(rounds):
        begin = perf_counter()
        task()
        times.append(perf_counter() - begin)
    times.sort()
    return round(times[len(times) // 10] * 1e6, 1)


def results(rounds: int) -> dict[str, object]:
    """The measured figures, JSON-ready."""
    program = opcodes.decode(original.__code__)
    items = new_instructions()
    head = next(index for index, each in enumerate(program) if each.opname != "RESUME")
    spliced = program.splice(head, items)
    return {
        "python": platform.python_version(),
        "instructions": len(program),
        "new_instructions": len(spliced) - len(program),
        "microseconds": {
            "encode, untouched": quickest(lambda: opcodes.encode(program), rounds),
            "splice": quickest(lambda: program.splice(head, items), rounds),
            "encode, spliced": quickest(lambda: opcodes.encode(spliced), rounds),
        },
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--rounds", type=int, default=400, help="how often each is done (400)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    found: Any = results(options.rounds)
    if options.json:
        print(json.dumps(found))
        return
    print(f"CPython {found['python']}: {found['instructions']} instructions, {found['new_instructions']} new")
    for name, microseconds in found["microseconds"].items():
        print(f"  {name:<20} {microseconds:8.1f} µs")


if __name__ == "__main__":
    main()
