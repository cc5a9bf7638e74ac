"""Displays, unpacking, strings and pattern matching of real values.

Where an error's text is the instruction's, not an object's, the host's own instruction is made to give
it: a small function compiled by the host does the one thing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.semantics import Semantics
from translator.sentinels import NULL

SEQUENCE_FLAG, MAPPING_FLAG = 1 << 5, 1 << 6
CONVERSIONS: dict[str, Callable[[Any], str]] = {"str": str, "repr": repr, "ascii": ascii}
type_flags = type.__dict__["__flags__"].__get__


def host_function(source: str, name: str, scope: dict[str, Any] | None = None) -> Any:
    """The function that the source defines, compiled by the host, with the globals of `scope`."""
    namespace: dict[str, Any] = {}
    exec(compile(source, __file__, "exec"), namespace)
    return FunctionType(namespace[name].__code__, globals() if scope is None else scope, name)


@cache
def unpacker(before: int, after: int | None) -> Any:
    """A function that unpacks into a list: `before` items, or those, the rest and `after` items."""
    names = [f"v{i}" for i in range(before)]
    if after is not None:
        names += ["*rest"] + [f"w{i}" for i in range(after)]
    targets = "".join(f"{name}, " for name in names) or "()"
    values = ", ".join(name.lstrip("*") for name in names)
    return host_function(f"def unpack(sequence):\n {targets} = sequence\n return [{values}]", "unpack")


@cache
def class_matcher(names: tuple[str, ...], count: int) -> Any:
    """A function that matches a class pattern; gives the attributes as a tuple, or None."""
    bound = [f"v{i}" for i in range(count + len(names))]
    patterns = bound[:count] + [f"{name}={place}" for name, place in zip(names, bound[count:])]
    values = "".join(f"{name}, " for name in bound)
    return host_function(
        f"def match_class(subject, class_):\n match subject:\n"
        f"  case class_({', '.join(patterns)}): return ({values})\n return None",
        "match_class",
    )


def spread(iterable: Any) -> list[Any]:
    """`[*iterable]`."""
    return [*iterable]


def spread_mapping(mapping: Any) -> dict[Any, Any]:
    """`{**mapping}`."""
    return {**mapping}


def call_merged(callable_: Any, first: Any, second: Any) -> Any:
    """A call with two mappings: for what the host says when they collide or are none."""
    return callable_(**first, **second)


class RealContainers(Semantics):
    """BUILD_*, LIST_APPEND, UNPACK_*, FORMAT_*, MATCH_*."""

    def build_tuple(self, items: list[Any]) -> Any:
        """A tuple."""
        return tuple(items)

    def build_list(self, items: list[Any]) -> Any:
        """The list itself."""
        return items

    def build_set(self, items: list[Any]) -> Any:
        """A set."""
        return set(items)

    def build_map(self, items: list[Any]) -> Any:
        """A dict."""
        made = {}
        for index in range(0, len(items), 2):
            made[items[index]] = items[index + 1]
        return made

    def build_const_key_map(self, keys: Any, values: list[Any]) -> Any:
        """A dict."""
        return dict(zip(keys, values))

    def build_string(self, pieces: list[Any]) -> Any:
        """Joined."""
        return "".join(pieces)

    def list_append(self, list_: Any, item: Any) -> None:
        """`list_.append(item)`."""
        list_.append(item)

    def set_add(self, set_: Any, item: Any) -> None:
        """`set_.add(item)`."""
        set.add(set_, item)  # the program can put something else in its place

    def map_add(self, dict_: Any, key: Any, value: Any) -> None:
        """`dict_[key] = value`."""
        dict_[key] = value

    def list_extend(self, list_: Any, iterable: Any) -> None:
        """`[*iterable]` put at the end."""
        list_.extend(spread(iterable))

    def set_update(self, set_: Any, iterable: Any) -> None:
        """`set_ |= {*iterable}`."""
        set_.update(iterable)

    def dict_update(self, dict_: Any, mapping: Any) -> None:
        """`{**mapping}` put at the end."""
        dict_.update(mapping if type(mapping) is dict else spread_mapping(mapping))

    def dict_merge(self, dict_: Any, mapping: Any, callable_: Any) -> None:
        """Into the keyword arguments of a call, each key once."""
        if type(mapping) is not dict:
            if not hasattr(mapping, "keys"):
                call_merged(callable_, {}, mapping)
            if not isinstance(mapping, dict) and hasattr(type(mapping), "__getitem__"):
                return self.merge_keys(dict_, mapping, callable_)
            mapping = spread_mapping(mapping)
        for key in mapping:
            if key in dict_:
                call_merged(callable_, {key: None}, {key: None})
        dict_.update(mapping)

    def merge_keys(self, dict_: Any, mapping: Any, callable_: Any) -> None:
        """One key of a mapping at a time: it may give one twice. What its errors become the host says."""
        keys = mapping.keys()
        if not hasattr(type(keys), "__iter__") and not hasattr(type(keys), "__getitem__"):
            call_merged(callable_, {}, stand_in(mapping, keys, None))
        for key in keys:
            if key in dict_:
                call_merged(callable_, {key: None}, {key: None})
            try:
                dict_[key] = mapping[key]
                continue
            except KeyError as error:
                failure = error
            call_merged(callable_, {}, stand_in(mapping, [key], failure))

    def unpack(self, sequence: Any, count: int) -> list[Any]:
        """The items."""
        return unpacker(count, None)(sequence)  # type: ignore[no-any-return]

    def unpack_ex(self, sequence: Any, before: int, after: int) -> list[Any]:
        """The items with the list of the rest among them."""
        return unpacker(before, after)(sequence)  # type: ignore[no-any-return]

    # -- strings

    def convert(self, value: Any, conversion: str) -> Any:
        """`str(value)`, …"""
        return CONVERSIONS[conversion](value)

    def format(self, value: Any, spec: Any) -> Any:
        """`format(value, spec)`."""
        if spec is NULL:
            return value if type(value) is str else format(value, "")
        return format(value, spec)

    def interpolation(self, value: Any, text: Any, conversion: str | None, spec: Any) -> Any:
        """`string.templatelib.Interpolation(…)`."""
        made = self.template_library("Interpolation")
        return made(value, text, conversion, "" if spec is NULL else spec)

    def template(self, strings: Any, interpolations: Any) -> Any:
        """`string.templatelib.Template(…)`."""
        parts: list[Any] = [strings[0]]
        for interpolation, string in zip(interpolations, strings[1:]):
            parts += (interpolation, string)
        return self.template_library("Template")(*parts)

    def template_library(self, name: str) -> Any:
        """A type of `string.templatelib`, where the host has it."""
        try:
            return getattr(import_module("string.templatelib"), name)
        except ImportError:
            self.lacking("a template string", "string.templatelib")

    # -- match

    def length(self, subject: Any) -> Any:
        """`len(subject)`."""
        return len(subject)

    def match_mapping(self, subject: Any) -> Any:
        """By the flag of its type."""
        return bool(type_flags(type(subject)) & MAPPING_FLAG)

    def match_sequence(self, subject: Any) -> Any:
        """By the flag of its type."""
        return bool(type_flags(type(subject)) & SEQUENCE_FLAG)

    def match_keys(self, subject: Any, keys: Any) -> Any:
        """Looked up with `get`, each key once."""
        seen = set()
        values = []
        missing = object()
        get = subject.get if keys else None
        for key in keys:
            if key in seen:
                raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
            seen.add(key)
            value = get(key, missing)
            if value is missing:
                return None
            values.append(value)
        return tuple(values)

    def match_class(self, subject: Any, class_: Any, names: Any, count: int) -> Any:
        """As the host matches."""
        return class_matcher(names, count)(subject, class_)

    def dict_without_keys(self, subject: Any, keys: Any) -> Any:
        """`{**subject}` less the keys."""
        rest = {**subject}
        for key in keys:
            del rest[key]
        return rest


def stand_in(mapping: Any, keys: Any, failure: BaseException | None) -> Any:
    """A mapping of the same name with these keys, that fails where it is asked for an item."""

    def get(self: Any, key: Any) -> Any:
        raise failure  # type: ignore[misc]

    kind = type(mapping)
    names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    return type(kind.__name__, (), {**names, "keys": lambda self: keys, "__getitem__": get})()
