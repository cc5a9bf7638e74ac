"""How many planted faults a campaign finds: `python -m tests.fuzz.faults.measure [--seconds 60] [NAME …]`.

Each fault is planted in a process of its own, which runs programs against the fault's target until the
first finding, or so many seconds of processor time. Each target is also run without a fault: there, any
finding is one too many. The table of what was missed goes to `missed.md` beside this file with --write.
The last line is `faults found: N of M`.
"""

from __future__ import annotations

import argparse
import os
import resource
import selectors
import sys
import time
from pathlib import Path

from tests.fuzz.faults.planting import FAULTS, load

SEED = 1


def campaign(name: str | None, target: str, seconds: float, programs: int, known: set[str]) -> str:
    """What is found with the fault planted, in this process: its title, or nothing. Without one (no name):
    all that is found, a line each. What is `known` to fail without it does not count."""
    from fuzz.trials import Session

    os.environ["OPSHIFT_RAISE"] = "1"
    if name is not None:
        FAULTS[name].plant()
    session = Session(target, seed=SEED)
    began = time.process_time()
    number = 0
    every: set[str] = set()
    while number < programs and time.process_time() - began < seconds:
        found = session.trial(number)
        number += 1
        if found is None or found.rough in known:
            continue
        if name is not None:
            return f"{found.title} (program {number - 1}, {time.process_time() - began:.1f} s)"
        every.add(found.rough)
    return "\n".join(sorted(every))


class Child:
    """The same in a fork, where a crash and a hang are findings."""

    def __init__(
        self,
        name: str | None,
        target: str,
        seconds: float,
        programs: int = 1 << 30,
        known: frozenset[str] = frozenset(),
    ) -> None:
        self.name, self.target = name, target
        self.pipe, write = os.pipe()
        self.text = b""
        self.number = os.fork()
        if self.number == 0:
            os.close(self.pipe)
            self._work(write, seconds, programs, set(known))
        os.close(write)

    def _work(self, write: int, seconds: float, programs: int, known: set[str]) -> None:
        limit = int(time.process_time() + seconds) + 30
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            os.write(write, campaign(self.name, self.target, seconds, programs, known).encode() or b"\0")
        except BaseException as error:
            os.write(write, f"!{type(error).__name__}: {error}".encode()[:4000])
        finally:
            os._exit(0)

    def read(self) -> bool:
        """Takes what it says; whether it has ended."""
        data = os.read(self.pipe, 1 << 12)
        self.text += data
        return not data

    def result(self) -> str:
        """What it found, or nothing; "!…" if the fault could not be planted."""
        os.close(self.pipe)
        _, status = os.waitpid(self.number, 0)
        text = self.text.decode(errors="replace").strip("\0")
        found = text if self.text else f"the process ended with status {status}"
        print(f"{self.name or 'no fault'} ({self.target}): {found or 'nothing found'}", flush=True)
        return found


def results(
    jobs: list[tuple[str | None, str]], seconds: float, workers: int, known: frozenset[str] = frozenset()
) -> dict[tuple[str | None, str], str]:
    """What each job found, so many at once."""
    found: dict[tuple[str | None, str], str] = {}
    waiting = list(reversed(jobs))
    with selectors.DefaultSelector() as running:
        while waiting or running.get_map():
            while waiting and len(running.get_map()) < workers:
                child = Child(*waiting.pop(), seconds, known=known)
                running.register(child.pipe, selectors.EVENT_READ, child)
            for key, _ in running.select():
                child = key.data
                if child.read():
                    running.unregister(child.pipe)
                    found[child.name, child.target] = child.result()
    return found


def main(arguments: list[str] | None = None) -> int:
    """0 if at least 95 % are found, and nothing without a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--write", action="store_true", help="write missed.md")
    parser.add_argument("--without", action="store_true", help="only the runs without a fault")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(arguments)
    load()
    import fuzz.trials  # noqa: F401 (loaded once, before the forks)
    import translator.compiling
    import translator.interpreter  # noqa: F401 (loaded once, before the forks)

    unknown = [name for name in options.names if name not in FAULTS]
    if unknown:
        print(f"no fault {unknown[0]!r}: there are {', '.join(FAULTS)}", file=sys.stderr)
        return 2
    here = [fault for fault in FAULTS.values() if fault.here]
    wanted = (
        []
        if options.without
        else [fault for fault in here if not options.names or fault.name in options.names]
    )
    targets = sorted({fault.target for fault in (wanted or here)})
    # longer, so that it goes further than a run with a fault
    clean = results([(None, target) for target in targets], 1.5 * options.seconds, options.workers)
    known = frozenset(line for text in clean.values() for line in text.splitlines())
    jobs: list[tuple[str | None, str]] = [(fault.name, fault.target) for fault in wanted]
    found = results(jobs, options.seconds, options.workers, known)
    missed = [name for (name, _), text in found.items() if name and (not text or text[0] == "!")]
    false = [target for (_, target), text in clean.items() if text]
    if options.write:
        _write(missed, options.seconds)
    for target in false:
        print(f"found without a fault: {target}")
    print(f"faults found: {len(wanted) - len(missed)} of {len(wanted)}")
    return 0 if len(missed) <= 0.05 * len(wanted) and not false else 1


def _write(missed: list[str], seconds: float) -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    lines = [f"# Planted faults that {seconds:.0f} s do not find, on CPython {version}", ""]
    lines += ["| fault | kind | target |", "|---|---|---|"] if missed else ["None."]
    lines += [f"| {name} | {FAULTS[name].kind} | {FAULTS[name].target} |" for name in missed]
    Path(__file__).with_name("missed.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
