r"""Pieces of programs as text with holes, and what the holes mean.

    (?int if ?bool else ?int)            an expression goes into each hole
    [?int(v:int) for $v in ?list!]       $v is a fresh name; the first hole may use it as an int
    ?new.int, *?new.list = ?list         targets: fresh names, known from the next statement on
    ?var.int += ?int                     a variable of that kind that may be assigned to
    if ?bool:\n    ?block                statements; `?loop` if they may run more than once
    f"{?int~}"                           `~`: without quotes, braces and backslashes
    ?list^                               `^`: no walrus inside (the source of a comprehension)

After `##` stand the conditions: `grows` (the value may be larger than its parts together: not where
it could be repeated), `uses NAME` (a piece of the prelude), `feature NAME`, `function` or `loop` (only
there), `x3` (three times as likely).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_HOLE = re.compile(
    r"""\?(?P<kind>(?:(?:new|var|gone|call|body)\.)?[a-z_]+)(?P<plain>~)?(?P<strict>\^)?(?:\((?P<bind>\w+:\w+(?:,\s*\w+:\w+)*)\))?
      | \$(?P<fresh>[A-Za-z_]+)""",
    re.VERBOSE,
)


class Hole(NamedTuple):
    """A place to be filled in."""

    kind: str
    #: no quotes, braces or backslashes: it stands inside an f-string
    plain: bool
    #: no assignment expression inside
    strict: bool
    #: (fresh name of the template, kind) that can be read inside
    bindings: tuple[tuple[str, str], ...]
    #: columns the hole is indented by, for blocks
    indent: int
    #: nothing of the function whose body it is stands before it: `global` and `nonlocal` may
    first: bool


class Fresh(NamedTuple):
    """A new name, the same at each place of the template."""

    hint: str


class Template(NamedTuple):
    """One piece of program text, split at its holes, with its conditions."""

    parts: tuple[str | Hole | Fresh, ...]
    text: str
    weight: int
    grows: bool
    uses: tuple[str, ...]
    features: frozenset[str]
    #: "function", "loop", "walrus", "generator", "coroutine": where it may stand
    places: frozenset[str]
    #: it has a class body, where no assignment expression may stand in a comprehension
    classes: bool

    @property
    def needs(self) -> tuple[str, ...]:
        """Kinds of which a variable must be at hand."""
        return tuple(
            part.kind
            for part in self.parts
            if isinstance(part, Hole) and part.kind.startswith(("var.", "gone."))
        )


_PLACES = frozenset(["function", "loop", "walrus", "generator", "coroutine", "outermost"])


def parse(text: str, features: frozenset[str] = frozenset()) -> Template:
    """One template from its text. ValueError names a condition that is not one."""
    body, _, conditions = text.partition("##")
    body = body.rstrip()
    weight, grows, uses, places, wanted = 1, False, [], set(), set(features)
    words = conditions.replace(",", " ").split()
    while words:
        word = words.pop(0)
        if word == "grows":
            grows = True
        elif word == "uses":
            uses.append(words.pop(0))
        elif word == "feature":
            wanted.add(words.pop(0))
        elif word in _PLACES:
            places.add(word)
        elif re.fullmatch(r"x\d+", word):
            weight = int(word[1:])
        else:
            raise ValueError(f"template {text!r}: {word!r} is not a condition")
    if "yield" in body and not re.match(r"(async )?def |\$\w+ = lambda", body):
        places.add("generator")
    return Template(
        _split(body),
        body,
        weight,
        grows,
        tuple(uses),
        frozenset(wanted),
        frozenset(places),
        "class $" in body,
    )


def _split(body: str) -> tuple[str | Hole | Fresh, ...]:
    parts: list[str | Hole | Fresh] = []
    done = 0
    for match in _HOLE.finditer(body):
        if match.start() > done:
            parts.append(body[done : match.start()])
        done = match.end()
        if match["fresh"]:
            parts.append(Fresh(match["fresh"]))
            continue
        bindings = tuple(
            (pair.split(":")[0].strip(), pair.split(":")[1].strip())
            for pair in (match["bind"] or "").split(",")
            if pair
        )
        indent = match.start() - (body.rfind("\n", 0, match.start()) + 1)
        before = body[: match.start()].rstrip().rpartition("\n")[2].lstrip()
        first = before.startswith(("def ", "async def "))
        parts.append(
            Hole(match["kind"], bool(match["plain"]), bool(match["strict"]), bindings, indent, first)
        )
    if done < len(body):
        parts.append(body[done:])
    return tuple(parts)


def parse_lines(text: str, feature: str | None = None) -> list[Template]:
    """A template a line; blank lines are left out."""
    wanted = frozenset([feature]) if feature else frozenset()
    return [parse(line.strip(), wanted) for line in text.splitlines() if line.strip()]


def paragraphs(text: str, feature: str | None = None) -> list[Template]:
    """A template a paragraph (blank lines between); conditions may stand in any of its lines."""
    wanted = frozenset([feature]) if feature else frozenset()
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = [line.partition("##") for line in paragraph.splitlines() if line.strip()]
        if lines:
            body = "\n".join(code.rstrip() for code, _, _ in lines)
            conditions = " ".join(said.strip() for _, _, said in lines)
            found.append(parse(f"{body}  ## {conditions}", wanted))
    return found


class Definition:
    """A function definition's template, and the templates of calls by the kind of their value."""

    __slots__ = ("calls", "template")

    def __init__(self, text: str, feature: str | None = None) -> None:
        lines = text.strip("\n").splitlines()
        body = "\n".join(line for line in lines if not line.startswith("@@"))
        self.template = paragraphs(body, feature)[0]
        self.calls: list[tuple[str, Template]] = []
        for line in lines:
            if line.startswith("@@"):
                kind, _, call = line[2:].strip().partition(" ")
                (template,) = parse_lines(call)
                self.calls.append((kind, template))


def definitions(text: str, feature: str | None = None) -> list[Definition]:
    """Function definitions, one a paragraph."""
    return [Definition(paragraph, feature) for paragraph in text.strip("\n").split("\n\n")]
