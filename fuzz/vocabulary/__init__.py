"""What programs are made of: templates by kind of value, and statements, for one set of features."""

from __future__ import annotations

import re

from fuzz.templates import Template
from fuzz.vocabulary import calls, classes, exceptions, generators, newer, statements
from fuzz.vocabulary.arrays import ARRAY_EXPRESSIONS, ARRAY_FUNCTIONS, ARRAY_LITERALS, ARRAY_STATEMENTS
from fuzz.vocabulary.expressions import EXPRESSIONS
from fuzz.vocabulary.literals import LITERALS

_WIDER = [
    *exceptions.STATEMENTS,
    *generators.STATEMENTS,
    *classes.STATEMENTS,
    *newer.STATEMENTS,
]


#: What a quiet program does not do: write to what others see, log, print, and do most that raises.
_EFFECT = re.compile(
    r"\bnote|\blog\b|print|\bdel |\?gone|decorate|append|extend|insert|remove|\.pop|clear|update|setdefault|"
    r"setattr|\.sort|\.reverse|\.add\(|discard|[Ll]oud|\?any\b|\?faulty|\?function|assert|missing|tolist|"
    r"^\?(list|dict|point|array)\S* (=|\S*=)|ITEMS|TABLE|fill|out=|move|nonlocal|\.flat|iter\(|/ 0"
)


class Vocabulary:
    """The templates for one set of features, sorted for quick picking.

    Args:
        features: of fuzz.features.SAMPLES.
        arrays: with NumPy arrays.
        quiet: without the effects that keep a tracer from capturing a function whole.
    """

    def __init__(self, features: frozenset[str], *, arrays: bool = False, quiet: bool = False) -> None:
        self.features = features
        self.arrays = arrays
        self.quiet = quiet
        self.expressions = ARRAY_EXPRESSIONS if arrays else EXPRESSIONS
        self.literals = ARRAY_LITERALS if arrays else LITERALS
        self.simple = self._allowed(statements.SIMPLE)
        self.compound = self._allowed(statements.COMPOUND)
        self.wide = self._allowed(statements.WIDE)
        self.wider = self._allowed([*_WIDER, *(ARRAY_STATEMENTS * (3 if features else 1) if arrays else ())])
        self.definitions = [
            found
            for found in (
                *calls.FUNCTIONS,
                *generators.FUNCTIONS,
                *(ARRAY_FUNCTIONS if arrays else ()),
            )
            if found.template.features <= features and not (quiet and _EFFECT.search(found.template.text))
            for _ in range(found.template.weight)
        ]
        self._filtered: dict[tuple[str, bool, bool], list[Template]] = {}

    def _allowed(self, templates: list[Template]) -> list[Template]:
        return [
            template
            for template in templates
            if template.features <= self.features and not (self.quiet and _EFFECT.search(template.text))
            for _ in range(template.weight)
        ]

    def table(self, kind: str, calm: bool, walrus: bool) -> list[Template]:
        """The templates of expressions of a kind that may stand at such a place."""
        key = (kind, calm, walrus)
        found = self._filtered.get(key)
        if found is None:
            found = self._filtered[key] = [
                template
                for template in self._allowed(self.expressions[kind])
                if not (template.grows and calm) and not ("walrus" in template.places and not walrus)
            ]
        return found
