"""examples/stack_depth.py agrees with CPython's own compiler about the standard library."""

from __future__ import annotations

import subprocess
import sys

import pytest

import opcodes
from examples.stack_depth import StackDepth
from fuzz.standard_library import code_objects


def test_depths_agree_and_fit_the_stack_that_cpython_reserves():
    exact = checked = 0
    for code in list(code_objects())[::6]:
        machine = StackDepth(code)  # ValueError where two ways come with different depths
        assert machine.deepest <= code.co_stacksize, (
            f"{code.co_name}, {code.co_filename}:{code.co_firstlineno}"
        )
        checked += 1
        exact += machine.deepest == code.co_stacksize
    assert checked > 1000
    # The compiler reserves what it finds by the same walk, before its last optimisations.
    assert exact / checked > 0.5


def test_ways_that_disagree_are_found():
    """A loop that pushes a value each time round, in 3.12's bytecode."""
    numbers = opcodes.table((3, 12)).opmap
    loop = bytes([numbers["LOAD_CONST"], 0, numbers["JUMP_BACKWARD"], 2])
    fields = dict.fromkeys(("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_nlocals"), 0)
    fields |= dict(co_stacksize=1, co_flags=0, co_firstlineno=1, co_filename="loop.py", co_name="loop")
    fields |= dict.fromkeys(("co_names", "co_varnames", "co_cellvars", "co_freevars"), ())
    code = opcodes.ForeignCode((3, 12), co_code=loop, co_linetable=b"", co_consts=(None,), **fields)
    with pytest.raises(ValueError, match="loop, instruction 0: 0 or 1"):
        StackDepth(code)


def test_it_runs_from_the_command_line():
    done = subprocess.run(
        [sys.executable, "examples/stack_depth.py", "examples/walk.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "f, line 7" in done.stdout
