"""Whole test modules of CPython's: loaded and run in the Interpreter, each test's outcome against CPython's own.

    python tests/conformance/whole.py                      all of the modules below
    python tests/conformance/whole.py test_with test_raise
    python tests/conformance/whole.py --run test_with interpreted      one, in this process: JSON

Here the module's own body, its class bodies, its decorators and unittest itself are interpreted, not the
test methods alone. Each module has two processes of its own.

Left out are modules with a few tests that look at frames the Interpreter makes for those who look (snapshots,
see docs/interpreter.md), or that set a trace function: test_raise (1 test), test_patma (5 or 6), test_generators,
test_coroutines, test_exceptions; test_iter, where C code takes builtins from its caller's frame; and test_with,
which since 3.15 has a test of when an interrupt arrives.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import types
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
#: a second or two each
QUICK = (
    "test_augassign test_class test_contextlib test_decorators test_global test_named_expressions test_property"
    " test_scope test_subclassinit test_super test_compare test_yield_from"
).split()
MORE = (
    "test_asyncgen test_binop test_bool test_contextlib_async test_dictcomps test_dictviews"
    " test_exception_variations test_funcattrs test_generator_stop test_grammar test_isinstance"
    " test_keywordonlyarg test_positional_only_arg test_richcmp test_string_literals"
).split()
#: seconds after which a process is ended
LIMIT = 300


def load(name: str, module: types.ModuleType, run_module: object) -> None:
    """Runs the module's source in it, as `import` would."""
    with open(module.__spec__.origin, encoding="utf-8") as file:  # type: ignore[arg-type, union-attr]
        source = file.read()
    sys.modules[name] = module
    setattr(sys.modules["test"], name.rpartition(".")[2], module)
    run_module(compile(source, module.__spec__.origin, "exec", dont_inherit=True), vars(module))  # type: ignore


def outcomes_of(name: str) -> dict[str, str]:
    """Runs the tests of a loaded module: each one's outcome, by its id."""
    found: dict[str, str] = {}
    result = unittest.TestResult()

    def run(suite: unittest.TestSuite) -> None:
        for one in suite:
            if isinstance(one, unittest.TestSuite):
                run(one)
                continue
            result.__init__()  # type: ignore[misc]
            unittest.TestSuite([one]).run(result)
            found[one.id()] = outcome(result)

    run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[name]))
    return found


def outcome(result: unittest.TestResult) -> str:
    """In a word, with the last line of what went wrong."""
    for kind, bad in ("error", result.errors), ("failure", result.failures):
        if bad:
            return f"{kind}: {bad[0][1].strip().splitlines()[-1][:200]}"
    if result.unexpectedSuccesses:
        return "unexpected success"
    if result.expectedFailures:
        return "expected failure"
    return "skipped" if result.skipped else "pass" if result.testsRun else "not run"


def run_here(name: str, interpreted: bool) -> dict[str, str]:
    """The outcomes of the tests of a module that is loaded and run in this process."""
    full = f"test.{name}"
    spec = importlib.util.find_spec(full)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    if not interpreted:
        load(full, module, exec)
        return outcomes_of(full)
    sys.path.insert(0, ROOT)
    from translator.interpreter import Interpreter

    load(full, module, Interpreter().run_module)
    return Interpreter().run(outcomes_of, full)  # type: ignore[no-any-return]


def run_apart(name: str, how: str) -> dict[str, str]:
    """The same in a process of its own; what it printed last if it gave no outcomes."""
    command = [sys.executable, "-W", "ignore", os.path.abspath(__file__), "--run", name, how]
    environment = dict(os.environ, PYTHONHASHSEED="0", PYTHONPATH=ROOT)
    try:
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"(the module)": f"took more than {LIMIT} s"}
    last = ended.stdout.strip().splitlines()[-1:]
    if ended.returncode or not last or not last[0].startswith("{"):
        return {"(the module)": (ended.stderr.strip().splitlines() or ["nothing printed"])[-1]}
    return json.loads(last[0])  # type: ignore[no-any-return]


def differences(name: str) -> tuple[int, list[str]]:
    """How many tests of the module pass natively, and a line for each whose outcome is another one."""
    native, ours = run_apart(name, "native"), run_apart(name, "interpreted")
    lines = []
    for test in sorted({*native, *ours}):
        if native.get(test) != ours.get(test):
            lines.append(f"{test}: {native.get(test)}, in the Interpreter: {ours.get(test)}")
    return list(native.values()).count("pass"), lines


def main() -> int:
    """The command."""
    if sys.argv[1:2] == ["--run"]:
        print(json.dumps(run_here(sys.argv[2], sys.argv[3] == "interpreted")))
        return 0
    wrong = 0
    for name in sys.argv[1:] or QUICK + MORE:
        count, lines = differences(name)
        wrong += bool(lines)
        print(f"{name}: {count} tests pass natively, {len(lines)} differ", *lines, sep="\n  ", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
