"""What decode says an instruction is, is what `dis` shows, over a sample of the standard library."""

from __future__ import annotations

import dis
from bisect import bisect_left
from types import CodeType

import pytest

import opcodes
from fuzz.standard_library import code_objects
from opcodes.errors import OpcodesError, UnknownVersion
from opcodes.foreign import ForeignCode
from opcodes.program import PROLOGUE, Program, Raw

#: What has no canonical instruction of its own: prefixes, cache entries, and the two that say something
#: of the CALL that follows.
ABSORBED = {"EXTENDED_ARG", "CACHE", "KW_NAMES", "PRECALL"}


def raws(program: Program) -> list[Raw]:
    """The raw instructions of a Program, in order, each once. 3.10's implicit prologue is not among them."""
    found: list[Raw] = []
    for instruction in program:
        if instruction.raw is not PROLOGUE and (not found or found[-1] is not instruction.raw):
            found.append(instruction.raw)
    return found


def shown_by_dis(code: CodeType) -> list[dis.Instruction]:
    return [each for each in dis.get_instructions(code) if each.opname not in ABSORBED]


def place(code: CodeType) -> str:
    return f"{code.co_name}, {code.co_filename}:{code.co_firstlineno}"


@pytest.fixture(scope="module")
def sample() -> list[CodeType]:
    """Every fourth code object of the fixed sample: a failure names its file and line."""
    return list(code_objects())[::4]


def test_names_numbers_arguments_and_offsets(sample):
    for code in sample:
        ours = [(raw.offset, raw.opname, raw.opcode, raw.arg) for raw in raws(opcodes.decode(code))]
        theirs = [(each.offset, each.opname, each.opcode, each.arg) for each in shown_by_dis(code)]
        assert ours == theirs, place(code)


def test_starts_and_ends_cover_the_bytecode(sample):
    """Prefixes before an instruction and caches after it are its own; nothing is left between two."""
    for code in sample:
        program = opcodes.decode(code)
        silent = [
            each.offset for each in dis.get_instructions(code) if each.opname in ("KW_NAMES", "PRECALL")
        ]
        previous = 0
        for raw in raws(program):
            between = [offset for offset in silent if previous <= offset < raw.start]
            assert raw.start == previous or between, place(code)
            assert raw.start <= raw.offset < raw.end, place(code)
            caches = program.table.caches.get(raw.opname, 0)
            assert raw.end == raw.offset + 2 + 2 * caches, place(code)
            previous = raw.end
        assert previous == len(code.co_code), place(code)


def test_jump_targets(sample):
    """A target is the index of the instruction at the offset that dis says."""
    jumping = {*dis.hasjrel, *dis.hasjabs}
    for code in sample:
        program = opcodes.decode(code)
        starts = [each.raw.start for each in program]
        theirs = {each.offset: each.argval for each in dis.get_instructions(code) if each.opcode in jumping}
        seen = set()
        for instruction in program:
            for operand in ("target", "origin"):
                target = getattr(instruction, operand, None)
                if target is None or instruction.raw.offset not in theirs:
                    continue
                seen.add(instruction.raw.offset)
                assert target == bisect_left(starts, theirs[instruction.raw.offset]), place(code)
        assert seen == theirs.keys(), place(code)


def test_lines(sample):
    for code in sample:
        lines = {}
        for start, end, line in code.co_lines():
            lines.update(dict.fromkeys(range(start, end, 2), line))
        for raw in raws(opcodes.decode(code)):
            assert raw.line == lines.get(raw.offset), f"{place(code)}, offset {raw.offset}"


def test_columns(sample):
    """As `co_positions()` gives them; a 3.10 code object knows lines only."""
    for code in sample:
        program = opcodes.decode(code)
        if not hasattr(code, "co_positions"):
            assert all(raw.position[1:] == (None, None, None) for raw in raws(program)), place(code)
            continue
        theirs = list(code.co_positions())
        for raw in raws(program):
            position = raw.position
            ours = (position.line, position.end_line, position.column, position.end_column)
            assert ours == theirs[raw.offset // 2], f"{place(code)}, offset {raw.offset}"


def test_exception_regions(sample):
    """For each instruction, its innermost handler is the entry of the exception table that covers it."""
    for code in sample:
        if not hasattr(dis, "_parse_exception_table"):
            return  # 3.10 has blocks: test_regions.py holds all versions against a run
        program = opcodes.decode(code)
        entries = dis._parse_exception_table(code)
        starts = [each.raw.start for each in program]
        for instruction, region in zip(program, program.handlers):
            offset = instruction.raw.offset
            covering = [entry for entry in entries if entry.start <= offset < entry.end]
            assert len(covering) == (region is not None), place(code)
            for entry in covering:
                assert region.target == bisect_left(starts, entry.target), place(code)
                assert (region.depth, region.lasti) == (entry.depth, entry.lasti), place(code)
                assert region.entry_values == 1 + entry.lasti, place(code)


def test_decoding_again_costs_nothing(sample):
    for code in sample[:200]:
        assert opcodes.decode(code).instructions is opcodes.decode(code).instructions


def test_equal_code_objects_of_two_files_are_two_programs():
    """Code objects compare equal across files and lines apart; the cache goes by identity."""
    first = compile("x = 1", "one.py", "exec")
    second = compile("x = 1", "two.py", "exec")
    assert opcodes.decode(first).code is first
    assert opcodes.decode(second).code is second


def test_the_cache_keeps_no_code_object_alive():
    import gc
    import weakref

    code = compile("x = 1", "gone.py", "exec")
    opcodes.decode(code)
    alive = weakref.ref(code)
    del code
    gc.collect()
    assert alive() is None


def test_slots_are_numbered_as_the_interpreter_numbers_them(sample):
    for code in sample:
        if not hasattr(code, "_varname_from_oparg"):
            return  # 3.10 numbers cells apart: the next test
        localsplus = opcodes.decode(code).localsplus
        assert localsplus == tuple(code._varname_from_oparg(i) for i in range(len(localsplus))), place(code)


def test_locals_cells_and_free_variables_have_their_slots():
    def outer(argument, both):
        local = argument

        def inner():
            return both, cell, local

        cell = 1
        return inner

    program = opcodes.decode(outer.__code__)
    assert program.localsplus == ("argument", "both", "inner", "cell", "local")
    wrapped = {each.name: each.slot for each in program if each.opname == "MAKE_CELL"}
    assert wrapped == {"both": 1, "cell": 3, "local": 4}
    inside = opcodes.decode(outer(1, 2).__code__)
    assert inside.localsplus == ("both", "cell", "local")
    assert [each.name for each in inside if each.opname == "LOAD_DEREF"] == ["both", "cell", "local"]


@pytest.mark.parametrize("version", [(3, 9), (2, 7), (3, 16)])
def test_a_version_without_table_is_refused_by_name(version):
    with pytest.raises(UnknownVersion, match=f"CPython {version[0]}.{version[1]}"):
        opcodes.decode(compile("1", "", "exec"), version=version)


@pytest.mark.parametrize("thing", [42, "source", len, print, int, object(), None, lambda: 0])
def test_what_is_no_code_object_is_refused_in_one_line(thing):
    with pytest.raises((TypeError, OpcodesError), match="code object") as refusal:
        opcodes.decode(thing)
    assert type(thing).__name__ in str(refusal.value)
    assert "\n" not in str(refusal.value)


def foreign(version: tuple[int, int], bytecode: bytes) -> ForeignCode:
    """Bytes as a file may have them: a native code object of that kind can crash the interpreter itself."""
    fields = dict.fromkeys(("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_nlocals"), 0)
    fields |= dict(co_stacksize=1, co_flags=0, co_firstlineno=1, co_filename="bad.py", co_name="bad")
    fields |= dict.fromkeys(("co_names", "co_varnames", "co_cellvars", "co_freevars"), ())
    return ForeignCode(version, co_code=bytecode, co_linetable=b"", co_consts=(None,), **fields)


@pytest.mark.parametrize("version", opcodes.VERSIONS)
def test_a_number_that_is_no_opcode_is_refused_and_says_where(version):
    numbers = opcodes.table(version).opmap
    for number in sorted(set(range(256)) - set(numbers.values())):
        with pytest.raises(OpcodesError, match=rf"^bad, offset 2.*opcode {number}\b") as refusal:
            opcodes.decode(foreign(version, bytes([numbers["NOP"], 0, number, 0])))
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("version", opcodes.VERSIONS)
def test_what_only_the_interpreter_writes_is_refused(version):
    table = opcodes.table(version)
    for name in (
        "CACHE",
        "RESERVED",
        "INTERPRETER_EXIT",
        "ENTER_EXECUTOR",
        "EXIT_INIT_CHECK",
        "TRACE_RECORD",
    ):
        if name in table.opmap:
            with pytest.raises(OpcodesError, match=rf"^bad, offset 0: {name}\b"):
                opcodes.decode(foreign(version, bytes([table.opmap[name], 0])))


@pytest.mark.parametrize("version", opcodes.VERSIONS)
def test_bytecode_that_is_cut_off_is_refused(version):
    numbers = opcodes.table(version).opmap
    whole = bytes([numbers["NOP"], 0, numbers["LOAD_CONST"], 0])
    assert len(opcodes.decode(foreign(version, whole))) == 2
    cuts = [
        whole[:-1],
        whole + bytes([numbers["EXTENDED_ARG"], 1]),
        whole + bytes([numbers["LOAD_CONST"], 1]),
    ]
    if "BINARY_OP" in numbers:
        cuts.append(whole + bytes([numbers["BINARY_OP"], 0]))  # without its cache
    for cut in cuts:
        with pytest.raises(OpcodesError, match=r"^bad.*(cut off|out of range)") as refusal:
            opcodes.decode(foreign(version, cut))
        assert "\n" not in str(refusal.value)
