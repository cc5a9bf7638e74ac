"""What is shown of a compilation: explain, export, logs."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import numpy as np
import pytest

import translator
from translator import logs
from translator.errors import NotExported

X = np.arange(4.0)


def helper(x):
    return x * 2


def program(x, values):
    y = helper(x) + 1
    values.append(3)
    return y


def breaks(x):
    y = x * 2
    open(__file__).close()
    return y + 1


def test_an_explanation_holds_graphs_guards_effects_and_time():
    found = translator.explain(program)(X, [1])
    assert [len(graph.operations) for graph in found.graphs] == [2] and found.operations == 2
    assert "type(L['x']) is ndarray" in found.guards and not found.breaks and found.raised is None
    assert any("L['values']" in effect for effect in found.regions[0].effects)
    assert set(found.seconds) >= {"tracing", "new code"} and all(each >= 0 for each in found.seconds.values())
    line = program.__code__.co_firstlineno + 1
    assert f"(line {line})" in str(found)
    assert json.loads(json.dumps(found.to_json()))["regions"][0]["code"] == found.graphs[0].python()


def test_arrays_that_are_changed_are_told():
    def function(x):
        x[0] = 5
        return x + 1

    (region,) = translator.explain(function)(np.ones(3)).regions
    assert region.effects == ["an array is changed: x[0] = 5"]


def test_a_break_is_told_with_its_reason_and_the_users_line():
    found = translator.explain(breaks)(X)
    (reason, *_) = found.reasons
    line = breaks.__code__.co_firstlineno + 2
    assert f"{__file__}:{line}" in reason.where and reason.why and reason.hint
    text = str(found)
    assert "open(__file__).close()" in text and reason.what in text
    data = found.to_json()["breaks"][0]
    assert data["what"] == reason.what and data["why"] == reason.why and data["function"] == "breaks"


def test_calls_one_after_the_other_tell_of_recompilations():
    explained = translator.explain(lambda x, way: x * 2 if way == "twice" else x + 1)
    assert not explained(X, "twice").recompiles and not explained(X, "twice").recompiles
    (again,) = explained(X, "more").recompiles
    assert [each.partition("  ")[0] for each in again.failed] == ["L['way'] == 'twice'"]
    both = explained(np.arange(4), "more")
    assert len(both.recompiles) == 2 and len(both.recompiles[-1].failed) == 2
    assert "dtype" in both.recompiles[-1].failed[1] and len(both.graphs) == 3


def test_the_function_is_run_once_a_call_and_what_it_raises_is_told():
    seen = []

    def function(x):
        seen.append(1)
        return x[99]

    found = translator.explain(function)(X)
    assert seen == [1] and found.raised.startswith("IndexError: index 99")


def test_nothing_is_told_to_those_who_do_not_listen():
    explained = translator.explain(lambda x: x * 2)
    before = explained(X)
    translator.compile(lambda x: x + 5)(X)
    assert len(explained(X).graphs) == len(before.graphs) == 1


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_it_prints_in_colours_on_a_terminal_only():
    found = translator.explain(program)(X, [1])
    plain, terminal = io.StringIO(), Terminal()
    found.print(plain)
    found.print(terminal)
    assert plain.getvalue() == f"{found}\n" and "\033[" not in plain.getvalue()
    assert "helper" in terminal.getvalue() or "mul" in terminal.getvalue()


def test_rich_is_not_imported_for_plain_text():
    code = (
        "import sys, numpy as np, translator\n"
        "translator.explain(lambda x: x * 2)(np.ones(2)).print()\n"
        "assert not any(name.split('.')[0] == 'rich' for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)


# -- export


def test_an_export_runs_the_graph_for_what_it_is_for():
    exported = translator.export(program.__globals__["helper"], X)
    assert (exported(X + 1) == helper(X + 1)).all() and exported.inputs == ["L['x']"]
    assert exported.guards == ["type(L['x']) is ndarray", f"L['x'].dtype is {X.dtype!r}"]
    with pytest.raises(NotExported, match=r"not for these arguments: L\['x'\]\.dtype is dtype\('float64'\)"):
        exported(np.arange(3))
    with pytest.raises(NotExported, match=r"operation .* raises"):
        translator.export(lambda x, y: x + y, X, X)(X, np.ones(3))


class Scaled:
    def __init__(self, scale):
        self.scale = scale

    def apply(self, x):
        return x * self.scale


def test_methods_are_explained_and_exported():
    scaled = Scaled(3)
    assert translator.explain(scaled.apply)(X).operations == 1
    exported = translator.export(scaled.apply, X)
    assert (exported(X) == X * 3).all()
    assert any(each.startswith("L['self']") and each.endswith("== 3") for each in exported.guards)


@pytest.mark.parametrize("function, args, why", [
    (breaks, (X,), "open"),
    (lambda x: 1, (X,), "no array operations"),
    (program, (X, [1]), r"changes .*L\['values'\]"),
    (translator.disable(lambda x: x * 2), (X,), "disable"),
])  # fmt: skip
def test_what_is_no_graph_says_why(function, args, why):
    with pytest.raises(NotExported, match=why):
        translator.export(function, *args)


# -- logs


def shown(names, function, *args):
    try:
        translator.set_logs(names)
        translator.compile(function)(*args)
    finally:
        translator.set_logs()


@pytest.mark.parametrize("name, expected", [
    ("trace_source", "y = helper(x) + 1"),
    ("trace_call", "helper(L['x'])"),
    ("trace_bytecode", "%mul"),
    ("bytecode", "[bytecode] program"),
    ("graph", "call_function  mul"),
    ("graph_code", "mul = x * 2"),
    ("guards", "type(L['x']) is ndarray  (line "),
    ("side_effects", "L['values'] is changed"),
])  # fmt: skip
def test_each_log_prints_its_artefact(name, expected, capsys):
    shown(name, program, X, [1])
    text = capsys.readouterr().err
    assert expected in text
    assert all(line.startswith((f"[{name}]", "    ")) for line in text.splitlines())


def test_breaks_and_recompilations_are_logged(capsys):
    shown("graph_breaks", breaks, X)
    assert "[graph_breaks] breaks" in capsys.readouterr().err
    try:
        translator.set_logs("recompiles")
        compiled = translator.compile(lambda x: x * 2)
        compiled(X)
        assert not capsys.readouterr().err
        compiled(np.arange(3))
    finally:
        translator.set_logs()
    assert "L['x'].dtype is dtype('float64')" in capsys.readouterr().err


def test_every_log_that_is_documented_exists_and_others_are_refused():
    assert all(not getattr(logs.on, name) for name in logs.NAMES)
    with pytest.raises(
        ValueError, match="has no nothing: there are trace_source, trace_call, trace_bytecode"
    ):
        translator.set_logs("graph, nothing")
