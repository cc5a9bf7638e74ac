"""Exceptions in captured code: raised, chained, caught, with CPython's own types, arguments and texts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.translator.wholly_captured import surrenders, wholly_captured


class Plain(Exception):
    pass


class Coded(Plain):
    def __init__(self, code, text="text"):
        super().__init__(text)
        self.code = code

    def __str__(self):
        return f"Coded<{self.code}>"


class Valued(ValueError):
    kind = "valued"

    @property
    def first(self):
        return self.args[0]


class Shown(Exception):
    def __repr__(self):
        return "Shown!"


class Slotless:
    none = None

    @property
    def bad(self):
        raise AttributeError("inner")


class Asked:
    def __getattr__(self, name):
        if name == "known":
            return 5
        raise AttributeError(name)


def raised(call):
    """What a call raises: type, arguments, text."""
    try:
        call()
    except Exception as error:
        return type(error), error.args, str(error), repr(error)
    return "nothing"


def from_numbers():
    return [
        raised(lambda: 1 / 0),
        raised(lambda: 1 % 0),
        raised(lambda: int("x")),
        raised(lambda: 1 + "a"),
        raised(lambda: "a" < 1),
        raised(lambda: -"a"),
        raised(lambda: len(3)),
        raised(lambda: iter(3)),
        raised(lambda: [*3]),
        raised(lambda: (3).missing),
        raised(lambda: chr(-1)),
        raised(lambda: "abc"[5]),
        raised(lambda: "abc".index("z")),
        raised(lambda: 2.0 ** 100000),
    ]  # fmt: skip


def from_containers():
    one, pair, found = [1], (1, 2), {"a": 1}
    return [
        raised(lambda: one[3]),
        raised(lambda: one["a"]),
        raised(lambda: pair[5]),
        raised(lambda: pair + one),
        raised(lambda: -one),
        raised(lambda: one < 3),
        raised(lambda: one.missing),
        raised(lambda: one.index(3)),
        raised(lambda: one.remove(3)),
        raised(lambda: one.append()),
        raised(lambda: one.pop(7)),
        raised(lambda: [].pop()),
        raised(lambda: one[:"a"]),
        raised(lambda: one[::0]),
        raised(lambda: found["b"]),
        raised(lambda: found.pop("b")),
        raised(lambda: found[one]),
        raised(lambda: {}.popitem()),
        raised(lambda: {one: 1}),
        raised(lambda: {one}),
        raised(lambda: {1}.remove(3)),
        raised(lambda: dict([(1, 2), (3,)])),
        raised(lambda: sorted([1, "a"])),
        raised(lambda: sorted([3, 1, "a"], reverse=True)),
        raised(lambda: max([])),
        raised(lambda: sum(["a"])),
        raised(lambda: next(iter([]))),
        raised(lambda: list(zip([1, 2], [1], strict=True))),
        raised(lambda: list(zip([1], [1, 2], [], strict=True))),
        raised(lambda: list(zip([], [], [4], strict=True))),
    ]


def from_assignments():
    one, pair = [1, 2, 3], (1, 2)

    def set_item(container, key, value):
        container[key] = value

    def delete_item(container, key):
        del container[key]

    return [
        raised(lambda: set_item(one, 7, 0)),
        raised(lambda: set_item(one, "a", 0)),
        raised(lambda: set_item(pair, 0, 0)),
        raised(lambda: set_item("abc", 0, 0)),
        raised(lambda: set_item(one, slice(0, 2), 5)),
        raised(lambda: set_item(one, slice(0, 3, 2), [1])),
        raised(lambda: delete_item(one, 7)),
        raised(lambda: delete_item(pair, 0)),
        raised(lambda: delete_item({}, 1)),
        one,
    ]


def from_names():
    found = []
    try:
        missing_name  # noqa: B018, F821
    except NameError as error:
        found += [error.args, error.name, type(error)]
    try:
        unbound  # noqa: B018, F821
        unbound = 1
    except UnboundLocalError as error:
        found += [error.args, type(error)]

    def inner():
        return free

    try:
        inner()
    except NameError as error:
        found += [error.args, type(error)]
    free = 1
    for free in (2,):
        del free
    try:
        inner()
    except NameError as error:
        found.append(error.args)
    try:
        del unbound
    except UnboundLocalError as error:
        found.append(error.args)
    return found


def from_unpacking():
    found = []
    for values in ([1], [1, 2, 3], (1,), iter([1]), iter([1, 2, 3]), {1: 2}, "abc", 3, None):
        try:
            a, b = values
        except (ValueError, TypeError) as error:
            found.append(repr(error))
        try:
            a, *b, c = iter([1]) if values is None else values
        except (ValueError, TypeError) as error:
            found.append(repr(error))
    rest = iter([1, 2, 3, 4, 5])
    try:
        a, b = rest
    except ValueError:
        found.append(list(rest))
    return found


def from_what_is_not_iterable():
    found, one = [], [1]

    def unpack(value, starred):
        if starred:
            a, *b = value
        else:
            a, b = value

    def set_slice(value):
        one[0:1] = value

    for x in (Slotless(), 3, None, len, zip):
        uses = [
            lambda: [*x], lambda: {*x}, lambda: set_slice(x), lambda: unpack(x, True), lambda: unpack(x, False),
            lambda: list(x), lambda: zip(x), lambda: sum(x), lambda: max(x), lambda: dict(x), lambda: one.extend(x),
            lambda: list(enumerate(x)), lambda: list(map(len, x)), lambda: set(x), lambda: sorted(x), lambda: any(x),
            lambda: [0 for _ in x],
        ]  # fmt: skip
        if not callable(x):
            uses += [lambda: ",".join(x), lambda: 1 in x]
        found += [raised(use)[:2] for use in uses]
    return found


def changed_while_iterated():
    found, made, items = [], {1: 2, 3: 4}, {1}
    walked, asked = iter(made), iter(items)
    made[5] = 6
    items.add(2)
    found += [raised(lambda: next(walked))[:2], raised(lambda: next(walked))[:2]]
    found += [raised(lambda: next(asked))[:2], raised(lambda: next(asked))[:2]]
    return found, [].append.__name__, type("a".upper)


def called(first, second=1, *, third):
    return first


def from_calls():
    return [
        raised(lambda: called()),
        raised(lambda: called(1)),
        raised(lambda: called(1, 2, 3, third=1)),
        raised(lambda: called(1, first=2, third=1)),
        raised(lambda: called(1, third=1, fourth=3)),
        raised(lambda: (lambda: 1)(2)),
        raised(lambda: Coded()),
        raised(lambda: ValueError(x=1)),
        raised(lambda: len()),
        raised(lambda: len(1, 2)),
        raised(lambda: Slotless.none()),
        raised(lambda: Slotless()()),
    ]


def from_attributes():
    thing, asked = Slotless(), Asked()
    found = [
        raised(lambda: thing.missing),
        raised(lambda: thing.bad),
        raised(lambda: Slotless.missing),
        raised(lambda: len(thing)),
        raised(lambda: thing[0]),
        raised(lambda: iter(thing)),
        raised(lambda: asked.missing),
    ]
    found += [hasattr(thing, "bad"), getattr(thing, "bad", 1), getattr(thing, "none", 2), asked.known]
    found += [hasattr(asked, "missing"), getattr(asked, "missing", 7), hasattr(Slotless, "missing")]
    try:
        thing.missing  # noqa: B018
    except AttributeError as error:
        found.append(error.name)
    return found


def chains():
    found = []
    try:
        try:
            raise KeyError(3)
        except KeyError as error:
            raise ValueError("second") from error
    except ValueError as error:
        found += [error.__cause__ is error.__context__, error.__suppress_context__, repr(error.__cause__)]
    try:
        try:
            raise KeyError(3)
        except KeyError:
            {}["missing"]  # noqa: B018
    except KeyError as error:
        found += [repr(error.__context__), error.__cause__, error.__suppress_context__]
    try:
        try:
            raise KeyError(3)
        finally:
            raise ValueError from None
    except ValueError as error:
        found += [repr(error.__context__), error.__cause__, error.__suppress_context__]
    try:
        raise ValueError from KeyError
    except ValueError as error:
        found.append(repr(error.__cause__))
    for wrong in (3, "text", [], int):
        try:
            raise wrong
        except TypeError as error:
            found.append(error.args)
        try:
            raise ValueError from wrong
        except TypeError as error:
            found.append(error.args)
    return found


def cycles():
    first, second = ValueError(1), KeyError(2)
    try:
        try:
            raise first
        except ValueError:
            try:
                raise second
            except KeyError:
                raise first  # noqa: B904
    except ValueError as error:
        return error is first, first.__context__ is second, second.__context__


def raised_again():
    found = []
    for _ in range(2):
        try:
            try:
                raise Coded(3)
            except Plain as error:
                found.append(error)
                raise
        except Plain as error:
            found.append(error is found[-1])
            found[-2] = error.code
    return found


def own_classes():
    found = []
    try:
        raise Plain
    except Plain as error:
        found.append(
            (str(error), repr(error), error.args, type(error) is Plain, isinstance(error, Exception))
        )
    try:
        raise Plain(1, 2)
    except Exception as error:
        found.append((str(error), repr(error), error.args))
    try:
        raise Coded(7)
    except Plain as error:
        found.append((str(error), repr(error), error.args, error.code, f"{error}", f"{error!r}"))
    try:
        raise Valued("x") from Plain("c")
    except ValueError as error:
        found.append((error.first, error.kind, error.__cause__.args, str(error)))
    try:
        raise Shown(1)
    except Shown as error:
        found.append((str(error), repr(error)))
    return found


def matches():
    found = []
    for kind in (KeyError, IndexError, ValueError, Plain, Coded):
        try:
            raise kind(1)
        except (KeyError, Coded):
            found.append("first")
        except LookupError:
            found.append("second")
        except Plain:
            found.append("third")
        except BaseException:
            found.append("last")
        else:
            found.append("else")
        finally:
            found.append("finally")
    for wrong in (3, int, (ValueError, int)):
        try:
            try:
                raise ValueError
            except wrong:
                found.append("caught")
        except TypeError as error:
            found.append((error.args, repr(error.__context__)))
    return found


def named_handlers():
    error = 1
    try:
        raise KeyError
    except KeyError as error:
        pass
    try:
        return error
    except UnboundLocalError as unbound:
        return unbound.args


def leaving_through_finally():
    found = []

    def returns():
        try:
            raise KeyError
        except KeyError:
            return "handler"
        finally:
            found.append("finally")

    def loops():
        for i in range(4):
            try:
                if i == 1:
                    continue
                if i == 3:
                    break
                found.append(i)
            finally:
                found.append(-i)
        else:
            found.append("else")

    def swallows():
        try:
            return 1 / 0
        finally:
            return "swallowed"  # noqa: B012

    loops()
    return returns(), swallows(), found


def nested_handlers():
    found = []
    try:
        raise KeyError("outer")
    except KeyError as outer:
        try:
            raise ValueError("inner")
        except ValueError as inner:
            found += [inner.__context__ is outer, repr(inner.__context__.__context__)]
        try:
            raise  # noqa: TRY201
        except KeyError as again:
            found.append(again is outer)
    return found


def attributes_of_exceptions():
    error = ValueError(1, "two")
    error.own = [3]
    stop = StopIteration(5)
    missing = FileNotFoundError(2, "no such file", "name")
    made = OSError(2, "text")
    return [
        (error.args, error.own, str(error), hasattr(error, "other"), hasattr(error, "args")),
        (stop.value, stop.args, StopIteration().value, SystemExit(3).code),
        (missing.errno, missing.strerror, missing.filename, type(made) is FileNotFoundError, str(made)),
        (error.__traceback__, error.__context__, error.__cause__, str(KeyError("k")), repr(KeyError())),
        error == error, error == ValueError(1, "two"), error != error, error in [error], [error].index(error),
    ]  # fmt: skip


def returned():
    error, own = ValueError(1, [2]), Coded(4)
    own.more = [own.code]
    return [error, error, type(own), own.args, own.code, own.more], Plain("x"), [KeyError]


def exceptions_that_hold_arrays(x):
    try:
        raise Plain(x + 1, 2)
    except Plain as error:
        first, second = error.args
        return first * second


def array_in_try(x, key):
    try:
        y = x * 2
        found = {"a": y}[key]
    except KeyError as error:
        found = x - len(error.args)
    else:
        found = found + 1
    finally:
        x = x + 100
    return found, x


@pytest.mark.parametrize(
    "function",
    [
        from_numbers,
        from_containers,
        from_assignments,
        from_names,
        from_unpacking,
        from_calls,
        from_what_is_not_iterable,
        changed_while_iterated,
        from_attributes,
        chains,
        cycles,
        raised_again,
        own_classes,
        matches,
        named_handlers,
        leaving_through_finally,
        nested_handlers,
        attributes_of_exceptions,
        returned,
    ],
    ids=lambda function: function.__name__,
)
def test_exceptions_are_absorbed(function):
    wholly_captured(function)


def test_arrays_and_exceptions():
    wholly_captured(exceptions_that_hold_arrays, np.arange(3.0))
    for key in "ab":
        wholly_captured(array_in_try, np.arange(3.0), key)


NEWER = {
    "notes": """
        def function():
            error = ValueError(1)
            error.add_note("first")
            error.add_note("second")
            other = KeyError()
            try:
                other.add_note(3)
            except TypeError as wrong:
                return error.__notes__, hasattr(other, "__notes__"), wrong.args
    """,
    "groups": """
        def function():
            group = ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [KeyError(2), ValueError(3)])])
            match, rest = group.split(ValueError)
            first = group.exceptions[0]
            whole = group.subgroup((ValueError, KeyError))
            return [
                str(group), repr(match), repr(rest), group.message, len(group.exceptions),
                match.exceptions[0] is first, whole is not None, group.subgroup(OSError), whole.message,
            ]
    """,
    "except_star": """
        def function():
            found = []
            for raised in (ValueError(1), ExceptionGroup("g", [ValueError(1), KeyError(2), OSError(3)])):
                try:
                    try:
                        raise raised
                    except* ValueError as group:
                        found.append(("value", repr(group), [repr(each) for each in group.exceptions]))
                    except* KeyError as group:
                        found.append(("key", repr(group)))
                    else:
                        found.append("else")
                    finally:
                        found.append("finally")
                except ExceptionGroup as rest:
                    found.append(repr(rest))
            return found
    """,
    "raised_in_except_star": """
        def function():
            found = []
            try:
                try:
                    raise ExceptionGroup("g", [ValueError(1), KeyError(2), OSError(3)])
                except* ValueError:
                    raise IndexError("new")
                except* KeyError:
                    raise
            except BaseException as rest:
                found += [repr(rest), [repr(each) for each in rest.exceptions]]
                found.append([repr(each.__context__) for each in rest.exceptions])
            return found
    """,
}


@pytest.mark.parametrize("name", NEWER)
def test_what_newer_pythons_have(name):
    """On 3.10, which lacks it, that they are refused as it refuses them is all there is to see."""
    from textwrap import dedent

    namespace = {}
    try:
        exec(compile(dedent(NEWER[name]), "<newer>", "exec"), namespace)
    except SyntaxError:
        return
    function = namespace["function"]
    if hasattr(BaseException, "add_note"):
        wholly_captured(function)
    else:
        surrenders(function, "leaves the function")


def escaping(n):
    try:
        raise KeyError(n)
    finally:
        n.append(1)


def test_what_leaves_the_function_is_raised_by_the_original():
    surrenders(escaping, "the original code raises it", [])


def shown_traceback():
    try:
        raise KeyError
    except KeyError as error:
        return error.__traceback__.tb_lineno


def returned_with_traceback():
    try:
        raise KeyError(1)
    except KeyError as error:
        return error


def bare_raise():
    try:
        raise  # noqa: PLE0704
    except RuntimeError as error:
        return str(error)


def test_what_is_not_known_in_the_trace():
    surrenders(shown_traceback, "attribute 'tb_lineno'")
    surrenders(returned_with_traceback, "cannot be made again")
    surrenders(bare_raise, "what the caller handles")
    try:
        raise ValueError
    except ValueError:

        def context_of_the_caller():
            try:
                raise KeyError
            except KeyError as error:
                return repr(error.__context__)

        surrenders(context_of_the_caller, "the caller handles an exception")
    wholly_captured(context_of_the_caller)


def breaks_within_handlers(log):
    """Breaks: what follows is captured from there on, with what CPython has on its stack."""
    import translator

    try:
        try:
            raise KeyError(1)
        except KeyError as error:
            translator.graph_break()
            log.append(repr(error))
            translator.graph_break()
            raise
        finally:
            log.append("finally")
            translator.graph_break()
            log.append("more")
    except LookupError as error:
        translator.graph_break()
        log.append(error.args)
    with Suppressing() as manager:
        translator.graph_break()
        log.append(type(manager).__name__)
        raise ValueError(2)
    return log


class Suppressing:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is ValueError


def test_regions_that_begin_within_handlers():
    surrenders(breaks_within_handlers, "graph_break", [])
