"""Runs test modules of CPython with every module re-encoded as it is imported; prints how each test ended.

    python reencoding.py plain|nop|anew test.test_grammar …

`nop` puts a NOP before every instruction, `anew` writes every instruction anew by its row, `plain` changes
nothing. Prints a JSON object: test id -> outcome. Tracebacks of what fails go to standard error.

With PYTHONPYCACHEPREFIX a folder of its own for each way, what is re-encoded once is read from there the
next time, by the import system itself. Without a test module, what this script imports before it can re-encode
anything is written there, for the runs to come.
"""

from __future__ import annotations

import marshal
import struct
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from importlib.util import MAGIC_NUMBER, cache_from_source, find_spec
from pathlib import Path
from types import CodeType

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from opcodes import decode, encode
from opcodes import instructions as ins
from opcodes.splice import is_atomic, splice_all

Change = Callable[[CodeType], CodeType]


def with_nops(code: CodeType) -> CodeType:
    """The code with a NOP before every instruction, but inside atomic groups."""
    program = decode(code)
    nop = (ins.NOP(),)
    return encode(splice_all(program, {i: nop for i in range(len(program)) if not is_atomic(program, i)}))


def anew(code: CodeType) -> CodeType:
    """The code with every instruction written anew."""
    return encode(decode(code), relift=True)


def unchanged(code: CodeType) -> CodeType:
    """The code: a plain run imports through the same hook, which some tests can see."""
    return code


CHANGES: dict[str, Change] = {"plain": unchanged, "nop": with_nops, "anew": anew}


def changed(code: CodeType, change: Change) -> CodeType:
    """A code object and all inside it, changed."""
    constants = tuple(
        changed(each, change) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return change(code.replace(co_consts=constants))


def install(change: Change) -> None:
    """From now on, every Python module that is imported is changed; but not what changes them."""
    change(install.__code__)  # imports the rest of what it needs

    class Loader(SourceFileLoader):
        def source_to_code(self, data, path, *args, **kwargs):  # type: ignore[no-untyped-def]
            code = super().source_to_code(data, path, *args, **kwargs)
            return code if self.name.startswith("opcodes.") else changed(code, change)

    finder = FileFinder.path_hook((ExtensionFileLoader, EXTENSION_SUFFIXES), (Loader, SOURCE_SUFFIXES))
    sys.path_hooks[:] = [
        finder if "FileFinder" in getattr(hook, "__qualname__", "") else hook for hook in sys.path_hooks
    ]
    sys.path_importer_cache.clear()


def write_early(change: Change) -> None:
    """Writes changed `.pyc` files for what is imported already."""
    for module in list(sys.modules.values()):
        spec = getattr(module, "__spec__", None)
        if spec is None or type(spec.loader) is not SourceFileLoader or spec.name.startswith("opcodes"):
            continue
        source, stat = Path(spec.origin), Path(spec.origin).stat()
        code = changed(spec.loader.source_to_code(source.read_bytes(), spec.origin), change)
        target = Path(cache_from_source(spec.origin))
        target.parent.mkdir(parents=True, exist_ok=True)
        head = MAGIC_NUMBER + struct.pack("<III", 0, int(stat.st_mtime), stat.st_size & 0xFFFFFFFF)
        target.write_bytes(head + marshal.dumps(code))


def check_changed(name: str, way: str) -> None:
    """That the code of a module is not what the compiler made: a `.pyc` file may come from elsewhere."""
    spec = find_spec(name)
    if way != "nop" or spec is None or not isinstance(spec.loader, SourceFileLoader):
        return
    loaded = spec.loader.get_code(name)
    plain = compile(Path(spec.origin).read_bytes(), spec.origin, "exec", dont_inherit=True)
    if loaded.co_code == plain.co_code:
        raise SystemExit(f"{name} was read from a .pyc file that is not re-encoded: {spec.cached}")


def run(names: list[str], way: str) -> dict[str, str]:
    """Runs test modules; test id -> how it ended."""
    import doctest
    import unittest

    from test import support

    class Outcomes(unittest.TestResult):
        """Keeps how each test ended: the worst that happened to it."""

        def __init__(self) -> None:
            super().__init__()
            self.by_id: dict[str, str] = {}

        def addSuccess(self, test):  # type: ignore[no-untyped-def]
            self.by_id.setdefault(test.id(), "passed")

        def addFailure(self, test, err):  # type: ignore[no-untyped-def]
            super().addFailure(test, err)
            self.by_id[test.id()] = "failed"

        def addError(self, test, err):  # type: ignore[no-untyped-def]
            super().addError(test, err)
            self.by_id[test.id()] = "error"

        def addSkip(self, test, reason):  # type: ignore[no-untyped-def]
            self.by_id[test.id()] = "skipped"

        def addExpectedFailure(self, test, err):  # type: ignore[no-untyped-def]
            self.by_id[test.id()] = "expected failure"

        def addUnexpectedSuccess(self, test):  # type: ignore[no-untyped-def]
            self.by_id[test.id()] = "unexpected success"

        def addSubTest(self, test, subtest, err):  # type: ignore[no-untyped-def]
            super().addSubTest(test, subtest, err)
            if err is not None:
                self.by_id[test.id()] = "failed"

    support.use_resources = []
    outcomes = Outcomes()
    for name in names:
        check_changed(name, way)
        try:
            suite = unittest.defaultTestLoader.loadTestsFromName(name)
            if not suite.countTestCases():
                suite = doctest.DocTestSuite(import_module(name))
        except unittest.SkipTest:
            outcomes.by_id[name] = "skipped"
            continue
        suite.run(outcomes)
    for test, traceback in [*outcomes.failures, *outcomes.errors]:
        print(f"== {test.id()}\n{traceback}", file=sys.stderr)
    return outcomes.by_id


def main(way: str, *names: str) -> None:
    """Runs the modules, and leaves without what tests may have left behind."""
    import faulthandler
    import json
    import os

    faulthandler.enable()
    if "PYTHONPYCACHEPREFIX" in os.environ:  # what tests start would write there what is not changed
        os.environ["PYTHONPYCACHEPREFIX"] += "-of-children"
    if not names:
        for early in ("doctest", "unittest", "test.support"):
            import_module(early)
        return write_early(CHANGES[way])
    install(CHANGES[way])
    out = os.dup(1)
    os.dup2(2, 1)
    outcomes = run(list(names), way)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(outcomes, file)
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
