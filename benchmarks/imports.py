"""What importing opshift costs beyond a bare interpreter.

    python benchmarks/imports.py [--rounds 15] [--json]

Each import runs in a fresh process, in turn with a bare one, after a first round that writes the `.pyc`
files. Prints the medians, and the modules that `import translator` loads and bare Python does not, dearest
first (`-X importtime`).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from time import perf_counter

STATEMENTS = {
    "bare": "pass",
    "import opcodes": "import opcodes",
    "import translator": "import translator",
    "translator.compile": "import translator; translator.compile",
    "opshift --help": "import sys; sys.argv[1:] = ['--help']; import translator.command_line as c; c.main()",
}

#: what must not be loaded before it is used
LAZY = ("numpy", "torch", "xdis", "click", "rich", "dis", "inspect")


def run(statement: str, *options: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, *options, "-c", statement],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )


def seconds(statement: str) -> float:
    begin = perf_counter()
    run(statement)
    return perf_counter() - begin


def own_microseconds(statement: str) -> dict[str, int]:
    """Module -> its own import time, by `-X importtime`."""
    found = {}
    for line in run(statement, "-X", "importtime").stderr.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if line.startswith("import time:") and parts[0].strip().isdigit():
            found[parts[2].strip()] = int(parts[0])
    return found


def results(rounds: int) -> dict[str, object]:
    """The measured figures, JSON-ready."""
    for statement in STATEMENTS.values():
        run(statement)  # compiles what is not compiled yet
    times: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    for _ in range(rounds):
        for name, statement in STATEMENTS.items():
            times[name].append(seconds(statement))
    medians = {name: statistics.median(each) * 1e3 for name, each in times.items()}
    bare, with_translator = own_microseconds("pass"), own_microseconds("import translator")
    added = {name: cost for name, cost in with_translator.items() if name not in bare}
    return {
        "python": platform.python_version(),
        "rounds": rounds,
        "milliseconds": medians,
        "beyond_bare": {name: each - medians["bare"] for name, each in medians.items() if name != "bare"},
        "importtime_milliseconds": sum(added.values()) / 1e3,
        "modules": dict(sorted(added.items(), key=lambda item: -item[1])),
        "loaded_too_early": [name for name in LAZY if name in added],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    found = results(options.rounds)
    if options.json:
        print(json.dumps(found, indent=2))
        return
    print(f"CPython {found['python']}, median of {found['rounds']} fresh processes")
    for name, each in found["milliseconds"].items():  # type: ignore[attr-defined]
        beyond = found["beyond_bare"].get(name)  # type: ignore[attr-defined]
        print(f"{name:20} {each:7.1f} ms" + ("" if beyond is None else f"  {beyond:+7.1f} ms"))
    print(f"import translator by -X importtime: {found['importtime_milliseconds']:.1f} ms, of which")
    for name, cost in list(found["modules"].items())[:12]:  # type: ignore[attr-defined]
        print(f"    {cost / 1e3:6.1f} ms  {name}")
    if found["loaded_too_early"]:
        print(f"loaded before they are used: {', '.join(found['loaded_too_early'])}")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
