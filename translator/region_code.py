"""Pieces that stand at any place of a function: entries and the hook, on the variables and the stack there.

In their text a slot of the frame's stack is `opshift_s0`, `opshift_s1`, … from the bottom, a cell
`opshift_cell_x`; what a region gives is unpacked, stored and pushed by instructions written here.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType
from typing import Any

import opcodes
from opcodes import Instruction, Label, Program, Region
from opcodes import instructions as ins
from opcodes.depths import depths
from opcodes.encode import encode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.splice import splice_all
from translator.codegen import FAILED, MISS, Piece, entry_text, unless_too_deep
from translator.dataflow import dataflow
from translator.graph_code import Constants
from translator.guards import Guard
from translator.live import Live
from translator.places import head_of, kinds_at
from translator.region_ends import End
from translator.sentinels import NULL

#: holds, for a moment, what is dropped from the stack and may be NULL
DROPPED = "opshift_dropped"
#: the variable that collects the values of a frame for the hook
COLLECTED = "opshift_collected"
_PROLOGUE = frozenset({"RESUME", "MAKE_CELL", "COPY_FREE_VARS"})


#: the place of the head: before the first instruction, once a call
HEAD = -1


class _Holder:
    """3.10 has no instruction that pushes NULL: it pushes one below an attribute of an instance."""

    def __init__(self) -> None:
        self.attribute = None


_HOLDER = _Holder()


class Spot:
    """What pieces at one place of a Program have to know of it.

    Attributes:
        index: the place.
        kinds: what the slots of the stack hold.
        names: the variables that are needed and may be bound there, the frame's own cells last.
        stack_names: the slots of the stack that can be looked at.
    """

    def __init__(self, program: Program, index: int) -> None:
        if index == HEAD:
            index = head_of(program)
        self.program = program
        self.index = index
        self.kinds = kinds_at(program, index)
        facts = dataflow(program)
        self.bound, self.unbound = facts.bound[index], facts.unbound[index]
        code = program.code
        self.own_cells = [name for name in program.localsplus if name in code.co_cellvars]
        self.frees = list(code.co_freevars)
        cells = {*self.own_cells, *self.frees}
        self.variables = [
            (slot, name)
            for slot, name in enumerate(program.localsplus)
            if name not in cells and self.bound >> slot & facts.live[index] >> slot & 1
        ]
        self.names = [name for _, name in self.variables] + self.own_cells
        self.stack_names = [f"opshift_s{place}" for place, kind in enumerate(self.kinds) if kind == "value"]
        #: whether a return may leave the frame from here
        nesting = facts.nesting[index]
        self.may_return = not nesting or nesting == ((), ())

    def live(
        self, cells: tuple[Any, ...], certain: tuple[Any, ...], perhaps: list[Any], stack: tuple[Any, ...]
    ) -> Live:
        """The live state, of what the hook is called with."""
        values: list[Any] = [NULL] * len(self.program.localsplus)
        slots = self.program.localsplus
        for name, cell in zip((*self.frees, *self.own_cells), cells):
            values[slots.index(name)] = cell
        known, unknown = iter(certain), iter(perhaps)
        for slot, _ in self.variables:
            values[slot] = next(unknown if self.unbound >> slot & 1 else known)
        seen = iter(stack)
        return Live(values, [next(seen) if kind == "value" else None for kind in self.kinds])

    def parameters(self) -> list[str]:
        """The parameters of a piece's own code object."""
        cells = [f"opshift_cell_{name}" for name in (*self.own_cells, *self.frees)]
        return [*self.names, *self.stack_names, *cells]


class SitePiece(Piece):
    """A piece for one spot. `end` is how its region ends; None: it returns from the function."""

    __slots__ = ("_depths", "_used", "end", "spot")

    def __init__(self, source: str, constants: dict[str, Any], spot: Spot, end: End | None) -> None:
        self.spot = spot
        self.end = end
        extra = [COLLECTED] if COLLECTED in source else []
        super().__init__(source, constants, [*spot.parameters(), *extra], spot.frees)
        used = {each.name for each in opcodes.decode(self.code) if "slot" in each.operands}  # type: ignore[attr-defined]
        self._used = used & set(spot.parameters())

    def call(self, like: Any, values: dict[str, Any]) -> Any:
        """Runs the code as a function of its own on values by parameter; MISS if one that it uses is
        not bound."""
        if not self._used <= values.keys():
            return MISS
        return self.function(like)(*[values.get(name) for name in self.spot.parameters()])

    def instructions_in(
        self, program: Program, end: Label, original: Label
    ) -> tuple[list[Instruction | Label], list[tuple[Label, Label, Label, Region]]]:
        self._depths = depths(opcodes.decode(self.code))
        return super().instructions_in(program, end, original)

    def _moved(
        self,
        index: int,
        each: Instruction,
        slots: dict[str, int],
        cells: set[str],
        labels: dict[int, Label],
    ) -> Instruction:
        name = each.opname
        if "slot" in each.operands and name not in _PROLOGUE:
            variable: str = each.name  # type: ignore[attr-defined]
            if variable.startswith("opshift_s") and variable[9:].isdigit():
                return ins.COPY(len(self.spot.kinds) + self._depths[index] - int(variable[9:]))
            if variable.startswith("opshift_cell_"):
                found = variable[len("opshift_cell_") :]
                return ins.LOAD_FAST(slots[found], found)
            if variable == COLLECTED:
                kind = ins.DELETE_FAST if name == "DELETE_FAST" else ins.STORE_FAST
                return (ins.LOAD_FAST if name.startswith("LOAD") else kind)(None, variable)  # type: ignore[arg-type]
            if variable in slots and variable not in cells and variable not in self.constants:
                slot = slots[variable]
                kind = ins.LOAD_FAST_CHECK if self.spot.unbound >> slot & 1 else ins.LOAD_FAST  # type: ignore[assignment]
                return kind(slot, variable)
        return super()._moved(index, each, slots, cells, labels)

    def _return(
        self, found: list[Instruction | Label], end: Label, original: Label
    ) -> list[Instruction | Label]:
        last = next((each for each in reversed(found) if isinstance(each, Instruction)), None)
        if isinstance(last, ins.LOAD_CONST) and (last.value is MISS or last.value is FAILED):
            found.remove(last)
            return [ins.JUMP(end if last.value is MISS else original)]
        failed = Label()
        return [
            ins.COPY(1),
            ins.LOAD_CONST(FAILED),
            ins.IS_OP(False),
            ins.POP_JUMP_IF_TRUE(failed),
            *(self._leave() if self.end is None else self._go_on(self.end)),
            failed,
            ins.POP_TOP(),
            ins.JUMP(original),
        ]

    def _leave(self) -> list[Instruction | Label]:
        """Returns what lies on top."""
        if not self.spot.may_return:  # nothing is returned from here: it is never asked to
            return []
        return [*self._drop(self.spot.kinds), ins.RETURN_VALUE()]

    def _drop(self, kinds: tuple[str, ...]) -> list[Instruction | Label]:
        """Drops the slots below the top, which are of these kinds."""
        written: list[Instruction | Label] = []
        emptied = False
        for kind in reversed(kinds):
            written.append(ins.SWAP(2))
            if kind in ("value", "index"):
                written.append(ins.POP_TOP())
            else:
                written.append(ins.STORE_FAST(None, DROPPED))  # type: ignore[arg-type]
                emptied = True
        if emptied:
            written += _unbound(None, DROPPED)
        return written

    def _go_on(self, end: End) -> list[Instruction | Label]:
        """Puts what the region gave where it belongs, and goes to where the region ends."""
        written = self._drop(self.spot.kinds[end.keep :])
        count = len(end.outputs)
        if count != 1:
            written.append(ins.UNPACK_SEQUENCE(count) if count else ins.POP_TOP())
        for how, slot, name in end.stores:
            written.append((ins.STORE_FAST if how == "fast" else ins.STORE_DEREF)(slot, name))
        values = end.layout.count("value")
        for kind in end.layout:
            if kind == "value":
                values -= 1
                continue
            written += self._null()
            written += [ins.SWAP(depth) for depth in range(values + 1, 1, -1)]
        for how, slot, name, maybe in end.deletes:
            if how == "deref":
                written += [ins.LOAD_CONST(None), ins.STORE_DEREF(slot, name), ins.DELETE_DEREF(slot, name)]
            else:
                written += _unbound(slot, name) if maybe else [ins.DELETE_FAST(slot, name)]
        return [*written, ins.JUMP(end.index)]

    def _null(self) -> list[Instruction | Label]:
        if "PUSH_NULL" in self.spot.program.table.rows:
            return [ins.PUSH_NULL()]
        return [ins.LOAD_CONST(_HOLDER), ins.LOAD_METHOD("attribute"), ins.POP_TOP()]


def _unbound(slot: int | None, name: str) -> list[Instruction | Label]:
    """Unbinds a variable that may be unbound already."""
    return [
        ins.LOAD_CONST(None),
        ins.STORE_FAST(slot, name),  # type: ignore[arg-type]
        ins.DELETE_FAST(slot, name),  # type: ignore[arg-type]
    ]


def region_piece(
    guards: list[Guard], run: Any, arguments: list[str], spot: Spot, end: End | None, needed: list[str]
) -> SitePiece:
    """An entry at a spot; see `codegen.entry_piece`. `needed` are variables that must be bound."""
    sure = [name for slot, name in spot.variables if not spot.unbound >> slot & 1]
    sure += [name for name in spot.parameters() if name.startswith("opshift_")]
    constants, text = entry_text(guards, run, arguments, sure, needed)
    return SitePiece(text, constants.values, spot, end)


def check_piece(guards: list[Guard], spot: Spot, needed: list[str]) -> SitePiece:
    """Whether an entry would be taken: gives MISS if its guards do not hold."""
    return region_piece(guards, _holds, [], spot, None, needed)


def _holds() -> Any:
    return _nothing


def _nothing() -> None:
    pass


def hook_piece(hook: Any, spot: Spot, unbound: Any) -> SitePiece:
    """Calls the hook with the frame's globals, its cells, its variables (`unbound` for those that are not
    bound) and what can be looked at of its stack."""
    constants = Constants("opshift_")
    cells = "".join(f"opshift_cell_{name}, " for name in (*spot.frees, *spot.own_cells))
    certain = [name for slot, name in spot.variables if not spot.unbound >> slot & 1]
    perhaps = [name for slot, name in spot.variables if spot.unbound >> slot & 1]
    sure, stack = ("".join(f"{name}, " for name in names) for names in (certain, spot.stack_names))
    call = f"{constants.name(hook)}({constants.name(globals)}(), ({cells}), ({sure}), {{}}, ({stack}))"
    if not perhaps:
        lines = unless_too_deep(call.format("()"), constants)
    else:
        error = constants.name(NameError)
        nothing = constants.name(unbound)
        lines = [f"{COLLECTED} = []"]
        for name in perhaps:
            lines += [
                "try:",
                f" {COLLECTED}.append({name})",
                f"except {error}:",
                f" {COLLECTED}.append({nothing})",
            ]
        lines += unless_too_deep(call.format(COLLECTED), constants)
        lines = ["try:", *(f" {line}" for line in lines), "finally:", f" del {COLLECTED}"]
    return SitePiece("\n".join(lines), constants.values, spot, None)


def with_sites(code: CodeType, pieces: dict[int, list[Piece]]) -> CodeType:
    """The code object with pieces at each of these places; those at the head are run once a call."""
    program = opcodes.decode(code)
    head = head_of(program)
    places: dict[int, Iterable[Instruction | Label]] = {}
    regions: dict[int, list[Region]] = {}
    for index, here in pieces.items():
        if here:
            place = head if index == HEAD else index
            places[place], regions[place] = _listed(program, here)
    return encode(splice_all(program, places, regions, passed=frozenset({head})))


def _listed(program: Program, pieces: list[Piece]) -> tuple[list[Instruction | Label], list[Region]]:
    listed: list[Instruction | Label] = []
    regions: list[Region] = []
    originals: list[Label] = []
    for piece in pieces:
        if piece.written is None:
            piece.written = _written(program, piece)
        instructions, own_regions, original = piece.written
        listed += instructions
        regions += own_regions
        originals.append(original)
    return listed + originals, regions


def _written(program: Program, piece: Piece) -> tuple[list[Instruction | Label], list[Region], Label]:
    """(its instructions, the place behind them last; its regions; the label where the original begins)."""
    end, original = Label("next"), Label("original")
    instructions, regions = piece.instructions_in(program, end, original)
    moved = [Region(start, stop, target, *own[3:]) for start, stop, target, own in regions]  # type: ignore[arg-type]
    return [*instructions, end], moved, original
