"""What a listing shows is what `dis` shows, and more only where it says so."""

import dis
import json
import pathlib
import re
import runpy
import textwrap

import pytest

import opcodes
from opcodes.argrepr import argrepr, constant_text, lowered
from opcodes.listing import canonical_text, listing_rows

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")

HERE = pathlib.Path(__file__).parent
programs = runpy.run_path(str(HERE / "dump_programs.py"))["programs"]
CORPUS = [
    path
    for path in sorted((HERE / "corpus").glob("*.py"))
    if tuple(map(int, path.stem.split("_")[1:])) <= opcodes.HOST
]
SAMPLE = [pathlib.Path(dis.__file__).with_name(name) for name in ("dis.py", "typing.py", "contextlib.py")]

#: where we say more than some versions of `dis` do
SPELLED_OUT = ("IS_OP", "CONTAINS_OP", "LOAD_SMALL_INT", "KW_NAMES", "LOAD_COMMON_CONSTANT")


def program_of(text):
    return opcodes.decode(compile(textwrap.dedent(text), "example.py", "exec"))


def function(text):
    """The Program of the only function in the text."""
    (code,) = [each for each in program_of(text).code.co_consts if hasattr(each, "co_code")]
    return opcodes.decode(code)


def shown_by_dis(instruction):
    """`argrepr` without addresses; labels (3.13+) as offsets; frozensets (in hash order) read."""
    text = re.sub(r" at 0x[0-9a-f]+", "", instruction.argrepr)
    if re.match(r"(to|from) L\d", text):
        return f"{text.split()[0]} {instruction.argval}"
    return text


@pytest.mark.parametrize("path", [*CORPUS, *SAMPLE], ids=lambda path: path.stem)
def test_every_instruction_is_as_dis_has_it(path):
    for program in programs(opcodes.decode(compile(path.read_bytes(), path.name, "exec"))):
        rows = {row.raw.offset: row for row in listing_rows(program) if row.raw is not None}
        for instruction in dis.get_instructions(program.code):
            if instruction.opname == "EXTENDED_ARG":
                continue
            row = rows.pop(instruction.offset)
            assert (row.raw.opname, row.raw.opcode) == (instruction.opname, instruction.opcode)
            assert row.raw.arg == instruction.arg
            assert row.raw.line == line_of(instruction)
            expected = shown_by_dis(instruction)
            if expected or instruction.opname not in SPELLED_OUT:
                if not expected.startswith("frozenset"):
                    assert row.argrepr == expected, instruction
        assert not rows


def line_of(instruction):
    """From 3.11 each instruction has it; on 3.10 only those that begin a line say it."""
    if hasattr(instruction, "positions"):
        return instruction.positions.lineno
    return instruction.starts_line if instruction.starts_line is not None else Anything()


class Anything:
    def __eq__(self, other):
        return True


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_jump_targets_are_those_of_dis(path):
    for program in programs(opcodes.decode(compile(path.read_bytes(), path.name, "exec"))):
        marked = {
            row.raw.start for row in listing_rows(program) if row.raw is not None and row.is_jump_target
        }
        assert {offset for offset in dis.findlabels(program.code.co_code)} <= marked


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_listing_names_every_instruction_once_in_order(path):
    for program in programs(opcodes.decode(compile(path.read_bytes(), path.name, "exec"))):
        rows = listing_rows(program)
        assert [index for row in rows for index, _ in row.instructions] == list(range(len(program)))
        assert all(
            row.instructions[0][1].raw in (row.raw, None) for row in rows if row.instructions and row.raw
        )
        text = str(program).splitlines()
        assert len(text) >= 2 + len(program) + len(program.regions)
        for index, instruction in enumerate(program):
            assert any(
                re.search(rf"  {index}  {re.escape(canonical_text(instruction))}$", line) for line in text
            )


def test_a_listing_reads_like_this():
    program = function(
        """
        def f(x):
            return x * 1000
        """
    )
    lines = str(program).splitlines()
    assert re.match(r"f of CPython 3\.\d\d, file 'example.py', line 2$", lines[0])
    product = next(line for line in lines if line.endswith("BINARY_OP *"))
    assert re.match(r"\s+\d+  BINARY_(OP +5 \(\*\)|MULTIPLY)\s+\d+  BINARY_OP \*$", product)
    constant = next(line for line in lines if "LOAD_CONST" in line)
    assert re.match(r"\s+3?\s+\d+  LOAD_CONST +1? ?\d? ?\(1000\)\s+\d+  LOAD_CONST 1000$", constant)


def test_instructions_that_lower_to_nothing_are_listed():
    """KW_NAMES and PRECALL where the version has them; whatever `dis` shows is in the listing."""
    program = function("def f(g):\n    return g(1, key=2)\n")
    shown = {each.opname for each in dis.get_instructions(program.code)}
    assert shown <= set(re.findall(r"[A-Z][A-Z_0-9]+", str(program)))


def test_long_arguments_are_whole():
    """With EXTENDED_ARG before them."""
    text = "def f(x):\n" + "".join(f"    x.a{n} = {n}.5\n" for n in range(300))
    program = function(text)
    loads = {
        raw.arg: argrepr(program, raw) for raw in {each.raw for each in program} if raw.opname == "LOAD_CONST"
    }
    assert max(loads) > 256
    assert loads[max(loads)] == repr(program.code.co_consts[max(loads)])


def test_implicit_instructions_and_those_put_in_have_no_raw_one():
    program = function("def f(x):\n    return lambda: x\n")
    added = program.splice(len(program) - 1, [opcodes.INSTRUCTIONS["NOP"]()])
    rows = [row for row in listing_rows(added) if row.raw is None]
    assert [each.opname for _, each in rows[-1].instructions] == ["NOP"]
    assert "(no raw instruction)" in str(added)
    data = added.to_dict()["instructions"]
    assert [each["canonical"][0]["opname"] for each in data if each["offset"] is None][-1] == "NOP"


def test_the_data_of_a_program_is_json_and_says_what_it_is():
    program = function(
        "def f(a, /, b=1, *c, d, **e):\n    for x in c:\n        yield lambda: (x, 1.0, None)\n"
    )
    data = program.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert data["python"] == ".".join(map(str, opcodes.HOST))
    assert data["arguments"] == {"positional": 2, "positional_only": 1, "keyword_only": 1}
    assert data["qualname"] == "f" and data["filename"] == "example.py" and data["first_line"] == 1
    assert data["cells"] == ["x"] and data["localsplus"] == list(program.localsplus)
    jump = next(
        (index, each)
        for index, each in enumerate(program)
        if each.opname == "FOR_ITER"
    )  # fmt: skip
    found = [each for row in data["instructions"] for each in row["canonical"] if each["index"] == jump[0]]
    assert found == [{"index": jump[0], "opname": "FOR_ITER", "operands": {
        operand: getattr(jump[1], operand) for operand in jump[1].operands
    }}]  # fmt: skip


def test_lowered_finds_what_came_from_a_raw_instruction():
    program = function("def f(a, b):\n    return a and b\n")
    for raw in {each.raw for each in program if each.raw.opname}:
        assert [each for each in program if each.raw is raw] == list(lowered(program, raw))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (True, "True"),
        (-0.0, "-0.0"),
        ((1,), "(1,)"),
        ((), "()"),
        ((1.0, ("a", b"b")), "(1.0, ('a', b'b'))"),
        (frozenset(), "frozenset()"),
        (frozenset({"b", "a", 1}), "frozenset({'a', 'b', 1})"),
        (slice(1, None), "slice(1, None, None)"),
        (1 << 20_000, hex(1 << 20_000)),
        (AssertionError, "AssertionError"),
        (..., "Ellipsis"),
        ("\ud800\n", "'\\ud800\\n'"),
    ],
    ids=constant_text,
)
def test_the_text_of_a_constant(value, text):
    assert constant_text(value) == text
