"""The oracle: a run is observed, and two runs agree when their observations are equal.

    observe(native, function, call).difference(observe(translator.run, function, call))

is None, or one paragraph that says what parted first. Arguments are made anew for each run.
"""

from __future__ import annotations

import copy
import io
import json
import sys
import types
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from types import CodeType
from typing import Any

from fuzz.generated import GeneratedFunction
from fuzz.portraits import Artist, Node, entries, parting, render, unnumbered

#: What carries a function out: `run(function, *args, **kwargs)`.
Run = Callable[..., Any]

_MOST_STEPS = 40


def native(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The run that the others are held against: CPython's own."""
    return function(*args, **kwargs)


@dataclass(frozen=True)
class Observation:
    """Everything that can be seen of one run, as portraits (fuzz.portraits)."""

    #: "value" or "raised"
    outcome: str
    #: of the value, or of the exception: type, arguments, chain, notes, traceback entries
    result: Node
    #: what the program logged, in order
    effects: Node
    output: str
    warnings: tuple[str, ...]
    arguments: Node
    globals: Node

    def difference(self, other: Observation) -> str | None:
        """What parted first, as a sentence with both sides; None if nothing did."""
        if self == other:
            return None
        if unnumbered(self.effects) != unnumbered(other.effects):
            return _told("effects", unnumbered(self.effects), unnumbered(other.effects))
        if self.outcome != other.outcome:
            ways = [f"{each.outcome} {render(each.result)}" for each in (self, other)]
            return f"outcome: {ways[0]}\n  against {ways[1]}"
        for same in (unnumbered, lambda node: node):
            for name in ("result", "arguments", "globals", "effects"):
                mine, theirs = same(getattr(self, name)), same(getattr(other, name))
                if mine != theirs:
                    return _told(name, mine, theirs)
        for name in ("output", "warnings"):
            if getattr(self, name) != getattr(other, name):
                return f"{name}: {getattr(self, name)!r}\n  against {getattr(other, name)!r}"
        return "the observations differ"

    def to_json(self) -> str:
        """The observation as JSON, for another process or version."""
        return json.dumps({field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def from_json(cls, text: str) -> Observation:
        """What `to_json` wrote."""
        return cls(**{name: _tuples(value) for name, value in json.loads(text).items()})

    def __str__(self) -> str:
        lines = [f"{self.outcome}: {render(self.result, 2000)}"]
        lines += [
            f"{name}: {render(getattr(self, name), 2000)}" for name in ("effects", "arguments", "globals")
        ]
        lines += [f"{name}: {getattr(self, name)!r}" for name in ("output", "warnings")]
        return "\n".join(lines)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _told(name: str, mine: Node, other: Node) -> str:
    found = parting(mine, other)
    assert found is not None
    path, first, second = found
    return f"{name}{path}: {render(first)}\n  against {render(second)}"


def observe(
    run: Run,
    function: GeneratedFunction | Callable[..., Any],
    args: Sequence[Any] | str | None = None,
    kwargs: dict[str, Any] | None = None,
    *,
    rewrite: Callable[[CodeType], CodeType] | None = None,
) -> Observation:
    """One run of a function, observed.

    Args:
        run: `run(function, *args, **kwargs)` carries the call out; `native` is CPython itself.
        function: a generated function, or any other.
        args: for a generated function one of its calls as text (the first by default); for any other a
            sequence of arguments, which are deep-copied (aliases among them are kept).
        kwargs: keyword arguments, for any other function.
        rewrite: for a generated function, what its module's code objects are replaced by.
    """
    artist = Artist()
    if isinstance(function, GeneratedFunction):
        call = args if isinstance(args, str) else function.calls[0]
        namespace = function.namespace(rewrite)
        values = function.arguments(call, namespace)
        return _observe(artist, run, function.function(namespace), *values, namespace, function.filename)
    values = copy.deepcopy((tuple(args or ()), dict(kwargs or {})))
    namespace = getattr(function, "__globals__", {}) if isinstance(function, types.FunctionType) else {}
    code = getattr(function, "__code__", None)
    return _observe(artist, run, function, *values, {}, getattr(code, "co_filename", ""))


def observe_calls(
    prepare: Callable[[Callable[..., Any]], Callable[..., Any]],
    function: GeneratedFunction,
    calls: Sequence[str] | None = None,
) -> list[Observation]:
    """Several calls, one after the other, of what `prepare` makes of one function.

    The module's globals live on from call to call, and objects keep their numbers: a result that is the
    same object as an earlier one is seen.
    """
    artist = Artist()
    namespace = function.namespace()
    prepared = prepare(function.function(namespace))
    found = []
    for call in function.calls if calls is None else calls:
        args, kwargs = function.arguments(call, namespace)
        artist.start()
        found.append(_observe(artist, native, prepared, args, kwargs, namespace, function.filename))
    return found


def _observe(
    artist: Artist,
    run: Run,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    namespace: dict[str, Any],
    filename: str,
) -> Observation:
    before = dict(namespace)
    stdout, sys.stdout = sys.stdout, io.StringIO()
    captured = sys.stdout
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                value, error = run(function, *args, **kwargs), None
            except BaseException as exception:
                if isinstance(exception, KeyboardInterrupt):
                    raise
                value, error = None, exception
            if error is not None:
                result = _raised(artist, error, filename)
            else:
                result = _drive(artist, value, filename)
            arguments = artist.draw([list(args), kwargs])
            effects = artist.draw(namespace.get("log"))
            drawn = _changed(artist, namespace, before)
    finally:
        sys.stdout = stdout
    return Observation(
        "value" if error is None else "raised",
        result,
        effects,
        captured.getvalue(),
        tuple(sorted(_warning(each) for each in caught if "was never awaited" not in str(each.message))),
        arguments,
        drawn,
    )


def _warning(caught: warnings.WarningMessage) -> str:
    return f"{caught.category.__name__}: {caught.message}"


def _changed(artist: Artist, namespace: dict[str, Any], before: dict[str, Any]) -> Node:
    """The globals; functions that are what they were are left out."""
    children = []
    for name, value in namespace.items():
        if name.startswith("__") or name == "log":
            continue
        if isinstance(value, types.FunctionType) and before.get(name) is value and value.__closure__ is None:
            continue
        children.append((f"[{name!r}]", artist.draw(value)))
    children.extend((f"[{name!r}]", ("deleted", "", ())) for name in before if name not in namespace)
    return ("globals", "", tuple(children))


def _raised(artist: Artist, error: BaseException, filename: str) -> Node:
    """The exception's portrait; its traceback begins at the first entry of the program's file.

    The entries before are the oracle's and the runner's way in.
    """
    found = entries(error, error.__traceback__)
    skipped = 0
    while skipped < len(found) and found[skipped].filename != filename:
        skipped += 1
    traceback = error.__traceback__
    for _ in range(skipped):
        traceback = traceback.tb_next if traceback is not None else None
    original, error.__traceback__ = error.__traceback__, traceback
    try:
        return artist.draw(error)
    finally:
        error.__traceback__ = original


def _drive(artist: Artist, value: Any, filename: str) -> Node:
    """A generator or coroutine is driven to its end and every step drawn; another value is drawn."""
    if isinstance(value, types.AsyncGeneratorType):
        step: Callable[[Any], Any] = _async_stepper(value)
    elif isinstance(value, (types.GeneratorType, types.CoroutineType)):
        step = value.send
    else:
        return artist.draw(value)
    children: list[tuple[str, Node]] = []
    for number in range(_MOST_STEPS):
        try:
            got = step(number if number == 2 else None)
        except StopIteration as done:
            children.append(("returned", artist.draw(done.value)))
            break
        except StopAsyncIteration:
            children.append(("ended", ("", "", ())))
            break
        except BaseException as error:
            children.append(("raised", _raised(artist, error, filename)))
            break
        children.append((f"step {number}", artist.draw(got)))
    return (f"driven {type(value).__name__}", value.__qualname__, tuple(children))


def _async_stepper(generator: Any) -> Callable[[Any], Any]:
    """`asend` with everything that is awaited on the way answered by None."""

    def step(sent: Any) -> Any:
        waiting = generator.asend(sent)
        waited = []
        try:
            while len(waited) < _MOST_STEPS:
                waited.append(waiting.send(None))
        except StopIteration as done:
            return (waited, done.value)
        return waited

    return step
