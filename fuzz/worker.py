"""A worker process: one interpreter, one target, fed over its standard input, for as long as a campaign.

Each line is a request as JSON, each answer a line too: events while it works, then {"done": …}. What the
programs print does not get in between. Before each program the worker writes it into a file that outlives
it (the flight record), so that a crash can be laid at the door of a program.
"""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import sys
import time
import traceback
from importlib import import_module
from typing import IO, Any

from fuzz import crossing, findings
from fuzz.findings import Finding, from_data
from fuzz.generated import GeneratedFunction
from fuzz.recipes import Recipe
from fuzz.trials import SECOND, VERSION, NoSuchTarget, Session, has_numpy, judge, made_small, parted, runner

RECORD_SIZE = 1 << 20
_TICK = 0.5


class Worker:
    """Answers requests until its input ends.

    Args:
        record: the path of the flight record.
        out: where answers go.
    """

    def __init__(self, record: str, out: IO[bytes]) -> None:
        self.out = out
        file = open(record, "r+b")
        self.record = mmap.mmap(file.fileno(), RECORD_SIZE)
        self.session: Session | None = None
        self.parent = os.getppid()
        self.cpu_limit = 20
        self.memory_limit = 0
        self._told = time.monotonic()

    def say(self, **message: Any) -> None:
        """One answer."""
        self.out.write(json.dumps(message).encode() + b"\n")
        self.out.flush()
        self._told = time.monotonic()

    def before(self, function: GeneratedFunction) -> None:
        """The program is on record, and has so many seconds of processor time."""
        number = self.session.number if self.session is not None else 0
        data = json.dumps({**findings.to_data(function), "number": number}).encode()[: RECORD_SIZE - 8]
        self.record[:8] = len(data).to_bytes(8, "little")
        self.record[8 : 8 + len(data)] = data
        limit_processor(self.cpu_limit)
        if time.monotonic() - self._told > _TICK:
            if os.getppid() != self.parent:
                raise SystemExit("the campaign is gone")
            self.say(tick=True)

    def serve(self, requests: IO[bytes]) -> None:
        """Goes round until there are no more requests."""
        for line in requests:
            request = json.loads(line)
            try:
                answer = getattr(self, "do_" + request.pop("do"))(**request)
            except NoSuchTarget as error:
                self.say(refused=str(error))
            except Exception:
                self.say(failed=traceback.format_exc())
            else:
                self.say(done=answer)

    # -- requests

    def do_hello(
        self, target: str, seed: int, cpu: int, memory: int, setup: str = "", numpy: bool | None = None
    ) -> dict[str, Any]:
        """What this interpreter is; the target is made ready."""
        if setup:
            place, _, argument = setup.partition(":")
            module, _, name = place.rpartition(".")
            getattr(import_module(module), name)(*([argument] if argument else []))
        self.cpu_limit = cpu
        self.memory_limit = memory
        limit_memory(memory)
        self.session = Session(target, seed=seed, numpy=numpy)
        self.session.before = self.before
        return {
            "version": VERSION,
            "implementation": sys.implementation.name,
            "executable": sys.executable,
            "numpy": has_numpy(),
            "header": crossing.header().hex(),
        }

    def do_run(self, start: int, count: int, seconds: float, examples: list[str]) -> dict[str, Any]:
        """Programs by their numbers, until the time or the count is over."""
        session = self._ready(examples)
        began, processor = time.monotonic(), time.process_time()
        number = start
        while number < start + count and time.monotonic() - began < seconds:
            found = session.trial(number)
            if found is not None:
                self.say(finding=found.to_dict(), number=number)
            self.check_memory()
            number += 1
        return self._told_of(number, start, processor)

    def do_export(self, start: int, count: int, seconds: float, examples: list[str]) -> dict[str, Any]:
        """Programs for another host, with what this version makes of them."""
        session = self._ready(examples)
        began, processor = time.monotonic(), time.process_time()
        number, items = start, []
        while number < start + count and time.monotonic() - began < seconds:
            made = session.program(number)
            if made is not None:
                items.append(crossing.export(made[1]))
                session.watch(number, *made)
            number += 1
        return {**self._told_of(number, start, processor), "items": items}

    def do_cross(self, items: list[dict[str, Any]], header: str, python: str) -> dict[str, Any]:
        """Programs of another version, carried out here."""
        processor = time.process_time()
        for item in items:
            self.before(from_data(item["program"]))
            found = cross(item, bytes.fromhex(header), python)
            if found is not None:
                self.say(finding=found.to_dict())
            self.check_memory()
        return {"seconds": time.process_time() - processor}

    def do_judge(self, target: str, program: dict[str, Any]) -> dict[str, Any]:
        """One program against a target."""
        function = from_data(program)
        self.before(function)
        found = self._judge(target, function)
        return {"finding": None if found is None else parted(found, function).to_dict()}

    def do_one_export(self, program: dict[str, Any]) -> dict[str, Any]:
        """One program for another host."""
        return {"item": crossing.export(from_data(program)), "header": crossing.header().hex()}

    def do_reduce(
        self,
        finding: dict[str, Any],
        seconds: float,
        helper: list[str] | None = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The finding made small, with where the runs part. `helper` is the command of the worker that
        judges, for what this process would not survive or cannot see by itself."""
        found = Finding.from_dict(finding)
        if helper is None:
            judged = self._reducing
        else:
            from fuzz.processes import Helper

            judged = Helper(helper, options or {}, found).judge
        small, again = made_small(found, lambda candidate: judged(found.target, candidate), seconds)
        return {"finding": parted(again, small).to_dict()}

    # -- what they share

    def _reducing(self, target: str, function: GeneratedFunction) -> Finding | None:
        self.before(function)
        return self._judge(target, function)

    def _judge(self, target: str, function: GeneratedFunction) -> Finding | None:
        if target == "compile":
            from translator import convert_frame

            convert_frame.capture_everything = "np" not in function.prelude
        found = judge(target, function, runner(target))
        if found is None and target in SECOND:
            found = judge(target, function, runner(SECOND[target][0]))
        return found

    def _ready(self, examples: list[str]) -> Session:
        session = self.session
        assert session is not None, "hello comes first"
        for text in examples:
            session.keep(Recipe.from_bytes(text.encode()))
        return session

    def _told_of(self, number: int, start: int, processor: float) -> dict[str, Any]:
        session = self.session
        assert session is not None
        fresh, session.fresh = session.fresh, []
        refused, session.refused = session.refused, 0
        return {
            "next": number,
            "programs": number - start,
            "refused": refused,
            "seconds": time.process_time() - processor,
            "coverage": session.watcher.since_last_told(),
            "examples": [each.to_bytes().decode() for each in fresh],
        }

    def check_memory(self) -> None:
        """Ends the process if it has grown too large: the campaign lays it to the last program."""
        if self.memory_limit and resident() > self.memory_limit:
            self.say(memory=resident())
            os._exit(3)


def cross(item: dict[str, Any], header: bytes, python: str) -> Finding | None:
    """One exported program, carried out here."""
    function = from_data(item["program"])
    try:
        found = crossing.carry_out(item, header)
    except Exception as error:
        how, where = f"{type(error).__name__}: {findings.shape(str(error))}", findings.blamed(error)
        rough = findings.signature("cross", "error", how, where)
        return Finding(
            "error", "cross", python, VERSION, rough, rough, f"{how} ({where})", item["program"],
            function.calls[0], got=f"{type(error).__name__}: {error}",
        )  # fmt: skip
    if found is None:
        return None
    call, expected, got = found
    how = findings.category(expected, got)
    rough = findings.signature("cross", "disagreement", how, "")
    return Finding(
        "disagreement", "cross", python, VERSION, rough, rough, how, item["program"], call,
        str(expected), str(got), expected.difference(got) or "",
    )  # fmt: skip


def limit_processor(seconds: int) -> None:
    """So many seconds of processor time from now; then the system ends the process."""
    if resource is not None:
        soft = int(time.process_time()) + 1 + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))


def limit_memory(limit: int) -> None:
    """Well past the limit the system refuses memory."""
    if resource is not None and limit:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (limit + (4 << 30), hard))


def resident() -> int:
    """Bytes of memory in use, or at most used so far where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        if resource is None:
            return 0
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


try:
    import resource
except ImportError:  # not on Windows: there the campaign's own clock is all there is
    resource = None  # type: ignore[assignment]


def main() -> None:
    """`python -m fuzz.worker RECORD`."""
    faulthandler.enable()
    if resource is not None:
        import signal

        faulthandler.register(signal.SIGXCPU, chain=True)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = os.fdopen(os.dup(1), "wb")
    requests = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    try:
        Worker(sys.argv[1], out).serve(requests)
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)


if __name__ == "__main__":
    main()
