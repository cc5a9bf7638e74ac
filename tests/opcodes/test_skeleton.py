"""The skeleton for this interpreter, as if its table had not been written: filled in, it is that table."""

import pytest

import opcodes
from opcodes.errors import OpcodesError
from opcodes.skeleton import IDS, Host, changes, skeleton

HOST = opcodes.table(opcodes.HOST)
OLDER = [version for version in opcodes.VERSIONS if version < opcodes.HOST]
NAME = f"CPYTHON_{opcodes.HOST[0]}{opcodes.HOST[1]}"


def overlay_of(text):
    """The names that stand in the arguments of the call in a skeleton."""
    found = {}

    class Recorded:
        def evolve(self, **arguments):
            return arguments

    names = {"numbered": opcodes.table.__globals__["numbered"], "OpcodeTable": dict}
    if OLDER:
        base = max(OLDER)
        names[f"CPYTHON_{base[0]}{base[1]}"] = Recorded()
    body = text[text.index(f"{NAME} = ") :]
    exec(body, names, found)
    return found[NAME]


def test_the_skeleton_is_a_module_that_can_be_imported():
    compile(skeleton(OLDER), "cpython.py", "exec")


def test_what_the_interpreter_says_of_itself_is_filled_in():
    overlay = overlay_of(skeleton(OLDER))
    base = opcodes.table(max(OLDER)) if OLDER else None
    assert overlay["version"] == opcodes.HOST
    assert overlay["magic"][-1] == HOST.magic[-1]
    assert overlay["numbers"] == dict(HOST.opmap)
    if base is None:
        assert set(overlay["rows"]) == set(HOST.opmap) and overlay["caches"] == dict(HOST.caches)
    else:
        assert set(overlay.get("removed", ())) == base.opmap.keys() - HOST.opmap.keys()
        assert set(overlay.get("added", ())) == HOST.opmap.keys() - base.opmap.keys()
        caches = {name: size for name, size in base.caches.items() if name in HOST.opmap}
        caches.update(overlay.get("caches", {}))
        assert {name: size for name, size in caches.items() if size} == dict(HOST.caches)
    for name in IDS:
        inherited = getattr(base, name) if base else None
        assert overlay.get(name, inherited) == getattr(HOST, name)


def test_every_row_is_left_to_be_written():
    overlay = overlay_of(skeleton(OLDER))
    for part in ("rows", "added", "changed"):
        assert all(row is ... for row in overlay.get(part, {}).values())


def test_the_changes_it_names_are_changes_of_the_table():
    """None is named when the table is compared with its own interpreter, but what that books otherwise:
    the jump inside 3.10's YIELD_FROM, 3.11's PRECALL and CALL as if they were one."""
    assert set(changes(Host(), HOST)) <= {"YIELD_FROM", "PRECALL", "CALL"}
    if "PRECALL" not in HOST.opmap and "YIELD_FROM" not in HOST.opmap:
        assert changes(Host(), HOST) == {}
    if OLDER:
        base = opcodes.table(max(OLDER))
        named = changes(Host(), base)
        assert all(base.rows[name] is not HOST.rows[name] for name in named)
        assert set(overlay_of(skeleton(OLDER)).get("changed", {})) == set(named)


def test_a_version_with_a_table_needs_no_skeleton():
    with pytest.raises(OpcodesError, match="has its table, opcodes/cpython3"):
        skeleton()
