"""Where everything stands in the bytecode that is being written."""

from __future__ import annotations

from collections.abc import Iterable

from opcodes.errors import CannotEncode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.table import OpcodeTable

COPIED = -1


class Piece:
    """One raw instruction to be written, or a run of bytes copied from the old bytecode.

    Attributes:
        opcode, arg: of the instruction; the opcode of a run is COPIED.
        index: of the canonical instruction it is for.
        direction: how a jump's argument counts; None for what does not jump.
        target: the index it jumps to; with `over`, it jumps over so many pieces.
        extended: its EXTENDED_ARGs; a jump may come to need more.
        caches: bytes of inline caches after it.
        size: bytes in all.
        old, old_size: where it began in the old bytecode (-1: it is new), and how much it took there.
        at: where it begins now.
    """

    __slots__ = (
        *("opcode", "arg", "index", "direction", "target", "over"),
        *("extended", "caches", "size", "old", "old_size", "at"),
    )

    def __init__(
        self,
        opcode: int,
        arg: int,
        index: int,
        caches: int = 0,
        direction: str | None = None,
        target: int = -1,
    ) -> None:
        self.opcode = opcode
        self.arg = arg
        self.index = index
        self.direction = direction
        self.target = target
        self.over = 0
        self.extended = 0
        self.caches = caches
        self.size = 2 + caches
        self.old = -1
        self.old_size = 0
        self.at: int
        if arg > 255:
            self.extend((arg.bit_length() - 1) // 8)

    def extend(self, extended: int) -> None:
        """Give it that many EXTENDED_ARGs."""
        self.size += 2 * (extended - self.extended)
        self.extended = extended


class Layout:
    """The pieces of a code object in order, and which of them each canonical instruction begins in."""

    def __init__(self, table: OpcodeTable, bytecode: bytes, name: str) -> None:
        self.table = table
        self.bytecode = bytecode
        self.name = name
        self.pieces: list[Piece] = []
        self.size = 0
        #: for each index the piece it begins in, and if that is copied where it began before
        self.piece_of: list[int] = []
        self.old: list[int] = []
        self._jumps: list[Piece] = []
        self._run: Piece | None = None

    # -- building

    def nothing(self) -> None:
        """The next instruction is written as nothing: it is where the next piece begins."""
        self.piece_of.append(len(self.pieces))
        self.old.append(0)
        self._run = None

    def copy(self, count: int, start: int, end: int) -> None:
        """The next `count` instructions are these bytes of the old bytecode."""
        run = self._run
        if run is None:
            run = self._run = Piece(COPIED, 0, len(self.piece_of))
            run.old = start
            self.pieces.append(run)
        run.size = run.old_size = end - run.old
        piece = len(self.pieces) - 1
        if count == 1:
            self.piece_of.append(piece)
            self.old.append(start)
        else:
            self.piece_of += [piece] * count
            self.old += [start] * count

    def copy_run(self, starts: list[int], end: int) -> None:
        """The next instructions are the bytes of the old bytecode that begin there, up to `end`."""
        run = self._run
        if run is None:
            run = self._run = Piece(COPIED, 0, len(self.piece_of))
            run.old = starts[0]
            self.pieces.append(run)
        run.size = run.old_size = end - run.old
        self.piece_of += [len(self.pieces) - 1] * len(starts)
        self.old += starts

    def close(self) -> None:
        """What is copied next begins a piece of its own."""
        self._run = None

    def jump(self, count: int, piece: Piece, old: int, old_size: int) -> None:
        """The next `count` instructions are this jump of the old bytecode, written anew."""
        piece.old, piece.old_size = old, old_size
        self.piece_of += [len(self.pieces)] * count
        self.old += [0] * count
        self.pieces.append(piece)
        self._jumps.append(piece)
        self._run = None

    def write(self, end: int, pieces: Iterable[Piece], old: int = -1, old_size: int = 0) -> None:
        """The instructions up to `end` are these pieces (in place of what stood at `old`)."""
        piece_of, place = self.piece_of, len(self.pieces)
        reached = len(piece_of)
        for piece in pieces:
            piece.old, piece.old_size = old, old_size
            old_size = 0
            while reached <= piece.index:
                piece_of.append(place)
                reached += 1
            self.pieces.append(piece)
            if piece.direction is not None:
                self._jumps.append(piece)
            place += 1
        piece_of += [place] * (end - reached)
        self.old += [0] * (end - len(self.old))
        self._run = None

    # -- placing

    def offset(self, index: int) -> int:
        """Where the instruction at this index begins; behind the last, where the code ends."""
        if index >= len(self.piece_of) or self.piece_of[index] >= len(self.pieces):
            return self.size
        piece = self.pieces[self.piece_of[index]]
        return piece.at + self.old[index] - piece.old if piece.opcode == COPIED else piece.at

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
                piece.arg = self._distance(piece)
                if piece.arg > 255:
                    extended = (piece.arg.bit_length() - 1) // 8
                    if extended > piece.extended:
                        piece.extend(extended)
                        grown = True

    def has_grown(self) -> bool:
        """Whether a jump of the old bytecode is longer than it was there."""
        return any(piece.old >= 0 and piece.size > piece.old_size for piece in self._jumps)

    def _distance(self, piece: Piece) -> int:
        if piece.over:
            last = self.pieces[self.pieces.index(piece) + piece.over]
            to = last.at + last.size
        else:
            to = self.offset(piece.target)
        if piece.direction == "absolute":
            distance = to
        elif piece.direction == "forward":
            distance = to - piece.at - piece.size
        else:
            distance = piece.at + piece.size - to
        if distance < 0:
            raise CannotEncode(
                f"{self.name}, instruction {piece.index}:"
                f" {self.table.opnames[piece.opcode]} cannot jump this way"
            )
        return distance // 2

    # -- what comes of it

    def bytes(self) -> bytes:
        """The bytecode."""
        old, new, extended_arg = self.bytecode, bytearray(), self.table.opmap["EXTENDED_ARG"]
        for piece in self.pieces:
            if piece.opcode == COPIED:
                new += old[piece.old : piece.old + piece.old_size]
                continue
            arg = piece.arg
            for shift in range(8 * piece.extended, 0, -8):
                new.append(extended_arg)
                new.append(arg >> shift & 255)
            new.append(piece.opcode)
            new.append(arg & 255)
            if piece.caches:
                new += bytes(piece.caches)
        return bytes(new)

    def growth(self) -> list[tuple[int, int]]:
        """(old offset, bytes more) wherever the new bytecode is longer than the old. What is new belongs to
        the old offset after it; behind the last one, to that."""
        found: dict[int, int] = {}
        new, last = 0, -1
        for piece in self.pieces:
            new += piece.size
            if piece.old >= 0:
                last = piece.old
                if new != piece.old_size:
                    found[last] = found.get(last, 0) + new - piece.old_size
                new = 0
        if new and last >= 0:
            found[len(self.bytecode) - 2] = new + found.get(len(self.bytecode) - 2, 0)
        return [(offset, more) for offset, more in found.items() if more]
