"""Where everything stands in the bytecode that is being written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opcodes.errors import CannotEncode
from opcodes.stretches import Written
from opcodes.table import OpcodeTable


class Piece:
    """A run of bytes copied from the old bytecode, or one raw instruction.

    `old` is the offset where it began in the old bytecode, -1 if it is new, and `old_size` how much it took
    there.
    """

    __slots__ = ("at", "copied", "extended", "old", "old_size", "raw", "size")

    def __init__(self, raw: Written | None, extended: int, size: int, old: int, old_size: int) -> None:
        self.raw = raw
        self.extended = extended
        self.size = size
        self.old = old
        self.old_size = old_size
        self.at = 0


class Layout:
    """The pieces of a code object in order, and which of them each canonical instruction begins in."""

    def __init__(self, table: OpcodeTable, bytecode: bytes, name: str) -> None:
        self.table = table
        self.bytecode = bytecode
        self.name = name
        self.pieces: list[Piece] = []
        self.size = 0
        #: for each index the piece it begins in, and how far from its start
        self.piece_of: list[int] = []
        self.within: list[int] = []
        self._jumps: list[Piece] = []
        self._run: Piece | None = None

    # -- building

    def nothing(self) -> None:
        """The next instruction is written as nothing: it is where the next piece begins."""
        self.piece_of.append(len(self.pieces))
        self.within.append(0)
        self._run = None

    def copy(self, count: int, start: int, end: int) -> None:
        """The next `count` instructions are these bytes of the old bytecode."""
        run = self._run
        if run is None:
            run = self._run = Piece(None, 0, 0, start, 0)
            self.pieces.append(run)
        within = start - run.old
        run.size = run.old_size = end - run.old
        piece = len(self.pieces) - 1
        if count == 1:
            self.piece_of.append(piece)
            self.within.append(within)
        else:
            self.piece_of += [piece] * count
            self.within += [within] * count

    def close(self) -> None:
        """What is copied next begins a piece of its own."""
        self._run = None

    def jump(self, count: int, written: Written, extended: int, start: int, size: int) -> None:
        """The next `count` instructions are this old jump with at least so many EXTENDED_ARGs."""
        self.piece_of += [len(self.pieces)] * count
        self.within += [0] * count
        piece = Piece(written, extended, size, start, size)
        self.pieces.append(piece)
        self._jumps.append(piece)
        self._run = None

    def write(self, first: int, end: int, all_written: Iterable[Written], old: int = -1, old_size: int = 0) -> None:
        """The instructions first … end are these raw ones (in place of what stood at `old`)."""
        caches = self.table.caches
        for written in all_written:
            self._reach(written.index)
            extended = (written.arg.bit_length() - 1) // 8 if written.arg > 255 else 0
            size = 2 * (1 + extended + caches.get(written.opname, 0))
            piece = Piece(written, extended, size, old, old_size)
            self.pieces.append(piece)
            if written.direction is not None:
                self._jumps.append(piece)
            old_size = 0
        self._reach(end - 1)
        self._run = None

    def _reach(self, index: int) -> None:
        more = index + 1 - len(self.piece_of)
        if more > 0:
            self.piece_of += [len(self.pieces)] * more
            self.within += [0] * more

    # -- placing

    def offset(self, index: int) -> int:
        """Where the instruction at this index begins; behind the last, where the code ends."""
        if index >= len(self.piece_of) or self.piece_of[index] >= len(self.pieces):
            return self.size
        return self.pieces[self.piece_of[index]].at + self.within[index]

    def place(self) -> None:
        """Gives each piece its offset and each jump its argument. A jump grows when its argument does not
        fit, which moves others: until nothing grows any more."""
        grown = True
        while grown:
            grown = False
            at = 0
            for piece in self.pieces:
                piece.at = at
                at += piece.size
            self.size = at
            for piece in self._jumps:
                arg = self._distance(piece)
                extended = (arg.bit_length() - 1) // 8 if arg > 255 else 0
                if extended > piece.extended:
                    piece.size += 2 * (extended - piece.extended)
                    piece.extended = extended
                    grown = True

    def _distance(self, piece: Piece) -> int:
        raw = piece.raw
        assert raw is not None
        if raw.over:
            following = self.pieces.index(piece) + 1
            target = self.pieces[following + raw.over - 1]
            to = target.at + target.size
        else:
            to = self.offset(raw.target)
        if raw.direction == "absolute":
            distance = to
        elif raw.direction == "forward":
            distance = to - piece.at - piece.size
        else:
            distance = piece.at + piece.size - to
        if distance < 0:
            raise CannotEncode(f"{self.name}, instruction {raw.index}: {raw.opname} cannot jump this way")
        raw.arg = distance // 2
        return raw.arg

    def bytes(self) -> bytes:
        """The bytecode."""
        opmap, caches, extended_arg = self.table.opmap, self.table.caches, self.table.opmap["EXTENDED_ARG"]
        parts: list[bytes] = []
        for piece in self.pieces:
            raw = piece.raw
            if raw is None:
                parts.append(self.bytecode[piece.old : piece.old + piece.old_size])
                continue
            arg = raw.arg
            for shift in range(8 * piece.extended, 0, -8):
                parts.append(bytes((extended_arg, arg >> shift & 255)))
            parts.append(bytes((opmap[raw.opname], arg & 255)))
            if raw.opname in caches:
                parts.append(bytes(2 * caches[raw.opname]))
        return b"".join(parts)

    def growth(self) -> list[tuple[int, int]]:
        """(old offset, bytes more) wherever the new bytecode is longer than the old. What is new belongs to
        the old offset after it; behind the last one, to that."""
        found: dict[int, int] = {}
        new, last = 0, -1
        for piece in self.pieces:
            new += piece.size
            if piece.old >= 0:
                last = piece.old
                more = new - piece.old_size
                if more:
                    found[last] = found.get(last, 0) + more
                new = 0
        if new and last >= 0:
            found[len(self.bytecode) - 2] = new + found.get(len(self.bytecode) - 2, 0)
        return [(offset, more) for offset, more in found.items() if more]

    def sizes(self) -> Iterator[tuple[int, Piece]]:
        """(bytes, piece) in order."""
        return ((piece.size, piece) for piece in self.pieces)
