"""`opshift tables`: the versions, one version's opcodes, two versions side by side."""

from __future__ import annotations

import json
from typing import Any

import opcodes
from opcodes import OpcodeTable
from opcodes.argrepr import constant_text
from opcodes.skeleton import IDS
from translator.command_line.grid import Column, print_grid, print_text

_NAME = Column("opcode", "left", "bold cyan")
_LOWERS = Column("lowers to", "left", "green")


def print_versions(as_json: bool) -> None:
    """One line a version: how many opcodes, and what the table before it lacks or has too much."""
    rows: list[dict[str, Any]] = []
    before: OpcodeTable | None = None
    for version in opcodes.VERSIONS:
        table = opcodes.table(version)
        found = difference(before, table) if before is not None else None
        rows.append(
            {
                "python": str(table),
                "magic": table.magic[-1],
                "opcodes": len(table.opmap),
                "removed": len(found["removed"]) if found else None,
                "added": len(found["added"]) if found else None,
                "changed": len(found["changed"]) if found else None,
            }
        )
        before = table
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    columns = [Column("python", "left", "bold cyan"), *(Column(key, "right") for key in list(rows[0])[1:])]
    print_grid(
        "opcode tables, each as a change to the one before it", columns, [list(row.values()) for row in rows]
    )


def print_table(table: OpcodeTable, as_json: bool) -> None:
    """Every opcode of a version with what it lowers to."""
    if as_json:
        print(json.dumps(table_data(table), indent=2))
        return
    columns = (
        Column("number", "right", "dim"),
        _NAME,
        Column("argument"),
        Column("caches", "right"),
        _LOWERS,
    )
    rows = [
        (
            number,
            name,
            _argument(table, name),
            table.caches.get(name),
            lowering_text(table.rows[name].sequences),
        )
        for name, number in sorted(table.opmap.items(), key=lambda item: item[1])
    ]
    print_grid(f"CPython {table}: {len(rows)} opcodes, magic number {table.magic[-1]}", columns, rows)
    for name in IDS:
        values = ids(table, name)
        if values:
            print_text(f"{name.replace('_', ' ')}: {', '.join(f'{n} {text}' for n, text in values.items())}")


def print_difference(old: OpcodeTable, new: OpcodeTable, as_json: bool) -> None:
    """What the new version has otherwise than the old."""
    found = difference(old, new)
    if as_json:
        print(json.dumps(found, indent=2))
        return
    print_text(f"from CPython {old} to {new}", "bold")
    for title, rows in (
        ("gone", [(name, lowering_text(old.rows[name].sequences)) for name in found["removed"]]),
        ("new", [(name, lowering_text(new.rows[name].sequences)) for name in found["added"]]),
    ):
        if rows:
            print()
            print_grid(f"{title}: {len(rows)}", (_NAME, _LOWERS), rows)
    if found["changed"]:
        print()
        columns = (_NAME, Column("lowered to", "left", "red"), _LOWERS)
        print_grid(f"changed: {len(found['changed'])}", columns, [
            (name, lowering_text(change["before"]), _now(change)) for name, change in found["changed"].items()
        ])  # fmt: skip
    if found["caches"]:
        print()
        rows = [(name, *sizes) for name, sizes in found["caches"].items()]
        print_grid("inline caches", (_NAME, Column("before", "right"), Column("now", "right")), rows)
    for name, (before, now) in found["ids"].items():
        for what, text in (("gone", before.items() - now.items()), ("new", now.items() - before.items())):
            if text:
                shown = ", ".join(f"{number} {each}" for number, each in sorted(text))
                print_text(f"{name.replace('_', ' ')}, {what}: {shown}")
    if found["facts"]:
        print_text(f"other facts that differ: {', '.join(found['facts'])}")
    print_text(f"{len(found['numbers'])} opcodes of both have another number")


def _now(change: dict[str, Any]) -> str:
    if change["before"] == change["after"]:
        return "the same, with other operands"
    return lowering_text(change["after"])


def difference(old: OpcodeTable, new: OpcodeTable) -> dict[str, Any]:
    """What differs between two tables, JSON-ready."""
    both = [name for name in new.opmap if name in old.opmap]
    return {
        "from": str(old),
        "to": str(new),
        "removed": [name for name in old.opmap if name not in new.opmap],
        "added": [name for name in new.opmap if name not in old.opmap],
        "changed": {
            name: {"before": _listed(old, name), "after": _listed(new, name)}
            for name in both
            if old.rows[name] is not new.rows[name]
        },
        "caches": {
            name: [old.caches.get(name, 0), new.caches.get(name, 0)]
            for name in both
            if old.caches.get(name, 0) != new.caches.get(name, 0)
        },
        "numbers": {
            name: [old.opmap[name], new.opmap[name]] for name in both if old.opmap[name] != new.opmap[name]
        },
        "ids": {name: [ids(old, name), ids(new, name)] for name in IDS if ids(old, name) != ids(new, name)},
        "facts": sorted(
            name for name in old.facts.keys() | new.facts.keys() if old.facts.get(name) != new.facts.get(name)
        ),
    }


def table_data(table: OpcodeTable) -> dict[str, Any]:
    """A table as JSON-ready data."""
    return {
        "python": str(table),
        "magic": list(table.magic),
        "opcodes": {
            name: {
                "number": number,
                "caches": table.caches.get(name, 0),
                "argument": number >= table.have_argument,
                "jump": table.rows[name].jump,
                "lowers_to": _listed(table, name),
            }
            for name, number in table.opmap.items()
        },
        **{name: ids(table, name) for name in IDS},
    }


def ids(table: OpcodeTable, attribute: str) -> dict[int, str]:
    """What the arguments of an opcode stand for: number -> text; numbers not used left out."""
    values = getattr(table, attribute)
    unused = attribute.startswith("intrinsics")
    return {
        number: value if isinstance(value, str) and attribute != "common_constants" else _constant(value)
        for number, value in enumerate(values)
        if not (unused and value is None)
    }


def _constant(value: Any) -> str:
    """A constant the interpreter holds: `all` rather than `<built-in function all>`."""
    return value.__name__ if callable(value) else constant_text(value)


def _listed(table: OpcodeTable, name: str) -> list[list[str]]:
    return [list(sequence) for sequence in table.rows[name].sequences]


def _argument(table: OpcodeTable, name: str) -> str:
    if table.opmap[name] < table.have_argument:
        return ""
    return f"jump {table.rows[name].jump}" if table.rows[name].jump else "yes"


def lowering_text(sequences: Any) -> str:
    """ "COPY; TO_BOOL; POP_JUMP_IF_TRUE; POP_TOP", the sequences an opcode can lower to joined by "or"."""
    if not sequences:
        return "(never in a code object)"
    return " or ".join(dict.fromkeys("; ".join(sequence) or "(nothing)" for sequence in sequences))
