"""Graphs: built like FX's, printed two ways, run as the user's own lines."""

from __future__ import annotations

import builtins
import operator

import numpy as np

import translator
from translator.graph import Graph, Place
from translator.graph_code import compile_graph


def place(filename="user.py", namespace=None):
    return Place(filename, "f", {"__name__": "user", "__builtins__": builtins, **(namespace or {})})


def build():
    graph = Graph(place())
    x, y = graph.placeholder("x"), graph.placeholder("y")
    product = graph.call_function(operator.mul, (x, y), place=graph.place, line=7)
    item = graph.call_function(operator.getitem, (product, (slice(1, None), None)), place=graph.place, line=7)
    total = graph.call_method("sum", (item,), {"axis": 0}, graph.place, 9)
    graph.output((product, total))
    return graph


def test_it_prints_as_python_and_as_a_table():
    graph = build()
    assert graph.python().splitlines() == [
        "def graph(x, y):",
        "    mul = x * y",
        "    getitem = mul[1:, None]",
        "    sum = getitem.sum(axis=0)",
        "    return (mul, sum)",
    ]
    assert [line.split()[0] for line in str(graph).splitlines()] == [
        "op", "placeholder", "placeholder", "call_function", "call_function", "call_method", "output",
    ]  # fmt: skip
    assert graph.rows()[4] == ["call_method", "sum", "sum", ["getitem", "axis=0"]]


def test_it_runs():
    run = compile_graph(build())
    x = np.arange(3.0)
    product, total = run(x, x)
    assert (product == x * x).all() and (total == (x * x)[1:, None].sum(axis=0)).all()


def test_each_operation_is_at_its_line_of_the_users_file():
    run = compile_graph(build())
    assert run.__code__.co_filename == "user.py"
    assert {line for _, _, line in run.__code__.co_lines() if line} == {7, 9}
    try:
        run(np.ones(3), np.ones(4))
    except ValueError as error:
        assert error.__traceback__.tb_next.tb_lineno == 7


def test_operations_of_other_files_run_at_their_own_place():
    graph = Graph(place())
    x = graph.placeholder("x")
    elsewhere = place("helper.py", {"__name__": "helper"})
    inner = graph.call_function(operator.truediv, (1, x), place=elsewhere, line=3)
    graph.output(graph.call_function(operator.add, (inner, 1), place=graph.place, line=5))
    try:
        compile_graph(graph)("no number")
    except TypeError as error:
        entry = error.__traceback__.tb_next.tb_next
        assert (entry.tb_frame.f_code.co_filename, entry.tb_lineno) == ("helper.py", 3)


def test_dead_inputs_and_quiet_operations_go_others_stay():
    graph = Graph(place())
    x, y = graph.placeholder("x"), graph.placeholder("y")
    quiet = graph.call_function(getattr, (y, "T"))
    quiet.quiet = True
    may_raise = graph.call_function(operator.truediv, (x, 2))
    graph.output(x)
    assert graph.drop_dead_nodes() == [quiet, y]
    assert graph.operations == [may_raise]


def test_names_are_unique():
    graph = Graph()
    names = [graph.placeholder("x").name for _ in range(3)] + [graph.unique("x_1"), graph.unique("x")]
    assert len(set(names)) == 5


def test_variables_are_used_again_when_their_value_is_dead():
    def loop(x):
        for _ in range(50):
            x = x * 2
            x = x + 1
        return x

    compiled = translator.compile(loop)
    x = np.arange(3.0)
    assert (compiled(x) == loop(x)).all()
    runner = compiled.__opshift__.entries[0].runner.function
    assert runner.__code__.co_nlocals <= 4


def test_changes_in_place_keep_their_order():
    def f(x):
        z = x * 2
        before = z + 0
        z += before
        z[0] = z[1] * before[2]
        return z, before, z + before

    compiled = translator.compile(f)
    x = np.arange(3.0)
    assert all((one == other).all() for one, other in zip(compiled(x), f(x)))


def test_a_backend_gets_the_graph_and_examples():
    seen = []

    def backend(graph, examples):
        seen.append((graph, examples))
        return compile_graph(graph)

    def f(x, y):
        return {"sum": x + y, "x": x, "both": [x * y, x - y]}

    x, y = np.arange(3.0), np.ones(3)
    got = translator.compile(f, backend=backend)(x, y)
    assert list(got) == ["sum", "x", "both"] and got["x"] is x and (got["both"][1] == x - y).all()
    ((graph, examples),) = seen
    assert len(graph.operations) == 3 and examples[0] is x and examples[1] is y
