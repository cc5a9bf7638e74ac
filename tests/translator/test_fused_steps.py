"""Steps that do several instructions at once fail where CPython does: at the same place, with the same
error, caught by the same handler."""

from __future__ import annotations

import pytest

from translator.interpreter import Interpreter


class Owner:
    """Some attributes, and one that fails."""

    text = "text"

    def __init__(self):
        self.number = 1

    def method(self, *arguments):
        return arguments

    @property
    def failing(self):
        raise LookupError("failing")


class Unordered:
    """Its truth and its comparison fail."""

    def __bool__(self):
        raise ArithmeticError("no truth")

    def __lt__(self, other):
        return self


def unknown_global(owner):
    return unknown(owner, owner)  # noqa: F821


def builtin_fails(owner):
    return len(owner)


def method_missing(owner):
    return owner.missing(owner)


def method_fails(owner):
    return owner.failing(owner)


def not_callable(owner):
    return owner.text(owner)


def missing_of_call(owner):
    return owner.method(owner)[0].missing(1, 2)


def unbound_argument(owner):
    if owner is None:
        late = 1
    return owner.method(owner, late)


def unbound_owner(owner):
    if owner is None:
        late = owner
    return late.method(late)


def unbound_of_global(owner):
    if owner is None:
        late = owner
    return print(owner, late)


def unbound_cell(owner):
    def inner():
        return late(owner)

    result = inner()
    late = print
    return result, late


def attribute_not_read(owner):
    owner.missing += 1


def attribute_not_added(owner):
    text = "a"
    owner.number += text


def attribute_not_stored(owner):
    owner.__class__ += owner


def item_not_read(owner):
    items = []
    items[2] += owner


def item_not_added(owner):
    items = [1]
    items[0] += owner


def item_not_stored(owner):
    items = (1, 2)
    items[0] += 1


def truth_fails(owner):
    unordered = Unordered()
    if unordered < owner:
        return 1
    return 2


def truth_of_generator(owner):
    def generate(values):
        for value in values:
            if not value:
                yield value

    return list(generate([1, Unordered()]))


def yield_fails(owner):
    def generate(values):
        for value in values:
            yield value % owner

    return list(generate([1.5]))


def thrown_in(owner):
    def generate(value):
        yield value * 2

    generator = generate(2)
    next(generator)
    generator.throw(OSError("thrown"))


def loop_fails(owner):
    for i in range(3):
        owner.method(i)
        for _ in iter([].pop, None):
            owner.method(i)


#: functions of these tests themselves
OWN = ("entries", "<lambda>")
FAILING = [value for value in list(globals().values()) if getattr(value, "__code__", None) is not None]


def position(code, offset):
    """Lines and columns of an instruction, where the code object knows them (since 3.11)."""
    positions = getattr(code, "co_positions", None)
    return None if positions is None else list(positions())[offset // 2]


def entries(call, owner):
    """The exception of a call, and where it came from: function, line and columns of each frame."""
    try:
        call(owner)
    except Exception as exception:
        found, entry = [], exception.__traceback__
        while entry is not None:
            if entry.tb_frame.f_code.co_filename == __file__ and entry.tb_frame.f_code.co_name not in OWN:
                code = entry.tb_frame.f_code
                found.append((code.co_name, entry.tb_lineno, position(code, entry.tb_lasti)))
            entry = entry.tb_next
        return type(exception), str(exception), found
    return None


@pytest.mark.parametrize("function", FAILING, ids=lambda function: function.__name__)
def test_fails_where_cpython_does(function):
    machine = Interpreter()
    expected = entries(function, Owner())
    assert expected is not None
    assert entries(lambda owner: machine.run(function, owner), Owner()) == expected, function.__name__


def caught_in_their_own_handlers(owner):
    """Each operation of a fused step in a `try` of its own."""
    seen = []
    try:
        owner.number += 1
        owner.missing += 1
    except AttributeError:
        seen.append("read")
    try:
        owner.number += "a"
    except TypeError:
        seen.append("added")
    for key in (0, 5):
        try:
            items = [owner.number]
            items[key] += 1
        except IndexError:
            seen.append(("item", key))
        else:
            seen.append(items)
    try:
        unknown(seen)  # noqa: F821
    except NameError:
        seen.append("global")
    finally:
        seen.append(owner.method(seen[0], owner.number))
    return seen


def test_handlers_are_those_of_the_instruction():
    expected = caught_in_their_own_handlers(Owner())
    assert Interpreter().run(caught_in_their_own_handlers, Owner()) == expected
