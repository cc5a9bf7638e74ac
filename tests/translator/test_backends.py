"""Backends by name, what is said of their failures, and files that show a failure again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import translator
from translator.backends import UnknownBackend, backend_names, find_backend
from translator.errors import BackendFailed

X = np.arange(4.0)
ROOT = Path(translator.__file__).parents[1]


def function(x, y, n=2):
    z = x * y + n
    return z[1:, None].sum(axis=0), np.clip(z, -np.inf, 3.5), np.full(2, 1.5, np.float32) + x[0]


def fails(graph, examples):
    raise RuntimeError("no such machine")


def gives_nothing_callable(graph, examples):
    return 5


def fails_later(graph, examples):
    def run(*inputs):
        raise RuntimeError("out of order")

    return run


def gives_too_few(graph, examples):
    return lambda *inputs: (1,)


def test_an_unknown_name_says_which_there_are():
    with pytest.raises(
        UnknownBackend, match=r"no backend is called 'nobody': there are debug, eager, numexpr"
    ):
        find_backend("nobody")
    assert {"debug", "eager", "numexpr"} <= set(backend_names())


def test_debug_prints_and_runs(capsys):
    compiled = translator.compile(lambda x: x * 2 + 1, backend="debug")
    assert (compiled(X) == X * 2 + 1).all()
    text = capsys.readouterr().err
    assert "call_function" in text and "mul = x * 2" in text


@pytest.fixture
def registered(tmp_path, monkeypatch):
    """A package in a folder of its own, that registers backends as entry points."""
    (tmp_path / "third_party.py").write_text(
        "def backend(graph, examples):\n"
        "    from translator.graph_code import compile_graph\n"
        "    seen.append(len(graph.operations))\n"
        "    return compile_graph(graph)\n"
        "seen = []\n"
        "nothing = None\n"
    )
    info = tmp_path / "third_party-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third-party\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[opshift.backends]\nsomebodys = third_party:backend\nmissing = third_party:gone\nnone = third_party:nothing\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("third_party", None)


def test_packages_register_backends(registered):
    compiled = translator.compile(lambda x: x * 2 + 1, backend="somebodys")
    assert (compiled(X) == X * 2 + 1).all()
    import third_party

    assert third_party.seen == [2] and "somebodys" in backend_names()
    with pytest.raises(UnknownBackend, match=r"'missing' \(third_party:gone\) cannot be loaded"):
        find_backend("missing")
    with pytest.raises(UnknownBackend, match="which cannot be called"):
        find_backend("none")


@pytest.mark.parametrize("backend, why", [
    (fails, "it raised RuntimeError: no such machine"),
    (gives_nothing_callable, "it gave 5, which cannot be called"),
    (fails_later, "its callable raised RuntimeError: out of order"),
    (gives_too_few, "is to give 3 results and gave 1 of them"),
])  # fmt: skip
def test_a_failure_is_the_backends_and_can_be_shown_again(backend, why, tmp_path, monkeypatch):
    monkeypatch.setenv("OPSHIFT_REPRODUCERS", str(tmp_path / "seen"))
    compiled = translator.compile(function, backend=backend)
    with pytest.warns(RuntimeWarning, match=f"the backend {backend.__name__} at .*test_backends.py.*{why}"):
        got = compiled(X, X)
    assert all(np.array_equal(one, other) for one, other in zip(got, function(X, X)))
    (path,) = (tmp_path / "seen").iterdir()
    text = path.read_text()
    assert path.name == "function_1.py" and why in text and str(path) in compiled.__opshift__.reasons[0].hint


@pytest.mark.parametrize("backend", [fails, fails_later])
def test_a_reproducer_fails_in_the_same_way(backend, tmp_path, monkeypatch):
    monkeypatch.setenv("OPSHIFT_REPRODUCERS", str(tmp_path / "seen"))
    with pytest.warns(RuntimeWarning, match="the backend") as caught:
        translator.compile(function, backend=backend)(X, X)
    why = re.search("raised (.*?);", str(caught[0].message))[1]
    (path,) = (tmp_path / "seen").iterdir()
    text, name = path.read_text(), backend.__name__
    put_in = (
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\nfrom test_backends import {name}\n"
    )
    text = re.sub(f"(?m)^import {__name__}\n|^backend = None\n|^# {name} of .*\n", "", text)
    path.write_text(put_in + re.sub("backend=[^,]+", f"backend={name}", text))
    found = run_file(path, OPSHIFT_REPRODUCERS=str(tmp_path / "again"))
    assert found.returncode == 1 and "BackendFailed" in found.stderr and why in found.stderr, found.stderr


def run_file(path, **variables):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), **variables}
    command = [sys.executable, str(path)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)


def test_a_reproducer_of_a_named_backend_needs_nothing_else(registered, tmp_path, monkeypatch):
    from translator.backend.reproducer import reproducer

    graphs = []

    def keep(graph, examples):
        graphs.append((graph, list(examples)))
        return translator.backends.eager(graph, examples)

    translator.compile(function, backend=keep)(X, X)
    ((graph, examples),) = graphs
    text = reproducer(find_backend("eager"), graph, examples, "nothing")
    path = tmp_path / "again.py"
    path.write_text(text)
    assert run_file(path).stdout.strip() == str(function(X, X)).strip()


def test_an_error_of_the_program_is_none_of_the_backends():
    compiled = translator.compile(lambda x, y: (x * 2) + y, backend=fails_later)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="broadcast"):
            compiled(X, np.ones(3))
    with pytest.raises(BackendFailed, match="out of order"):
        translator.compile(lambda x: x * 2, backend=fails_later, fullgraph=True)(X)
