"""ForeignCode, constants of every kind, and files that are not what they should be."""

import copy
import importlib.util
import marshal
import pathlib
import pickle
import runpy
import struct
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import opcodes
from opcodes import BadPyc, OpcodesError, xdis_bridge
from opcodes.foreign import constant_key, from_xdis, magic_numbers, read_pyc

MAGIC = importlib.util.MAGIC_NUMBER
HEADER = MAGIC + bytes(12)
programs = runpy.run_path(str(pathlib.Path(__file__).with_name("dump_programs.py")))["programs"]
CODE = compile("def f(x, y=(1, 2.5), *z, k: int = ...):\n    return [lambda: x, k]\n", "f.py", "exec")
OTHER = next(magic for magic, version in magic_numbers().items() if version != opcodes.HOST)


def through_xdis(code):
    """A native code object, marshalled here and read back as a foreign one."""
    return from_xdis(xdis_bridge.read_code(marshal.dumps(code), int.from_bytes(MAGIC[:2], "little")))


simple = st.one_of(
    st.none(),
    st.booleans(),
    st.just(...),
    st.integers(),
    st.integers(-(1 << 200), 1 << 200),
    st.floats(),
    st.complex_numbers(),
    st.text(),
    st.text(st.characters(categories=("Cs",)) | st.characters()),
    st.binary(),
)
constants = st.recursive(
    simple,
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.frozensets(inner, max_size=4),
    max_leaves=8,
)
LONG = ("a", 2.5) * 150
MARSHAL_HAS_SLICES = marshal.version >= 5


@settings(deadline=None)
@given(st.lists(constants, max_size=5))
@example([(float("nan"),), (1, 1.0, True), (0.0, -0.0), complex(-0.0, 0.0), LONG, LONG])
@example([slice(1, None, "x"), (slice(None),)] if MARSHAL_HAS_SLICES else [])
def test_constants_of_every_kind_are_read_as_marshal_reads_them(values):
    code = CODE.replace(co_consts=tuple(values))
    assert constant_key(through_xdis(code).co_consts) == constant_key(
        read_pyc(HEADER + marshal.dumps(code)).co_consts
    )


@given(constants, constants)
def test_the_key_of_a_constant_is_that_of_its_type_and_bits(one, other):
    same_bits = marshal.dumps(one, 2) == marshal.dumps(other, 2)  # 2: without references
    if not any(isinstance(each, (tuple, frozenset)) for each in (one, other)):
        assert (constant_key(one) == constant_key(other)) == same_bits
    elif same_bits:
        assert constant_key(one) == constant_key(other)


def test_a_code_object_has_all_attributes_of_the_native_one():
    foreign = through_xdis(CODE)
    for name in dir(CODE):
        if name.startswith("co_") and name not in (
            "co_consts",
            "co_lnotab",
            "co_lines",
            "co_positions",
            "co_branches",
        ):
            if not name.startswith("co_code_adaptive") and not name.startswith("_"):
                assert getattr(foreign, name) == getattr(CODE, name), name
    assert foreign.co_qualname == CODE.co_name
    assert foreign.version == opcodes.HOST
    inner = [each for each in foreign.co_consts if hasattr(each, "co_code")]
    assert inner and all(isinstance(each, opcodes.ForeignCode) for each in inner)


def test_a_foreign_code_object_is_copied_and_pickled():
    foreign = through_xdis(CODE)
    assert copy.copy(foreign) == copy.deepcopy(foreign) == pickle.loads(pickle.dumps(foreign)) == foreign
    assert repr(foreign).startswith("<code object <module> of CPython ")


def test_a_foreign_code_object_is_checked():
    with pytest.raises(TypeError, match=r"each of the co_. attributes once; see to co_argcount, .*co_frames"):
        opcodes.ForeignCode((3, 12), co_frames=1)
    with pytest.raises(ValueError, match=r"co_code is str"):
        through_xdis(CODE).replace(co_code="")


def test_decode_refuses_a_version_that_is_not_that_of_the_code():
    with pytest.raises(OpcodesError, match=r"is bytecode of CPython"):
        opcodes.decode(through_xdis(CODE), (3, 9))


WRONG = {
    "is empty": b"",
    "is not a .pyc file: it begins with b'impo'": b"import this\n",
    "is not a .pyc file: it begins with b'\\x6f": b"\x6f",
    "has the magic number 3425 (Python 3.9": struct.pack("<H", 3425) + b"\r\n" + bytes(40),
    "has the magic number 7, which is of no version from 3.10 to 3.15": b"\7\0\r\n" + bytes(40),
    "is truncated: 12 bytes": HEADER[:12],
    "its header has the flags 0x40": MAGIC + b"\x40" + bytes(11) + marshal.dumps(CODE),
    "is truncated: it ends in the middle of a value": HEADER + marshal.dumps(CODE)[:-1],
    "is truncated: it ends in the middle": HEADER,
    "is no module: it holds a tuple": HEADER + marshal.dumps((1,)),
    "is corrupt: unknown type '?' at byte 0": HEADER + b"?",
    "is corrupt: nothing where a value should be": HEADER + b"0",
    "is corrupt: unknown type '@'": struct.pack("<H", OTHER) + b"\r\n" + bytes(12) + b"@",
    "is no module: it holds a bool": struct.pack("<H", OTHER) + b"\r\n" + bytes(12) + b"T",
    "is corrupt, or nested too deeply": struct.pack("<H", OTHER) + b"\r\n" + bytes(12) + b")\1" * 3000 + b"N",
}


@pytest.mark.parametrize("complaint", WRONG)
def test_a_file_that_is_not_right_is_one_clear_error(complaint, tmp_path):
    path = tmp_path / "wrong.pyc"
    path.write_bytes(WRONG[complaint])
    if "x6f" in complaint:
        complaint = "is not a .pyc file: it begins with b'o'"
    with pytest.raises(BadPyc) as error:
        opcodes.load(path)
    text = str(error.value)
    assert complaint in text and text.startswith(repr(str(path))) and "\n" not in text


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(BadPyc, match=r"cannot read .*missing.pyc': No such file or directory"):
        opcodes.load(tmp_path / "missing.pyc")
    with pytest.raises(BadPyc, match=r"cannot read .*: Is a directory"):
        opcodes.load(str(tmp_path))


def test_bytecode_that_does_not_fit_the_table_is_an_error_of_the_file(tmp_path):
    path = tmp_path / "wrong.pyc"
    load_name = opcodes.table(opcodes.HOST).opmap["LOAD_NAME"]
    path.write_bytes(HEADER + marshal.dumps(CODE.replace(co_code=bytes((load_name, 200)))))
    with pytest.raises(BadPyc, match=r"wrong.pyc' is corrupt: .*LOAD_NAME 200.*out of range"):
        opcodes.load(path)


def test_an_opcode_that_no_file_has_is_refused_before_the_interpreter_sees_it():
    """CPython crashes on some of them."""
    table = opcodes.table(opcodes.HOST)
    nops = bytes((table.opmap["NOP"], 0)) * (len(CODE.co_code) // 2 - 1)
    for number, row in enumerate(table.row_at):
        data = HEADER + marshal.dumps(CODE).replace(CODE.co_code, bytes((number, 0)) + nops)
        if row is None or not row.sequences:
            with pytest.raises(OpcodesError, match=rf"offset 0: .*there is no opcode {number}"):
                opcodes.decode(read_pyc(data))
        else:
            assert read_pyc(data).co_code[0] == number


@pytest.mark.parametrize("kind", [b"(", b"[", b"<", b">", b"l", b"s", b"u"])
@pytest.mark.parametrize("magic", [MAGIC[:2], struct.pack("<H", OTHER)], ids=["native", "foreign"])
def test_a_size_that_is_wrong_costs_no_memory(kind, magic):
    data = magic + b"\r\n" + bytes(12) + kind + b"\xff\xff\xff\x7f" + b"N" * 10
    tracemalloc.start()
    try:
        with pytest.raises(BadPyc, match=r"is truncated: it ends in the middle of a value"):
            read_pyc(data)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_values_of_every_kind_pass_to_marshal():
    """Whatever `marshal` can write it gets to read; a module would not hold them."""
    values = [
        {},
        {None: 1, "a": {2: []}},
        [1, [2]],
        {3},
        StopIteration,
        1 << 100,
        -1 << 100,
        1.5,
        2j,
        b"",
        "é",
    ]
    code = CODE.replace(co_consts=(*values, LONG))
    assert read_pyc(HEADER + marshal.dumps(code)).co_consts == code.co_consts


@settings(deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused(data):
    """Whatever the damage: one line of ours, natively and through xdis, then and later."""
    damaged = bytearray(HEADER + marshal.dumps(CODE))
    for _ in range(data.draw(st.integers(0, 6))):
        damaged[data.draw(st.integers(4, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(damaged)) | st.just(len(damaged)))
    host = importlib.util.MAGIC_NUMBER
    with pytest.MonkeyPatch.context() as patch:
        if data.draw(st.booleans(), "through xdis"):
            patch.setattr(importlib.util, "MAGIC_NUMBER", b"none")
        try:
            code = read_pyc(bytes(damaged[:cut]))
            assert isinstance(code, opcodes.ForeignCode) == (importlib.util.MAGIC_NUMBER != host)
            for program in programs(opcodes.decode(code)):
                assert str(program) and program.to_dict()
        except OpcodesError as error:
            assert "\n" not in str(error)
