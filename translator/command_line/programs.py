"""What `opshift run` runs as `python` would: a script, a `.pyc` file, a module, a text; made ready."""

from __future__ import annotations

import builtins
import importlib.util
import linecache
import os
import sys
from importlib.machinery import BuiltinImporter, SourceFileLoader, SourcelessFileLoader
from pkgutil import get_importer
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import opcodes
from opcodes import ForeignCode
from opcodes.foreign import read_pyc
from translator.command_line.places import NoSuchPlace


class Program(NamedTuple):
    """The code of a `__main__` module, and what python sets up for it.

    Attributes:
        code: native or of another CPython; None if `runpy` is to find it.
        fields: what the module has besides `__name__` and `__builtins__`.
        first_argument: `sys.argv[0]`.
        folder: `sys.path[0]`.
        module: its name, and whether `sys.argv[0]` becomes its file, if `runpy` is to find it.
    """

    code: CodeType | ForeignCode | None
    fields: dict[str, Any]
    first_argument: str
    folder: str
    module: tuple[str, bool] | None = None


def of_file(path: str) -> Program:
    """A script, a `.pyc` file of any version, a folder or archive with a `__main__`, or "-" for stdin."""
    if path == "-":
        return _of_source(sys.stdin.buffer.read(), "<stdin>", "-", BuiltinImporter, "")
    if os.path.isdir(path) or not path.endswith((".py", ".pyc", ".pyo")):
        found = _of_container(path)
        if found is not None:
            return found
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise NoSuchPlace(f"cannot read {path!r}: {error.strerror or error}") from None
    whole = os.path.join(os.getcwd(), path)
    folder = os.path.dirname(os.path.realpath(path))
    if path.endswith((".pyc", ".pyo")):
        fields = _fields(SourcelessFileLoader("__main__", whole), whole)
        return Program(read_pyc(data, path), fields, path, folder)
    return _of_source(data, whole, path, SourceFileLoader("__main__", whole), folder)


def of_text(text: str) -> Program:
    """`-c`: a program as text."""
    code = compile(text, "<string>", "exec", dont_inherit=True)
    register: Any = getattr(linecache, "_register_code", None)  # since then tracebacks show its lines
    if register is not None:
        linecache.cache["<string>"] = (len(text), None, text.splitlines(keepends=True), "<string>")
    fields = _fields(BuiltinImporter, None)
    return Program(code, fields, "-c", "")


def of_module(name: str) -> Program:
    """`-m`: a module, or the `__main__` of a package."""
    folder = os.getcwd()
    sys.path.insert(0, folder)
    try:
        spec = _spec_of(name)
        if spec.submodule_search_locations is not None:
            if name.rpartition(".")[2] == "__main__":
                raise NoSuchPlace(f"-m {name}: a package cannot be used as __main__ module")
            try:
                spec = _spec_of(f"{name}.__main__")
            except NoSuchPlace:
                raise NoSuchPlace(f"-m {name}: it is a package, and has no __main__ to run") from None
        _check_code(spec)
    finally:
        if sys.path and sys.path[0] == folder:
            del sys.path[0]
    return Program(None, _fields(BuiltinImporter, None), "-m", folder, (name, True))


def _spec_of(name: str) -> Any:
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        raise NoSuchPlace(f"-m {name}: {error.msg}") from None
    except Exception as error:
        raise NoSuchPlace(f"-m {name}: {' '.join(str(error).split())}") from None
    if spec is None:
        raise NoSuchPlace(f"-m {name}: No module named {name}")
    return spec


def _of_container(path: str) -> Program | None:
    """The `__main__` in a folder or archive; None if it is neither."""
    importer: Any = get_importer(path) if os.path.exists(path) else None
    if importer is None:
        return None
    spec = importer.find_spec("__main__")
    if spec is None:
        raise NoSuchPlace(f"cannot run {path!r}: there is no __main__ module in it")
    _check_code(spec)
    folder = os.path.join(os.getcwd(), path)
    return Program(None, _fields(BuiltinImporter, None), path, folder, ("__main__", False))


def _check_code(spec: Any) -> None:
    get_code = getattr(spec.loader, "get_code", None)
    try:
        code = get_code(spec.name) if get_code is not None else None
    except ImportError as error:
        raise NoSuchPlace(f"{spec.name} cannot be run: {error}") from None
    if code is None:
        raise NoSuchPlace(f"{spec.name} has no Python code that could be run ({spec.origin})")


def _of_source(data: bytes, whole: str, path: str, loader: Any, folder: str) -> Program:
    code = compile(data, whole, "exec", dont_inherit=True)
    return Program(code, _fields(loader, whole), path, folder)


def _fields(loader: Any, file: str | None) -> dict[str, Any]:
    """What python gives the `__main__` module: what a module of this Python has."""
    fields = {"__doc__": None, "__package__": None, "__loader__": loader, "__spec__": None}
    if file is not None:
        fields["__file__"] = file
        if "__cached__" in vars(linecache):
            fields["__cached__"] = None
    if opcodes.table(opcodes.HOST).facts["annotate_name"] is None:
        fields["__annotations__"] = {}
    return fields


def as_main(program: Program, arguments: list[str]) -> ModuleType:
    """The `__main__` module of the program, in place of our own; `sys.argv` and `sys.path` are its."""
    module = ModuleType("__main__")
    namespace = vars(module)
    namespace.update(program.fields)
    namespace["__builtins__"] = builtins
    sys.modules.pop("__main__", None)  # last in the order in which modules are emptied at the end, that is
    sys.modules["__main__"] = module  # first: what it leaves behind may need ours
    sys.argv[:] = [program.first_argument, *arguments]
    safe = getattr(sys.flags, "safe_path", False) or sys.flags.isolated
    if not safe:  # else python put nothing of ours there either
        sys.path[:1] = [program.folder]
    return module
