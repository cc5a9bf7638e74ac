"""Makes a failing program small by its syntax tree: after hypothesis has shrunk the choices, statements
are taken out and expressions replaced by their parts while the program still fails.
"""

from __future__ import annotations

import ast
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from types import FrameType
from typing import Any

from fuzz.generated import GeneratedFunction
from fuzz.oracle import observe
from fuzz.prelude import PRELUDE, closure

_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
_MOST_LINES = 20_000
_SIMPLEST = ("0", "None", "[]", "''")


def reduced(
    function: GeneratedFunction, fails: Callable[[GeneratedFunction], bool], *, seconds: float = 20.0
) -> GeneratedFunction:
    """The smallest program found within the time for which `fails` still holds."""
    deadline = time.monotonic() + seconds
    best = _fewer_calls(function, fails)
    progress = True
    while progress and time.monotonic() < deadline:
        progress = False
        place = 0
        while time.monotonic() < deadline:
            found = _smaller(best.source, place)
            if found is None:
                break
            place, text = found
            candidate = replace(best, source=text, filename="", prelude=_needed(best, text))
            if _holds(fails, candidate):
                best, progress = candidate, True  # what comes next stands at the same place now
            else:
                place += 1
    return best


def _fewer_calls(
    function: GeneratedFunction, fails: Callable[[GeneratedFunction], bool]
) -> GeneratedFunction:
    """With one of its calls alone, if that fails too; else without those that do not matter."""
    for call in function.calls:
        single = replace(function, calls=(call,))
        if _holds(fails, single):
            return single
    best = function
    for place in reversed(range(len(function.calls))):
        fewer = replace(best, calls=best.calls[:place] + best.calls[place + 1 :])
        if fewer.calls and _holds(fails, fewer):
            best = fewer
    return best


def _holds(fails: Callable[[GeneratedFunction], bool], candidate: GeneratedFunction) -> bool:
    if f"def {candidate.entry}(" not in candidate.source:
        return False
    try:
        candidate.code()
    except (SyntaxError, UnicodeEncodeError):  # the latter for a lone surrogate written out
        return False
    return _ends(candidate) and fails(candidate)


class _TooLong(BaseException):
    """A program made smaller may have lost what ends its loop."""


def _ends(candidate: GeneratedFunction) -> bool:
    """Whether its definitions can be carried out, and every call ends in CPython, within so many lines."""
    lines = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += 1
        if lines > _MOST_LINES:
            raise _TooLong
        return count

    def counted(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        before = sys.gettrace()
        sys.settrace(count)
        try:
            return function(*args, **kwargs)
        finally:
            sys.settrace(before)

    try:
        counted(candidate.namespace)
    except (Exception, _TooLong):
        return False  # what was taken out was needed, or ended something
    for call in candidate.calls:
        observe(counted, candidate, call)
        if lines > _MOST_LINES:
            return False
    return True


def _needed(function: GeneratedFunction, text: str) -> tuple[str, ...]:
    whole = text + "".join(function.calls)
    return closure({"log", *(name for name in function.prelude if name in PRELUDE and name in whole)})


def _smaller(source: str, place: int) -> tuple[int, str] | None:
    """(which, the text) of the first edit from `place` on that makes the text shorter; None if none does."""
    count = len(list(_edits(ast.parse(source))))
    for index in range(place, count):
        tree = ast.parse(source)
        edit = next(islice(_edits(tree), index, None))
        edit()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        except (ValueError, TypeError, IndexError, AttributeError):  # no longer a tree that can be written
            continue
        if len(text) < len(source):
            return index, text
    return None


def _edits(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Changes of the tree, each to be made once and alone."""
    nodes: list[ast.AST] = []
    nodes += [node for node in ast.walk(tree) if isinstance(node, (ast.stmt, ast.Module, ast.ExceptHandler))]
    nodes += [node for node in ast.walk(tree) if type(node).__name__ == "match_case"]
    for node in nodes:
        for name in _BODIES:
            body = getattr(node, name, None)
            if not isinstance(body, list) or not body:
                continue
            size = len(body)
            while size >= 1:
                for start in range(0, len(body), size):
                    yield _without(node, name, body, start, size)
                size //= 2
            for i, inner in enumerate(body):
                for part in _BODIES[:3]:
                    if isinstance(getattr(inner, part, None), list) and getattr(inner, part):
                        yield _hoisted(node, name, body, i, getattr(inner, part))
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                yield from _expressions(node, name, None, value)
            elif isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, ast.expr):
                        yield from _expressions(node, name, i, item)
                    if name in (
                        "elts",
                        "args",
                        "keywords",
                        "items",
                        "generators",
                        "ifs",
                        "values",
                        "decorator_list",
                        "comparators",
                        "ops",
                    ):
                        yield _dropped(node, name, i)


def _without(node: Any, name: str, body: list[Any], start: int, size: int) -> Callable[[], None]:
    def edit() -> None:
        rest = body[:start] + body[start + size :]
        setattr(node, name, rest if rest or name != "body" or isinstance(node, ast.Module) else [ast.Pass()])

    return edit


def _hoisted(node: Any, name: str, body: list[Any], i: int, inner: list[Any]) -> Callable[[], None]:
    return lambda: setattr(node, name, [*body[:i], *inner, *body[i + 1 :]])


def _dropped(node: Any, name: str, i: int) -> Callable[[], None]:
    def edit() -> None:
        getattr(node, name).pop(i)

    return edit


def _expressions(node: Any, name: str, i: int | None, value: ast.expr) -> Iterator[Callable[[], None]]:
    def put(new: ast.expr) -> Callable[[], None]:
        def edit() -> None:
            if i is None:
                setattr(node, name, new)
            else:
                getattr(node, name)[i] = new

        return edit

    if isinstance(value, ast.Constant) or isinstance(getattr(value, "ctx", None), (ast.Store, ast.Del)):
        return
    for child in ast.iter_child_nodes(value):
        if isinstance(child, ast.expr):
            yield put(child)
    if not isinstance(value, ast.Name):
        for text in _SIMPLEST:
            yield put(ast.parse(text, mode="eval").body)
