"""What a program of a campaign is made of: runs of bytes, and the kind of program they are for.

Drawn by a seeded `random.Random`, so that the n-th program of a campaign is the same whenever and
wherever it is asked for; as bytes they are kept in a database of examples and changed a little to make
more like them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random

from fuzz.generated import EVERYTHING, PLAIN, GeneratedFunction, vocabulary_of, write

#: kind of program -> (features, arrays, quiet)
KINDS: dict[str, tuple[frozenset[str], bool, bool]] = {
    "plain": (PLAIN, False, False),
    "language": (EVERYTHING, False, False),
    "quiet arrays": (PLAIN, True, True),
    "arrays": (PLAIN, True, False),
    "language with arrays": (EVERYTHING, True, False),
}

#: target -> kinds of programs, each as often as it stands there; those with arrays need NumPy
MIXES: dict[str, tuple[str, ...]] = {
    "interpret": ("language",) * 8 + ("plain", "language with arrays"),
    "compile": ("quiet arrays",) * 3
    + ("arrays", "arrays", "plain", "plain", "plain", "language with arrays"),
    "roundtrip": ("language",),
    "cross": ("language",) * 5 + ("plain",),
}
#: of other targets
_MIX = ("language",) * 6 + ("plain",)


@dataclass(frozen=True)
class Recipe:
    """The choices of one program."""

    kind: str
    head: bytes
    helpers: tuple[bytes, ...]
    body: tuple[bytes, ...]
    calls: tuple[bytes, ...]

    def program(self) -> GeneratedFunction:
        """The program that these choices make on the running version."""
        return write(
            vocabulary_of(*KINDS[self.kind]),
            head=self.head,
            helpers=list(self.helpers),
            body=list(self.body),
            calls=list(self.calls),
            odd=True,
        )

    def to_bytes(self) -> bytes:
        """For a database of examples."""
        parts = [
            [each.hex() for each in part] for part in ((self.head,), self.helpers, self.body, self.calls)
        ]
        return json.dumps([self.kind, *parts]).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Recipe:
        """What `to_bytes` wrote. ValueError for anything else."""
        try:
            kind, *parts = json.loads(data)
            (head,), helpers, body, calls = ([bytes.fromhex(each) for each in part] for part in parts)
        except (TypeError, ValueError, UnicodeDecodeError) as error:
            raise ValueError(f"no recipe of a program: {error}") from None
        if kind not in KINDS or not body or not calls:
            raise ValueError(f"no recipe of a program: kind {kind!r}")
        return cls(kind, head, tuple(helpers), tuple(body), tuple(calls))


def drawn(random: Random, target: str, numpy: bool) -> Recipe:
    """A new recipe for a target."""
    kinds = [kind for kind in MIXES.get(target, _MIX) if numpy or not KINDS[kind][1]] or ["plain"]

    def runs(least: int, most: int, shortest: int, longest: int) -> tuple[bytes, ...]:
        return tuple(
            random.randbytes(random.randint(shortest, longest)) for _ in range(random.randint(least, most))
        )

    return Recipe(
        random.choice(kinds),
        random.randbytes(random.randint(4, 24)),
        runs(0, 3, 20, 52),
        runs(1, 9, 24, 66),
        runs(1, 4, 2, 14),
    )


def varied(random: Random, recipe: Recipe, other: Recipe) -> Recipe:
    """A recipe with a few changes: bytes, a statement taken from another, left out, or there twice."""
    parts = {name: list(getattr(recipe, name)) for name in ("helpers", "body", "calls")}
    for _ in range(random.randint(1, 3)):
        name = random.choice(("body", "body", "body", "helpers", "calls"))
        part, donor = parts[name], getattr(other, name)
        roll = random.randrange(5)
        place = random.randrange(len(part)) if part else 0
        if roll == 0 and donor:
            part.insert(place, random.choice(donor))
        elif roll == 1 and len(part) > 1:
            del part[place]
        elif roll == 2 and part:
            part.insert(place, part[place])
        elif part and part[place]:
            changed = bytearray(part[place])
            changed[random.randrange(len(changed))] = random.randrange(256)
            part[place] = bytes(changed)
    return Recipe(
        recipe.kind,
        recipe.head,
        tuple(parts["helpers"][:5]),
        tuple(parts["body"][:14]),
        tuple(parts["calls"][:6]),
    )
