"""The oracle tells apart what it must, and nothing else: differences planted one at a time."""

from __future__ import annotations

import copy
import math
import struct

import numpy as np
import pytest

from fuzz.oracle import Observation, native, observe, observe_calls
from fuzz.portraits import Artist
from fuzz.programs import GeneratedFunction


class Equal:
    """Equal to everything, and says so to whoever asks."""

    asked = 0

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        Equal.asked += 1
        return True

    def __hash__(self):
        Equal.asked += 1
        return 0

    def __repr__(self):
        Equal.asked += 1
        return "Equal"


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class Listed(list):
    pass


class Lying(int):
    """A number that gives itself out for another in every way."""

    def __repr__(self):
        raise AssertionError("asked")

    __eq__ = __lt__ = __gt__ = __hash__ = __int__ = __index__ = __str__ = __repr__  # type: ignore[assignment]


class LyingText(str):
    __repr__ = __eq__ = __hash__ = __str__ = __len__ = Lying.__repr__  # type: ignore[assignment]


def twice(make):
    value = make()
    return [value, value]


def copies(make):
    return [make(), make()]


def portrait(value):
    return Artist().draw(value)


def cell_of(value):
    return lambda: value


def failing(*steps):
    """An exception made by raising through `steps`."""
    try:
        for step in steps:
            step()
    except Exception as error:
        return error


def divide():
    return 1 / 0


def with_note(error, note):
    error.__notes__ = [note]
    return error


def chained(error, cause=None, context=None, suppress=None):
    error.__cause__ = cause
    error.__context__ = context
    if suppress is not None:
        error.__suppress_context__ = suppress
    return error


DIFFERENT = {
    "bool and int": (True, 1),
    "int and float": (1, 1.0),
    "zero's sign": (0.0, -0.0),
    "a complex zero's sign": (complex(0.0, -0.0), complex(0.0, 0.0)),
    "nan and number": (math.nan, 1.0),
    "the last bit": (0.1 + 0.2, 0.3),
    "str and bytes": ("a", b"a"),
    "surrogates": ("\ud800", "\ud801"),
    "large int": (10**30, 10**30 + 1),
    "tuple and list": ((1, 2), [1, 2]),
    "list and its subclass": ([1], Listed([1])),
    "length": ([1], [1, 1]),
    "order of a list": ([1, 2], [2, 1]),
    "order of a dict": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "a dict's key type": ({1: 0}, {True: 0}),
    "a dict's value": ({"a": 1}, {"a": 2}),
    "set and frozenset": ({1}, frozenset({1})),
    "a set's element type": ({1}, {1.0}),
    "alias of lists": (twice(list), copies(list)),
    "alias of dicts": (twice(dict), copies(dict)),
    "alias of objects": (twice(lambda: Slotted(1)), copies(lambda: Slotted(1))),
    "alias in a tuple": ((lambda x: (x, x))([]), ([], [])),
    "which of two": ((lambda a, b: [a, b, a])([], []), (lambda a, b: [a, b, b])([], [])),
    "objects that claim to be equal": (Equal(1), Equal(2)),
    "list of objects that claim to be equal": ([Equal(1)], [Equal(2)]),
    "slots": (Slotted(1), Slotted(2)),
    "a closure's value": (cell_of(1), cell_of(2)),
    "a default": (lambda a=1: a, lambda a=2: a),
    "subclass of int": (Lying(1), Lying(2)),
    "int and its subclass": (Lying(1), 1),
    "subclass of str": (LyingText("a"), LyingText("b")),
    "range": (range(3), range(0, 3, 2)),
    "slice": (slice(1, None), slice(None, 1)),
    "an iterator's place": (iter([1, 2]), (lambda i: (next(i), i)[1])(iter([1, 2]))),
    "an iterator and its list": (iter([1]), [1]),
    "bound method's self": ([1].append, [2].append),
    "types": (int, bool),
    "exception type": (ValueError(1), TypeError(1)),
    "exception arguments": (ValueError(1), ValueError(1.0)),
    "exception notes": (with_note(ValueError(), "a"), with_note(ValueError(), "b")),
    "exception cause": (chained(ValueError(), cause=KeyError(1)), chained(ValueError(), cause=KeyError(2))),
    "exception context": (chained(ValueError(), context=KeyError(1)), ValueError()),
    "suppressed context": (chained(ValueError(), suppress=True), chained(ValueError(), suppress=False)),
    "traceback": (failing(lambda: 1 / 0), failing(divide)),
    "array and list": (np.array([1]), [1]),
    "array and scalar": (np.array(1.0), np.float64(1.0)),
    "scalar and float": (np.float64(1.0), 1.0),
    "dtype": (np.zeros(2), np.zeros(2, dtype="float32")),
    "byte order": (np.zeros(2, dtype="<i4"), np.zeros(2, dtype=">i4")),
    "shape": (np.zeros((2, 3)), np.zeros((3, 2))),
    "an array's zero's sign": (np.array([0.0]), np.array([-0.0])),
    "an array's last bit": (np.array([0.3]), np.array([0.1 + 0.2])),
    "array values": (np.arange(3), np.arange(3)[::-1].copy()),
    "large array": (np.zeros(10_000), np.concatenate([np.zeros(9_999), [1]])),
    "memory order": (np.zeros((2, 3)), np.zeros((2, 3), order="F")),
    "view and copy": ((lambda a: [a, a[:1]])(np.zeros(2)), (lambda a: [a, a[:1].copy()])(np.zeros(2))),
    "which part is viewed": ((lambda a: [a, a[:1]])(np.zeros(2)), (lambda a: [a, a[1:]])(np.zeros(2))),
    "read-only": (np.zeros(1), np.broadcast_to(np.zeros(1), (1,))),
    "objects in arrays": (np.array([[], None], dtype=object), np.array([[1], None], dtype=object)),
    "NaT": (np.datetime64("NaT", "D"), np.datetime64("2020-01-01")),
}


#: deepcopy keeps functions as they are, and makes arrays of views.
NOT_KEPT_BY_DEEPCOPY = (
    "a closure's value",
    "a default",
    "view and copy",
    "which part is viewed",
    "read-only",
)


@pytest.mark.parametrize("name", DIFFERENT)
def test_planted_difference_is_seen(name):
    first, second = DIFFERENT[name]
    assert portrait(first) != portrait(second)


@pytest.mark.parametrize("name", [n for n in DIFFERENT if n not in NOT_KEPT_BY_DEEPCOPY])
def test_copy_looks_the_same(name):
    for value in DIFFERENT[name]:
        if not isinstance(value, BaseException):
            assert portrait(copy.deepcopy(value)) == portrait(value)
        assert portrait(value) == portrait(value)


def test_nan_equals_nan_whatever_its_bits():
    other = struct.unpack("<d", struct.pack("<Q", 0xFFF8000000000001))[0]
    assert portrait(math.nan) == portrait(other)
    assert portrait(np.array([math.nan])) == portrait(np.array([other]))
    large = np.full(10_000, math.nan)
    assert portrait(large) == portrait(np.full(10_000, other))


def test_no_code_of_the_value_runs():
    Equal.asked = 0
    value = [Equal(1), {"k": Equal(2)}, (Equal(3),)]
    portrait(value)
    seen = observe(native, lambda v: v, [value])
    assert Equal.asked == 0
    assert seen.difference(observe(native, lambda v: [Equal(9), *v[1:]], [value])) is not None
    assert Equal.asked == 0


def test_cyclic_values_end():
    cycle: list[object] = []
    cycle.append(cycle)
    assert portrait(cycle) == portrait(copy.deepcopy(cycle))
    assert portrait(cycle) != portrait([[]])


def test_deep_values_end():
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    assert portrait(deep)


PLANTED = {
    "value": ("return n + 1", "return n + 2", "result"),
    "type of value": ("return n", "return float(n)", "result"),
    "exception instead of value": ("return n", "raise ValueError(n)", "outcome"),
    "exception's argument": ("raise ValueError(n)", "raise ValueError(-n)", "result"),
    "exception's line": ("\n    raise ValueError(n)", "raise ValueError(n)", "traceback"),
    "exception's context": (
        "try: 1 // 0\n    except ZeroDivisionError: raise ValueError",
        "raise ValueError",
        "result",
    ),
    "effect": ("note(n)", "note(n + 1)", "effects"),
    "order of effects": ("note(1); note(2)", "note(2); note(1)", "effects"),
    "effect done twice": ("note(1)", "note(1); note(1)", "effects"),
    "effect left out": ("note(1); note(2)", "note(1)", "effects"),
    "output": ("print(n)", "print(n, end='')", "output"),
    "warning": ("import warnings; warnings.warn('a')", "import warnings; warnings.warn('b')", "warnings"),
    "global": ("global SCALE; SCALE = 4", "global SCALE; SCALE = 5", "globals"),
    "new global": ("pass", "global made; made = 1", "globals"),
    "deleted global": ("pass", "global SCALE; del SCALE", "globals"),
    "mutated global": ("TABLE['a'] = 2", "TABLE['a'] = 3", "globals"),
    "class attribute": ("Point.made = 5", "Point.made = 6", "globals"),
    "mutated argument": ("xs.append(1)", "pass", "arguments"),
    "argument returned or copied": ("return xs", "return list(xs)", "arguments"),
    "argument kept in a global or copied": ("ITEMS[:] = [xs]", "ITEMS[:] = [list(xs)]", "globals"),
    "alias of arguments": ("return xs is ys", "return True", "result"),
    "generator's step": ("yield 1; yield 2", "yield 1; yield 3", "result"),
    "generator's return": ("yield 1; return 2", "yield 1; return 3", "result"),
    "generator's exception": ("yield 1; raise ValueError", "yield 1; return", "result"),
    "effect while a generator is driven": ("yield 1; note(1)", "yield 1; note(2)", "effects"),
    "what was sent": ("a = yield; b = yield; return b", "a = yield; b = yield; return a", "result"),
}


def program(body):
    source = f"def f(n, xs, ys):\n    {body}\n"
    return GeneratedFunction(
        source,
        ("f(3, [], [])",),
        prelude=("log", "SCALE", "TABLE", "ITEMS", "note", "Point"),
        filename="<planted>",
    )


@pytest.mark.parametrize("name", PLANTED)
def test_difference_between_runs_is_named(name):
    first, second, where = PLANTED[name]
    mine, other = observe(native, program(first)), observe(native, program(second))
    difference = mine.difference(other)
    assert difference is not None
    assert where in difference
    assert mine.difference(observe(native, program(first))) is None


def test_observations_survive_json():
    for first, second, _ in PLANTED.values():
        mine, other = observe(native, program(first)), observe(native, program(second))
        assert Observation.from_json(mine.to_json()) == mine
        assert mine.difference(Observation.from_json(other.to_json())) == mine.difference(other)


def test_the_runners_own_frames_are_not_the_programs():
    def run(function, *args, **kwargs):
        return function(*args, **kwargs)

    failing = program("raise ValueError")
    assert observe(run, failing) == observe(native, failing)


def test_a_frame_of_the_runner_below_the_program_is_seen():
    def run(function, *args, **kwargs):
        try:
            return function(*args, **kwargs)
        except ValueError as error:
            inner = failing(lambda: 1 / 0).__traceback__
            tail = error.__traceback__
            while tail.tb_next is not None:
                tail = tail.tb_next
            tail.tb_next = inner
            raise

    raising = program("raise ValueError")
    assert "traceback" in observe(native, raising).difference(observe(run, raising))


def test_arguments_are_fresh_for_each_run_and_keep_their_aliases():
    shared = [1]

    def grow(a, b):
        a.append(len(b))
        return a is b

    first = observe(native, grow, [shared, shared])
    assert first == observe(native, grow, [shared, shared])
    assert first != observe(native, grow, [[1], [1]])
    assert shared == [1]


def test_a_result_that_is_an_earlier_one_is_seen():
    kept = []

    def cached(function):
        def call(*args):
            kept.append(function(*args))
            return kept[0]

        return call

    making = GeneratedFunction("def f():\n    return [1]\n", ("f()", "f()"), prelude=("log",))
    fresh = observe_calls(lambda function: function, making)
    again = observe_calls(cached, making)
    assert fresh[0] == again[0]
    assert fresh[1] != again[1]
