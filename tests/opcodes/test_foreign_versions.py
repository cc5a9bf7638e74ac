"""Property 3: `.pyc` files that each of the six compiled decode to the same Programs on this host.

The reference is what the compiling interpreter itself makes of its file, natively. Six interpreters
run this test, so that all 36 pairs are tried.
"""

import pathlib
import runpy
import shutil
import subprocess

import pytest

import opcodes
from opcodes import xdis_bridge
from opcodes.foreign import from_xdis, read_pyc
from opcodes.listing import canonical_text

HERE = pathlib.Path(__file__).parent
SCRIPT = HERE / "dump_programs.py"
programs, dump = map(runpy.run_path(str(SCRIPT)).get, ("programs", "dump"))
CORPUS = {tuple(map(int, path.stem.split("_")[1:])): path for path in sorted((HERE / "corpus").glob("*.py"))}


def sources(version):
    """The files of the corpus that this version can compile."""
    return [path for since, path in CORPUS.items() if since <= version]


def name_of(version):
    return ".".join(map(str, version))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """version -> the folder with what that interpreter compiled, and says of it; filled when asked."""
    folders = {}

    def folder_of(version):
        if version not in folders:
            interpreter = shutil.which(f"python{name_of(version)}")
            assert interpreter, (
                f"python{name_of(version)} is not on PATH: this test needs CPython 3.10 to 3.15 there"
            )
            folder = tmp_path_factory.mktemp(f"python{name_of(version)}")
            subprocess.run(
                [interpreter, "-I", "-B", str(SCRIPT), str(folder), *map(str, sources(version))],
                check=True,
                timeout=120,
            )
            folders[version] = folder
        return folders[version]

    return folder_of


def test_the_corpus_has_a_file_for_each_version():
    assert tuple(CORPUS) == opcodes.VERSIONS


@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=name_of)
def test_a_pyc_decodes_to_the_same_programs_as_where_it_was_compiled(version, compiled):
    for source in sources(version):
        path = compiled(version) / f"{source.stem}.pyc"
        program = opcodes.load(path)
        native = version == opcodes.HOST
        assert isinstance(program.code, opcodes.ForeignCode) is not native
        assert_same(dump(program), path.with_suffix(".json").read_text(encoding="ascii"), path)


def test_a_pyc_of_the_host_is_the_same_through_marshal_and_through_xdis(compiled):
    for source in sources(opcodes.HOST):
        path = compiled(opcodes.HOST) / f"{source.stem}.pyc"
        data = path.read_bytes()
        magic = int.from_bytes(data[:2], "little")
        foreign = from_xdis(xdis_bridge.read_code(data[16:], magic), opcodes.HOST)
        assert_same(dump(opcodes.decode(foreign)), dump(opcodes.load(path)), path)


@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=name_of)
def test_foreign_code_is_equal_by_content(version, compiled):
    path = compiled(version) / "since_3_10.pyc"
    magic = int.from_bytes(path.read_bytes()[:2], "little")

    def read():
        return from_xdis(xdis_bridge.read_code(path.read_bytes()[16:], magic), version)

    one, other = read(), read()
    assert one == other and hash(one) == hash(other) and one is not other
    assert one.replace() == one
    for field, change in {"co_name": "x", "co_flags": -1, "co_consts": (*one.co_consts, 1)}.items():
        assert one.replace(**{field: change}) != one
    with pytest.raises(AttributeError):
        one.co_name = "x"
    with pytest.raises(AttributeError):
        del one.co_name


CLOSURES = """
def outer(argument, /, other, *, key=None):
    cell = [argument]
    def inner():
        own = cell, other
        return lambda: (own, key)
    return inner
"""


@pytest.fixture(scope="module")
def closures(tmp_path_factory):
    """version -> a `.pyc` with nothing that xdis by itself fails on."""
    folder = tmp_path_factory.mktemp("closures")
    (folder / "closures.py").write_text(CLOSURES)

    def path_of(version):
        path = folder / f"closures{name_of(version)}.pyc"
        order = f"import py_compile; py_compile.compile({str(folder / 'closures.py')!r}, {str(path)!r})"
        subprocess.run([f"python{name_of(version)}", "-I", "-c", order], check=True, timeout=60)
        return path

    return path_of


def test_code_objects_read_by_xdis_itself(closures):
    """xdis mixes up the cells and free variables of 3.10, and does not know 3.15's magic number."""
    from xdis.load import load_module

    for version in opcodes.VERSIONS[:-1]:
        path = closures(version)
        found = opcodes.decode(load_module(str(path))[3])
        assert found.version == version
        assert_same(dump(found), dump(opcodes.load(path)), path)


def test_a_native_code_object_made_portable_by_xdis(closures):
    """On 3.10 xdis gives such a code object the line table of older versions: lines are left out."""
    from xdis.codetype import codeType2Portable

    path = closures(opcodes.HOST)
    code = read_pyc(path.read_bytes())
    found = programs(opcodes.decode(from_xdis(codeType2Portable(code))))
    for portable, native in zip(found, programs(opcodes.decode(code))):
        assert isinstance(portable.code, opcodes.ForeignCode)
        assert list(map(canonical_text, portable)) == list(map(canonical_text, native))
        assert portable.localsplus == native.localsplus and portable.regions == native.regions


def assert_same(found, expected, path):
    """Equal texts; if not, the first line where they part."""
    if found != expected:
        pairs = zip(found.splitlines(), expected.splitlines())
        number, (ours, theirs) = next((n, pair) for n, pair in enumerate(pairs) if pair[0] != pair[1])
        pytest.fail(f"{path}, line {number} of the dump: {ours!r} here, {theirs!r} where it was compiled")
