"""Runs a program saved by a report again: `python -m fuzz.replay program.py --target interpret`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fuzz.generated import from_script
from fuzz.reduce import reduced
from fuzz.targets import TARGETS


def main(arguments: list[str] | None = None) -> int:
    """0: no disagreement; 1: one, printed; 2: the program cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.replay", description=__doc__)
    parser.add_argument("program", help="a file with the source and its calls as '#: f(1)' lines")
    parser.add_argument("--target", choices=sorted(TARGETS), default="interpret")
    parser.add_argument("--reduce", action="store_true", help="make the program smaller while it fails")
    options = parser.parse_args(arguments)
    try:
        function = from_script(Path(options.program).read_text(encoding="utf-8"))
        function.code()
    except (OSError, ValueError, SyntaxError) as error:
        print(f"{options.program}: {error}", file=sys.stderr)
        return 2
    target = TARGETS[options.target]
    found = target(function)
    if found is None:
        print(f"{options.target} agrees with CPython on {len(function.calls)} calls")
        return 0
    if options.reduce:
        function = reduced(function, lambda candidate: target(candidate) is not None)
        found = target(function) or found
    print(found.report())
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
