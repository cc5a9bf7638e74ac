"""Where two runs of one call part: the instruction, the line, the first effect that differs.

Both runs are carried out again, told step by step. A step of one is looked for in the other; where there
is none, or the effects so far differ, the runs have parted, and the last step that both made is to blame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from types import FrameType
from typing import Any, NamedTuple

from fuzz.generated import GeneratedFunction
from fuzz.oracle import Run, native, observe
from fuzz.portraits import Artist, Node, parting, render, unnumbered
from fuzz.stepping import stepping, wanted
from opcodes.decode import HOST
from opcodes.table import table

_EXTENDED = table(HOST).opmap["EXTENDED_ARG"]
_NAMES = {number: name for name, number in table(HOST).opmap.items()}
#: what CPython carries out together with another, and does not tell
_SILENT = frozenset(
    [
        "MAKE_CELL",
        "COPY_FREE_VARS",
        "RETURN_GENERATOR",
        "END_FOR",
        "POP_ITER",
        "END_SEND",
        "GEN_START",
        "RESUME",
    ]
)
_MOST_STEPS = 30_000
#: steps of CPython's in the same frame that the Interpreter may not show (what it fuses)
_FUSED = 12


class Step(NamedTuple):
    """One instruction that is about to be carried out."""

    function: str
    line: int | None
    offset: int
    instruction: str
    frame: int
    first_line: int
    #: how many effects were logged before it
    effects: int
    #: what simple values the variables had
    variables: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Parting:
    """The place, and what was different there."""

    function: str = ""
    line: int | None = None
    offset: int | None = None
    instruction: str = ""
    #: "the next instruction", "a variable", "an effect", "the result"
    what: str = "the result"
    expected: str = ""
    got: str = ""

    def __str__(self) -> str:
        place = (
            f"{self.instruction or 'line'} at line {self.line} of {self.function}" if self.function else ""
        )
        sides = f": {self.expected} against {self.got}" if self.expected or self.got else ""
        return f"{self.what}{' after ' + place if place else ''}{sides}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)


_SIMPLE = frozenset([int, bool, str, float, bytes, type(None)])


def simple(name: str, value: Any) -> tuple[str, str] | None:
    """A variable whose value is plain, as text."""
    kind = type(value)
    if kind in _SIMPLE:
        return name, ascii(value)[:80] if kind is not int or abs(value) < 10**18 else hex(value)[:80]
    if kind in (list, tuple):
        return name, f"{kind.__name__} of {len(value)}"
    return None


class Recorder:
    """Steps of a run, as CPython tells them."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.log: Any = None
        self.artist = Artist()
        self.drawn: list[Node] = []
        self.frames: list[Any] = []
        self.codes: dict[Any, bytes] = {}

    def effects(self, log: Any) -> int:
        """Draws what was logged since, so that a later change of it does not matter."""
        self.log = log
        if type(log) is list:
            while len(self.drawn) < len(log):
                self.artist.start()
                self.drawn.append(unnumbered(self.artist.draw(log[len(self.drawn)])))
        return len(self.drawn)

    def add(self, frame: Any, code: Any, line: int | None, offset: int, log: Any, variables: Any) -> None:
        """One step more."""
        raw = self.codes.get(code)
        if raw is None:
            raw = self.codes[code] = code.co_code
        while raw[offset] == _EXTENDED:
            offset += 2
        self.frames.append(frame)  # so that no other has its id
        found = tuple(pair for key, value in variables if (pair := simple(key, value)) is not None)
        name, first = _NAMES.get(raw[offset], ""), code.co_firstlineno
        step = Step(code.co_name, line, offset, name, id(frame), first, self.effects(log), found)
        self.steps.append(step)

    def tell(self, frame: FrameType, offset: int) -> None:
        """For fuzz.stepping."""
        if len(self.steps) < _MOST_STEPS:
            code = frame.f_code
            variables = [(key, value) for key, value in frame.f_locals.items() if key in code.co_varnames]
            self.add(frame, code, frame.f_lineno, offset, frame.f_globals.get("log"), variables)

    def end(self) -> Recorder:
        """What the last step logged is drawn too."""
        self.effects(self.log)
        return self


def native_steps(run: Run, function: GeneratedFunction, call: str, rewrite: Any = None) -> Recorder:
    """The steps of a run that CPython carries out."""
    recorder = Recorder()
    with stepping(recorder.tell):
        observe(run, function, call, rewrite=rewrite)
    return recorder.end()


def interpreted_steps(function: GeneratedFunction, call: str) -> Recorder:
    """The steps of the Interpreter."""
    from translator.interpreter import Interpreter, RealMachine
    from translator.sentinels import NULL

    recorder = Recorder()

    class Told(Interpreter):
        """Tells each step (of those that are fused, the first)."""

        loop = RealMachine.watched_loop

        def before(self, instruction: Any) -> None:
            frame = self.frame
            if frame.is_entry or len(recorder.steps) >= _MOST_STEPS:
                return
            code, raw = frame.code, frame.instruction.raw
            if raw is None or raw.opname in _SILENT or raw.line is None or not wanted(code):
                return
            variables = [
                (name, value) for name, value in zip(code.co_varnames, self.locals) if value is not NULL
            ]
            recorder.add(frame, code, raw.line, raw.offset, frame.globals.get("log"), variables)

    Told.handlers = Interpreter.handlers  # also those that were put in since the class was defined
    observe(lambda f, *args, **kwargs: Told().run(f, *args, **kwargs), function, call)
    return recorder.end()


def part_interpreted(function: GeneratedFunction, call: str) -> Parting:
    """Where the Interpreter and CPython part."""
    return compare_steps(native_steps(native, function, call), interpreted_steps(function, call))


def compare_steps(expected: Recorder, got: Recorder) -> Parting:
    """Goes along both, frame by frame; the first place where one does what the other does not."""
    found: tuple[int, Parting] | None = None
    theirs = _by_frame(got.steps)
    for key, frames in _by_frame(expected.steps).items():
        for mine, other in zip(
            frames, theirs.get(key, ()) if len(theirs.get(key, ())) == len(frames) else ()
        ):
            parted = _compare_frame(expected, got, mine, other)
            if parted is not None and (found is None or parted[0] < found[0]):
                found = parted
    effect = first_effect(expected, got)
    if found is not None and (effect is None or found[0] <= effect[0]):
        return found[1]
    if effect is not None:
        return effect[1]
    return _told(expected.steps[-1] if expected.steps else None, "the result", "", "")


def first_effect(expected: Recorder, got: Recorder) -> tuple[int, Parting] | None:
    """(place, what parted) for the first effect that differs: the step that logs it, or should have."""
    for i in range(max(len(expected.drawn), len(got.drawn))):
        mine = expected.drawn[i] if i < len(expected.drawn) else None
        other = got.drawn[i] if i < len(got.drawn) else None
        if mine == other:
            continue
        place = max((at for at, step in enumerate(expected.steps) if step.effects <= i), default=-1)
        found = parting(mine, other) if mine is not None and other is not None else None
        sides = found[1:] if found else (mine, other)
        told = _told(
            expected.steps[place] if place >= 0 else None,
            f"effect {i}{found[0] if found else ''}",
            *("none" if side is None else render(side) for side in sides),
        )
        return place, told
    return None


Placed = list[tuple[int, Step]]


def _by_frame(steps: list[Step]) -> dict[tuple[str, int], list[Placed]]:
    """The steps, with their places, of each frame of each code object."""
    found: dict[tuple[str, int], dict[int, Placed]] = {}
    for place, step in enumerate(steps):
        found.setdefault((step.function, step.first_line), {}).setdefault(step.frame, []).append(
            (place, step)
        )
    return {key: list(frames.values()) for key, frames in found.items()}


def _compare_frame(
    expected: Recorder, got: Recorder, mine: Placed, other: Placed
) -> tuple[int, Parting] | None:
    """(place, what parted) in one frame. What is fused is not among the other's steps."""
    position, last, previous = 0, None, -1
    for _, step in other:
        if step.offset == previous:
            continue
        previous = step.offset
        start = position
        while position < len(mine) and mine[position][1].offset != step.offset:
            position += 1
        if position == len(mine):
            place, after = mine[min(start, len(mine) - 1)]
            sides = f"{after.instruction} at line {after.line}", f"{step.instruction} at line {step.line}"
            return place, _told(
                last, "the next instruction", *(sides if start < len(mine) else ("the end", sides[1]))
            )
        place, here = mine[position]
        known = dict(here.variables)
        for name, value in step.variables:
            if known.get(name, value) != value:
                return place, _told(last, f"the variable {name}", known[name], value)
        last = here
        position += 1
    if last is not None and position < len(mine) - _FUSED:
        place, after = mine[position]
        return place, _told(
            last, "the next instruction", f"{after.instruction} at line {after.line}", "the end"
        )
    return None


def _told(step: Step | None, what: str, expected: str, got: str) -> Parting:
    if step is None:
        return Parting(what=what, expected=expected, got=got)
    return Parting(step.function, step.line, step.offset, step.instruction, what, expected, got)


def part_by_effects(
    function: GeneratedFunction,
    call: str,
    run: Run = native,
    rewrite: Callable[[Any], Any] | None = None,
) -> Parting:
    """Where two runs that CPython carries out part: by what they log, and where the first logs it."""
    expected = native_steps(native, function, call)
    got = native_steps(run, function, call, rewrite)
    effect = first_effect(expected, got)
    if effect is not None:
        return effect[1]
    return _told(expected.steps[-1] if expected.steps else None, "the result", "", "")
