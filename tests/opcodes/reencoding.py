"""Runs one test module of CPython with every module re-encoded as it is imported; prints the outcomes.

    python reencoding.py plain|nop|anew test.test_grammar

`nop` puts a NOP before every instruction, `anew` writes every instruction anew by its row, `plain` changes
nothing. Prints a JSON object: test id -> outcome; tracebacks of what fails go to standard error.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import unittest
from collections.abc import Callable
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from opcodes import decode, encode
from opcodes import instructions as ins
from opcodes.splice import is_atomic, splice_all

Change = Callable[[CodeType], CodeType]


def with_nops(code: CodeType) -> CodeType:
    """The code with a NOP before every instruction, but inside atomic groups."""
    program = decode(code)
    nop = [ins.NOP()]
    return encode(splice_all(program, {i: nop for i in range(len(program)) if not is_atomic(program, i)}))


def anew(code: CodeType) -> CodeType:
    """The code with every instruction written anew."""
    return encode(decode(code), relift=True)


CHANGES: dict[str, Change | None] = {"plain": None, "nop": with_nops, "anew": anew}


def changed(code: CodeType, change: Change) -> CodeType:
    """A code object and all inside it, changed."""
    constants = tuple(
        changed(each, change) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return change(code.replace(co_consts=constants))


def install(change: Change) -> None:
    """From now on, every Python module that is imported is changed."""

    change(install.__code__)  # brings in all that it needs

    class Loader(SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType | None:
            code = super().get_code(fullname)
            return code if code is None or fullname.startswith("opcodes") else changed(code, change)

    extensions = (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES)
    sys.path_hooks[:] = [
        hook for hook in sys.path_hooks if "FileFinder" not in getattr(hook, "__qualname__", "")
    ]
    sys.path_hooks.append(FileFinder.path_hook(extensions, (Loader, importlib.machinery.SOURCE_SUFFIXES)))
    sys.path_importer_cache.clear()
    # what is imported already stays; what can be imported again without harm is
    for name in [name for name in sys.modules if name.split(".")[0] in AGAIN]:
        del sys.modules[name]


#: modules that the tests are about, or lean on, and that importing the hook has already brought in
AGAIN = frozenset({"json", "contextlib", "collections", "functools", "textwrap", "traceback", "tokenize"})


class Outcomes(unittest.TestResult):
    """How each test ended."""

    def __init__(self) -> None:
        super().__init__()
        self.by_id: dict[str, str] = {}

    def _note(self, test: Any, outcome: str) -> None:
        self.by_id[test.id()] = outcome

    def addSuccess(self, test: Any) -> None:
        self.by_id.setdefault(test.id(), "passed")

    def addFailure(self, test: Any, err: Any) -> None:
        super().addFailure(test, err)
        self._note(test, "failed")

    def addError(self, test: Any, err: Any) -> None:
        super().addError(test, err)
        self._note(test, "error")

    def addSkip(self, test: Any, reason: str) -> None:
        self._note(test, "skipped")

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        self._note(test, "expected failure")

    def addUnexpectedSuccess(self, test: Any) -> None:
        self._note(test, "unexpected success")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._note(test, "failed")


def main(how: str, name: str) -> None:
    """Runs one module."""
    sys.dont_write_bytecode = True
    from test import support

    support.use_resources = []
    change = CHANGES[how]
    if change is not None:
        install(change)
    outcomes = Outcomes()
    suite = unittest.defaultTestLoader.loadTestsFromName(name)
    printed = sys.stdout
    sys.stdout = sys.stderr
    suite.run(outcomes)
    sys.stdout = printed
    for test, traceback in [*outcomes.failures, *outcomes.errors]:
        print(f"== {test.id()}\n{traceback}", file=sys.stderr)
    print(json.dumps(outcomes.by_id), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
