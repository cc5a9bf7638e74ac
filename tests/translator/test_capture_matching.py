"""match statements in captured code."""

from __future__ import annotations

import numpy as np
import pytest

from tests.translator.wholly_captured import wholly_captured


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


class Wrong:
    __match_args__ = 3


class Bare:
    pass


class Lengths(int):
    pass


def sequences(value):
    match value:
        case []:
            return "empty"
        case [0, *rest]:
            return "zero", rest
        case [x, y]:
            return "two", x, y
        case (1 | 2 as first, {"k": inner}, *_):
            return "deep", first, inner
        case [[a, b], *_, last]:
            return "nested", a, b, last
        case str() | bytes():
            return "text"
    return "nothing"


def mappings(value):
    match value:
        case {"a": 1, "b": [x, *_], **rest}:
            return "both", x, rest
        case {"a": int(number)}:
            return "int", number
        case {"a": None | True | False as flag}:
            return "flag", flag
        case {"b": _}:
            return "has b"
        case {}:
            return "mapping"
    return "nothing"


def classes(value):
    found = []
    for each in (value, Point(value, 2), Point(1, [value]), Bare(), True, 2.5, "s", [value], Lengths):
        match each:
            case Point(x=0):
                found.append("x is zero")
            case Point(1, [inner]):
                found.append(("inside", inner))
            case Point(x, y) if x != y:
                found.append((x, y))
            case Point():
                found.append("point")
            case bool(b):
                found.append(("bool", b))
            case int(n) | float(n):
                found.append(("number", n))
            case Bare(missing=_):
                found.append("never")
            case Bare():
                found.append("bare")
            case [*items]:
                found.append(items)
            case _:
                found.append("other")
    return found


def refused():
    found = []
    for point in (Point(1, 2), Wrong(), Bare(), 3, "s"):
        try:
            match point:
                case Point(_, _, _):
                    found.append("never")
                case Wrong(_):
                    found.append("never")
                case Bare(_):
                    found.append("never")
                case int(_, _):
                    found.append("never")
                case _:
                    found.append("other")
        except TypeError as error:
            found.append(error.args)
    return found


def test_sequence_patterns():
    for value in (
        [],
        [0, 1, 2],
        (3, 4),
        [1, {"k": 5}, 6],
        [[1, 2], 3, 4],
        "ab",
        b"ab",
        3,
        None,
        {},
        range(2),
    ):
        wholly_captured(sequences, value)


def test_mapping_patterns():
    values = [{"a": 1, "b": [2, 3], "c": 4}, {"a": 1}, {"a": True}, {"a": None}, {"b": 1}, {}, [], None]
    for value in values:
        wholly_captured(mappings, value)


@pytest.mark.parametrize("value", [0, 1, 2, "a"])
def test_class_patterns(value):
    wholly_captured(classes, value)


def test_patterns_that_classes_refuse():
    wholly_captured(refused)


def test_arrays_in_patterns():
    def f(x):
        match [x, {"scale": 2}]:
            case [y, {"scale": int(scale)}]:
                return y * scale
        return None

    wholly_captured(f, np.arange(3.0))
