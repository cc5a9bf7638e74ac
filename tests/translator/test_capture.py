"""compile(): what is captured is what CPython does; what is not runs as it was."""

from __future__ import annotations

import gc
import inspect
import math
import pickle
import warnings
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import translator
from fuzz.oracle import native, observe
from fuzz.programs import functions
from fuzz.targets import TARGETS
from translator import convert_frame
from translator.errors import NotInterpretable, Unimplemented
from translator.same import outcome, same

SCALE = 2.0
CONFIG = {"k": 2.0, "nested": {"a": [1, 2, 3]}}
WEIGHTS = np.arange(3.0)
MANY = settings(max_examples=2 * settings.default.max_examples)

arrays = st.sampled_from(
    [
        lambda: np.arange(3.0),
        lambda: np.array([1, -2, 3]),
        lambda: np.array([[1.5, -0.0, np.nan], [2.0, np.inf, -1.0]]),
        lambda: np.array([True, False, True]),
        lambda: np.array([1.5, 2.5, -1.0], dtype=np.float32),
        lambda: np.array([1, 2, 3], dtype=np.int8),
        lambda: np.array([1 + 2j, -1j, 0]),
        lambda: np.array(2.5),
        lambda: np.zeros((0, 3)),
        lambda: np.float64(1.5),
        lambda: np.int64(-3),
    ]
)
numbers = st.sampled_from([0, 1, 2, -1, True, False, 1.0, 0.0, -0.0, math.nan, 1e300, 1j, complex(-0.0, 0.0)])


def entries(function):
    return function.__opshift__.entries


def reasons(function):
    return [str(reason) for reason in function.__opshift__.reasons]


def agree(function, *calls):
    """Calls the function and its compiled form in turn; both must do the same. Gives the compiled one."""
    compiled = translator.compile(function)
    for make in calls * 2:
        # values, identities and aliases, exceptions with their tracebacks, the arguments afterwards
        found = observe(native, function, make()).difference(observe(native, compiled, make()))
        assert found is None, found
    return compiled


@MANY
@given(function=functions())
def test_python_programs_captured_for_the_sake_of_it(function):
    """Without array operations a function is left alone: here it is captured all the same."""
    convert_frame.capture_everything = True
    try:
        found = TARGETS["compile"](function)
    finally:
        convert_frame.capture_everything = False
    assert found is None, found.report()


@given(x=arrays, y=arrays, n=numbers)
def test_numbers_are_constants_to_the_bit(x, y, n):
    def f(x, y, n):
        return x * n, n, [n, -n, str(n)], {n: y + 1}, type(n), x + y

    agree(f, lambda: (x(), y(), n))


@given(first=numbers, second=numbers, x=arrays)
def test_a_changed_number_is_never_mistaken(first, second, x):
    def f(x, n):
        return x + 1, n, repr(n)

    agree(f, lambda: (x(), first), lambda: (x(), second))


def test_the_walk():
    def f(x, y):
        z = x * y
        return z + 1

    compiled = agree(
        f, lambda: (np.ones(3), np.ones(3)), lambda: (2, 3), lambda: (np.float32(2), np.ones((2, 1)))
    )
    assert len(entries(compiled)) == 2
    graph = entries(compiled)[0].capture.graph
    assert [row[:3] for row in graph.rows()] == [
        ["placeholder", "x", "x"],
        ["placeholder", "y", "y"],
        ["call_function", "mul", "operator.mul"],
        ["call_function", "add", "operator.add"],
        ["output", "output", "output"],
    ]


def test_new_shapes_need_no_new_entry_where_no_shape_was_asked_for():
    compiled = agree(lambda x: np.sin(x) * 2, lambda: (np.ones(3),), lambda: (np.ones((4, 4)),))
    assert len(entries(compiled)) == 1


def test_shapes_that_were_asked_for_are_guarded():
    compiled = agree(lambda x: x / len(x) + x.shape[0], lambda: (np.ones(3),), lambda: (np.ones((4, 4)),))
    assert len(entries(compiled)) == 2


def helper(a, b=2, *rest, c=3, **named):
    return a * b + c + len(rest) + len(named)


def test_calls_are_inlined():
    def f(x):
        inner = lambda v, w=x: v + w
        return helper(x), helper(x, 3, 4, c=6), helper(x, z=1), helper(*[x, 2], **{"c": 1}), inner(x)

    compiled = agree(f, lambda: (np.arange(3.0),))
    assert len(entries(compiled)) == 1


def test_globals_that_are_rebound_are_seen(monkeypatch):
    def f(x):
        return helper(x) * SCALE + CONFIG["nested"]["a"][1] + WEIGHTS

    compiled = agree(f, lambda: (np.arange(3.0),))
    x = np.arange(3.0)
    changes = [
        lambda: monkeypatch.setitem(globals(), "SCALE", 5),
        lambda: CONFIG["nested"]["a"].__setitem__(1, 7.5),
        lambda: monkeypatch.setattr(helper, "__defaults__", (9,)),
        lambda: monkeypatch.setitem(globals(), "helper", lambda a: a - 1),
        lambda: monkeypatch.setitem(globals(), "WEIGHTS", 1),
        lambda: monkeypatch.setitem(globals(), "len", lambda value: 100),
        lambda: monkeypatch.delitem(globals(), "SCALE"),
    ]
    try:
        for change in changes:
            change()
            assert same(outcome(f, (x,), {}), outcome(compiled, (x,), {}))
    finally:
        CONFIG["nested"]["a"][1] = 2


def test_closures_are_read_at_each_call():
    offset = 1.0

    def f(x):
        return x + offset  # noqa: F821

    compiled = translator.compile(f)
    for offset in (1.0, 2.0, np.ones(3), 1.0):
        assert same(f(np.arange(3.0)), compiled(np.arange(3.0)))
    del offset
    assert same(outcome(f, (1.0,), {}), outcome(compiled, (1.0,), {}))


def test_what_is_returned_is_new_at_each_call_and_aliased_as_written():
    def f(x, given):
        made = [x + 1]
        return made, made, {"again": made}, given, {1, 2}

    compiled = agree(f, lambda: (np.arange(3.0), [1]))
    given = [1]
    first, second = compiled(np.arange(3.0), given), compiled(np.arange(3.0), given)
    assert first[0] is first[1] is first[2]["again"]
    assert first[0] is not second[0] and first[4] is not second[4]
    assert first[3] is given


def test_arrays_made_inside_are_changed_in_place():
    def f(x):
        z = np.zeros((3, 3))
        z[1] = x
        view = z.T
        view += 1
        alias = z
        alias *= 2
        return z, view, alias

    compiled = agree(f, lambda: (np.arange(3.0),))
    assert len(entries(compiled)) == 1
    z, view, alias = compiled(np.arange(3.0))
    assert alias is z and view.base is z


def test_a_scalar_is_not_changed_in_place():
    def f(x):
        total = x.sum()
        before = total
        total += 1
        return total, before

    agree(f, lambda: (np.arange(3.0),), lambda: (np.arange(3),), lambda: (np.float32(2),))


@pytest.mark.parametrize("make", [
    lambda: np.array([1, [2]], dtype=object),
    lambda: np.array(["a", "b"]),
    lambda: np.ma.array([1, 2], mask=[0, 1]),
    lambda: np.array([1, 2], dtype=">i4"),
    lambda: np.array([(1, 2.0)], dtype="i4,f8"),
    lambda: np.datetime64("2020-01-01"),
])  # fmt: skip
def test_arrays_of_other_kinds_are_left_to_the_original(make):
    assert not entries(agree(lambda x: (x == x, x + x), lambda: (make(),)))


def test_an_operation_that_raises_is_raised_by_the_original():
    def f(x, i):
        try:
            y = (x * 2)[i]
        except IndexError as error:
            return str(error)
        return y

    def g(x, i):
        return x[np.array([i])] + 1

    agree(f, lambda: (np.arange(3.0), 1), lambda: (np.arange(3.0), 10))
    compiled = agree(g, lambda: (np.arange(3.0), 1), lambda: (np.arange(3.0), 10))
    with pytest.raises(IndexError) as caught:
        compiled(np.arange(3.0), 10)
    frames = [entry.frame.code.name for entry in caught.traceback]
    assert frames[1:] == ["g"]


def test_floating_point_state_is_the_callers():
    def f(x):
        return 1 / x

    compiled = agree(f, lambda: (np.array([1.0, 2.0]),))
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        compiled(np.zeros(2))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled(np.zeros(2))
        f(np.zeros(2))
    assert len(caught) == 2
    assert (caught[0].filename, caught[0].lineno) == (caught[1].filename, caught[1].lineno)


def test_warnings_before_a_failure_are_shown_once():
    def f(x, y):
        return (1 / x) + y

    compiled = translator.compile(f)
    for y in (np.ones(2), np.ones(3), np.ones(2), 1, np.ones(3)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            outcome(compiled, (np.zeros(2), y), {})
        assert len(caught) == 1


def test_signature_name_and_attributes_are_the_functions():
    def f(a, /, b: int = 2, *rest, c=3, **named) -> int:
        """Doc."""
        return a

    f.mark = "kept"
    compiled = translator.compile(f)
    assert inspect.signature(compiled) == inspect.signature(f)
    for name in (
        "__name__",
        "__qualname__",
        "__module__",
        "__doc__",
        "__defaults__",
        "__kwdefaults__",
        "__annotations__",
    ):
        assert getattr(compiled, name) == getattr(f, name), name
    assert compiled.mark == "kept" and compiled is not f
    assert compiled.__code__.co_name == "f" and compiled.__globals__ is f.__globals__


@translator.compile
def decorated(x):
    return x * 2 + 1


def test_a_decorated_function_pickles_by_reference():
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert same(decorated(np.arange(3.0)), np.arange(3.0) * 2 + 1)


def test_methods():
    class Box:
        @translator.compile
        def double(self, x):
            return x * 2

        @translator.compile
        @staticmethod
        def triple(x):
            return x * 3

        @translator.compile
        @classmethod
        def name(cls, x):
            return cls.__name__, x + 1

    x = np.arange(3.0)
    assert same([Box().double(x), Box.triple(x), Box.name(x)], [x * 2, x * 3, ("Box", x + 1)])
    assert entries(Box.double)


def test_the_limit_of_recompilations():
    compiled = translator.compile(lambda x, text: x * len(text))
    for n in range(3 * convert_frame.LIMIT):
        assert same(compiled(np.arange(3.0), "a" * n), np.arange(3.0) * n)
    assert len(entries(compiled)) == convert_frame.LIMIT
    assert compiled.__opshift__.misses == convert_frame.LIMIT


def test_what_is_given_up_costs_nothing_in_the_end():
    def f(x):
        return bytes(x)

    compiled = translator.compile(f)
    for _ in range(2 * convert_frame.LIMIT):
        compiled(np.arange(3.0))
    assert compiled.__code__ is compiled.__opshift__.original


def test_a_reason_says_what_where_why_and_what_to_do():
    def f(x):
        if x.sum() > 0:
            return x

    compiled = translator.compile(f)
    compiled(np.arange(3.0))
    (reason,) = compiled.__opshift__.reasons
    assert "bool()" in reason.what and "test_capture.py" in reason.where
    assert reason.why and "numpy.where" in reason.hint


def test_fullgraph_raises_the_reason():
    compiled = translator.compile(lambda x: bool(x.sum() > 0), fullgraph=True)
    for _ in range(2 * convert_frame.LIMIT):
        with pytest.raises(Unimplemented, match=r"bool\(\)"):
            compiled(np.arange(3.0))
    assert same(translator.compile(lambda x: x + 1, fullgraph=True)(np.arange(3.0)), np.arange(3.0) + 1)


@pytest.mark.parametrize("bad", [len, int, 3, "f", type("Callable", (), {"__call__": lambda self: 1})()])
def test_what_has_no_bytecode_is_refused_in_one_line(bad):
    with pytest.raises(NotInterpretable) as caught:
        translator.compile(bad)
    assert "\n" not in str(caught.value)


def test_generator_expressions_are_walked():
    def f(x):
        k = 2
        steps = (i * k for i in range(4))
        first = next(steps)
        total = sum(x * i + k for i in range(3) if i != 1)
        for v in (x + j for j in range(2)):
            total = total + v
        listed = list(v + 1 for v in [x, total])
        flags = any(i > 1 for i in range(3)), all(i < 2 for i in range(5)), tuple(i for i in range(3))
        return first, list(steps), next(steps, "end"), total, listed, flags

    compiled = agree(f, lambda: (np.arange(3.0),))
    assert len(entries(compiled)) == 1


def test_generators_are_left_alone():
    @translator.compile
    def f(x):
        yield x + 1

    assert same(list(f(np.arange(3.0))), [np.arange(3.0) + 1])


def test_nothing_is_kept_alive():
    def make():
        def f(x):
            return x * 2

        return translator.compile(f)

    compiled = make()
    x = np.arange(3.0)
    compiled(x)
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None, "the example inputs are kept"
    state = weakref.ref(compiled.__opshift__)
    del compiled
    gc.collect()
    assert state() is None, "a compiled function is never freed"


def test_reset_forgets():
    compiled = translator.compile(lambda x: x + 1)
    compiled(np.arange(3.0))
    translator.reset()
    assert not entries(compiled) and not convert_frame.counters
    assert same(compiled(np.arange(3.0)), np.arange(3.0) + 1) and entries(compiled)


def test_explain_and_trace_run_nothing_of_the_users_twice():
    explained = translator.explain(lambda x: x @ x + 1)(np.arange(3.0))
    assert explained.operations == 2 and not explained.reasons
    assert "matmul" in str(explained) and explained.to_json()["operations"] == 2
    explained = translator.explain(lambda x: bool(x > 1))(np.float64(1.0))
    assert explained.operations == 1 and "depends on data" in str(explained)
