"""What programs are made of: templates by kind of value, and statements, for one set of features."""

from __future__ import annotations

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


class Vocabulary:
    """The templates for one set of features, sorted for quick picking."""

    def __init__(self, features: frozenset[str], *, arrays: bool = False) -> None:
        self.features = features
        self.arrays = arrays
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
            if found.template.features <= features
            for _ in range(found.template.weight)
        ]
        self._filtered: dict[tuple[str, bool, bool], list[Template]] = {}

    def _allowed(self, templates: list[Template]) -> list[Template]:
        return [t for t in templates if t.features <= self.features for _ in range(t.weight)]

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
