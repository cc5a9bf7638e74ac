"""Each bridge is still needed: what xdis alone reads is wrong, and what it reads with the bridge right.

A test that fails at `alone` says that xdis has put it right: take the bridge out of xdis_bridge.py.
"""

import io
import marshal
import sys

import pytest

from opcodes import xdis_bridge
from opcodes.errors import OpcodesError

MAGIC = 3571  # 3.13


def alone(data, magic=MAGIC):
    """What xdis reads without the bridges; the exception if it raises one."""
    from xdis.unmarshal import VersionIndependentUnmarshaller

    try:
        return VersionIndependentUnmarshaller(io.BytesIO(data), magic, True, {}).r_object(bytes_for_s=True)
    except Exception as error:
        return error


def bridged(data, magic=MAGIC):
    return xdis_bridge.read_code(data, magic)


SHARED = b"\xf3\x02\x00\x00\x00ab"  # the bytes b"ab", noted for references

VALUES = {
    "a negative long integer": (b"l\xfe\xff\xff\xff\x00\x00\x01\x00", -(1 << 15)),
    "a reference to the first value": (
        b")\x03" + SHARED + b"\xf3\x01\x00\x00\x00cr\x00\x00\x00\x00",
        (b"ab", b"c", b"ab"),
    ),
    "a lone surrogate": (b"u\x03\x00\x00\x00\xed\xa0\x80", "\ud800"),
    "an interned lone surrogate": (b"t\x03\x00\x00\x00\xed\xa0\x80", "\ud800"),
    "a reference to a long tuple": (b")\x02\xa8\x01\x00\x00\x00Tr\x00\x00\x00\x00", ((True,), (True,))),
    "a dict with None in it": (b"{NTTN0", {None: True, True: None}),
}


@pytest.mark.parametrize("what", VALUES)
def test_values(what):
    data, value = VALUES[what]
    found = alone(data)
    assert isinstance(found, Exception) or found != value
    assert bridged(data) == value


def test_long_integers_are_of_type_int():
    data = marshal.dumps(1 << 80)
    assert type(alone(data)) is not int
    assert type(bridged(data)) is int and bridged(data) == 1 << 80


def test_an_unknown_type_is_an_error(capsys):
    assert alone(b"@") is None
    capsys.readouterr()
    with pytest.raises(ValueError, match="unknown type '@' at byte 0"):
        bridged(b"@")


def test_a_truncated_string_is_an_error():
    assert alone(b"s\x05\x00\x00\x00abc") == b"abc"
    with pytest.raises(EOFError):
        bridged(b"s\x05\x00\x00\x00abc")


def test_a_reference_to_nothing_is_an_error():
    data = b")\x02" + SHARED + b"r\x07\x00\x00\x00"
    assert alone(data) == (b"ab", b"ab")
    with pytest.raises(ValueError, match="no reference 7"):
        bridged(data)


def test_a_frozendict():
    data = b"}" + b"i\x01\x00\x00\x00" + b"T" + b"0"
    assert alone(data) is None
    assert dict(bridged(data)) == {1: True}
    with pytest.raises(TypeError):
        bridged(data)[1] = False


def code_of_3_10(cells, free):
    """A marshalled code object of 3.10 with these names (one each)."""
    number = (0).to_bytes(4, "little")
    name = b"\xda\x01x"
    names = [b")\x01\xda\x01" + each for each in (free, cells)]
    return (
        b"c" + number * 6 + b"s\x02\x00\x00\x00S\x00" + b")\x01[" + number + b")\x00" * 2
        + b"".join(names) + name * 2 + number + b"s" + number
    )  # fmt: skip


def test_the_cells_and_free_variables_of_3_10(monkeypatch):
    """3.10 writes the free variables first."""
    data = code_of_3_10(cells=b"c", free=b"f")
    code = bridged(data, 3439)
    assert (code.co_cellvars, code.co_freevars) == (("c",), ("f",))
    assert not xdis_bridge.cells_are_swapped(code)
    code = alone(data, 3439)
    assert (code.co_cellvars, code.co_freevars) == (("f",), ("c",))
    monkeypatch.setattr(sys, "version_info", (3, 13))
    assert xdis_bridge.cells_are_swapped(code)
    monkeypatch.setattr(sys, "version_info", (3, 10))
    assert not xdis_bridge.cells_are_swapped(code)


def test_unhashable_values_before_a_code_object():
    """Slices are unhashable before 3.12; a list, noted for references, is everywhere."""
    data = code_of_3_10(b"c", b"f").replace(b")\x01[", b")\x01\xdb")
    assert isinstance(alone(data, 3439), TypeError)
    assert bridged(data, 3439).co_consts == ([],)


def test_magic_numbers_xdis_does_not_know():
    from xdis.magics import magicint2version

    for magic, same in xdis_bridge.STANDS_FOR.items():
        assert magic not in magicint2version
        assert isinstance(alone(b"N", magic), KeyError)
        assert magicint2version[same].startswith("3.15")


@pytest.fixture
def unmade(monkeypatch):
    """As before the first use."""
    monkeypatch.setattr(xdis_bridge, "_made", None)
    return monkeypatch


def test_another_xdis_is_refused(unmade):
    import xdis

    unmade.setattr(xdis, "__version__", "7.0.0")
    with pytest.raises(OpcodesError, match=r"through xdis 6\.3, but xdis 7\.0\.0 is installed: pip install"):
        bridged(b"N")


def test_an_xdis_that_needs_a_bridge_no_longer_is_refused(unmade):
    from xdis.magics import magicint2version

    unmade.setitem(magicint2version, 3666, "3.15.0")
    with pytest.raises(OpcodesError, match=r"knows magic number 3666 by itself: take it out of STANDS_FOR"):
        bridged(b"N")


def test_a_missing_xdis_is_said(unmade):
    unmade.setitem(sys.modules, "xdis", None)
    with pytest.raises(OpcodesError, match=r"through xdis, which does not import .*: pip install"):
        bridged(b"N")
