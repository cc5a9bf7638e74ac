"""One program against one target, in this process: what a worker does, and the benchmark measures.

session = Session("interpret", seed=7)
for number in range(1000):
    finding = session.trial(number)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from random import Random
from typing import Any

from fuzz import findings
from fuzz.coverage import Watcher
from fuzz.findings import Finding, category, signature, to_data
from fuzz.generated import GeneratedFunction
from fuzz.oracle import Run, native, observe
from fuzz.parting import Parting, part_by_effects, part_interpreted
from fuzz.recipes import Recipe, drawn, varied
from fuzz.reduce import reduced
from fuzz.targets import TARGETS, Disagreement, against, recoded, with_nops
from opcodes.decode import HOST

VERSION = f"{HOST[0]}.{HOST[1]}"
#: of so many programs one is made from an example kept, if there are any
_VARIED_ONE_IN = 4
_KEPT = 400
#: target -> what every so many-th program of it is held against instead
SECOND = {"interpret": ("unfused", 3), "roundtrip": ("spliced", 4)}


class NoSuchTarget(ValueError):
    """A target that there is not, or cannot be imported."""


def runner(target: str) -> Callable[[GeneratedFunction], Disagreement | None]:
    """What holds a program against CPython, by the target's name. NoSuchTarget says what is wrong."""
    if target in TARGETS:
        return TARGETS[target]
    run = user_run(target)
    return lambda function: against(target, function, run)


def user_run(target: str) -> Run:
    """The function that "user:module.function" names."""
    kind, _, place = target.partition(":")
    module, _, name = place.rpartition(".")
    if kind != "user" or not module:
        raise NoSuchTarget(
            f"no target {target!r}: there are {', '.join(TARGETS)}, cross, and user:module.function"
        )
    try:
        return getattr(import_module(module), name)  # type: ignore[no-any-return]
    except (ImportError, AttributeError) as error:
        raise NoSuchTarget(f"target {target!r} cannot be imported: {error}") from None


class Session:
    """Programs of a campaign against one target, by their numbers."""

    def __init__(self, target: str, *, seed: int = 0, numpy: bool | None = None) -> None:
        self.target = target
        self.seed = seed
        self.numpy = has_numpy() if numpy is None else numpy
        self.run = runner(target) if target != "cross" else None
        self.watcher = Watcher()
        self.examples: list[Recipe] = []
        self.fresh: list[Recipe] = []
        self.refused = 0
        self.number = 0
        #: called with each program before anything is done with it
        self.before: Callable[[GeneratedFunction], None] = lambda function: None

    def program(self, number: int) -> tuple[Recipe, GeneratedFunction] | None:
        """The program of that number; None if this version does not parse it."""
        self.number = number
        random = Random(f"{self.seed}/{VERSION}/{self.target}/{number}")
        if self.examples and random.randrange(_VARIED_ONE_IN) == 0:
            recipe = varied(random, random.choice(self.examples), random.choice(self.examples))
        else:
            recipe = drawn(random, self.target, self.numpy)
        function = recipe.program()
        self.before(function)
        try:
            function.code()
        except (SyntaxError, RecursionError, MemoryError, UnicodeEncodeError):
            self.refused += 1
            return None
        return recipe, function

    def trial(self, number: int) -> Finding | None:
        """Makes the program, runs it against the target, and watches what it carries out."""
        made = self.program(number)
        if made is None:
            return None
        recipe, function = made
        found = self.judge(function, "plain" in recipe.kind, number)
        if found is None:
            self.watch(number, recipe, function)
        return found

    def watch(self, number: int, recipe: Recipe, function: GeneratedFunction) -> None:
        """Notes the instructions, and keeps the recipe if it does something new."""
        if self.watcher.worth_it(number, function) and self.watcher.watch(function):
            self.fresh.append(recipe)
            self.keep(recipe)

    def keep(self, recipe: Recipe) -> None:
        """An example more to make others from."""
        self.examples.append(recipe)
        if len(self.examples) > _KEPT:
            del self.examples[len(self.examples) // 2]

    def judge(self, function: GeneratedFunction, plain: bool = False, number: int = 0) -> Finding | None:
        """The program against the target."""
        run = self.run
        assert run is not None
        second = SECOND.get(self.target)
        if second is not None and number % second[1] == second[1] - 1:
            run = TARGETS[second[0]]
        if self.target == "compile":
            from translator import convert_frame

            convert_frame.capture_everything = plain
        return judge(self.target, function, run)


def judge(
    target: str, function: GeneratedFunction, run: Callable[[GeneratedFunction], Disagreement | None]
) -> Finding | None:
    """What the target does wrong with the program, where it parts from CPython not yet looked for."""
    try:
        found = run(function)
    except Exception as error:
        return _error(target, function, error)
    if found is None:
        return None
    if not steady(function, found.call):
        how = "CPython does not give the same twice"
        return _finding("unsteady", target, function, how, "", title=how, call=found.call)
    how = category(found.expected, found.got)
    return _finding(
        "disagreement",
        target,
        function,
        how,
        "",
        title=how,
        call=found.call,
        expected=str(found.expected),
        got=str(found.got),
        difference=found.difference,
    )


def steady(function: GeneratedFunction, call: str) -> bool:
    """Whether CPython gives the same again."""
    first = observe(native, function, call)
    return all(observe(native, function, call) == first for _ in range(2))


def _error(target: str, function: GeneratedFunction, error: Exception) -> Finding:
    how = f"{type(error).__name__}: {findings.shape(str(error))}"
    where = findings.blamed(error)
    return _finding(
        "error", target, function, how, where, title=f"{how} ({where})", call=function.calls[0],
        got=f"{type(error).__name__}: {error}",
    )  # fmt: skip


def _finding(
    kind: str, target: str, function: GeneratedFunction, how: str, where: str, **fields: Any
) -> Finding:
    rough = signature(target, kind, how, where)
    return Finding(kind, target, VERSION, VERSION, rough, rough, program=to_data(function), **fields)


def parted(found: Finding, function: GeneratedFunction) -> Finding:
    """The finding with where the two runs part, and the signature that this gives."""
    if found.kind != "disagreement":
        return found
    call = found.call if found.call in function.calls else function.calls[0]
    try:
        where = _parting(found.target, function, call)
    except Exception as error:  # the finding stands, whatever comes of looking closer
        where = Parting(what=f"unknown ({type(error).__name__} while looking: {error})")
    how = found.rough.split(" | ")[2]
    title = f"{how}, at {where.instruction}" if where.instruction else how
    final = signature(found.target, found.kind, how, where.instruction)
    return replace(found, parting=where.to_dict(), title=title, signature=final)


def _parting(target: str, function: GeneratedFunction, call: str) -> Parting:
    if target in ("interpret", "unfused"):
        return part_interpreted(function, call)
    if target in ("roundtrip", "spliced"):
        where = part_by_effects(function, call, native, recoded)
        return where if where.what != "the result" else part_by_effects(function, call, native, with_nops)
    if target == "compile":
        import translator

        return part_by_effects(
            function, call, lambda f, *args, **kwargs: translator.compile(f)(*args, **kwargs)
        )
    return part_by_effects(function, call, user_run(target))


def made_small(
    found: Finding, fails: Callable[[GeneratedFunction], Finding | None], seconds: float
) -> tuple[GeneratedFunction, Finding]:
    """The smallest program found that fails in the same way, and how it fails."""
    last = {"finding": found}

    def same(candidate: GeneratedFunction) -> bool:
        again = fails(candidate)
        if again is None or again.kind != found.kind or again.rough != found.rough:
            return False
        last["finding"] = again
        return True

    small = reduced(findings.from_data(found.program), same, seconds=seconds)
    again = fails(small)
    return small, again if again is not None else last["finding"]


def has_numpy() -> bool:
    """Whether array programs can be made here."""
    if os.environ.get("OPSHIFT_FUZZ_NUMPY") == "0":
        return False
    try:
        import numpy  # noqa: F401
    except ImportError:
        return False
    return True
