"""What CPython frees, the Interpreter frees too: objects, frames, code, generators left unfinished."""

from __future__ import annotations

import gc
import weakref

import pytest

from translator.interpreter import Interpreter


class Thing:
    """Can be referred to weakly."""


def freed_after_call():
    def callee(x):
        return None

    x = Thing()
    seen = weakref.ref(x)
    callee(x)
    del x
    return seen() is None


def freed_loop_variable():
    seen = []
    for x in [Thing()]:
        seen.append(weakref.ref(x))
    del x
    return [s() is None for s in seen]


def freed_after_exception():
    x = Thing()
    seen = weakref.ref(x)

    def failing(thing):
        raise ValueError

    try:
        failing(x)
    except ValueError:
        pass
    del x
    return seen() is None


def freed_with_the_handler_name():
    x = Thing()
    seen = weakref.ref(x)
    try:
        raise ValueError(x)
    except ValueError as error:
        del x
        alive = seen() is not None
    return alive, seen() is None


def freed_with_a_generator():
    log = []

    def numbers():
        x = Thing()
        log.append(weakref.ref(x))
        try:
            yield 1
            yield 2
        finally:
            log.append("finally")

    g = numbers()
    next(g)
    for _ in g:
        break
    del g
    return log[0]() is None, log[1:]


def freed_when_a_generator_ends():
    seen = []

    def numbers():
        x = Thing()
        seen.append(weakref.ref(x))
        yield 1

    for _ in numbers():
        pass
    return seen[0]() is None


def freed_after_unpacking_fails():
    things = [Thing(), Thing(), Thing()]
    seen = [weakref.ref(t) for t in things]
    try:
        a, b = iter(things)
    except ValueError:
        pass
    del things
    return [s() is None for s in seen]


FUNCTIONS = [
    freed_after_call,
    freed_loop_variable,
    freed_after_exception,
    freed_with_the_handler_name,
    freed_with_a_generator,
    freed_when_a_generator_ends,
    freed_after_unpacking_fails,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_freed_when_cpython_frees_it(function):
    gc.disable()
    try:
        assert Interpreter().run(function) == function()
    finally:
        gc.enable()


def test_code_objects_are_not_kept():
    scope = {}
    exec(
        compile(
            "def f(x):\n    try:\n        return 1 / x\n    except E:\n        return 0", "<made>", "exec"
        ),
        scope,
    )
    function = scope.pop("f")
    seen = weakref.ref(function.__code__)
    with pytest.raises(NameError):
        Interpreter().run(function, 0)
    del function, scope
    gc.collect()
    assert seen() is None


def test_a_long_run_does_not_grow():
    def work(n):
        total = 0
        for i in range(n):
            try:
                total += len([i, i])
                if i % 7 == 0:
                    raise ValueError(i)
            except ValueError as error:
                total -= error.args[0] % 3
        return total

    machine = Interpreter()
    machine.run(work, 100)
    gc.collect()
    before = len(gc.get_objects())
    machine.run(work, 3000)
    gc.collect()
    assert len(gc.get_objects()) - before < 50
