"""A compiled function is a function like any other: its names, cells, lifetimes, attributes, backends."""

from __future__ import annotations

import functools
import gc
import sys
import types
import weakref

import numpy as np
import pytest

import translator
from translator import capturing, convert_frame
from translator.errors import BackendFailed, InternalError, Unimplemented
from translator.graph_code import compile_graph
from translator.same import outcome, same

GONE = 5


def entry(x):
    return x + 1


def make(x):
    return x - 1


def agree(function, compiled, *make_calls):
    for call in make_calls * 2:
        one, other = outcome(function, call(), {}), outcome(compiled, call(), {})
        assert same(one, other), f"CPython: {one}\ncompiled: {other}"
    return compiled


def x():
    return np.array([1.0, -2.0, 3.0])


# -- names


def test_names_of_the_generated_code_hide_nothing():
    def with_variables(graph, type, len):
        def f(x, p_0):
            return entry(x) * make(p_0) + graph * type * len

        return f

    f = with_variables(2.0, 3.0, 4.0)
    compiled = agree(f, translator.compile(f), lambda: (x(), x()))
    assert len(compiled.__opshift__.entries) == 1


def test_names_of_nodes_that_run_at_another_place():
    namespace = {}
    exec(compile("def add(c_0, c_1):\n return c_0 + c_1 * 10**30\n", "elsewhere.py", "exec"), namespace)
    add = namespace["add"]

    def f(c_0, c_1):
        return add(c_0, c_1)

    agree(f, translator.compile(f), lambda: (x(), x()))


def test_a_global_that_is_handed_on_may_be_gone(monkeypatch):
    def f(x):
        y = x * 2
        try:
            return y, GONE
        except NameError:
            return y, None

    compiled = agree(f, translator.compile(f), lambda: (x(),))
    assert compiled.__opshift__.entries
    monkeypatch.delitem(globals(), "GONE")
    assert compiled(x())[1] is None


def test_a_free_variable_that_is_handed_on_may_be_gone():
    kept = [1]

    def f(x, result):
        result.append(1)
        y = x * 2
        try:
            return y, kept  # noqa: F821
        except NameError:
            return y, None

    compiled = agree(f, translator.compile(f), lambda: (x(), []))
    del kept
    result = []
    assert compiled(x(), result)[1] is None and result == [1]


def test_code_that_cannot_be_written_is_not_put_in(monkeypatch):
    monkeypatch.setenv("OPSHIFT_RAISE", "0")
    compiled = translator.compile(lambda x, n: x * n)
    compiled(x(), 1)

    def with_pieces(*given):
        raise KeyError("entry")

    monkeypatch.setattr(convert_frame, "with_pieces", with_pieces)
    for n in range(2 * convert_frame.LIMIT):
        assert same(compiled(x(), n), x() * n)
    assert "KeyError" in str(compiled.__opshift__.reasons[0])
    assert compiled.__code__ is compiled.__opshift__.original
    monkeypatch.setenv("OPSHIFT_RAISE", "1")
    with pytest.raises(InternalError, match="KeyError in opshift"):
        translator.compile(lambda x: x + 1)


# -- whose code it is


def test_what_wraps_a_compiled_function_is_a_function_of_its_own():
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            return "wrapped", function(*args)

        return wrapper

    factor = 3

    def f(x):
        return x * factor

    for function in (f, entry):
        wrapper = decorate(translator.compile(function))
        agree(wrapper, translator.compile(wrapper), lambda: (x(),))
        assert same(wrapper(x()), ("wrapped", function(x())))


def test_code_with_names_that_python_cannot_write():
    code = (lambda x: x * 2).__code__
    for name in (".0", "while"):
        function = types.FunctionType(code.replace(co_varnames=(name,)), globals())
        compiled = agree(function, translator.compile(function), lambda: (x(),))
        assert repr(name) in str(compiled.__opshift__.reasons[0])
        with pytest.raises(Unimplemented, match=repr(name)):
            translator.trace(function, x())


def scaled(n):
    def f(x):
        return x * n

    return f


def test_a_function_with_the_code_of_a_compiled_one_keeps_its_cells():
    compiled = translator.compile(scaled(2))
    closure = scaled(10).__closure__
    for _ in range(2):
        other = types.FunctionType(compiled.__code__, globals(), "other", None, closure)
        assert same(other(x()), x() * 10)
        assert same(compiled(x()), x() * 2)
    plain = scaled(7)
    plain.__code__ = compiled.__code__
    assert same(plain(x()), x() * 7)


def test_a_function_with_the_code_of_a_compiled_one_keeps_its_globals():
    def f(x):
        return x * GONE

    for warm in (False, True):
        compiled = translator.compile(f)
        if warm:
            compiled(x())
        other = types.FunctionType(compiled.__code__, {"GONE": 9}, "other")
        assert same(other(x()), x() * 9)
        assert same(compiled(x()), x() * GONE)


def test_code_that_the_user_gave_stays():
    compiled = translator.compile(lambda x: x * 2)
    compiled(x())

    def other(x):
        return x + 100

    compiled.__code__ = other.__code__
    translator.reset()
    assert compiled.__code__ is other.__code__

    def caller(x):
        return compiled(x)

    agree(caller, translator.compile(caller), lambda: (x(),))
    assert same(translator.compile(compiled)(x()), x() + 100)


# -- lifetimes, depth


@pytest.mark.parametrize("function", [
    lambda x, l: (l.append(1), x * 2)[1],
    lambda x, l: (x * 2, len(x[1:])),
    lambda x, l: (x * 2, l[0]),
    lambda x, l: bool((x * 2).sum() > 0),
])  # fmt: skip
def test_inputs_live_no_longer_than_the_call(function):
    compiled = translator.compile(function)
    gc.collect()
    gc.disable()
    try:
        value = x()
        compiled(value, [1])
        gone = weakref.ref(value)
        del value
        assert gone() is None
    finally:
        gc.enable()


def test_as_deep_as_the_original():
    def leaf(x):
        return x * 2

    def deepest(function):
        reached = 0

        def down(depth):
            nonlocal reached
            function(value)
            reached = depth
            down(depth + 1)

        with pytest.raises(RecursionError):
            down(1)
        return reached

    value = 2.0
    compiled = translator.compile(leaf)
    compiled(x())
    assert compiled.__opshift__.entries
    value = x()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(traceback_depth()) + 80)
    try:
        assert deepest(compiled) == deepest(leaf)
    finally:
        sys.setrecursionlimit(limit)


def traceback_depth():
    frame, found = sys._getframe(), []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found


# -- backends


def refuses(graph, examples):
    raise ValueError("not\nfor me")


def gives_nothing(graph, examples):
    return None


def fails_later(graph, examples):
    def run(*inputs):
        raise TypeError("no such operation")

    return run


def gives_one_less(graph, examples):
    return lambda *inputs: compile_graph(graph)(*inputs)[:-1]


def gives_a_tuple(graph, examples):
    return lambda *inputs: (compile_graph(graph)(*inputs),)


FAILING = [
    (refuses, "the backend refuses at .*raised ValueError: not for me"),
    (gives_nothing, "gave None, which cannot be called"),
    (fails_later, "its callable raised TypeError: no such operation"),
    (gives_one_less, "is to give 2 results and gave 1 of them"),
]


@pytest.mark.parametrize(("backend", "complaint"), FAILING)
def test_a_backend_that_fails_is_named_and_the_original_runs(backend, complaint):
    def f(x):
        return x * 2, x + 1

    before = convert_frame.counters["backend failures"]
    compiled = translator.compile(f, backend=backend)
    with pytest.warns(RuntimeWarning, match=complaint) as caught:
        for _ in range(4):
            assert same(compiled(x()), f(x()))
    assert len(caught) == 1 and caught[0].filename == __file__
    assert isinstance(compiled.__opshift__.reasons[0], BackendFailed)
    assert convert_frame.counters["backend failures"] > before
    strict = translator.compile(f, backend=backend, fullgraph=True)
    for _ in range(4):
        with pytest.raises(BackendFailed, match=complaint):
            strict(x())


def test_one_result_is_given_as_it_is():
    with pytest.warns(RuntimeWarning, match="one result as it is and gave a tuple"):
        assert same(translator.compile(lambda x: x * 2, backend=gives_a_tuple)(x()), x() * 2)


@pytest.mark.parametrize("fullgraph", [False, True])
def test_what_the_program_raises_is_no_failure_of_the_backend(fullgraph):
    def f(x, i):
        return (x * 2)[i]

    compiled = translator.compile(
        f, backend=lambda graph, examples: compile_graph(graph), fullgraph=fullgraph
    )
    compiled(x(), np.array([1]))
    with pytest.raises(IndexError):
        compiled(x(), np.array([9]))
    assert not compiled.__opshift__.reasons


def test_an_error_of_ours_is_an_error_with_fullgraph(monkeypatch):
    monkeypatch.setenv("OPSHIFT_RAISE", "0")

    def broken(*given):
        raise LookupError("lost")

    monkeypatch.setattr(capturing, "capture_region", broken)
    with pytest.raises(InternalError, match="LookupError in opshift: lost"):
        translator.compile(lambda x: x + 1, fullgraph=True)(x())
    compiled = translator.compile(lambda x: x + 1)
    assert same(compiled(x()), x() + 1) and "lost" in str(compiled.__opshift__.reasons[0])

    def deep(*given):
        raise RecursionError

    monkeypatch.setattr(capturing, "capture_region", deep)
    with pytest.raises(Unimplemented, match="RecursionError"):
        translator.compile(lambda x: x + 1, fullgraph=True)(x())
    assert same(translator.compile(lambda x: x + 1)(x()), x() + 1)
