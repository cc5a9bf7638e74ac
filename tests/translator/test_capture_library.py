"""itertools, deques, patterns, imports and unittest's own assertions in captured code."""

from __future__ import annotations

import collections
import contextlib
import itertools
import re
import sys
import unittest

import numpy as np
import pytest

from tests.translator.wholly_captured import surrenders, wholly_captured

PATTERN = re.compile(r"(a+)(?P<rest>b)?")
BY_CLASS = {int: "int", list: ["list"], None: 4, (1, "b"): 5, True: 6, b"x": 7}


def from_itertools():
    from_iterable = itertools.chain.from_iterable
    return [
        [*itertools.chain([1], "ab", (3,))], [*from_iterable([[1], [2]])], [*itertools.islice(range(10), 2, 9, 3)],
        [*itertools.islice(itertools.count(3), 4)], [*itertools.islice(itertools.cycle("abc"), 7)],
        [*itertools.repeat(3, 2)], [*itertools.zip_longest([1, 2, 3], "a", fillvalue="-")],
        [*itertools.product("ab", [1, 2])], [*itertools.product([1, 2], repeat=2)],
        [*itertools.permutations("abc", 2)], [*itertools.combinations("abc", 2)],
        [*itertools.combinations_with_replacement("ab", 2)], [*itertools.accumulate([1, 2, 3])],
        [*itertools.accumulate([1, 2, 3], lambda a, b: a * b, initial=2)],
        [*itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1])], [*itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1])],
        [*itertools.filterfalse(None, [0, 1, 2])], [*itertools.starmap(pow, [(2, 3), [3, 2]])],
        [*itertools.compress("abcd", [1, 0, 1])], [*itertools.pairwise([1, 2, 3])],
        [(k, [*group]) for k, group in itertools.groupby("aabbc")],
        [k for k, _ in itertools.groupby([1, 1, 2, 3], lambda x: x // 2)],
    ]  # fmt: skip


def how_far_they_ask():
    found = []
    it = iter(range(10))
    part = itertools.islice(it, 1, 8, 3)
    found += [next(part), next(it), next(part), [*part], [*it]]
    it = iter([1, 2, 5, 1])
    found += [[*itertools.takewhile(lambda x: x < 3, it)], [*it]]
    first, second = itertools.tee(iter([1, 2, 3]))
    found += [next(first), next(first), [*second], [*first]]
    groups = itertools.groupby([1, 1, 2, 2])
    _, one = next(groups)
    found.append(next(one))
    key, two = next(groups)
    found += [[*one], key, [*two], [*groups]]
    it = iter([1, 2, 3])
    found += [[*itertools.compress(it, [1, 0])], [*it]]

    def fails():
        yield 1
        raise KeyError(2)

    for make in (itertools.pairwise, itertools.zip_longest, itertools.accumulate, itertools.chain):
        it = make(fails())
        for _ in range(3):
            try:
                found.append(next(it, "end"))
            except KeyError as error:
                found.append(error.args)
    chained = itertools.chain([1], 3, [4])
    found.append(next(chained))
    for _ in range(2):
        try:
            found.append(next(chained, "end"))
        except TypeError as error:
            found.append(error.args)
    return found


def refused():
    found = []
    for wrong in (
        lambda: itertools.islice([1], -1),
        lambda: itertools.islice([1]),
        lambda: itertools.product(3),
        lambda: itertools.combinations([1], -1),
        lambda: itertools.chain(x=1),
        lambda: itertools.chain.missing,
        lambda: itertools.starmap(len),
        lambda: [*itertools.starmap(len, [3])],
    ):
        try:
            wrong()
        except (ValueError, TypeError, AttributeError) as error:
            found.append(repr(error))
    return found


def deques():
    made = collections.deque([1, 2, 3], maxlen=3)
    found = [made.maxlen, len(made), made[0], made[-1], 2 in made, bool(made)]
    made.append(4)
    made.appendleft(0)
    found += [[*made], made.pop(), made.popleft()]
    made.extend("ab")
    made.rotate(1)
    made[0] = "first"
    for wrong in (
        lambda: collections.deque().pop(),
        lambda: made[9],
        lambda: made["a"],
        lambda: made.missing,
    ):
        try:
            wrong()
        except (IndexError, TypeError, AttributeError) as error:
            found.append(repr(error))
    try:
        for each in made:
            made.append(each)
    except RuntimeError as error:
        found.append(error.args)
    return found, made, collections.deque()


def patterns(text):
    match = PATTERN.search(text)
    found = [match.group(1), match.groups(), match.start(), match["rest"], match.groupdict(), bool(match)]
    found += [re.sub("a", "b", text), re.match("z", text), [each.group() for each in PATTERN.finditer(text)]]
    found += [re.compile("x|y", re.IGNORECASE).findall("XyZ"), PATTERN.pattern, re.split("b", text)]
    try:
        re.compile("(")
    except re.error:
        found.append("never: its class is not built in")
    return found


def sound_patterns(text):
    return patterns_of(PATTERN, text), re.compile("a").sub("c", text), PATTERN.fullmatch(text) is None


def patterns_of(pattern, text):
    return [each.span() for each in pattern.finditer(text)]


def imports():
    import collections.abc as abc
    import os.path
    from itertools import chain
    from math import floor, pi

    return [*chain([floor(2.5)], [pi])], os.path.sep, abc.__name__


def handled():
    found = [sys.exc_info()]
    try:
        raise KeyError(1)
    except KeyError as error:
        kind, value, traceback = sys.exc_info()
        found += [kind, value is error, traceback is None, traceback is error.__traceback__]
    return found, sys.exc_info()


def keys_of_all_kinds(value):
    found = [BY_CLASS.get(type(value)), BY_CLASS[list], BY_CLASS[None], BY_CLASS[1, "b"], BY_CLASS.get(float)]
    return found, BY_CLASS[True], BY_CLASS[1], list in BY_CLASS, str in BY_CLASS, BY_CLASS[b"x"], [*BY_CLASS]


def exit_stacks():
    log = []

    @contextlib.contextmanager
    def managed(name):
        log.append(name)
        try:
            yield name
        except KeyError as error:
            log.append(error.args)
        finally:
            log.append(("out", name))

    for error in (None, ValueError(1), KeyError(2)):
        try:
            with contextlib.ExitStack() as stack:
                log.append(stack.enter_context(managed("a")))
                stack.callback(log.append, 9)
                stack.enter_context(managed("b"))
                if error is not None:
                    raise error
        except ValueError as raised:
            log.append(raised is error)
    return log


class Assertions(unittest.TestCase):
    def passing(self):
        self.assertEqual([1, {2: "a"}], [1, {2: "a"}])
        self.assertEqual("text", "text")
        self.assertTrue(3)
        self.assertIn(1, [1])
        self.assertIsNone(None)
        self.assertRaises(ValueError, int, "x")
        with self.assertRaises(KeyError) as caught:
            {}["a"]  # noqa: B018
        self.assertEqual(caught.exception.args, ("a",))
        with self.assertRaisesRegex(ZeroDivisionError, "zero"):
            1 / 0  # noqa: B018

    def failing(self):
        try:
            self.assertEqual(1, 2)
        except self.failureException as error:
            return str(error)


@pytest.mark.parametrize(
    "function",
    [from_itertools, how_far_they_ask, refused, deques, imports, handled],
    ids=lambda function: function.__name__,
)
def test_the_library_is_absorbed(function):
    wholly_captured(function)


def test_exit_stacks():
    if hasattr(contextlib, "_lookup_special"):  # where it looks methods up by inspect.getattr_static
        surrenders(exit_stacks, "getattr_static")
    else:
        wholly_captured(exit_stacks)


def test_what_has_arguments():
    wholly_captured(sound_patterns, "xaabab")
    wholly_captured(keys_of_all_kinds, 3)
    surrenders(patterns, "raises", "xaab")


def test_assertions_of_unittest():
    case = Assertions("passing")
    wholly_captured(lambda: Assertions.passing(case))


def test_batches():
    if hasattr(itertools, "batched"):
        wholly_captured(lambda: [*itertools.batched("abcde", 2)])
    else:
        surrenders(lambda: itertools.batched, "'batched'")


def test_arrays_in_them(x=np.arange(3.0)):
    def f(x):
        queue = collections.deque([x, x + 1])
        queue.append(queue.popleft() * 2)
        return [sum(pair) for pair in itertools.product(queue, repeat=2)], [*itertools.accumulate(queue)]

    wholly_captured(f, x)
