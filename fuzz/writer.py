"""The program writer: fills templates with what a run of choices picks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fuzz.choices import Choices
from fuzz.scopes import HINTS, Scope
from fuzz.templates import Fresh, Hole, Template
from fuzz.vocabulary import Vocabulary

#: Globals that programs read and some functions declare.
GLOBALS = {"int": "SCALE", "dict": "TABLE", "list": "ITEMS"}

#: Values may double so many times in one program.
MOST_GROWTH = 6

_FORBIDDEN_IN_FSTRING = frozenset("'\"\\{}#\n")


class Writer:
    """Writes expressions, statements and functions; each choice comes from `choices`."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.literals = vocabulary.literals
        self.choices = Choices(b"")
        self.module = Scope(None, kind="module")
        for kind, name in GLOBALS.items():
            self.module.variables[kind] = [name]
        self.scope = self.module
        self.walrus = True
        self.used: set[str] = set()
        self.features: set[str] = set()
        self.growth = 0
        self._numbers: dict[str, int] = {}

    def fresh(self, hint: str) -> str:
        """A name that the program does not have yet."""
        number = self._numbers[hint] = self._numbers.get(hint, 0) + 1
        return f"{hint}{number}"

    # -- expressions

    def expression(self, kind: str, depth: int) -> str:
        """An expression of a kind, at most `depth` templates deep."""
        choices = self.choices
        if depth <= 0 or choices.exhausted or self.scope.kind == "module":
            return self.leaf(kind)
        roll = choices.below(32)
        if roll < 10:
            return self.leaf(kind)
        if roll == 31 and choices.below(4) == 3:
            kind = "faulty"
        calm = self.scope.calm or self.growth >= MOST_GROWTH
        table = self.vocabulary.table(kind, calm, self.walrus and self.scope.kind == "function")
        return self.fill(choices.pick(table), depth - 1) if table else self.leaf(kind)

    def leaf(self, kind: str) -> str:
        """A name or a literal."""
        choices = self.choices
        if kind == "any":
            kind = choices.pick(
                ("int", "str", "list", "bool", "none", "dict", "tuple", "float", "bytes", "words")
            )
            if self.vocabulary.arrays and choices.below(4) < 3:
                kind = choices.pick(("array", "scalar", "array"))
        names = self.scope.readable(kind)
        if names and choices.below(8) < 6:
            name = choices.pick(names)
            if name in GLOBALS.values():
                self.used.add(name)
            return name
        maybe = self.scope.maybe.get(kind)
        if maybe and choices.chance(12):
            return choices.pick(maybe)
        if kind == "result":
            return self.leaf(self.scope.result)
        literal = choices.pick(self.literals[kind])
        if literal.startswith("np."):
            self.used.add("np")
        if kind in ("point", "loud"):
            self.used.add(kind.capitalize())
        return literal

    def call(self, kind: str, depth: int) -> str:
        """A call of a generated function that gives this kind, or a leaf if there is none."""
        if self.scope.loops and not self.scope.entry:
            return self.leaf(kind)
        found = self.scope.callables(kind)
        if not found:
            return self.leaf(kind)
        template, names = self.choices.pick(found)
        return self.fill(template, depth, dict(names))

    # -- templates

    def fill(self, template: Template, depth: int, names: dict[str, str] | None = None) -> str:
        """The text of a template; `names` gets its fresh names."""
        self.used.update(template.uses)
        self.features.update(template.features)
        self.growth += template.grows
        if names is None:
            names = {}
        pending: list[tuple[str, str]] = []
        pieces = []
        walrus, self.walrus = self.walrus, self.walrus and not template.classes
        for part in template.parts:
            if isinstance(part, str):
                pieces.append(part)
            elif isinstance(part, Fresh):
                pieces.append(self._named(part.hint, names))
            else:
                pieces.append(self._hole(part, depth, names, pending))
        self.walrus = walrus
        for kind, name in pending:
            self.scope.bind(kind, name)
        return "".join(pieces)

    def _named(self, hint: str, names: dict[str, str]) -> str:
        if hint not in names:
            names[hint] = self.fresh(hint[0])
        return names[hint]

    def _hole(self, hole: Hole, depth: int, names: dict[str, str], pending: list[tuple[str, str]]) -> str:
        kind, _, detail = hole.kind.partition(".")
        bindings = [(bound, self._named(hint, names)) for hint, bound in hole.bindings]
        if kind in ("block", "loop", "straight", "class_block", "body"):
            with self.scope.branch([]):
                for bound, name in pending:
                    self.scope.bind(bound, name)
                text = self._block(kind, detail, depth, bindings, hole.first)
            return text.replace("\n", "\n" + " " * hole.indent)
        if kind == "new":
            return self._target(detail, pending)
        if kind == "var":
            return self.choices.pick(self.scope.assignable(detail))
        if kind == "gone":
            name = self.choices.pick(self.scope.assignable(detail))
            self.scope.unbind(detail, name)
            return name
        if kind == "call":
            return self.call(detail, depth)
        if kind == "result":
            kind = self.scope.result
        if not bindings and not hole.strict and not hole.plain:
            return self.expression(kind, depth)
        return self._special(hole, kind, depth, bindings)

    def _special(self, hole: Hole, kind: str, depth: int, bindings: list[tuple[str, str]]) -> str:
        """An expression with names of its own, or with something it must not contain."""
        walrus, self.walrus = self.walrus, self.walrus and not hole.strict
        scope = self.scope
        try:
            if not bindings:
                text = self.expression(kind, depth)
            else:
                with scope.branch(bindings), scope.changed(calm=True, loops=scope.loops + 1):
                    text = self.expression(kind, depth)
        finally:
            self.walrus = walrus
        if hole.plain and not _FORBIDDEN_IN_FSTRING.isdisjoint(text):
            names = self.scope.readable(kind)
            text = names[0] if names else {"int": "5", "float": "2.5", "bool": "True"}.get(kind, "SCALE")
            if text == "SCALE":
                self.used.add("SCALE")
        return text

    def _target(self, kind: str, pending: list[tuple[str, str]]) -> str:
        known = self.scope.assignable(kind)
        if known and self.choices.chance(3):
            return self.choices.pick(known)
        name = self.fresh(HINTS[kind])
        pending.append((kind, name))
        return name

    # -- statements

    def statement(self, depth: int) -> str:
        """One statement, with blocks at most `depth` deep."""
        choices = self.choices
        vocabulary = self.vocabulary
        roll = choices.below(32)
        if depth > 0:
            if vocabulary.arrays and roll < 12:
                return self._pick(vocabulary.wider, depth)
            if 17 <= roll < 23:
                return self._pick(vocabulary.compound, depth)
            if 23 <= roll < 26:
                return self.definition(depth)
            if roll == 26 and vocabulary.wide and choices.chance(3):
                return self._pick(vocabulary.wide, depth)
        if roll >= 24 and vocabulary.wider:
            return self._pick(vocabulary.wider, depth)
        return self._pick(vocabulary.simple, depth)

    def _pick(self, table: list[Template], depth: int) -> str:
        for _ in range(4):
            template = self.choices.pick(table)
            if self._fits(template, depth):
                return self.fill(template, max(depth, 1) + (1 if "\n" not in template.text else 0))
        return "pass"

    def _fits(self, template: Template, depth: int) -> bool:
        scope = self.scope
        if template.grows and (scope.calm or self.growth >= MOST_GROWTH):
            return False
        if "\n" in template.text and (depth <= 0 or scope.loops >= (2 if scope.entry else 1)):
            return False
        for need in template.needs:
            if not scope.assignable(need.partition(".")[2]):
                return False
        for place in template.places:
            if not (
                scope.returns if place == "function"
                else scope.breaks if place == "loop"
                else scope.kind == "function" if place == "walrus"
                else scope.generator if place == "generator"
                else scope.coroutine if place == "coroutine"
                else scope.kind == "module"
            ):  # fmt: skip
                return False
        return True

    def statements(self, depth: int, most: int = 3) -> str:
        """A few statements, a line each."""
        lines = [self.statement(depth)]
        while len(lines) < most and self.choices.below(3):
            lines.append(self.statement(depth))
        return "\n".join(lines)

    def _block(self, kind: str, result: str, depth: int, bindings: list[tuple[str, str]], first: bool) -> str:
        scope = self.scope
        if kind == "body":
            return self.body(result, depth - 1, bindings, first)
        if kind == "class_block":
            with self.inside(Scope(scope, kind="class")):
                return self.statements(depth - 1)
        changes: dict[str, object] = {}
        if kind == "loop":
            changes = {"calm": True, "loops": scope.loops + 1, "breaks": True}
        elif kind == "straight":
            changes = {"breaks": False, "returns": False}
        with scope.branch(bindings), scope.changed(**changes):
            return self.statements(depth - 1)

    # -- functions

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[Scope]:
        """Writing goes on in another scope."""
        before, self.scope = self.scope, scope
        walrus, self.walrus = self.walrus, True
        try:
            yield scope
        finally:
            self.scope, self.walrus = before, walrus

    def body(self, result: str, depth: int, parameters: list[tuple[str, str]], first: bool) -> str:
        """The body of a function, or what is left of it after its `first` lines; it ends with a return of the
        promised kind."""
        scope = Scope(self.scope, result="any" if result in ("generator", "coroutine") else result)
        scope.generator = result == "generator"
        scope.coroutine = result == "coroutine"
        for kind, name in parameters:
            scope.bind(kind, name)
        with self.inside(scope):
            lines = self.declarations() if first else []
            if scope.generator:
                lines.append(f"yield {self.expression('int', 1)}")
            lines.append(self.statements(max(depth, 0)))
            lines.append(f"return {self.expression(scope.result, 2)}")
        return "\n".join(lines)

    def declarations(self) -> list[str]:
        """`global` and `nonlocal` statements, perhaps."""
        lines = []
        scope = self.scope
        if self.choices.chance(6):
            kind = self.choices.pick(tuple(GLOBALS))
            self.used.add(GLOBALS[kind])
            lines.append(f"global {GLOBALS[kind]}")
            scope.bind(kind, GLOBALS[kind])
        around = scope.parent
        if around is not None and around.kind == "function" and self.choices.chance(2):
            named = [
                (kind, name) for kind in ("int", "list", "str", "dict") for name in around.assignable(kind)
            ]
            named = [pair for pair in named if pair[1] not in scope.own and pair[1] not in GLOBALS.values()]
            if named:
                kind, name = self.choices.pick(named)
                lines.append(f"nonlocal {name}")
                scope.bind(kind, name)
        return lines

    def definition(self, depth: int) -> str:
        """A function definition, and from here on calls of it."""
        for _ in range(3):
            definition = self.choices.pick(self.vocabulary.definitions)
            if self._fits(definition.template, max(depth, 1)):
                break
        else:
            return "pass"
        names: dict[str, str] = {}
        text = self.fill(definition.template, max(depth, 1), names)
        if self.scope.kind != "class":
            for kind, template in definition.calls:
                self.scope.functions.setdefault(kind, []).append((template, names))
        return text
