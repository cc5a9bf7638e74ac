"""A slice of a campaign's work: a stretch of one stream of programs, or a finding made small.

`carry_out` is what a thread of the campaign calls, or a worker of a cluster: the worker processes that it
needs are started in the process it runs in, and stay.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from fuzz.findings import Finding
from fuzz.processes import WorkerDied, WorkerProcess


@dataclass(frozen=True)
class Lane:
    """One stream of programs: whose bytecode, carried out where, held against what."""

    python: str
    host: str
    target: str
    #: how the two interpreters are started
    python_command: tuple[str, ...]
    host_command: tuple[str, ...]
    #: what workers are told first
    hello: tuple[tuple[str, Any], ...]

    @property
    def name(self) -> str:
        """For people."""
        where = self.python if self.python == self.host else f"{self.python} on {self.host}"
        return f"{where} {self.target}"


@dataclass
class Outcome:
    """What became of a slice."""

    done: dict[str, Any]
    findings: list[Finding] = field(default_factory=list)
    #: findings made small, by the numbers they have in the database
    small: list[tuple[int, Finding]] = field(default_factory=list)


#: of a slice that made no progress
NOTHING: dict[str, Any] = {
    "next": 0,
    "programs": 0,
    "refused": 0,
    "seconds": 0.0,
    "coverage": {},
    "examples": [],
}

_workers: dict[tuple[Any, ...], WorkerProcess] = {}


def worker(command: tuple[str, ...], lane: Lane) -> WorkerProcess:
    """The persistent worker of that interpreter and target in this process."""
    key = (command, lane.target, lane.hello)
    if key not in _workers:
        _workers[key] = WorkerProcess(list(command), {"target": lane.target, **dict(lane.hello)})
    return _workers[key]


def dismiss(command: tuple[str, ...], lane: Lane) -> None:
    """That worker is gone."""
    found = _workers.pop((command, lane.target, lane.hello), None)
    if found is not None:
        found.close()


@atexit.register
def dismiss_all() -> None:
    """Ends all workers of this process."""
    while _workers:
        _workers.popitem()[1].close()


def carry_out(
    lane: Lane,
    start: int,
    count: int,
    seconds: float,
    examples: list[str],
    told: Callable[[Finding], None] | None = None,
) -> Outcome:
    """A stretch of the lane's programs. A worker that dies is a finding, and the next one goes on after it.

    Args:
        told: called with each finding at once; they are in the outcome too.
    """
    found: list[Finding] = []

    def event(message: dict[str, Any]) -> None:
        if "finding" in message:
            finding = replace(Finding.from_dict(message["finding"]), python=lane.python, host=lane.host)
            found.append(finding)
            if told is not None:
                told(finding)

    request = {"start": start, "count": count, "seconds": seconds, "examples": examples}
    command = lane.python_command
    try:
        process = worker(command, lane)
        if lane.target != "cross":
            return Outcome(process.ask({"do": "run", **request}, event), found)
        done = process.ask({**request, "do": "export", "seconds": seconds / 4})
        head = process.about["header"]
        command = lane.host_command
        crossed = {"do": "cross", "items": done.pop("items"), "header": head, "python": lane.python}
        done["seconds"] += worker(command, lane).ask(crossed, event)["seconds"]
        return Outcome(done, found)
    except WorkerDied as death:
        dismiss(command, lane)
        finding = death.finding(lane.target, lane.python, lane.host)
        if finding is not None:
            event({"finding": finding.to_dict()})
        last = death.program["number"] if death.program and command == lane.python_command else start
        progress = max(last + 1 - start, 1)
        return Outcome({**NOTHING, "next": start + progress, "programs": progress}, found)


def make_small(lane: Lane, number: int, finding: Finding, seconds: float) -> Outcome:
    """One finding made small."""
    request: dict[str, Any] = {"do": "reduce", "finding": finding.to_dict(), "seconds": seconds}
    if finding.kind in ("crash", "hang", "memory") or lane.target == "cross":
        request["helper"] = list(lane.host_command)
        request["options"] = {"target": lane.target, **dict(lane.hello)}
    found: list[Finding] = []
    small = finding
    try:
        small = Finding.from_dict(worker(lane.python_command, lane).ask(request)["finding"])
    except WorkerDied as death:  # a smaller program does worse: a finding of its own
        dismiss(lane.python_command, lane)
        worse = death.finding(lane.target, lane.python, lane.host)
        if worse is not None and worse.rough != finding.rough:
            found.append(worse)
    small = replace(small, python=lane.python, host=lane.host)
    return Outcome(dict(NOTHING), found, [(number, small)])
