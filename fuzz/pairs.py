"""One program's bytecode of one CPython, carried out on another: what the tests of such findings call."""

from __future__ import annotations

from typing import Any

from fuzz.findings import Finding, to_data
from fuzz.generated import from_script
from fuzz.processes import WorkerProcess, main_command

_HELLO = {"target": "cross", "seed": 0, "cpu": 20, "memory": 2 << 30}


def crossed(script: str, python: str, host: str) -> Finding | None:
    """What goes wrong with a script compiled by one version and carried out on another; None if nothing."""
    program = to_data(from_script(script))
    exporter = WorkerProcess(main_command(python), _HELLO)
    made = exporter.ask({"do": "one_export", "program": program})
    exporter.close()
    process = WorkerProcess(main_command(host), _HELLO)
    seen: list[dict[str, Any]] = []
    request = {"do": "cross", "items": [made["item"]], "header": made["header"], "python": python}
    process.ask(request, lambda event: seen.append(event["finding"]) if "finding" in event else None)
    process.close()
    return Finding.from_dict(seen[0]) if seen else None
