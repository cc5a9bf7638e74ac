"""A generated program: a module's text, the function in it, calls of it; and how choices become one.

Needs nothing but the standard library, so that campaigns run on any bare interpreter. The strategies for
tests are in fuzz.programs.
"""

from __future__ import annotations

import hashlib
import linecache
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FunctionType
from typing import Any

from fuzz import arguments, prelude
from fuzz import features as language
from fuzz.choices import Choices
from fuzz.scopes import Scope
from fuzz.vocabulary import Vocabulary
from fuzz.vocabulary.arrays import ARRAY_FAMILIES, ARRAY_PARAMETERS
from fuzz.writer import Writer

#: No feature beyond the plain language.
PLAIN: frozenset[str] = frozenset()
#: Everything the running version parses.
EVERYTHING: frozenset[str] = language.available()

_KEPT_FILES = 512
_files: list[str] = []


@dataclass(frozen=True)
class GeneratedFunction:
    """A function as source: a module's text, the function in it, and calls of it as text.

    `prelude` names the pieces of fuzz.prelude that the module has before its own text.
    """

    source: str
    calls: tuple[str, ...]
    entry: str = "f"
    prelude: tuple[str, ...] = ()
    features: frozenset[str] = frozenset()
    filename: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.filename:
            digest = hashlib.blake2b(self.source.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
            object.__setattr__(self, "filename", f"<generated {digest}>")

    def code(self) -> CodeType:
        """The module's code object, compiled once; its lines are known to tracebacks."""
        code = self.__dict__.get("_code")
        if code is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                code = compile(self.source, self.filename, "exec", dont_inherit=True)
            object.__setattr__(self, "_code", code)
        self._show_lines()
        return code

    def _show_lines(self) -> None:
        if prelude.FILENAME not in linecache.cache:
            prelude.show_lines()
        if self.filename not in linecache.cache:
            _files.append(self.filename)
            while len(_files) > _KEPT_FILES:
                linecache.cache.pop(_files.pop(0), None)
            lines = self.source.splitlines(keepends=True)
            linecache.cache[self.filename] = (len(self.source), None, lines, self.filename)

    def namespace(self, rewrite: Callable[[CodeType], CodeType] | None = None) -> dict[str, Any]:
        """The module's globals, executed anew.

        Args:
            rewrite: gets each code object before it is executed, and gives the one to execute.
        """
        namespace: dict[str, Any] = {"__name__": "generated"}
        for code in (*map(prelude.piece, self.prelude), self.code()):
            exec(code if rewrite is None else rewrite(code), namespace)
        return namespace

    def function(self, namespace: dict[str, Any] | None = None) -> FunctionType:
        """The function itself, a new one unless the namespace is given."""
        return (self.namespace() if namespace is None else namespace)[self.entry]

    def arguments(self, call: str, namespace: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of one of the calls, evaluated anew in the module's globals."""
        local: dict[str, Any] = {self.entry: lambda *args, **kwargs: (args, kwargs)}
        codes = self.__dict__.get("_calls")
        if codes is None:
            codes = {}
            object.__setattr__(self, "_calls", codes)
        code = codes.get(call)
        if code is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                code = codes[call] = compile(call, self.filename + " call", "eval", dont_inherit=True)
        return eval(code, namespace, local)

    def script(self) -> str:
        """The whole as one file: prelude, source, then the calls as comments that `fuzz.replay` reads."""
        return (
            prelude.text(self.prelude) + self.source + "".join(f"\n#: {call}" for call in self.calls) + "\n"
        )

    def __repr__(self) -> str:
        return f"GeneratedFunction:\n{self.script()}"


def from_script(text: str) -> GeneratedFunction:
    """The GeneratedFunction of a file written by `script`. ValueError if it has no calls."""
    calls = tuple(line[2:].strip() for line in text.splitlines() if line.startswith("#:"))
    if not calls:
        raise ValueError("no calls in the script: add lines such as '#: f(1, 2)' at its end")
    source = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#:"))
    return GeneratedFunction(source.rstrip() + "\n", calls, calls[0].partition("(")[0])


def parsed(features: Iterable[str]) -> frozenset[str]:
    """Those of the features that the running version parses. ValueError names one that there is not."""
    wanted = frozenset(features)
    unknown = wanted - frozenset(language.SAMPLES)
    if unknown:
        raise ValueError(
            f"no feature {sorted(unknown)[0]!r}; there are {', '.join(sorted(language.SAMPLES))}"
        )
    return wanted & language.available()


@cache
def vocabulary_of(features: frozenset[str], arrays: bool, quiet: bool) -> Vocabulary:
    """The vocabulary of such programs, made once."""
    return Vocabulary(features, arrays=arrays, quiet=quiet)


def write(
    vocabulary: Vocabulary,
    *,
    head: bytes,
    helpers: list[bytes],
    body: list[bytes],
    calls: list[bytes],
    odd: bool = False,
) -> GeneratedFunction:
    """The program that these choices make: a run of bytes each statement, helper and call.

    Args:
        odd: calls may have arguments of other kinds than the program is made for.
    """
    writer = Writer(vocabulary)
    pieces = []
    for data in helpers:
        writer.choices = Choices(data)
        pieces.append(writer.definition(2))
    writer.choices = choices = Choices(head)
    if vocabulary.arrays:
        writer.used.add("np")
        writer.literals = {**writer.literals, "array": choices.pick(ARRAY_FAMILIES)}
        found = arguments.parameters(choices, ARRAY_PARAMETERS, writer.literals)
    else:
        found = arguments.parameters(choices)
    for parameter in found:
        if parameter.default:
            writer.used.update(_prelude_of(parameter.default))
    form = _form(choices, vocabulary.features)
    scope = Scope(writer.module, calm=False)
    scope.entry = True
    scope.generator, scope.coroutine = form == "generator", form == "coroutine"
    for parameter in found:
        scope.bind(parameter.kind, parameter.name)
    with writer.inside(scope):
        lines = writer.declarations()
        if form == "generator":
            lines.append("yield 0")
        for data in body:
            writer.choices = Choices(data)
            lines.append(writer.statement(3))
        writer.choices = Choices(head[::-1])
        lines.append(f"return {writer.expression('any', 3)}")
    texts = [arguments.call(Choices(data), "f", found, writer.literals, odd=odd) for data in calls]
    for text in texts:
        writer.used.update(_prelude_of(text))
    keyword = "async def" if form == "coroutine" else "def"
    block = "\n".join(lines).replace("\n", "\n    ")
    pieces.append(f"{keyword} f({arguments.signature(found)}):\n    {block}")
    source = "\n\n\n".join(piece for piece in pieces if piece != "pass")
    return GeneratedFunction(
        source + "\n",
        tuple(texts),
        prelude=prelude.closure({"log", *writer.used}),
        features=frozenset(writer.features),
    )


def _form(choices: Choices, features: frozenset[str]) -> str:
    roll = choices.below(12)
    if roll == 11 and "generators" in features:
        return "generator"
    return "coroutine" if roll == 10 and "async" in features else "function"


def _prelude_of(text: str) -> list[str]:
    return [name for name in ("Point", "Loud") if name + "(" in text]
