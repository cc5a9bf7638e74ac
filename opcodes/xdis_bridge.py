"""What xdis gets wrong when it reads a marshalled code object of another CPython, put right.

For xdis 6.3 and no other: with another xdis, or one that knows the magic numbers below by itself, the
first use fails with what to do. `tests/opcodes/test_xdis_bridge.py` shows for each bridge that xdis alone is
wrong there; a bridge whose test no longer fails without it is to be taken out.

xdis takes 0.2 seconds to import, so that only `read_code` does.
"""

from __future__ import annotations

import io
import sys
import types
from typing import TYPE_CHECKING, Any

from opcodes.errors import OpcodesError

#: the release line of xdis that this file is for
XDIS = "6.3"

#: magic numbers xdis does not know -> one whose code objects it reads the same way
STANDS_FOR = {3666: 3661}  # CPython 3.15 final -> 3.15a7

_NULL = object()


def read_code(data: bytes, magic: int) -> Any:
    """The code object, as xdis has them, that is marshalled in `data`.

    Whatever xdis raises on data that no compiler wrote comes through: EOFError, ValueError,
    TypeError, AssertionError, …
    """
    unmarshaller = _unmarshaller()
    return unmarshaller(_Bytes(data), STANDS_FOR.get(magic, magic), True, {}).r_object(bytes_for_s=True)


def cells_are_swapped(code: Any) -> bool:
    """Whether xdis has the free variables of this code object for its cells, and the other way round.

    3.10 marshals the free variables first, and xdis' unmarshaller takes them for the cells. On a 3.10
    host xdis leaves 3.10's files to `marshal`, and what it makes of a native code object is right.
    """
    read_by_xdis = sys.version_info[:2] != (3, 10) and not getattr(code, "read_by_bridge", False)
    return tuple(code.version_triple[:2]) == (3, 10) and read_by_xdis


def version_of(magic: int) -> str | None:
    """What Python xdis knows this magic number from ("3.9.0beta5"), or None."""
    _check_xdis()
    from xdis.magics import magicint2version

    found: str | None = magicint2version.get(magic)
    return found


def _check_xdis() -> None:
    try:
        import xdis
        from xdis.magics import magicint2version
    except ImportError as error:
        raise OpcodesError(
            f"bytecode of another CPython is read through xdis, which does not import ({error}): "
            f"pip install 'xdis=={XDIS}.*'"
        ) from None
    if not xdis.__version__.startswith(f"{XDIS}."):
        raise OpcodesError(
            f"bytecode of another CPython is read through xdis {XDIS}, but xdis {xdis.__version__} is "
            f"installed: pip install 'xdis=={XDIS}.*', or bring opcodes/xdis_bridge.py up to it"
        )
    for magic in STANDS_FOR:
        if magic in magicint2version:
            raise OpcodesError(
                f"xdis {xdis.__version__} knows magic number {magic} by itself: "
                "take it out of STANDS_FOR in opcodes/xdis_bridge.py, or pip install 'xdis==6.3.0'"
            )


class _Bytes(io.BytesIO):
    """xdis takes whatever read() gives; a truncated file must not pass for a shorter string."""

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        if size is not None and size > len(data):
            raise EOFError("it ends too early")
        return data


class _References(list):  # type: ignore[type-arg]
    """xdis makes `set(references + strings)` for each code object.

    No one needs it here; it takes quadratic time, and fails on slices, unhashable before 3.12.
    """

    def __add__(self, other: object) -> Any:
        return ()


def _unmarshaller() -> type:
    """xdis' unmarshaller with the bridges; made on the first use."""
    global _made
    if _made is None:
        _check_xdis()
        from xdis.unmarshal import VersionIndependentUnmarshaller

        _made = type("Unmarshaller", (_Bridges, VersionIndependentUnmarshaller), {})
    return _made


_made: type | None = None


class _Bridges:
    """The bridges, to stand before xdis' unmarshaller in the order of look-up."""

    if TYPE_CHECKING:
        fp: Any
        version_triple: tuple[int, ...]
        read_int16: Any
        read_int32: Any
        read_uint32: Any
        r_ref: Any
        r_ref_insert: Any
        r_ref_reserve: Any

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.intern_objects = _References()
        self.UNMARSHAL_DISPATCH_TABLE: dict[str, str] = {
            **self.UNMARSHAL_DISPATCH_TABLE,
            "}": "frozendict",
        }

    def r_object(self, bytes_for_s: bool = False) -> Any:
        """xdis prints a type it does not know to stderr, and goes on with None."""
        position = self.fp.tell()
        kind = chr(self.fp.read(1)[0] & 0x7F)
        if kind not in self.UNMARSHAL_DISPATCH_TABLE:
            raise ValueError(f"unknown type {kind!r} at byte {position}")
        self.fp.seek(position)
        return super().r_object(bytes_for_s=bytes_for_s)  # type: ignore[misc]

    def t_code(self, save_ref: bool, bytes_for_s: bool = False) -> Any:
        """As `cells_are_swapped` says."""
        code = super().t_code(save_ref, bytes_for_s)  # type: ignore[misc]
        if self.version_triple[:2] == (3, 10):
            code.co_cellvars, code.co_freevars = code.co_freevars, code.co_cellvars
        code.read_by_bridge = True
        return code

    def t_object_reference(self, save_ref: bool = False, bytes_for_s: bool = False) -> Any:
        """xdis takes the last reference for the first, and for those that are not there."""
        index = self.read_uint32()
        if index >= len(self.intern_objects):
            raise ValueError(f"no reference {index}")
        return self.intern_objects[index]

    def t_tuple(self, save_ref: bool, bytes_for_s: bool = False) -> Any:
        """xdis forgets to note the tuple: references to one of more than 255 items find ()."""
        size = self.read_uint32()
        _, index = self.r_ref_reserve((), save_ref)
        items = tuple([self.r_object(bytes_for_s=bytes_for_s) for _ in range(size)])
        return self.r_ref_insert(items, index)

    def t_long(self, save_ref: bool, bytes_for_s: bool = False) -> Any:
        """xdis reads the sign as part of the size, and gives a subclass of int."""
        size = self.read_int32()
        value = sum(self.read_int16() << 15 * digit for digit in range(abs(size)))
        return self.r_ref(-value if size < 0 else value, save_ref)

    def t_unicode(self, save_ref: bool, bytes_for_s: bool = False) -> Any:
        """xdis fails on lone surrogates …"""
        text = self.fp.read(self.read_uint32()).decode("utf-8", "surrogatepass")
        return self.r_ref(text, save_ref)

    def t_interned(self, save_ref: bool, bytes_for_s: bool = False) -> Any:
        """… or loses them."""
        return self.t_unicode(save_ref)

    def t_C_NULL(self, save_ref: bool, bytes_for_s: bool = False) -> Any:
        """xdis has one None for the NULL that ends a dict and for a None in it."""
        return _NULL

    def t_dict(self, save_ref: bool, bytes_for_s: bool = False) -> Any:
        found = self.r_ref({}, save_ref)
        while (key := self.r_object(bytes_for_s=True)) is not _NULL:
            found[key] = self.r_object(bytes_for_s=True)
        return found

    def t_frozendict(self, save_ref: bool, bytes_for_s: bool = False) -> Any:
        """New in 3.15. An older host has nothing nearer than a read-only view of a dict."""
        _, index = self.r_ref_reserve(None, save_ref)
        return self.r_ref_insert(_frozendict(self.t_dict(False)), index)


def _frozendict(items: dict[Any, Any]) -> Any:
    import builtins

    return getattr(builtins, "frozendict", types.MappingProxyType)(items)
