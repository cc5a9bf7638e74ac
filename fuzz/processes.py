"""Worker processes as the campaign sees them: started, asked, watched, and how they died."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz import findings
from fuzz.findings import Finding
from opcodes.table import VERSIONS

_ROOT = str(Path(__file__).resolve().parent.parent)
#: seconds without a sign of life after which a worker is taken for hanging, besides its processor time
STALL = 120.0


class WorkerDied(Exception):
    """A worker ended in the middle: how, and the program that it was at."""

    def __init__(self, kind: str, how: str, where: str, program: dict[str, Any] | None, dump: str) -> None:
        super().__init__(f"{how} ({where})")
        self.kind, self.how, self.where, self.program, self.dump = kind, how, where, program, dump

    def finding(self, target: str, python: str, host: str) -> Finding | None:
        """As a finding; None if it had no program yet."""
        if self.program is None:
            return None
        rough = findings.signature(target, self.kind, self.how, self.where)
        program = {name: self.program[name] for name in ("source", "calls", "entry", "prelude")}
        call = program["calls"][0]
        title = f"{self.how} ({self.where})"
        return Finding(
            self.kind, target, python, host, rough, rough, title, program, call, got=self.dump[-4000:]
        )


class WorkerRefused(ValueError):
    """A worker says that what it is asked for cannot be."""


class WorkerProcess:
    """One running worker.

    Args:
        command: how its interpreter is started.
        hello: what it is told first (see `Worker.do_hello`).
        stall: seconds without a sign of life after which it is ended.
    """

    def __init__(self, command: list[str], hello: dict[str, Any], *, stall: float = STALL) -> None:
        self.command = command
        self.stall = stall
        self.folder = tempfile.TemporaryDirectory(prefix="opshift-fuzz-")
        self.record = os.path.join(self.folder.name, "record")
        with open(self.record, "wb") as file:
            file.truncate(1 << 20)
        self.errors = open(os.path.join(self.folder.name, "errors"), "w+b")
        self.process = subprocess.Popen(
            [*command, "-m", "fuzz.worker", self.record],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment(),
            start_new_session=True,
        )
        self._rest = b""
        self._lock = threading.Lock()
        self.about = self.ask({"do": "hello", **hello})

    def ask(
        self, request: dict[str, Any], told: Callable[[dict[str, Any]], None] = lambda event: None
    ) -> dict[str, Any]:
        """The answer; events on the way go to `told`. WorkerDied, WorkerRefused."""
        with self._lock:  # several streams may share it
            return self._ask(request, told)

    def _ask(self, request: dict[str, Any], told: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self._died()
        memory = False
        while True:
            line = self._line()
            if not line:
                self._died(memory)
            message = json.loads(line)
            if "done" in message:
                return message["done"]  # type: ignore[no-any-return]
            if "refused" in message:
                raise WorkerRefused(message["refused"])
            if "failed" in message:
                raise RuntimeError(f"a worker of {' '.join(self.command)} failed:\n{message['failed']}")
            memory = memory or "memory" in message
            told(message)

    def _line(self) -> bytes:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        heard = time.monotonic()
        while b"\n" not in self._rest:
            ready, _, _ = select.select([descriptor], [], [], 1.0)
            if ready:
                data = os.read(descriptor, 1 << 16)
                if not data:
                    return b""
                self._rest += data
                heard = time.monotonic()
            elif time.monotonic() - heard > self.stall:
                self._kill()
                self._died(stalled=True)
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def _died(self, memory: bool = False, stalled: bool = False) -> None:
        self.process.wait()
        status = self.process.returncode
        self.errors.seek(0)
        dump = self.errors.read().decode(errors="replace")
        program = None
        with open(self.record, "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size:
                program = json.loads(file.read(size))
        self.close()
        if program is None:
            last = (dump.strip().splitlines() or [f"exit status {status}"])[-1]
            raise RuntimeError(f"a worker of {' '.join(self.command)} did not start: {last}")
        where = findings.blamed_in_dump(dump)
        if memory:
            raise WorkerDied("memory", "memory past the limit", "", program, dump)
        if stalled or status == -getattr(signal, "SIGXCPU", 24):
            raise WorkerDied("hang", "it does not end", where, program, dump)
        how = f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        raise WorkerDied("crash", how, where, program, dump)

    def _kill(self) -> None:
        if hasattr(signal, "SIGABRT"):
            self.process.send_signal(signal.SIGABRT)  # faulthandler says where it was
            try:
                self.process.wait(2)
                return
            except subprocess.TimeoutExpired:
                pass
        self.process.kill()

    def close(self) -> None:
        """Ends it."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.errors.close()
        self.folder.cleanup()


def environment() -> dict[str, str]:
    """What workers find in their environment: our packages, fixed hashes, one thread, our errors raised."""
    found = dict(os.environ)
    path = [_ROOT, os.getcwd(), *filter(None, [found.get("PYTHONPATH")])]
    found.update(
        PYTHONPATH=os.pathsep.join(path),
        PYTHONHASHSEED="0",
        OPENBLAS_NUM_THREADS="1",
        OPSHIFT_RAISE="1",
        PYTHONDONTWRITEBYTECODE=found.get("PYTHONDONTWRITEBYTECODE", ""),
    )
    found.pop("OPSHIFT_CHECK", None)
    return found


class Helper:
    """Another worker that judges candidates of a reduction: it may crash, and is started again."""

    def __init__(self, command: list[str], options: dict[str, Any], found: Finding) -> None:
        self.command, self.options, self.found = command, options, found
        self.process: WorkerProcess | None = None

    def judge(self, target: str, function: Any) -> Finding | None:
        """What the other process makes of the candidate."""
        found = self.found
        program = findings.to_data(function)
        try:
            if self.process is None:
                self.process = WorkerProcess(self.command, self.options)
            if target == "cross":
                from fuzz import crossing

                seen: list[dict[str, Any]] = []
                item = crossing.export(function)
                request = {
                    "do": "cross",
                    "items": [item],
                    "header": crossing.header().hex(),
                    "python": found.python,
                }
                self.process.ask(
                    request, lambda event: seen.append(event["finding"]) if "finding" in event else None
                )
                return Finding.from_dict(seen[0]) if seen else None
            answer = self.process.ask({"do": "judge", "target": target, "program": program})["finding"]
            return None if answer is None else Finding.from_dict(answer)
        except WorkerDied as death:
            self.process = None
            return death.finding(target, found.python, found.host)


def main_command(python: str) -> list[str]:
    """How an interpreter given by path or version is started. ValueError names what is not there."""
    if os.sep in python or python.endswith(".exe"):
        if not os.access(python, os.X_OK):
            raise ValueError(f"no interpreter at {python!r}: give a path to one, or a version such as 3.13")
        return [python]
    if python in ("", "here"):
        return [sys.executable]
    from translator.command_line.interpreters import candidates

    major, _, minor = python.partition(".")
    if not (major.isdecimal() and minor.isdecimal()):
        raise ValueError(f"{python!r} is neither a version such as 3.13 nor a path to an interpreter")
    if (int(major), int(minor)) not in VERSIONS:
        known = ", ".join(f"{version[0]}.{version[1]}" for version in VERSIONS)
        raise ValueError(f"there are no opcode tables for CPython {python}: there are those of {known}")
    for command in candidates((int(major), int(minor))):
        # what stands on PATH may be a stand-in that starts nothing
        if subprocess.run([*command, "-I", "-S", "-c", ""], capture_output=True).returncode == 0:
            return command
    raise ValueError(f"no CPython {python} found: put python{python} on PATH, or give its path")
