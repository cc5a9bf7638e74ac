"""The bytecode of each of the six CPythons in the Interpreter on this one: each program of the corpus prints
what its own version printed natively, but for what is the host's own and stands in differences.txt.

Six interpreters run this, so that all 36 pairs are tried; under OPSHIFT_PROFILE=full with every program,
else with a fixed share of them.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import pathlib
import re
import shutil
import subprocess

import pytest

import opcodes
from translator.interpreter import Interpreter

HERE = pathlib.Path(__file__).parent
SCRIPT = HERE / "print_programs.py"
CORPUS = sorted((HERE / "corpus").glob("*.py"))
FULL = os.environ.get("OPSHIFT_PROFILE") == "full"
#: one in so many, another share for each pair
SHARE = 13
#: and these for each
ALWAYS = {"called_by_the_host", "protocol_errors"}


def name_of(version):
    return ".".join(map(str, version))


def since(path):
    """The version a program is for: `since_3_12_name.py`, or the oldest."""
    found = re.match(r"since_(\d+)_(\d+)_", path.name)
    return tuple(map(int, found.groups())) if found else opcodes.VERSIONS[0]


def versions(text):
    """ "3.10-3.13" as all of these."""
    first, _, last = text.partition("-")
    names = [name_of(version) for version in opcodes.VERSIONS]
    return opcodes.VERSIONS[names.index(first) : names.index(last or first) + 1]


def differences():
    """(program, bytecode's version, host) -> the lines listed, as (first, last)."""
    found = {}
    for line in (HERE / "differences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        program, bytecode, host, lines, reason = (part.strip() for part in line.split("|"))
        assert reason
        first, dash, last = lines.partition("-")
        place = int(first), int(last) if last else 10_000 if dash else int(first)
        for pair in itertools.product(versions(bytecode), versions(host)):
            assert (program, *pair) not in found and pair[0] != pair[1]
            found[(program, *pair)] = place
    return found


DIFFERENCES = differences()


def programs(version):
    """The programs for bytecode of a version, or this pair's share of them and what is listed."""
    known = [path for path in CORPUS if since(path) <= version]
    if FULL:
        return known
    shift = 6 * opcodes.VERSIONS.index(version) + opcodes.VERSIONS.index(opcodes.HOST)
    return [
        path
        for place, path in enumerate(known)
        if (place + shift) % SHARE == 0
        or path.stem in ALWAYS
        or (path.stem, version, opcodes.HOST) in DIFFERENCES
    ]


def printed(compiled, source):
    """What the machine prints, with the error that ends it."""
    out = io.StringIO()
    namespace = {"__name__": "__main__", "__file__": str(source)}
    with contextlib.redirect_stdout(out):
        try:
            Interpreter().run_module(opcodes.load(compiled).code, namespace)
        except Exception as error:
            print(f"\n{type(error).__name__}: {error}")
    return out.getvalue()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("version", opcodes.VERSIONS, ids=name_of)
def test_programs_print_what_their_own_version_prints(version, tmp_path):
    interpreter = shutil.which(f"python{name_of(version)}")
    assert interpreter, f"python{name_of(version)} is not on PATH: this test needs CPython 3.10 to 3.15 there"
    sources = programs(version)
    assert sources
    order = [interpreter, "-I", "-B", str(SCRIPT), str(tmp_path), *map(str, sources)]
    subprocess.run(order, check=True, timeout=120)
    wrong = []
    for source in sources:
        expected = (tmp_path / f"{source.stem}.out").read_text(encoding="utf-8").splitlines()
        got = printed(tmp_path / f"{source.stem}.pyc", source).splitlines()
        pairs = itertools.zip_longest(expected, got)
        differing = {number: pair for number, pair in enumerate(pairs, 1) if pair[0] != pair[1]}
        first, last = DIFFERENCES.get((source.stem, version, opcodes.HOST), (0, -1))
        wrong += [
            f"{source.stem}, line {number}: {ours!r} here, {theirs!r} where it was compiled"
            for number, (theirs, ours) in differing.items()
            if not first <= number <= last
        ]
        if first and first not in differing:
            wrong.append(f"{source.stem}, line {first} no longer differs: take it out of differences.txt")
    assert not wrong, "\n".join(wrong)
