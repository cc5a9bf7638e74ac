"""The Interpreter against CPython: what a function gives or raises, and the lines it raises at."""

from __future__ import annotations

import contextlib
import sys
import traceback

import pytest

import translator
from tests.translator.language_functions import FUNCTIONS
from translator.checking import CheckedInterpreter
from translator.errors import NotInterpretable
from translator.events import WatchedInterpreter
from translator.interpreter import Interpreter, RealMachine


def outcome(call):
    """The value, or the exception with its chain and the lines it went through."""
    try:
        return "value", repr(call())
    except Exception as error:
        return "raised", chain(error)


def chain(error):
    """Type, text and entries of an exception and of what it came from."""
    if error is None:
        return None
    entries = [
        (entry.name, entry.lineno, getattr(entry, "colno", None))
        for entry in traceback.extract_tb(error.__traceback__)
        if entry.filename.endswith(("language_functions.py", "<string>"))
    ]
    return type(error), str(error), entries, chain(error.__cause__), chain(error.__context__)


@pytest.mark.parametrize("machine", [Interpreter, RealMachine, CheckedInterpreter, WatchedInterpreter])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gives_what_cpython_gives(function, machine):
    native = outcome(function)
    assert native[0] == "value", native
    assert outcome(lambda: machine().run(function)) == native


def fails_in(function):
    def failing(x):
        values = {"k": x}
        if x > 1:
            return failing(x - 1) + 1
        return values["k"] + (values["missing"])

    return failing(3)


def fails_in_generator(_):
    def steps():
        yield 1
        yield {}["missing"]

    return sum(steps())


def fails_in_class(_):
    class Body:
        x = 1
        y = x.missing

    return Body


def fails_under_c(_):
    return sorted([1, 2], key=lambda x: x.missing)


def fails_unbound(_):
    def unbound(x):
        for name in ():
            other = name
        return x * (x + other)

    return unbound(2)


def fails_in_a_managed_context(_):
    @contextlib.contextmanager
    def managed():
        yield

    with managed():
        raise StopIteration("through the generator, and on")


def fails_again_after_its_traceback_was_dropped(_):
    def failing():
        try:
            {}["missing"]
        except KeyError as error:
            error.__traceback__ = None
            raise

    failing()


def fails_in_init(_):
    class Box:
        def __init__(self, x):
            self.x = x.missing

    return Box(1)


@pytest.mark.parametrize(
    "function",
    [
        fails_in,
        fails_in_generator,
        fails_in_class,
        fails_under_c,
        fails_unbound,
        fails_in_a_managed_context,
        fails_again_after_its_traceback_was_dropped,
        fails_in_init,
    ],
)
def test_tracebacks_have_the_entries_of_cpython(function):
    def entries(call):
        try:
            call()
        except Exception as error:
            found = traceback.extract_tb(error.__traceback__)
            mine = [e for e in found if e.filename == __file__]
            assert not [e for e in found if "translator/real" in e.filename or "machine.py" in e.filename]
            return [
                (e.name, e.lineno, getattr(e, "colno", None), getattr(e, "end_colno", None)) for e in mine
            ][2:]

    def interpreted():
        translator.run(function, None)

    native = entries(lambda: function(None))
    assert entries(interpreted)[-len(native) :] == native
    assert len(native) >= 1


def test_arguments_are_bound_as_a_call_binds_them():
    def f(a, b=2, *c, d, **e):
        return a, b, c, d, e

    assert translator.run(f, 1, 3, 4, d=5, g=6) == f(1, 3, 4, d=5, g=6)
    with pytest.raises(TypeError) as ours:
        translator.run(f)
    with pytest.raises(TypeError) as native:
        f()
    assert str(ours.value) == str(native.value)


def test_a_bound_method_runs():
    class Counter:
        n = 0

        def add(self, k):
            self.n += k
            return self.n

    counter = Counter()
    assert translator.run(counter.add, 3) == 3 and counter.n == 3


@pytest.mark.parametrize("thing", [len, int, 3, None])
def test_what_has_no_bytecode_is_refused(thing):
    with pytest.raises(NotInterpretable, match="takes a Python function"):
        translator.run(thing)


def test_functions_made_inside_are_real_ones():
    def outer(k):
        def inner(x, y=2):
            """Says so."""
            return x + y + k

        return inner

    made = translator.run(outer, 5)
    assert made(1) == 8
    assert (
        made.__code__
        is outer.__code__.co_consts[[type(c) for c in outer.__code__.co_consts].index(type(outer.__code__))]
    )
    assert (made.__name__, made.__doc__, made.__module__, made.__defaults__) == (
        "inner",
        "Says so.",
        __name__,
        (2,),
    )


def test_skip_runs_natively():
    called = []

    def helper():
        called.append(sys._getframe(1).f_code.co_name)
        return 1

    def function():
        return helper()

    machine = Interpreter(skip=[helper])
    assert machine.run(function) == 1
    assert called == ["call_function"]
    assert Interpreter(skip=["tests"]).run(function) == 1


def test_skip_says_what_it_takes():
    with pytest.raises(TypeError, match="skip takes"):
        Interpreter(skip=[3])


def test_a_host_that_calls_back_gets_another_run():
    def double(x):
        return 2 * x

    def inner():
        return translator.run(double, 4)

    assert translator.run(inner) == 8


def test_a_recursion_limit_that_the_program_sets():
    def deep(n):
        return deep(n - 1) if n else attempts()

    def attempts():
        found, before = [], sys.getrecursionlimit()
        for limit in (0, 1, 60, before):
            try:
                sys.setrecursionlimit(limit)
            except (RecursionError, ValueError) as error:
                found.append((type(error), limit))
        return found

    def deeper():
        return deeper() + 1

    def limited():
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(400)
        try:
            deeper()
        except RecursionError as error:
            return traceback.walk_tb(error.__traceback__)
        finally:
            sys.setrecursionlimit(before)

    assert translator.run(deep, 80) == [(ValueError, 0), (RecursionError, 1), (RecursionError, 60)]
    assert 300 < len(list(translator.run(limited))) <= 400


def test_deep_recursion_does_not_recurse_in_the_host():
    def depth(n):
        return 0 if n == 0 else 1 + depth(n - 1)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(60_000)
    try:
        assert translator.run(depth, 50_000) == 50_000
    finally:
        sys.setrecursionlimit(limit)


def entries_of(error):
    return [(entry.name, entry.lineno, entry.filename) for entry in traceback.extract_tb(error.__traceback__)]


def test_no_entry_of_the_host_functions_that_import():
    def lacking():
        from math import no_such_name

        return no_such_name

    def of_no_module():
        exec("from math import *\nfrom math import no_such_name")

    for function in lacking, of_no_module:
        found = []
        for call in function, lambda function=function: translator.run(function):
            with pytest.raises(ImportError) as info:
                call()
            found.append(entries_of(info.value)[1:])
        assert [entry for entry in found[1] if entry[0] not in ("<lambda>", "run")] == found[0]


async def fails_in_a_coroutine():
    return {}["missing"]


async def fails_in_an_asynchronous_generator():
    yield 1
    raise KeyError("missing")


def fails_when_driven():
    try:
        yield 1
    finally:
        {}["missing"]


def driven(made):
    """What comes of it, driven by native code; what is in a traceback below this function."""
    step = made.__anext__().send if hasattr(made, "__anext__") else made.send
    for _ in range(2):
        try:
            step(None)
        except StopIteration:
            step = made.__anext__().send
        except KeyError as error:
            return entries_of(error)[1:]
    return None


@pytest.mark.parametrize(
    "function", [fails_in_a_coroutine, fails_in_an_asynchronous_generator, fails_when_driven]
)
def test_no_entry_of_the_machine_where_native_code_drives(function):
    native, found = driven(function()), driven(translator.run(function))
    assert native is not None and len(native) == 1
    assert found == native


def ends_in_stop_iteration():
    yield 1
    raise StopIteration(3)


def test_a_stop_iteration_that_leaves_a_generator_in_a_loop():
    """Since 3.12 the bytecode makes a RuntimeError of it, before that the host does."""

    def loop():
        for _ in ends_in_stop_iteration():
            pass

    def delegate():
        yield from ends_in_stop_iteration()

    def found(call):
        try:
            call()
        except RuntimeError as error:
            cause = error.__cause__
            entries = [entry for entry in entries_of(error) if entry[0] in ("loop", "delegate")]
            return repr(error), entries, repr(cause), entries_of(cause), error.__context__ is cause

    for function in (loop, lambda: list(delegate())):
        assert found(lambda: translator.run(function)) == found(function)


def test_naked_exceptions_in_except_star_have_the_entries_of_the_host():
    source = "def f():\n    try:\n        raise ValueError(3)\n    except* Exception:\n        raise\n"
    try:
        code = compile(source, "<naked>", "exec")
    except SyntaxError:  # 3.10 has no except*: an ordinary handler must agree as well
        code = compile(source.replace("*", ""), "<naked>", "exec")
    namespace = {}
    exec(code, namespace)

    def raised(call):
        try:
            call()
        except Exception as error:
            places = [
                (e.name, e.lineno)
                for e in traceback.extract_tb(error.__traceback__)
                if e.filename == "<naked>"
            ]
            return type(error), error.args[-1:] and repr(error.args), repr(error.__context__), places

    assert raised(lambda: translator.run(namespace["f"])) == raised(namespace["f"])
