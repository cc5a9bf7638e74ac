"""CPython's own tests end as in a plain run when all code is re-encoded as it is imported.

Once with a NOP before every instruction, which moves every jump, both tables and all that speaks of an
offset; once with every instruction written anew by the row that lowers it. Which modules: a fixed sample;
with OPSHIFT_PROFILE=full in the environment every module of CPython's tests but those named below, and so,
by what they import, the standard library.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

Outcomes = Callable[[str, str], "dict[str, str]"]

RUNNER = Path(__file__).with_name("reencoding.py")
TESTS = Path(sysconfig.get_path("stdlib")) / "test"
#: quick, and rich in what is easy to get wrong
NOPS = (
    *("grammar", "generators", "contextlib", "patma", "exceptions", "coroutines", "with", "scope", "fstring"),
    *("unpack", "traceback", "sys_settrace", "asyncgen", "listcomps", "except_star", "type_params"),
)
#: a few of them once more, each instruction written anew
ANEW = ("grammar", "patma", "coroutines", "type_params", "tstring")

#: With OPSHIFT_PROFILE=full every module but these: they look at bytecode, at its constants or at what imports
#: it, or
LOOK_AT_BYTECODE = {
    *("code", "compile", "crossinterp", "dis", "import", "importlib", "monitoring", "peepholer", "pyclbr"),
    *("zipimport", "_interpreters"),
}
#: they wait for processes, sockets or the clock, need a display or a compiler, or take minutes.
SLOW_OR_BUSY = {
    *(
        "asyncio",
        "concurrent_futures",
        "c_analyzer",
        "cext",
        "clinic",
        "cppext",
        "distutils",
        "eintr",
        "embed",
    ),
    *("ensurepip", "external_inspection", "faulthandler", "freeze_tools", "gdb", "idle", "interpreters"),
    *("multiprocessing_fork", "multiprocessing_forkserver", "multiprocessing_main_handling"),
    *(
        "multiprocessing_spawn",
        "os",
        "peg_generator",
        "profiling",
        "pyrepl",
        "regrtest",
        "remote_pdb",
        "signal",
    ),
    *("socket", "ssl", "subprocess", "sys", "test_regrtest", "thread", "threadedtempfile", "threading", "tk"),
    *("tools", "ttk", "turtle", "venv"),
}


def modules(names: tuple[str, ...]) -> list[str]:
    """Those of the modules that this version has, or all with OPSHIFT_PROFILE=full."""
    if os.environ.get("OPSHIFT_PROFILE") == "full":
        found = {
            each.stem
            for each in TESTS.glob("test_*")
            if each.suffix == ".py" or (each / "__init__.py").is_file()
        }
        aside = {f"test_{name}" for name in LOOK_AT_BYTECODE | SLOW_OR_BUSY}
        return [f"test.{name}" for name in sorted(found - aside)]
    return [f"test.test_{name}" for name in names if any(TESTS.glob(f"test_{name}*"))]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcomes]:
    """(way, module) -> how each test of the module ended."""
    root = tmp_path_factory.mktemp("reencoded")

    def start(way: str, folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment |= {"PYTHONPYCACHEPREFIX": str(root / way), "PYTHONHASHSEED": "0"}
        folder.mkdir()
        return subprocess.run(
            [sys.executable, "-X", "frozen_modules=off", str(RUNNER), way, *names],
            env=environment,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=900,
        )

    @cache
    def run(way: str, module: str) -> dict[str, str]:
        if not (root / way).exists():
            start(way, root / f"early-{way}").check_returncode()
        ended = start(way, root / f"{way}-{module}", module)
        assert ended.returncode == 0, f"{way} {module} ended with {ended.returncode}:\n{ended.stderr[-4000:]}"
        (root / f"{way}-{module}" / "stderr").write_text(ended.stderr)
        found: dict[str, str] = json.loads(ended.stdout)
        return found

    yield run


def differences(way: str, module: str, outcomes: Outcomes) -> list[str]:
    """The tests of a module that end otherwise than in a plain run."""
    plain, other = outcomes("plain", module), outcomes(way, module)
    return [
        f"{test}: {plain.get(test, 'not run')} in a plain run, {other.get(test, 'not run')} with {way}"
        for test in sorted(plain.keys() | other.keys())
        if plain.get(test) != other.get(test)
    ]


@pytest.mark.parametrize("module", modules(NOPS))
def test_a_nop_before_every_instruction_changes_nothing(module: str, outcomes: Outcomes):
    assert outcomes("plain", module), "the module has no tests"
    assert not differences("nop", module, outcomes)


@pytest.mark.parametrize("module", modules(ANEW))
def test_instructions_written_anew_are_the_same(module: str, outcomes: Outcomes):
    assert not differences("anew", module, outcomes)
