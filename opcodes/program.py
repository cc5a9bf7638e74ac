"""A Program: one code object, decoded to canonical instructions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

from opcodes.instructions import Instruction, Label
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.positions import Position, Positions
from opcodes.slots import stack_slots  # (here: a generator that is closed as Python ends may need it)

if TYPE_CHECKING:
    from opcodes.foreign import ForeignCode
    from opcodes.table import OpcodeTable
    from opcodes.untouched import Untouched


class Raw(NamedTuple):
    """One instruction as `dis` shows it. Several canonical ones may come from it (the same object).

    `offset` is in bytes and is that of the instruction itself, as in `dis`: its EXTENDED_ARG prefixes
    begin at `start`, its inline caches end before `end`.
    """

    opname: str
    opcode: int
    #: EXTENDED_ARG included; None for an opcode without argument
    arg: int | None
    offset: int
    start: int
    end: int
    positions: Positions

    @property
    def position(self) -> Position:
        """Line and columns, each None where the code object does not know them."""
        return self.positions.at(self.offset)

    @property
    def line(self) -> int | None:
        """The line of the source, counted from 1."""
        return self.positions.at(self.offset).line


class Raws(dict[int, Raw]):
    """The raw instructions of one code object by code unit, each made when first asked for.

    `wide` has, for those that have EXTENDED_ARG prefixes, the unit these begin at and the whole argument.
    """

    __slots__ = ("_bytecode", "_positions", "_table", "wide")

    def __init__(self, bytecode: bytes, table: OpcodeTable, positions: Positions) -> None:
        self._bytecode = bytecode
        self._table = table
        self._positions = positions
        self.wide: dict[int, tuple[int, int]] = {}

    def __missing__(self, at: int) -> Raw:
        bytecode, table = self._bytecode, self._table
        opcode = bytecode[at + at]
        start, arg = self.wide.get(at) or (at, bytecode[at + at + 1])
        raw: Raw = tuple.__new__(
            Raw,
            (
                table.opnames[opcode] or f"<{opcode}>",
                opcode,
                arg if opcode >= table.have_argument else None,
                at + at,
                start + start,
                2 * (at + 1 + table.cache_at[opcode]),
                self._positions,
            ),
        )
        return self.setdefault(at, raw)


class _NoCode:
    """Stands in for a code object where there is none to read positions from."""

    co_linetable = b""
    co_firstlineno = 0


#: the raw instruction of what 3.10 does without one before the first instruction of a code object
PROLOGUE = Raw("", -1, None, -1, -1, -1, Positions(_NoCode, (3, 10)))  # type: ignore[arg-type]


class Region(NamedTuple):
    """An exception region: an exception at start <= index < end goes to target.

    The stack is cut to `depth` slots, then the handler finds `entry_values` more: six on 3.10 (the
    older exception's traceback, value and type, then those of this one), since 3.11 the exception,
    below it the index of the failing instruction if `lasti`. The first region that covers an index
    is the innermost.

    On 3.10 an exception that leaves a handler makes the older exception the handled one again before
    the outer handler runs: `previous` is the depth at which the older one's three slots begin, of the
    outermost handler that is left. None: no handler is left (always so since 3.11, where the compiler
    writes that out as a region of its own).
    """

    start: int
    end: int
    target: int
    depth: int
    lasti: bool
    entry_values: int
    previous: int | None = None


class Origin(NamedTuple):
    """How a Program came from a decoded one.

    Attributes:
        base: the decoded one, None: it is that itself.
        places: (index in it, how many instructions were put in before it), in order.
    """

    base: Program | None = None
    places: tuple[tuple[int, int], ...] = ()


class Program:
    """A code object as a tuple of canonical instructions.

    Attributes:
        version: the CPython whose bytecode it was, as (3, 13).
        code: the code object it was decoded from, native or foreign.
        table: the OpcodeTable of that version.
        instructions: the canonical instructions; jump targets are indexes into this tuple.
        regions: the exception regions, innermost first.
        localsplus: names of the frame's slots: variables, cells that are no variables, free variables.
        origin: how it came from a decoded Program; None if that is not known.
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "code",
        "instructions",
        "localsplus",
        "origin",
        "regions",
        "table",
        "version",
    )

    def __init__(
        self,
        version: tuple[int, int],
        code: CodeType | ForeignCode,
        table: OpcodeTable,
        instructions: tuple[Instruction, ...],
        regions: tuple[Region, ...],
        localsplus: tuple[str, ...],
        origin: Origin | None = None,
    ) -> None:
        self.version = version
        self.code = code
        self.table = table
        self.instructions = instructions
        self.regions = regions
        self.localsplus = localsplus
        self.origin = origin

    def of(self, code: CodeType | ForeignCode | None) -> Program:
        """This Program for an equal code object. What is worked out of one of them (`handlers`, `stack`
        and what machines keep in its `__dict__`) both have."""
        new = Program.__new__(Program)
        new.version, new.table, new.localsplus = self.version, self.table, self.localsplus
        new.instructions, new.regions = self.instructions, self.regions
        new.code = code  # type: ignore[assignment]
        new.origin = self.origin if self.origin == Origin() else None
        new.__dict__ = self.__dict__
        return new

    def __len__(self) -> int:
        return len(self.instructions)

    def __iter__(self) -> Iterator[Instruction]:
        return iter(self.instructions)

    def __getitem__(self, index: int) -> Instruction:
        return self.instructions[index]

    def __repr__(self) -> str:
        version = ".".join(map(str, self.version))
        name = getattr(self.code, "co_qualname", self.code.co_name)
        return f"<Program {name} of CPython {version}, {len(self)} instructions>"

    def __str__(self) -> str:
        from opcodes.listing import listing

        return listing(self)

    @cached_property
    def handlers(self) -> tuple[Region | None, ...]:
        """For each instruction the innermost region that covers it."""
        found: list[Region | None] = [None] * len(self.instructions)
        for region in reversed(self.regions):
            found[region.start : region.end] = [region] * (region.end - region.start)
        return tuple(found)

    @cached_property
    def jumping(self) -> tuple[int, ...]:
        """The indexes of the instructions that have targets."""
        return tuple([index for index, each in enumerate(self.instructions) if each.targets])

    @cached_property
    def untouched(self) -> Untouched:
        """Where the instructions of a decoded Program stood."""
        from opcodes.untouched import Untouched

        return Untouched(self)

    @cached_property
    def stack(self) -> tuple[tuple[str, ...] | None, ...]:
        """What is in each stack slot before each instruction, bottom to top; None: never reached.

        "value", "null", "self_or_null", "value_or_null", "index" (3.15's tagged index or NULL beside
        an iterator), "lasti", "previous" (the older handled exception).
        """
        return stack_slots(self)

    def atomic(self, index: int) -> bool:
        """Whether nothing may be put in before this instruction (inside an atomic group)."""
        from opcodes.splice import is_atomic

        return is_atomic(self, index)

    def splice(
        self,
        index: int,
        instructions: Iterable[Instruction | Label],
        regions: Iterable[Region] = (),
        *,
        jumped_to: bool = True,
    ) -> Program:
        """A Program with new instructions before the one at `index`.

        A Label in the list may be the target of new instructions; an integer target means the
        instruction that had this index before. An instruction with slot None goes by its name, which may
        be that of a new variable. The new instructions stand in the exception region, and at the position,
        of the one at `index`.

        Args:
            index: in this Program; `atomic(index)` says where nothing can be put in.
            instructions: copies of them are put in; what raw instruction they came from is forgotten.
            regions: exception regions of theirs, the innermost first. Start, end and target are Labels;
                the depth is counted from the depth of the stack at `index`. SETUP_FINALLY(label) …
                POP_BLOCK make a region too, in every version; its handler finds what the host pushes.
            jumped_to: whether what jumps to `index` jumps to the first new instruction (else past them).

        Raises CannotSplice inside an atomic group, out of range, for a slot or a target that is not there.
        """
        from opcodes.splice import splice

        return splice(self, index, instructions, regions, jumped_to=jumped_to)

    def to_dict(self) -> dict[str, Any]:
        """The Program as JSON-ready data."""
        from opcodes.listing import to_dict

        return to_dict(self)
