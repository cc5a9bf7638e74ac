"""Expressions of the generated programs, by the kind of value they give.

Kinds: int, float, bool, str, bytes, none, optional (int or None), list (of ints), words (list of
strings), pairs (list of (int, str)), tuple (of ints), pair (int, str), dict (str to int), set (of
ints), point and loud (the prelude's classes), function (int to int), any.

The first template of a kind is its simplest. A template keeps its promise of kind for every value its
holes can have, or raises: that is what keeps loops bounded (see `grows` in fuzz.templates).
"""

from __future__ import annotations

from fuzz.templates import Template, parse_lines
from fuzz.vocabulary.containers import CONTAINERS
from fuzz.vocabulary.faulty import ERRORS, FAULTY
from fuzz.vocabulary.scalars import SCALARS

EXPRESSIONS: dict[str, list[Template]] = {
    kind: parse_lines(text) for kind, text in {**SCALARS, **CONTAINERS, **FAULTY, **ERRORS}.items()
}
