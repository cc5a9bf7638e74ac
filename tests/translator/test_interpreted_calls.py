"""What interpreted code calls is interpreted, and not the function alone that the Interpreter is given."""

from __future__ import annotations

import abc
import collections
import contextlib
import contextvars
import dataclasses
import threading

import pytest

from translator.interpreter import Interpreter


class Noting(Interpreter):
    """Notes the names of the functions whose frames it enters, in other threads too."""

    entered = []

    def enter(self, frame):
        if frame.function is not None:
            self.entered.append(frame.function.__name__)
        return super().enter(frame)

    def enter_plain(self, prepared, function, slots):
        self.entered.append(function.__name__)
        return super().enter_plain(prepared, function, slots)


def initializes():
    class Box:
        def __init__(self, x):
            self.x = inner(x)

    def inner(x):
        return x

    return Box(1).x, "inner"


def allocates():
    class Box:
        def __new__(cls, x):
            made = super().__new__(cls)
            made.x = inner(x)
            return made

    def inner(x):
        return x

    return Box(1).x, "inner"


def names_a_tuple():
    return collections.namedtuple("Pair", "a b")(1, 2), "__new__"


def initializes_by_metaclass():
    class Meta(abc.ABCMeta):
        def __call__(cls, *arguments):
            return super().__call__(*arguments)

    class Box(metaclass=Meta):
        def __init__(self, x):
            self.x = x

    return Box(1).x, "__init__"


def initializes_data():
    @dataclasses.dataclass
    class Point:
        x: int

        def __post_init__(self):
            self.x += 1

    return Point(1).x, "__post_init__"


def manages_a_context():
    @contextlib.contextmanager
    def managed():
        yield inner(1)

    def inner(x):
        return x

    with managed() as value:
        return value, "inner"


def starts_a_thread():
    seen = []

    class Worker(threading.Thread):
        def __init__(self, x):
            super().__init__()
            self.x = prepared(x)

        def run(self):
            seen.append(worked(self.x))

    def worked(x):
        return x

    def prepared(x):
        return x

    worker = Worker(1)
    worker.start()
    worker.join()
    return seen, "worked"


def goes_on_in_a_context():
    variable = contextvars.ContextVar("variable", default=0)

    def inner(x, *, k):
        variable.set(x)
        return variable.get(), k

    return (contextvars.copy_context().run(inner, 5, k=1), variable.get()), "inner"


@pytest.mark.parametrize(
    "function",
    [
        initializes,
        allocates,
        names_a_tuple,
        initializes_by_metaclass,
        initializes_data,
        manages_a_context,
        starts_a_thread,
        goes_on_in_a_context,
    ],
    ids=lambda function: function.__name__,
)
def test_is_interpreted(function):
    machine = Noting()
    machine.entered.clear()
    value, name = machine.run(function)
    assert (value, name) == function()
    assert name in machine.entered


def test_what_is_skipped_runs_natively_where_its_class_is_called():
    class Box:
        def __init__(self, x):
            self.x = x

    machine = Noting(skip=[Box.__init__])
    machine.entered.clear()
    assert machine.run(lambda: Box(1).x) == 1
    assert "__init__" not in machine.entered


def test_what_is_skipped_may_give_none():
    def nothing():
        pass

    assert Interpreter(skip=[nothing]).run(nothing) is None


def test_objects_made_by_init_of_others_nest_on_the_stack_of_the_machine():
    class Nested:
        def __init__(self, depth):
            self.inner = Nested(depth - 1) if depth else None

    depths = []

    class Measuring(Interpreter):
        def new_frame(self, *arguments):
            frame = super().new_frame(*arguments)
            depths.append(frame.depth)
            return frame

    Measuring().run(lambda: Nested(600))
    assert max(depths) > 600
