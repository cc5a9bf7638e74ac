"""FILE:FUNCTION on the command line: which file, which of its functions, in which version's bytecode."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

import opcodes
from opcodes import ForeignCode, OpcodesError
from opcodes.foreign import read_pyc
from translator.command_line.interpreters import compile_here, compile_source, dotted

Code = CodeType | ForeignCode
Version = tuple[int, int]


class NoSuchPlace(OpcodesError):
    """A FILE:FUNCTION that names nothing."""


class Place(NamedTuple):
    """A file, and the dotted name of a function in it, if one was given."""

    path: str
    function: str | None

    def __str__(self) -> str:
        return self.path if self.function is None else f"{self.path}:{self.function}"


def parse_place(text: str) -> Place:
    """ "module.py:Class.method" as a Place. A colon that belongs to the path stays in it."""
    if os.path.exists(text) or ":" not in text:
        return Place(text, None)
    path, _, function = text.rpartition(":")
    if not path or os.sep in function or (len(path) == 1 and not os.path.exists(path)):
        return Place(text, None)
    return Place(path, function or None)


def read_code(place: Place, version: Version | None) -> Code:
    """The module's code object: of a `.pyc` file, or of a source compiled by `version` (None: here)."""
    try:
        with open(place.path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise NoSuchPlace(f"cannot read {place.path!r}: {error.strerror or error}") from None
    if place.path.endswith((".pyc", ".pyo")):
        code = read_pyc(data, place.path)
        own = code.version if isinstance(code, ForeignCode) else opcodes.HOST
        if version is not None and version != own:
            raise NoSuchPlace(
                f"{place.path!r} is bytecode of CPython {dotted(own)}: "
                f"--python {dotted(version)} needs the source"
            )
        return code
    if version is None or version == opcodes.HOST:
        return compile_here(data, place.path)  # type: ignore[return-value]
    opcodes.table(version)  # the error for a version without a table, before an interpreter is looked for
    return read_pyc(compile_source(data, place.path, version), place.path)


def functions(code: Code, prefix: str = "") -> Iterator[tuple[str, Code]]:
    """(dotted name, code object) of everything inside a code object, in the order of the source.

    "Class.method", "outer.inner": without "<locals>". The scope that type parameters make for a function
    or class is passed through.
    """
    for constant in code.co_consts:
        if not hasattr(constant, "co_code"):
            continue
        if constant.co_name.startswith("<generic parameters of "):
            yield from functions(constant, prefix)
        else:
            name = f"{prefix}{constant.co_name}"
            yield name, constant
            yield from functions(constant, f"{name}.")


def select(code: Code, place: Place) -> list[Code]:
    """The code objects a Place names: all of the module, outermost first; or those of that name (more
    than one if it is defined more than once)."""
    known = list(functions(code))
    if place.function is None:
        return [code, *(each for _, each in known)]
    wanted = place.function.replace("<locals>.", "")
    found = [each for name, each in known if name == wanted]
    if not found:
        raise NoSuchPlace(f"{place.path!r} has no function {place.function!r}{_instead(wanted, known)}")
    return found


def _instead(wanted: str, known: list[tuple[str, Code]]) -> str:
    names = list(dict.fromkeys(name for name, _ in known if "<" not in name))
    close = difflib.get_close_matches(wanted, names, 3) or names[:8]
    if not close:
        return ": it defines none"
    return f"; it has {', '.join(close)}{', …' if len(names) > len(close) else ''}"
