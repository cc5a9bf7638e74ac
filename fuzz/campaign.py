"""A campaign: streams of programs over several interpreters and targets, slice by slice, findings kept.

    campaign = Campaign(store, options, progress)
    campaign.run()

Slices are carried out by threads, each of which drives a worker process, or by a cluster; only the
campaign's own thread writes to the database.
"""

from __future__ import annotations

import queue
import time
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Protocol

from fuzz.examples import Examples
from fuzz.findings import Finding
from fuzz.processes import WorkerProcess, main_command
from fuzz.slices import Lane, Outcome, carry_out, dismiss_all, make_small
from fuzz.store import Store

TARGETS = ("interpret", "unfused", "compile", "roundtrip", "spliced", "cross")
#: seconds of a slice
SLICE = 3.0
#: seconds that a finding is made small for
REDUCING = 12.0


@dataclass(frozen=True)
class Options:
    """What a campaign is to do."""

    pythons: tuple[str, ...] = ("",)
    targets: tuple[str, ...] = ("interpret",)
    #: None: no limit
    seconds: float | None = None
    #: programs of each stream
    examples: int | None = None
    workers: int = 1
    seed: int = 0
    cpu: int = 20
    memory: int = 2 << 30
    setup: str = ""
    redis: str | None = None
    cluster: str | None = None
    #: ends with the first finding
    first: bool = False
    reducing: float = REDUCING


class Progress(Protocol):
    """What looks on."""

    def started(self, campaign: Campaign) -> None:
        """The interpreters are known."""

    def changed(self, campaign: Campaign) -> None:
        """Called a few times a second."""

    def found(self, number: int, finding: Finding, small: bool) -> None:
        """A new finding, or one that was made small."""


@dataclass
class Tally:
    """The figures of one lane in this run."""

    programs: int = 0
    seconds: float = 0.0
    findings: int = 0


@dataclass
class _Running:
    lane: Lane
    reduces: tuple[int, Finding] | None = None
    reported: list[Finding] = field(default_factory=list)


class Campaign:
    """One run of a campaign. ValueError for options that cannot be; RuntimeError if no worker starts."""

    def __init__(self, store: Store, options: Options, progress: Progress) -> None:
        self.store, self.options, self.progress = store, options, progress
        self.examples = Examples(store.folder, options.redis)
        self.tallies: dict[str, Tally] = {}
        self.began = time.monotonic()
        self.stopped = False
        self._events: queue.SimpleQueue[tuple[Lane, Finding]] = queue.SimpleQueue()
        self._reductions: deque[tuple[Lane, int, Finding]] = deque()
        self._reported: Counter[str] = Counter()
        for target in options.targets:
            if target not in TARGETS and not (target.startswith("user:") and "." in target):
                known = ", ".join(TARGETS)
                raise ValueError(f"no target {target!r}: there are {known}, and user:module.function")
        self.lanes = self._lanes()
        self._next = {
            lane.name: store.next_number(lane.python, lane.host, lane.target) for lane in self.lanes
        }
        self._last = dict.fromkeys(self._next, None if options.examples is None else options.examples)

    # -- which streams there are

    def _lanes(self) -> list[Lane]:
        options = self.options
        hello = (
            ("seed", options.seed),
            ("cpu", options.cpu),
            ("memory", options.memory),
            ("setup", options.setup),
        )
        versions: dict[str, tuple[str, ...]] = {}
        for python in options.pythons:
            command = main_command(python)
            process = WorkerProcess(command, {"target": "interpret", **dict(hello)})
            about = process.about
            process.close()
            if about["version"] in versions:
                raise ValueError(f"--python {python}: CPython {about['version']} is given twice")
            versions[about["version"]] = tuple(command)
        lanes: list[Lane] = []
        for target in options.targets:
            for python, started in versions.items():
                hosts = [each for each in versions if each != python] if target == "cross" else [python]
                lanes += [Lane(python, host, target, started, versions[host], hello) for host in hosts]
        if not lanes:
            raise ValueError("the target cross needs two Pythons or more: give --python more than once")
        for lane in lanes:
            self.tallies[lane.name] = Tally()
        return lanes

    # -- going on

    def run(self) -> None:
        """Until the time or the programs are over, or Ctrl-C; then what is under way is finished."""
        self._again()
        self.progress.started(self)
        executor, slots = self._executor()
        running: dict[Future[Outcome], _Running] = {}
        idle = deque(self.lanes)
        try:
            while True:
                try:
                    self._start(executor, slots, running, idle)
                    if not running:
                        return
                    done, _ = wait(running, timeout=0.3, return_when=FIRST_COMPLETED)
                    self._drain()
                    for future in done:
                        self._finish(running.pop(future), future, idle)
                    self.progress.changed(self)
                except KeyboardInterrupt:
                    if self.stopped:
                        raise
                    self.stopped = True
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            dismiss_all()

    @property
    def over(self) -> bool:
        """Whether nothing new begins."""
        late = self.options.seconds is not None and self.elapsed >= self.options.seconds
        return self.stopped or late

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began

    def _executor(self) -> tuple[Executor, int]:
        if self.options.cluster is not None:
            from fuzz.cluster import ClusterExecutor

            executor = ClusterExecutor(self.options.cluster)
            return executor, max(self.options.workers, executor.size)
        return ThreadPoolExecutor(self.options.workers), self.options.workers

    def _again(self) -> None:
        """Findings that an earlier run had no time to make small."""
        for kept in self.store.findings():
            if not kept.small:
                for lane in self.lanes:
                    finding = kept.finding
                    if (lane.python, lane.host, lane.target) == (
                        finding.python,
                        finding.host,
                        finding.target,
                    ):
                        self._reductions.append((lane, kept.number, finding))
                        break

    def _start(
        self, executor: Executor, slots: int, running: dict[Future[Outcome], _Running], idle: deque[Lane]
    ) -> None:
        for _ in range(len(idle)):
            if len(running) >= slots or self.over or not idle:
                return
            lane = idle.popleft()
            waiting = next((each for each in self._reductions if each[0] is lane), None)
            if waiting is not None:
                self._reductions.remove(waiting)
                future = executor.submit(make_small, lane, waiting[1], waiting[2], self.options.reducing)
                running[future] = _Running(lane, (waiting[1], waiting[2]))
                continue
            start, last = self._next[lane.name], self._last[lane.name]
            if last is not None and start >= last:
                continue  # this lane is done
            seconds = SLICE
            if self.options.seconds is not None:
                seconds = min(SLICE, max(0.1, self.options.seconds - self.elapsed))
            count = 1_000_000 if last is None else last - start
            fresh = self.examples.fresh(lane.target, lane.name)
            arguments: list[Any] = [lane, start, count, seconds, fresh]
            if self.options.cluster is None:
                arguments.append(lambda finding, lane=lane: self._events.put((lane, finding)))
            running[executor.submit(carry_out, *arguments)] = _Running(lane)

    def _drain(self) -> None:
        while not self._events.empty():
            self._found(*self._events.get())

    def _finish(self, run: _Running, future: Future[Outcome], idle: deque[Lane]) -> None:
        outcome = future.result()
        lane = run.lane
        if self.options.cluster is not None or run.reduces is not None:
            for finding in outcome.findings:
                self._found(lane, finding)
        for number, finding in outcome.small:
            self.progress.found(self.store.made_small(number, finding), finding, True)
        if run.reduces is None:
            done = outcome.done
            self.store.progress(lane.python, lane.host, lane.target, done)
            self.examples.save(lane.target, done["examples"])
            self._next[lane.name] = done["next"]
            tally = self.tallies[lane.name]
            tally.programs += done["programs"]
            tally.seconds += done["seconds"]
        idle.append(lane)

    def _found(self, lane: Lane, finding: Finding) -> None:
        number, look = self.store.found(finding)
        self.tallies[lane.name].findings += 1
        if look:
            self.progress.found(number, finding, False)
            self._reductions.append((lane, number, finding))
        if self.options.first:
            self.stopped = True
