"""`pytest --opshift`: the body of every test function is carried out by the Interpreter.

So anyone can hold the Interpreter against a test suite of their own: a test that passes without the option
and fails with it shows a fault. Fixtures, hooks and what C calls back run natively; what was interpreted,
and what was not and why, stands at the end of the report.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option."""
    parser.getgroup("opshift").addoption(
        "--opshift",
        action="store_true",
        default=False,
        help="carry out the body of every test function in opshift's Interpreter",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Loads the rest only if it is asked for."""
    if config.getoption("--opshift"):
        config.pluginmanager.register(Interpreting(), "opshift-interpreting")


class Interpreting:
    """What the option adds."""

    def __init__(self) -> None:
        from translator.interpreter import Interpreter

        entered: Counter[str] = Counter()

        class Counted(Interpreter):
            """Counts the frames it enters."""

            def new_frame(self, *fields: Any) -> Any:
                entered["frames"] += 1
                return super().new_frame(*fields)

        self.machine = Counted
        self.entered = entered
        self.bodies = 0
        self.failed: list[str] = []
        self.native: Counter[str] = Counter()

    def interpreted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its calls carried out by a machine; itself if it has no bytecode."""
        plain = inspect.unwrap(function) if hasattr(function, "hypothesis") else function
        method = getattr(plain, "__func__", plain)
        if not inspect.isfunction(method):
            self.native[f"a {type(plain).__name__}, which has no bytecode"] += 1
            return function

        @wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            return self.machine().run(function, *args, **kwargs)

        return run

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        """Puts the machine between pytest and the test function."""
        if not isinstance(item, pytest.Function):
            self.native[f"a {type(item).__name__}, not a function"] += 1
            yield
            return
        undo = self._replace(item)
        yield
        undo()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remembers what failed."""
        if report.when == "call" and report.failed:
            self.failed.append(report.nodeid)

    def _replace(self, item: pytest.Function) -> Callable[[], None]:
        found = item.obj
        handle = getattr(found, "hypothesis", None)
        if handle is not None:
            # hypothesis calls the test many times; what it calls is exchanged, not what draws
            inner = handle.inner_test
            handle.inner_test = self.interpreted(inner)
            self.bodies += 1
            return lambda: setattr(handle, "inner_test", inner)
        if inspect.iscoroutinefunction(found):
            self.native["a coroutine, which another plugin drives"] += 1
            return lambda: None
        item.obj = self.interpreted(found)
        self.bodies += 1
        return lambda: setattr(item, "obj", found)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """What it did."""
        terminalreporter.section("opshift")
        terminalreporter.line(
            f"{self.bodies} test bodies carried out by the Interpreter,"
            f" {self.entered['frames']} frames entered"
        )
        for why, count in self.native.items():
            terminalreporter.line(f"{count} ran natively: {why}")
        for name in self.failed:
            terminalreporter.line(f"failed in the Interpreter: {name} (does it pass without --opshift?)")
