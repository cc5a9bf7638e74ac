"""disable, graph_break and the stance: results are the same, what is captured is not."""

from __future__ import annotations

import numpy as np
import pytest

import translator
from translator.controls import UnknownStance
from translator.errors import NotInterpretable, RecompileRefused, Unimplemented

X = np.arange(4.0)


@translator.disable(reason="it is not to be looked into")
def left_alone(x):
    return x + 1


def counted(function):
    """The function compiled by a backend that counts; the list grows by one a run of a graph."""
    runs = []

    def backend(graph, examples):
        from translator.graph_code import compile_graph

        run = compile_graph(graph)

        def counting(*inputs):
            runs.append(graph)
            return run(*inputs)

        return counting

    return translator.compile(function, backend=backend), runs


def test_a_disabled_function_is_neither_inlined_nor_captured():
    def caller(x):
        return left_alone(x * 2)

    found = translator.explain(caller)(X)
    assert any("it is not to be looked into" in str(reason) for reason in found.reasons)
    assert all("add" not in node.name for graph in found.graphs for node in graph)
    compiled, runs = counted(left_alone)
    assert (compiled(X) == X + 1).all() and not runs and compiled.__code__ is left_alone.__code__
    with pytest.raises(Unimplemented, match="it is not to be looked into"):
        translator.compile(left_alone, fullgraph=True)(X)


def test_disabling_takes_the_function_alone():
    import functools

    @functools.wraps(left_alone)
    def wrapper(x):
        return x * 2

    compiled, runs = counted(wrapper)
    assert (compiled(X) == X * 2).all() and len(runs) == 1
    assert translator.disable(wrapper) is wrapper
    with pytest.raises(NotInterpretable, match="disable"):
        translator.disable(len)


def test_a_graph_break_is_a_break_and_does_nothing():
    def function(x):
        y = x * 2
        translator.graph_break()
        return y + 1

    assert translator.graph_break() is None
    compiled, _ = counted(function)
    assert (compiled(X) == function(X)).all()
    with pytest.raises(Unimplemented, match="asks for a graph break"):
        translator.compile(function, fullgraph=True)(X)


def test_force_eager_runs_the_original_everywhere_and_ends():
    compiled, runs = counted(lambda x: x * 3)
    compiled(X)
    code = compiled.__code__
    with translator.set_stance("force_eager"):
        assert (compiled(X) == X * 3).all() and len(runs) == 1
        assert compiled.__code__ is compiled.__opshift__.original
        inside, inner_runs = counted(lambda x: x * 4)
        assert (inside(X) == X * 4).all() and not inner_runs
        with translator.set_stance("default"):
            compiled(X)
            assert len(runs) == 2
        compiled(X)
        assert len(runs) == 2
    compiled(X)
    inside(X)
    assert len(runs) == 3 and len(inner_runs) == 1 and compiled.__code__ is not code


def test_disable_as_a_context_and_stance_as_a_decorator():
    compiled, runs = counted(lambda x: x * 3)
    compiled(X)
    with translator.disable():
        compiled(X)

    @translator.set_stance("force_eager")
    def eagerly():
        return compiled(X)

    assert (eagerly() == X * 3).all() and len(runs) == 1
    compiled(X)
    assert len(runs) == 2


def test_stances_about_recompilations():
    compiled, runs = counted(lambda x: x * 3)
    compiled(X)
    with translator.set_stance("fail_on_recompile"):
        compiled(X)
        with pytest.raises(RecompileRefused, match=r"captured for these arguments.*fail_on_recompile"):
            compiled(np.arange(3))
    with translator.set_stance("eager_on_recompile"):
        assert compiled(np.arange(3)).dtype.kind == "i" and compiled(X) is not None
    assert len(runs) == 3
    compiled(np.arange(3))
    assert len(runs) == 4


def test_the_stance_is_restored_after_an_exception_and_has_a_name():
    with pytest.raises(ZeroDivisionError), translator.set_stance("force_eager"):
        1 / 0  # noqa: B018
    from translator.controls import stance

    assert stance() == "default"
    with pytest.raises(UnknownStance, match="there are default, force_eager"):
        translator.set_stance("never")
