"""Code objects of other CPythons: `.pyc` files of any version, read on any host.

    program = opcodes.load("module.cpython-310.pyc")

A file of the running version is read by `marshal` and gives native code objects; any other is read
through xdis (see xdis_bridge.py) and gives ForeignCode. The Program is the same either way.
"""

from __future__ import annotations

import importlib.util
import marshal
import os
import struct
from types import CodeType, MappingProxyType
from typing import TYPE_CHECKING, Any

from opcodes.damage import skim
from opcodes.errors import BadBytecode, BadPyc, OpcodesError
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.table import VERSIONS, table

if TYPE_CHECKING:
    from opcodes.program import Program

_COUNTS = (
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_nlocals",
    "co_stacksize",
    "co_flags",
    "co_firstlineno",
)
_TEXTS = ("co_filename", "co_name", "co_qualname")
_BYTES = ("co_code", "co_linetable", "co_exceptiontable")
_NAMES = ("co_names", "co_varnames", "co_cellvars", "co_freevars")
_FIELDS = (*_COUNTS, *_TEXTS, *_BYTES, *_NAMES, "co_consts")


class ForeignCode:
    """A code object of a CPython that need not be the running one.

    It has the `co_*` attributes of `types.CodeType`, and `version`. On 3.10, which knows neither,
    `co_qualname` is `co_name` and `co_exceptiontable` is empty. Code objects in `co_consts` are
    ForeignCode too. It cannot be changed (`replace` makes another) and is equal by content.
    """

    __slots__ = ("__weakref__", "_key", "version", *_FIELDS)

    if TYPE_CHECKING:
        version: tuple[int, int]
        co_argcount: int
        co_posonlyargcount: int
        co_kwonlyargcount: int
        co_nlocals: int
        co_stacksize: int
        co_flags: int
        co_firstlineno: int
        co_filename: str
        co_name: str
        co_qualname: str
        co_code: bytes
        co_linetable: bytes
        co_exceptiontable: bytes
        co_names: tuple[str, ...]
        co_varnames: tuple[str, ...]
        co_cellvars: tuple[str, ...]
        co_freevars: tuple[str, ...]
        co_consts: tuple[Any, ...]

    def __init__(self, version: tuple[int, int], **fields: Any) -> None:
        fields.setdefault("co_qualname", fields.get("co_name"))
        fields.setdefault("co_exceptiontable", b"")
        if fields.keys() != set(_FIELDS):
            wrong = ", ".join(sorted(fields.keys() ^ set(_FIELDS)))
            raise TypeError(f"ForeignCode takes each of the co_* attributes once; see to {wrong}")
        object.__setattr__(self, "version", version)
        object.__setattr__(self, "_key", None)
        for name in _FIELDS:
            object.__setattr__(self, name, _checked(name, fields[name]))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"ForeignCode cannot be changed: use .replace({name}=…)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"ForeignCode cannot be changed: {name} stays")

    def replace(self, **changes: Any) -> ForeignCode:
        """A copy with some of the `co_*` attributes changed."""
        return ForeignCode(self.version, **{name: getattr(self, name) for name in _FIELDS} | changes)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.version, {name: getattr(self, name) for name in _FIELDS})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ForeignCode):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.version, self.co_qualname, self.co_firstlineno, self.co_code))

    def _content(self) -> tuple[Any, ...]:
        key = self._key
        if key is None:
            fields = tuple(getattr(self, name) for name in _FIELDS[:-1])
            key = (self.version, fields, constant_key(self.co_consts))
            object.__setattr__(self, "_key", key)
        return key

    def __repr__(self) -> str:
        version = ".".join(map(str, self.version))
        return (
            f"<code object {self.co_name} of CPython {version}, "
            f'file "{self.co_filename}", line {self.co_firstlineno}>'
        )

    if TYPE_CHECKING:
        _key: tuple[Any, ...] | None


def _rebuild(version: tuple[int, int], fields: dict[str, Any]) -> ForeignCode:
    return ForeignCode(version, **fields)


def _checked(name: str, value: Any) -> Any:
    """The value of an attribute, of the exact type that CPython would demand; ValueError if not."""
    if name in _COUNTS:
        good = type(value) is int
    elif name in _TEXTS:
        good = type(value) is str
    elif name in _BYTES:
        good = type(value) is bytes
    else:
        good = type(value) is tuple and (name == "co_consts" or all(type(item) is str for item in value))
    if not good:
        raise ValueError(f"{name} is {type(value).__name__}")
    return value


def constant_key(value: Any) -> Any:
    """Equal for two constants only if their types and their bits are equal, all the way down.

    1, 1.0 and True are three keys, and so are 0.0 and -0.0; a NaN is equal to itself.
    """
    kind = type(value)
    if kind is tuple:
        return (kind, *map(constant_key, value))
    if kind is frozenset:
        return (kind, frozenset(map(constant_key, value)))
    if kind is float:
        return (kind, struct.pack("<d", value))
    if kind is complex:
        return (kind, struct.pack("<dd", value.real, value.imag))
    if kind is slice:
        return (kind, *map(constant_key, (value.start, value.stop, value.step)))
    if isinstance(value, MappingProxyType) or kind.__name__ == "frozendict":
        return (kind, frozenset((constant_key(key), constant_key(value[key])) for key in value))
    return (kind, value)


def from_xdis(code: Any, version: tuple[int, int] | None = None) -> ForeignCode:
    """ForeignCode with the content of a code object of xdis (its Code310, Code311, …).

    The version is the one xdis read it as, unless given. Constants that xdis by itself reads wrongly
    stay so: `load` reads files with the bridges. ValueError if an attribute is not of the type it must
    have.
    """
    from opcodes.xdis_bridge import cells_are_swapped

    if version is None:
        version = tuple(code.version_triple[:2])
    fields = {name: getattr(code, name, None) for name in _FIELDS}
    fields["co_consts"] = tuple(_constant(value, version) for value in code.co_consts)
    for name in _NAMES:
        fields[name] = tuple(fields[name] or ())
    if not isinstance(code, CodeType) and cells_are_swapped(code):
        fields["co_cellvars"], fields["co_freevars"] = fields["co_freevars"], fields["co_cellvars"]
    if fields["co_qualname"] is None:
        del fields["co_qualname"]
    if fields["co_exceptiontable"] is None:
        del fields["co_exceptiontable"]
    return ForeignCode(version, **fields)


def _constant(value: Any, version: tuple[int, int]) -> Any:
    """A constant as xdis has it, as the host has it."""
    if hasattr(value, "co_code") and not isinstance(value, ForeignCode):
        return from_xdis(value, version)
    if type(value) is tuple:
        return tuple(_constant(item, version) for item in value)
    if isinstance(value, int) and type(value) not in (int, bool):
        return int(value)
    return value


def load(path: str | os.PathLike[str]) -> Program:
    """The Program of a `.pyc` file of any supported CPython.

    Raises BadPyc, with one line, for a file that is missing, empty, truncated, corrupt, no `.pyc`, or
    of a version nobody has written a table for.
    """
    from opcodes.decode import decode

    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError as error:
        raise BadPyc(f"cannot read {name!r}: {error.strerror or error}") from None
    code = read_pyc(data, name)
    try:
        return decode(code)
    except BadBytecode as error:
        raise BadPyc(f"{name!r} is corrupt: {error}") from error


def read_pyc(data: bytes, name: str = "<bytes>") -> CodeType | ForeignCode:
    """The code object in the bytes of a `.pyc` file; `name` is what errors call it."""
    _check_header(data, name)
    native = data[:4] == importlib.util.MAGIC_NUMBER
    try:
        code = _read_native(data) if native else _read_foreign(data)
    except RecursionError:
        raise BadPyc(f"{name!r} is corrupt, or nested too deeply to be read") from None
    except (EOFError, struct.error):
        raise BadPyc(f"{name!r} is truncated: it ends in the middle of a value") from None
    except (MemoryError, SystemError):
        raise BadPyc(f"{name!r} is corrupt: its values do not make a code object") from None
    # whatever a reader stumbles over in bytes that no compiler wrote
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise BadPyc(f"{name!r} is corrupt: {reason}") from None
    if not isinstance(code, (CodeType, ForeignCode)):
        raise BadPyc(f"{name!r} is no module: it holds a {type(code).__name__}, not a code object")
    return code


def _read_native(data: bytes) -> Any:
    version = magic_numbers().get(int.from_bytes(data[:2], "little"))
    if version is not None:
        skim(data[16:], table(version))
    return marshal.loads(data[16:])


def _read_foreign(data: bytes) -> Any:
    from opcodes.xdis_bridge import read_code

    magic = int.from_bytes(data[:2], "little")
    code = read_code(data[16:], magic)
    return from_xdis(code, magic_numbers()[magic]) if hasattr(code, "co_code") else code


def magic_numbers() -> dict[int, tuple[int, int]]:
    """Magic number (the first two bytes of a `.pyc` file) -> version, for every table there is."""
    return {magic: version for version in VERSIONS for magic in table(version).magic}


def _check_header(data: bytes, name: str) -> None:
    """The first sixteen bytes: magic number, flags, and time and size or a hash of the source."""
    if not data:
        raise BadPyc(f"{name!r} is empty: not a .pyc file")
    if data[2:4] != b"\r\n":
        raise BadPyc(f"{name!r} is not a .pyc file: it begins with {data[:4]!r}")
    magic = int.from_bytes(data[:2], "little")
    if magic not in magic_numbers() and data[:4] != importlib.util.MAGIC_NUMBER:
        known = " to ".join(".".join(map(str, version)) for version in (VERSIONS[0], VERSIONS[-1]))
        raise BadPyc(
            f"{name!r} has the magic number {magic}{_whose(magic)}, which is of no version from {known}"
        )
    if len(data) < 16:
        raise BadPyc(f"{name!r} is truncated: {len(data)} bytes, and the header alone has 16")
    flags = int.from_bytes(data[4:8], "little")
    if flags & ~3:
        raise BadPyc(f"{name!r} is corrupt: its header has the flags {flags:#x}")


def _whose(magic: int) -> str:
    """Whose magic number this is, if xdis is there to know: an unknown one is an error either way."""
    from opcodes.xdis_bridge import version_of

    try:
        found = version_of(magic)
    except OpcodesError:
        return ""
    return f" (Python {found})" if found else ""
