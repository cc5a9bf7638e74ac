"""Other CPythons on this machine: found, and asked to compile."""

from __future__ import annotations

import glob
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import opcodes
from opcodes import OpcodesError

#: what the other interpreter runs: the source on stdin, a `.pyc` file on stdout; its magic number, which
#: says whose it is, comes even if the source is refused
_COMPILE = """
import importlib.util, json, marshal, sys
sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER)
try:
    code = compile(sys.stdin.buffer.read(), sys.argv[1], "exec", dont_inherit=True)
except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
    sys.stderr.write(json.dumps([getattr(error, "lineno", None), getattr(error, "msg", None) or str(error)]))
    sys.exit(3)
sys.stdout.buffer.write(bytes(12) + marshal.dumps(code))
"""
_REFUSED = 3


class CannotCompile(OpcodesError):
    """A source that an interpreter refuses, or an interpreter that is not there."""


def dotted(version: tuple[int, int]) -> str:
    """(3, 13) as "3.13"."""
    return f"{version[0]}.{version[1]}"


def compile_source(source: bytes, name: str, version: tuple[int, int]) -> bytes:
    """The `.pyc` file that CPython `version` makes of a source; `name` is its co_filename.

    CannotCompile if it is not found, or refuses the source.
    """
    tried = []
    for command in candidates(version):
        try:
            done = subprocess.run(
                # isolated, without site, writing no files, saying no warnings
                [*command, "-I", "-S", "-B", "-W", "ignore", "-c", _COMPILE, name],
                input=source,
                capture_output=True,
                timeout=120,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            tried.append(f"{command[0]} ({type(error).__name__})")
            continue
        its_own = int.from_bytes(done.stdout[:2], "little") in opcodes.table(version).magic
        if its_own and done.returncode == 0:
            return done.stdout
        if its_own and done.returncode == _REFUSED:
            raise CannotCompile(_refusal(name, version, *json.loads(done.stderr)))
        tried.append(command[0])
    raise CannotCompile(
        f"no CPython {dotted(version)} found to compile {name!r}"
        + (f" (tried {', '.join(tried)})" if tried else " (on PATH, in pyenv, beside this interpreter)")
        + f": install it, put python{dotted(version)} on PATH, or give a .pyc file it has compiled"
    )


def compile_here(source: bytes, name: str) -> object:
    """The native code object of a source. CannotCompile if it is refused."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        line, text = getattr(error, "lineno", None), getattr(error, "msg", None) or str(error)
        raise CannotCompile(_refusal(name, opcodes.HOST, line, text)) from None


def _refusal(name: str, version: tuple[int, int], line: int | None, text: str) -> str:
    where = f"{name!r}, line {line}" if line else f"{name!r}"
    return f"{where}: CPython {dotted(version)} refuses it: {text}"


def candidates(version: tuple[int, int]) -> Iterator[list[str]]:
    """Commands that may start that CPython, the likeliest first, each once."""
    seen = set()
    for command in _candidates(f"python{dotted(version)}", dotted(version)):
        key = tuple(command)
        if key not in seen and (len(command) > 1 or os.access(command[0], os.X_OK)):
            seen.add(key)
            yield command


def _candidates(name: str, version: str) -> Iterator[list[str]]:
    on_path = shutil.which(name)
    if on_path:
        yield [on_path]
    for executable in (sys.executable, getattr(sys, "_base_executable", None)):
        if executable:
            yield [os.path.join(os.path.dirname(executable), name)]
            yield [os.path.join(os.path.dirname(os.path.realpath(executable)), name)]
    home = os.path.expanduser("~")
    pyenv = os.environ.get("PYENV_ROOT") or os.path.join(home, ".pyenv")
    uv = os.environ.get("UV_PYTHON_INSTALL_DIR") or os.path.join(home, ".local", "share", "uv", "python")
    for folder in (f"{glob.escape(pyenv)}/versions/{version}.*", f"{glob.escape(uv)}/cpython-{version}.*"):
        for found in sorted(glob.glob(folder), reverse=True):
            yield [os.path.join(found, "bin", name)]
            yield [os.path.join(found, "python.exe")]
    launcher = shutil.which("py")
    if launcher:
        yield [launcher, f"-{version}"]
