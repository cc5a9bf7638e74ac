"""An opcode table: everything that one CPython version says about its bytecode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from opcodes.errors import TableError, UnknownVersion
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from opcodes.lowering import Lowering
    from opcodes.rows import Row

Version = tuple[int, int]


def numbered(blocks: Mapping[int, str]) -> dict[str, int]:
    """Opcode numbers from runs: `{0: "CACHE POP_TOP"}` is CACHE 0, POP_TOP 1."""
    return {name: first + i for first, names in blocks.items() for i, name in enumerate(names.split())}


def _no_opcode(lowering: Lowering, at: int, arg: int) -> None:
    raise lowering.bad(at, f"there is no opcode {lowering.bytecode[2 * at]}")


class OpcodeTable:
    """One version's opcodes: numbers, inline caches, ids, texts, and how each opcode lowers.

    Attributes:
        version: as (3, 13).
        magic: the magic numbers of its `.pyc` files, the final one last.
        opmap: opcode name -> number.
        caches: opcode name -> inline cache entries after it, in code units of two bytes.
        have_argument: the first opcode number that takes an argument.
        rows: opcode name -> Row.
        binary_operators: BINARY_OP's argument -> operator as written ("+", "+=", "[]").
        compare_operators: COMPARE_OP's index -> operator.
        intrinsics_1, intrinsics_2: CALL_INTRINSIC_n's argument -> name; None where no id is.
        common_constants: LOAD_COMMON_CONSTANT's argument -> constant.
        special_methods: LOAD_SPECIAL's argument -> name.
        facts: whatever else a machine must know of the version, by name (see `opcodes.facts`).
    """

    def __init__(
        self,
        *,
        version: Version,
        magic: tuple[int, ...],
        numbers: dict[str, int],
        rows: dict[str, Row],
        deref_slots: Callable[[Lowering], Sequence[int]],
        facts: dict[str, Any],
        caches: dict[str, int] | None = None,
        have_argument: int = 90,
        binary_operators: tuple[str, ...] = (),
        compare_operators: tuple[str, ...] = ("<", "<=", "==", "!=", ">", ">="),
        intrinsics_1: tuple[str | None, ...] = (),
        intrinsics_2: tuple[str | None, ...] = (),
        common_constants: tuple[Any, ...] = (),
        special_methods: tuple[str, ...] = (),
    ) -> None:
        self.version = version
        self.magic = magic
        self.opmap = numbers
        self.rows = rows
        self.deref_slots = deref_slots
        self.facts = facts
        self.caches = caches or {}
        self.have_argument = have_argument
        self.binary_operators = binary_operators
        self.compare_operators = compare_operators
        self.intrinsics_1 = intrinsics_1
        self.intrinsics_2 = intrinsics_2
        self.common_constants = common_constants
        self.special_methods = special_methods
        self._check()
        #: by opcode number, for the decoder
        self.opnames: list[str | None] = [None] * 256
        self.row_at: list[Row | None] = [None] * 256
        self.lower_at: list[Callable[[Lowering, int, int], None]] = [_no_opcode] * 256
        self.cache_at: list[int] = [0] * 256
        for name, number in numbers.items():
            self.opnames[number] = name
            self.row_at[number] = rows[name]
            self.lower_at[number] = rows[name].lower
            self.cache_at[number] = self.caches.get(name, 0)

    def _check(self) -> None:
        where = f"the table of CPython {self}"
        for name in self.rows.keys() ^ self.opmap.keys():
            raise TableError(f"{where}: {name} needs both a row and a number")
        for name in self.caches.keys() - self.opmap.keys():
            raise TableError(f"{where}: caches for {name}, which is no opcode of it")
        if len(set(self.opmap.values())) != len(self.opmap):
            raise TableError(f"{where}: two opcodes have the same number")

    def evolve(
        self,
        *,
        version: Version,
        magic: tuple[int, ...],
        numbers: dict[str, int] | None = None,
        removed: Sequence[str] = (),
        added: Mapping[str, Row] | None = None,
        changed: Mapping[str, Row] | None = None,
        caches: Mapping[str, int] | None = None,
        facts: Mapping[str, Any] | None = None,
        **data: Any,
    ) -> OpcodeTable:
        """The table of the next version: this one with what is gone, new and different.

        `numbers` replaces all numbers (None: only the removed ones go). `caches` are the ones that
        differ; 0 takes one away. `data` are further attributes. Removing what is not there, adding what is,
        changing nothing: TableError.
        """
        added, changed = added or {}, changed or {}
        where = f"CPython {'.'.join(map(str, version))} against {self}"
        for name in removed:
            if name not in self.rows:
                raise TableError(f"{where}: {name} is removed but was not there")
        for name in added:
            if name in self.rows:
                raise TableError(f"{where}: {name} is added but was there (is it changed?)")
        for name in changed:
            if name not in self.rows:
                raise TableError(f"{where}: {name} is changed but was not there (is it added?)")
        for name, count in (caches or {}).items():
            if self.caches.get(name, 0) == count:
                raise TableError(f"{where}: the caches of {name} are said to change and do not")
        for name, value in data.items():
            if getattr(self, name) == value:
                raise TableError(f"{where}: {name} is said to change and does not")
        for name, value in (facts or {}).items():
            if name in self.facts and self.facts[name] == value:
                raise TableError(f"{where}: the fact {name} is said to change and does not")
        rows = {name: row for name, row in self.rows.items() if name not in removed}
        rows.update(added)
        rows.update(changed)
        kept = {name: count for name, count in self.caches.items() if name not in removed}
        merged = {**kept, **(caches or {})}
        inherited = {
            name: getattr(self, name)
            for name in (
                "deref_slots",
                "have_argument",
                "binary_operators",
                "compare_operators",
                "intrinsics_1",
                "intrinsics_2",
                "common_constants",
                "special_methods",
            )
        }
        return OpcodeTable(
            version=version,
            magic=magic,
            numbers=numbers or {name: self.opmap[name] for name in rows},
            rows=rows,
            caches={name: count for name, count in merged.items() if count},
            facts={**self.facts, **(facts or {})},
            **{**inherited, **data},
        )

    def __str__(self) -> str:
        return ".".join(map(str, self.version))

    def __repr__(self) -> str:
        return f"<OpcodeTable of CPython {self}, {len(self.opmap)} opcodes>"


#: The versions that have a table, in a module of this package each.
VERSIONS: tuple[Version, ...] = ((3, 10), (3, 11), (3, 12), (3, 13), (3, 14), (3, 15))

_tables: dict[Version, OpcodeTable] = {}


def table(version: Version) -> OpcodeTable:
    """The opcode table of a version, as (3, 13). UnknownVersion if nobody has written it."""
    found = _tables.get(version)
    if found is None:
        version = (version[0], version[1])
        if version not in VERSIONS:
            raise UnknownVersion(_unknown(version))
        module = import_module(f"opcodes.cpython{version[0]}{version[1]}")
        found = _tables[version] = getattr(module, f"CPYTHON_{version[0]}{version[1]}")
    return found


def _unknown(version: Version) -> str:
    """Names the version, and the opcodes of the running interpreter that no table knows."""
    import sys

    known = ", ".join(".".join(map(str, each)) for each in VERSIONS)
    text = f"no opcode table for CPython {'.'.join(map(str, version))}; there are tables for {known}"
    if version == sys.version_info[:2]:
        import opcode

        newest = table(VERSIONS[-1]).opmap
        new = [
            name
            for name, number in opcode.opmap.items()
            if number < 256 and name not in newest and not name.startswith("INSTRUMENTED_")
        ]
        if new:
            text += f"; opcodes that CPython {table(VERSIONS[-1])} has not: {', '.join(sorted(new))}"
        text += " (see `opshift tables --skeleton` and docs/adding-a-version.md)"
    return text
