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
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.faults.planting import FAULTS, load

SEED = 1


def campaign(name: str | None, target: str, seconds: float) -> str:
    """What is found with the fault planted (none: without one), in this process: its title, or nothing."""
    from fuzz.trials import Session

    os.environ["OPSHIFT_RAISE"] = "1"
    if name is not None:
        FAULTS[name].plant()
    session = Session(target, seed=SEED)
    began = time.process_time()
    number = 0
    while time.process_time() - began < seconds:
        found = session.trial(number)
        if found is not None:
            return f"{found.title} (program {number}, {time.process_time() - began:.1f} s)"
        number += 1
    return ""


def in_a_process(name: str | None, target: str, seconds: float) -> str:
    """The same in a fork, where a crash and a hang are findings."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        resource.setrlimit(
            resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 30, resource.RLIM_INFINITY)
        )
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        status = 0
        try:
            with open(os.devnull, "w") as nothing:
                os.dup2(nothing.fileno(), 1)
                os.dup2(nothing.fileno(), 2)
            text = campaign(name, target, seconds)
            os.write(write, text.encode()[:4000] or b"\0")
        except BaseException as error:
            os.write(write, f"!{type(error).__name__}: {error}".encode()[:4000])
            status = 1
        finally:
            os._exit(status)
    os.close(write)
    text = b""
    while data := os.read(read, 1 << 12):
        text += data
    os.close(read)
    _, status = os.waitpid(child, 0)
    if not text:
        return f"the process ended with status {status}"
    return text.decode(errors="replace").strip("\0")


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
    targets = sorted({fault.target for fault in here}) if not options.names else []
    jobs: list[tuple[str | None, str]] = [(None, target) for target in targets]
    jobs += [(fault.name, fault.target) for fault in wanted]
    with ThreadPoolExecutor(options.workers) as pool:
        results = list(pool.map(lambda job: _told(job, in_a_process(*job, options.seconds)), jobs))
    missed = [job[0] for job, text in zip(jobs, results) if job[0] and (not text or text[0] == "!")]
    false = [job[1] for job, text in zip(jobs, results) if job[0] is None and text]
    if options.write:
        _write([name for name in missed if name], options.seconds)
    for target in false:
        print(f"found without a fault: {target}")
    print(f"faults found: {len(wanted) - len(missed)} of {len(wanted)}")
    return 0 if len(missed) <= 0.05 * len(wanted) and not false else 1


def _told(job: tuple[str | None, str], text: str) -> str:
    name, target = job
    print(f"{name or 'no fault'} ({target}): {text or 'nothing found'}", flush=True)
    return text


def _write(missed: list[str], seconds: float) -> None:
    version = ".".join(map(str, sys.version_info[:2]))
    lines = [f"# Planted faults that {seconds:.0f} s do not find, on CPython {version}", ""]
    lines += ["| fault | kind | target |", "|---|---|---|"] if missed else ["None."]
    lines += [f"| {name} | {FAULTS[name].kind} | {FAULTS[name].target} |" for name in missed]
    Path(__file__).with_name("missed.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
