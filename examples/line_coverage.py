"""Which lines of a function did not run: a line-coverage tool on the events of the Interpreter.

python examples/line_coverage.py
"""

from __future__ import annotations

import inspect
from typing import Any

from translator.events import WatchedInterpreter


class LineCoverage(WatchedInterpreter):
    """Collects the lines that ran, by code object's file."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seen: set[tuple[str, int]] = set()

    def on_line(self, frame: Any, line: int) -> None:
        """A line begins."""
        self.seen.add((frame.code.co_filename, line))

    def missing(self, function: Any) -> list[str]:
        """The source lines of the function that have code and did not run."""
        code = function.__code__
        source, first = inspect.getsourcelines(function)
        lines = {line for _, _, line in code.co_lines() if line} - {code.co_firstlineno}
        gone = sorted(line for line in lines if (code.co_filename, line) not in self.seen)
        return [f"{line}: {source[line - first].rstrip()}" for line in gone]


def sign(x: int) -> str:
    if x < 0:
        return "negative"
    if x == 0:
        return "zero"
    return "positive"


def main() -> None:
    """Runs `sign` on two numbers and prints what they left out."""
    coverage = LineCoverage()
    coverage.run(sign, 3)
    coverage.run(sign, -3)
    print("\n".join(coverage.missing(sign)))


if __name__ == "__main__":
    main()
