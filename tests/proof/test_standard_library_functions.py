"""Functions of the standard library that no one here wrote, in the Interpreter, against CPython.

Where a module replaces its functions by C ones, the Python ones are taken.
"""

from __future__ import annotations

import functools
import importlib
import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import translator
from fuzz.oracle import native, observe

FEW = settings(max_examples=max(25, settings.default.max_examples // 4))

number = st.one_of(
    st.integers(-1000, 1000), st.floats(-1e6, 1e6), st.fractions(-100, 100, max_denominator=50)
)
floats = st.floats(allow_nan=True, allow_infinity=True)
unit = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 0.5, 2.0, -1.0]))
ints = st.lists(st.integers(-20, 20), max_size=12)
ordered = ints.map(sorted)
heap = ordered
text = st.text(st.sampled_from("ab \t\n\r-.,'\"%$é{}()0"), max_size=40)
line = st.text(st.sampled_from("ab -.,é0"), max_size=30)
words = st.lists(st.text("abc -", max_size=8), max_size=8)
lines = st.lists(st.text("ab", max_size=3).map(lambda s: s + "\n"), max_size=8)
path = st.text(st.sampled_from("ab./\\:~*?[]!"), max_size=20)
url = st.text(st.sampled_from("ab:/?#&=%2@[].;+"), max_size=25)
year = st.integers(1, 9999)
month = st.one_of(st.integers(1, 12), st.integers(0, 13))
colour = st.tuples(unit, unit, unit)
address = st.one_of(
    st.integers(0, 2**32), st.ip_addresses().map(str), st.text("0123456789.:/abf", max_size=15)
)
network = st.one_of(st.sampled_from(["10.0.0.0/30", "10.0.0.1/30", "::/126", "192.168.0.0/28"]), address)
table = st.dictionaries(st.text("ab", min_size=1, max_size=2), st.integers(), max_size=4)
plain = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text('aé\n"', max_size=4)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)
template = st.text(st.sampled_from("ab$ {}"), max_size=20)
bytes_ = st.binary(max_size=20)
regex = st.text(st.sampled_from("ab*+?()[]|.^$\\d{1,2}-"), max_size=10)
level = st.integers(-3, 40)

one = st.tuples
FUNCTIONS: dict[str, st.SearchStrategy[tuple[Any, ...]]] = {
    "textwrap:dedent": one(text),
    "textwrap:indent": one(text, line),
    "textwrap:fill": one(text, level),
    "textwrap:wrap": one(text, level),
    "textwrap:shorten": one(text, level),
    "statistics:mean": one(st.lists(number, max_size=6)),
    "statistics:median": one(st.lists(number, max_size=6)),
    "statistics:median_low": one(st.lists(number, max_size=6)),
    "statistics:median_high": one(st.lists(number, max_size=6)),
    "statistics:median_grouped": one(ints),
    "statistics:mode": one(ints),
    "statistics:multimode": one(words),
    "statistics:variance": one(st.lists(number, max_size=6)),
    "statistics:pvariance": one(st.lists(number, max_size=6)),
    "statistics:harmonic_mean": one(ints),
    "statistics:quantiles": one(ints),
    "bisect:bisect_left": one(ordered, st.integers(-20, 20)),
    "bisect:bisect_right": one(ordered, st.integers(-20, 20), st.integers(-1, 3)),
    "bisect:insort_right": one(ordered, st.integers(-20, 20)),
    "bisect:insort_left": one(ordered, st.one_of(st.integers(), st.text(max_size=1))),
    "heapq:heappush": one(heap, st.integers(-20, 20)),
    "heapq:heappop": one(heap),
    "heapq:heapify": one(ints),
    "heapq:heapreplace": one(heap, st.integers(-20, 20)),
    "heapq:heappushpop": one(heap, st.integers(-20, 20)),
    "heapq:nlargest": one(st.integers(-1, 4), ints),
    "heapq:nsmallest": one(st.integers(-1, 4), ints),
    "heapq:merge": one(ordered, ordered, ordered),
    "colorsys:rgb_to_hsv": colour,
    "colorsys:hsv_to_rgb": colour,
    "colorsys:rgb_to_hls": colour,
    "colorsys:hls_to_rgb": colour,
    "colorsys:rgb_to_yiq": colour,
    "colorsys:yiq_to_rgb": colour,
    "fractions:Fraction.__new__": one(
        st.just(Fraction), st.one_of(number, st.text("0123456789/.e-_ ", max_size=8))
    ),
    "fractions:Fraction.limit_denominator": one(st.fractions(), st.integers(-1, 1000)),
    "fractions:Fraction.__floor__": one(st.fractions()),
    "fractions:Fraction.__round__": one(st.fractions(), st.integers(-2, 3)),
    "fractions:Fraction.__pow__": one(st.fractions(-5, 5, max_denominator=9), st.integers(-3, 3)),
    "fractions:Fraction.__hash__": one(st.fractions()),
    "fractions:Fraction.__str__": one(st.fractions()),
    "string:capwords": one(line),
    "difflib:get_close_matches": one(st.text("abc", max_size=5), words),
    "difflib:unified_diff": one(lines, lines),
    "difflib:context_diff": one(lines, lines),
    "difflib:ndiff": one(lines, lines),
    "calendar:isleap": one(year),
    "calendar:leapdays": one(year, year),
    "calendar:weekday": one(year, month, st.integers(1, 31)),
    "calendar:monthrange": one(year, month),
    "calendar:TextCalendar.formatmonth": one(
        st.builds(importlib.import_module("calendar").TextCalendar, st.integers(0, 6)),
        year,
        st.integers(1, 12),
    ),
    "ipaddress:ip_address": one(address),
    "ipaddress:ip_network": one(network),
    "ipaddress:ip_interface": one(network),
    "ipaddress:v4_int_to_packed": one(st.integers(-1, 2**33)),
    "glob:escape": one(path),
    "shlex:split": one(text),
    "shlex:quote": one(text),
    "posixpath:normpath": one(path),
    "posixpath:join": one(path, path),
    "posixpath:splitext": one(path),
    "posixpath:commonpath": one(st.lists(path, max_size=3)),
    "ntpath:join": one(path, path),
    "ntpath:splitext": one(path),
    "genericpath:commonprefix": one(st.lists(path, max_size=3)),
    "urllib.parse:quote": one(text),
    "urllib.parse:unquote": one(url),
    "urllib.parse:urlsplit": one(url),
    "urllib.parse:urljoin": one(url, url),
    "urllib.parse:parse_qsl": one(url),
    "urllib.parse:urlencode": one(table),
    "html:escape": one(text),
    "html:unescape": one(st.text(st.sampled_from("&#x;ltgamp0123 "), max_size=12)),
    "base64:b32encode": one(bytes_),
    "base64:a85encode": one(bytes_),
    "email.utils:parseaddr": one(st.text(st.sampled_from('ab@.<>,"() '), max_size=16)),
    "email.utils:quote": one(text),
    "json.encoder:py_encode_basestring_ascii": one(st.text(max_size=8)),
    "json.decoder:py_scanstring": one(st.text(st.sampled_from('ab"\\nu0'), max_size=12), st.just(0)),
    "copy:deepcopy": one(plain),
    "pprint:pformat": one(plain),
    "inspect:cleandoc": one(text),
    "quopri:quote": one(st.binary(min_size=1, max_size=1)),
    "keyword:iskeyword": one(st.sampled_from(["if", "x", "async"])),
    "mimetypes:guess_type": one(url),
    "colorsys:_v": colour,
    "gettext:c2py": one(st.text(st.sampled_from("n<>=!&|?:()0123% "), max_size=12)),
    "reprlib:repr": one(plain),
    "string:Formatter.vformat": one(
        st.builds(importlib.import_module("string").Formatter), template, st.just((1, "a")), st.just({"a": 2})
    ),
    "string:Template.safe_substitute": one(
        st.builds(importlib.import_module("string").Template, template), table
    ),
    "locale:_strip_padding": one(line, st.integers(0, 4)),
    "functools:reduce": one(st.just(max), ints),
}

#: The C modules that replace functions of these.
ACCELERATORS = {"bisect": ["_bisect"], "heapq": ["_heapq"], "functools": ["_functools"]}


@functools.cache
def pure(name: str) -> Any:
    """The module without its accelerator; the one in sys.modules stays what it is."""
    if name not in ACCELERATORS:
        return importlib.import_module(name)
    hidden = {each: sys.modules.get(each) for each in (name, *ACCELERATORS[name])}
    try:
        sys.modules.pop(name, None)
        for each in ACCELERATORS[name]:
            sys.modules[each] = None  # type: ignore[assignment]
        return importlib.import_module(name)
    finally:
        for each, module in hidden.items():
            if module is None:
                sys.modules.pop(each, None)
            else:
                sys.modules[each] = module


def function_of(name: str) -> Any:
    """The Python function; through a decorator such as `lru_cache` to what it wraps."""
    module, _, attributes = name.partition(":")
    found = pure(module)
    for attribute in attributes.split("."):
        found = vars(found)[attribute] if isinstance(found, type) else getattr(found, attribute)
    found = found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
    return getattr(found, "__wrapped__", found)


NAMES = [name for name in FUNCTIONS if hasattr(function_of(name), "__code__")]


def test_there_are_enough_python_functions_here():
    """A version may have moved some to C; no fewer than these may be left."""
    assert len(NAMES) >= 80


@pytest.mark.parametrize("name", NAMES)
def test_function_in_the_interpreter_agrees_with_cpython(name):
    function = function_of(name)

    @FEW
    @given(FUNCTIONS[name])
    def agrees(args):
        expected = observe(native, function, args)
        difference = expected.difference(observe(translator.run, function, args))
        assert difference is None, f"{name}{args!r}: {difference}"

    agrees()
