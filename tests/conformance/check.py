"""CPython's own tests, each one's body carried out by the Interpreter, against what is known not to pass.

    python tests/conformance/check.py                    the sample: at most twelve tests a module
    python tests/conformance/check.py --part 0/4         every fourth module of it, from the first on
    python tests/conformance/check.py --per-module 0     all of them
    python tests/conformance/check.py --modules test_with,test_raise --show

A test counts if it passes natively in half a second of CPU time. It is run in a process of its own:
natively, then with its method replaced by one that has the Interpreter call the original; everything else
of unittest stays native. A test that does not pass must stand in known_failures_<version>.txt, with the
reason; one that stands there and passes must leave it. Both are errors here. (Where the reason begins with
"sometimes" it may do either: what comes of it hangs on the collector, or on how fast the machine is.)
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib
import importlib.util
import inspect
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
import types
import unittest
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
VERSION = ".".join(map(str, sys.version_info[:2]))
KNOWN = os.path.join(HERE, f"known_failures_{VERSION}.txt")
QUICK = 0.5
CPU_SECONDS = 6


def modules(part: int, parts: int) -> list[str]:
    """The test modules of this part of the sample that this Python has."""
    if importlib.util.find_spec("test") is None or importlib.util.find_spec("test.test_grammar") is None:
        raise SystemExit(
            f"{sys.executable} has no CPython test suite (the package `test`): install a CPython that has it"
        )
    with open(os.path.join(HERE, "modules.txt"), encoding="utf-8") as file:
        names = file.read().split()
    return [name for name in names[part::parts] if importlib.util.find_spec(f"test.{name}")]


def known_failures() -> dict[str, str]:
    """Test id -> the reason."""
    with open(KNOWN, encoding="utf-8") as file:
        lines = [line.rstrip("\n").partition("  # ") for line in file if line.strip()]
    ids = [line[0] for line in lines]
    if ids != sorted(ids):
        raise SystemExit(f"{KNOWN} is not sorted")
    return {line[0]: line[2] for line in lines}


def method_of(test: unittest.TestCase) -> types.FunctionType | None:
    """The plain function behind a test."""
    method = getattr(getattr(test, test._testMethodName, None), "__func__", None)
    if not isinstance(method, types.FunctionType) or inspect.isgeneratorfunction(method):
        return None
    return method


def tests_of(module: str) -> dict[str, unittest.TestCase]:
    """The module's tests by id, in the order in which they are chosen."""
    found: dict[str, unittest.TestCase] = {}

    def flatten(suite: unittest.TestSuite) -> None:
        for one in suite:
            if isinstance(one, unittest.TestSuite):
                flatten(one)
            elif isinstance(one, unittest.TestCase) and method_of(one) is not None:
                found.setdefault(one.id(), one)

    loaded = importlib.import_module(f"test.{module}")
    flatten(unittest.defaultTestLoader.loadTestsFromModule(loaded))
    order = sorted(found, key=lambda name: hashlib.sha1(name.encode()).hexdigest())
    return {name: found[name] for name in order}


@functools.lru_cache(maxsize=None)
def the_adapter() -> Any:
    """Loaded once, before any test's process is begun."""
    sys.path[:0] = [HERE, ROOT]
    return importlib.import_module("adapter").Interpret()


def run_here(test: unittest.TestCase, interpreted: bool) -> tuple[str, str]:
    """Runs a test in this process: ("pass", "") or what came of it and why."""
    adapter = the_adapter()
    if interpreted:
        replace(test, adapter)
    result = unittest.TestResult()
    unittest.TestSuite([test]).run(result)
    bad = [*result.failures, *result.errors]
    if bad or result.unexpectedSuccesses:
        return "fail", (bad[0][1].strip().splitlines()[-1] if bad else "unexpected success")[:200]
    if result.skipped or result.expectedFailures or not result.testsRun:
        return "skip", ""
    if interpreted and id(inspect.unwrap(test.original).__code__) not in adapter.codes:  # type: ignore[attr-defined]
        return "native", "green, but the Interpreter did not come to its body"
    return "pass", ""


def replace(test: unittest.TestCase, adapter: Any) -> None:
    """The test's method becomes one that has the adapter call the original."""
    original = method_of(test)
    test.original = original  # type: ignore[attr-defined]
    run = adapter.run

    if inspect.iscoroutinefunction(original):

        @functools.wraps(original)
        async def wrapper() -> object:
            return await run(original, test)
    else:

        @functools.wraps(original)  # type: ignore[arg-type]
        def wrapper() -> object:  # type: ignore[misc]
            return run(original, test)

    del wrapper.__wrapped__
    setattr(test, test._testMethodName, wrapper)


def run_apart(test: unittest.TestCase, interpreted: bool) -> tuple[str, str, float]:
    """The same in a process of its own, with a limit; and the seconds of CPU time it took."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                os.chdir(folder)
                outcome = run_here(test, interpreted)
                os.chdir("/")
            os.write(writer, json.dumps(outcome).encode())
        finally:
            os._exit(0)
    os.close(writer)
    data, end = b"", time.monotonic() + 20 * CPU_SECONDS
    while select.select([reader], [], [], max(end - time.monotonic(), 0))[0]:
        chunk = os.read(reader, 65536)
        if not chunk:
            break
        data += chunk
    os.close(reader)
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    _, _, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    if not data:
        return "fail", "the process died, or took too long", seconds
    return (*json.loads(data), seconds)


def check_module(module: str, per_module: int) -> dict[str, tuple[str, str]]:
    """Outcomes of a module's tests, of those that pass natively and quickly."""
    outcomes: dict[str, tuple[str, str]] = {}
    for name, test in tests_of(module).items():
        if per_module and len(outcomes) == per_module:
            break
        outcome, _, seconds = run_apart(test, False)
        if outcome == "pass" and seconds < QUICK:
            outcomes[name] = run_apart(test, True)[:2]
    return outcomes


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--per-module", type=int, default=12)
    parser.add_argument("--part", default="0/1", help="I/N: every N-th module, from the I-th on")
    parser.add_argument("--modules", default="")
    parser.add_argument("--show", action="store_true", help="also print what does not pass")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    chosen = options.modules.split(",") if options.modules else modules(part, parts)
    known, wrong, passed, total = known_failures(), [], 0, 0
    the_adapter()
    for module in chosen:
        for name, (outcome, reason) in check_module(module, options.per_module).items():
            total += 1
            passed += outcome == "pass"
            if outcome != "pass" and options.show:
                print(f"{name}  # {reason}")
            if outcome == "pass" and name in known and not known[name].startswith("sometimes"):
                wrong.append(f"{name} passes now: take it out of {os.path.basename(KNOWN)}")
            elif outcome != "pass" and name not in known:
                wrong.append(f"{name} does not pass: {reason}")
    print(
        f"CPython {VERSION}, part {options.part}: {passed} of {total} pass ({100 * passed / max(total, 1):.2f} %)"
    )
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
