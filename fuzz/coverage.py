"""Which raw instructions a run carries out: CPython itself is asked, instruction by instruction.

A run that is watched is slow. So a `Watcher` watches the programs that have an instruction it has seldom
seen, and one in so many of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import CodeType, FrameType

from fuzz.generated import GeneratedFunction
from fuzz.oracle import native, observe
from fuzz.stepping import stepping
from opcodes.decode import HOST
from opcodes.table import table

_NAMES = {number: name for name, number in table(HOST).opmap.items()}
_EXTENDED = table(HOST).opmap["EXTENDED_ARG"]
#: what FOR_ITER carries out as it ends a loop, and CPython does not tell
_ENDS = frozenset(["END_FOR", "POP_ITER"])
#: an instruction carried out in fewer programs than this is worth a look whenever a program has it,
#: unless it was looked for so many times more
SELDOM = 20
_OFTEN = 3 * SELDOM
_ONE_IN = 12


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and those in its constants."""
    yield code
    for constant in code.co_consts:
        if type(constant) is CodeType:
            yield from nested(constant)


def contained(code: CodeType) -> set[int]:
    """The numbers of the opcodes in a code object and those inside it, caches too."""
    found: set[int] = set()
    for each in nested(code):
        found.update(each.co_code[::2])
    return found


def executed(function: GeneratedFunction, call: str) -> tuple[set[str], set[tuple[str, str]]]:
    """(names of the instructions that one call carries out, pairs of them in a row)."""
    names: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    codes: dict[CodeType, bytes] = {}
    last, before = "", -1

    def tell(frame: FrameType, place: int) -> None:
        nonlocal last, before
        code = frame.f_code
        raw = codes.get(code)
        if raw is None:
            raw = codes[code] = code.co_code
            # how a function begins is not told, and has no jumps
            names.update(_NAMES[number] for number in raw[:place:2])
        if last == "FOR_ITER" and place != before:
            names.update(_ENDS & {_NAMES[number] for number in raw[max(place - 4, 0) : place : 2]})
        while raw[place] == _EXTENDED:
            names.add("EXTENDED_ARG")
            place += 2
        name = _NAMES[raw[place]]
        names.add(name)
        pairs.add((last, name))
        last, before = name, place

    with stepping(tell):
        observe(native, function, call)
    return names, pairs


class Watcher:
    """Counts, for programs that were compared, in how many each instruction was carried out."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.told: Counter[str] = Counter()
        self.pairs: set[tuple[str, str]] = set()
        self.watched = 0
        self._looked: Counter[int] = Counter()

    def worth_it(self, number: int, function: GeneratedFunction) -> bool:
        """Whether the program should be watched."""
        if number % _ONE_IN == 0:
            return True
        seldom = [
            each
            for each in contained(function.code())
            if self._looked[each] < _OFTEN and self.counts[_NAMES.get(each, "CACHE")] < SELDOM
        ]
        self._looked.update(seldom)
        return bool(seldom)

    def watch(self, function: GeneratedFunction) -> bool:
        """Watches the calls; whether two instructions were carried out in a row that never were before."""
        names: set[str] = set()
        new = False
        for call in function.calls:
            found, pairs = executed(function, call)
            names |= found
            if not pairs <= self.pairs:
                self.pairs |= pairs
                new = True
        self.counts.update(names)
        self.watched += 1
        return new

    def since_last_told(self) -> dict[str, int]:
        """What was counted since this was asked last."""
        found = self.counts - self.told
        self.told = self.counts.copy()
        return dict(found)
