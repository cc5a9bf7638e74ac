"""The target `cross`: bytecode of one CPython, carried out by the Interpreter on another.

The version that compiles exports programs: the code objects as bytes, and what it observed of each call.
The host reads the bytes and runs them. What the two cannot share is left out of the comparison: the texts
of errors that the host's own objects raise, columns, where its own compiler and builtins speak.
"""

from __future__ import annotations

import builtins
import marshal
from collections.abc import Callable
from types import CodeType
from typing import Any

from fuzz import prelude
from fuzz.coverage import nested
from fuzz.findings import to_data
from fuzz.generated import GeneratedFunction
from fuzz.oracle import Observation, native, observe
from fuzz.portraits import Node

MAGIC_BYTES = 16


def export(function: GeneratedFunction) -> dict[str, Any]:
    """A program for other hosts, JSON-ready: bytecode, and what its own version makes of each call."""
    codes = [*map(prelude.piece, function.prelude), function.code()]
    return {
        "program": to_data(function),
        "codes": [marshal.dumps(code).hex() for code in codes],
        "filename": function.filename,
        "builtins": sorted(_builtins_used(codes)),
        "observations": [observe(native, function, call).to_json() for call in function.calls],
    }


def _builtins_used(codes: list[CodeType]) -> set[str]:
    """The names of this version's builtins that the code objects speak of."""
    return {
        name for code in codes for each in nested(code) for name in each.co_names if hasattr(builtins, name)
    }


def header() -> bytes:
    """The head of a `.pyc` file of the running version."""
    import importlib.util

    return importlib.util.MAGIC_NUMBER + bytes(MAGIC_BYTES - 4)


class ForeignFunction(GeneratedFunction):
    """A program whose code objects come from another version."""

    def __init__(self, item: dict[str, Any], head: bytes) -> None:
        data = item["program"]
        super().__init__(
            data["source"],
            tuple(data["calls"]),
            data["entry"],
            tuple(data["prelude"]),
            filename=item["filename"],
        )
        object.__setattr__(self, "codes", [head + bytes.fromhex(each) for each in item["codes"]])

    codes: list[bytes]

    def namespace(self, rewrite: Callable[[CodeType], CodeType] | None = None) -> dict[str, Any]:
        """The module's globals, made by the Interpreter."""
        from opcodes.foreign import read_pyc
        from translator.interpreter import Interpreter

        self._show_lines()
        found = self.__dict__.get("_read")
        if found is None:
            found = [read_pyc(data, self.filename) for data in self.codes]
            object.__setattr__(self, "_read", found)
        namespace: dict[str, Any] = {"__name__": "generated"}
        machine = Interpreter()
        for code in found:
            machine.run_module(code, namespace)
        return namespace


def carry_out(item: dict[str, Any], head: bytes) -> tuple[str, Observation, Observation] | None:
    """(call, what its own version saw, what was seen here) of the first call that differs, comparable."""
    from translator.interpreter import Interpreter

    if not all(hasattr(builtins, name) for name in item["builtins"]):
        return None  # the host has not what it takes
    function = ForeignFunction(item, head)
    for call, text in zip(function.calls, item["observations"]):
        expected = comparable(Observation.from_json(text))
        seen = observe(Interpreter().run, function, call)
        if any(_surrendered(node) for node in (seen.result, seen.effects)):
            continue  # the host has not what it takes, and the Interpreter says so
        got = comparable(seen)
        if expected != got:
            return call, expected, got
    return None


def comparable(seen: Observation) -> Observation:
    """What every host can be held to."""
    return Observation(
        seen.outcome,
        _plain(seen.result),
        _plain(seen.effects),
        seen.output,
        (),
        _plain(seen.arguments),
        _plain(seen.globals),
    )


#: exceptions whose words are the program's own
_OWN_WORDS = frozenset(["Trouble"])
_EXCEPTION = ("Error", "Exception", "StopIteration", "Warning", "Exit", "Interrupt", "ExceptionGroup")
#: a string that long and with a space may be a message in the host's words, wherever it is kept
_MESSAGE = 12


def _surrendered(node: Node) -> bool:
    return node[0] == "translator.errors.Unimplemented" or any(_surrendered(child) for _, child in node[2])


def _plain(node: Node) -> Node:
    tag, text, children = node
    if tag == "entry":
        return (tag, text.partition(", columns")[0], ())
    if tag == "str":
        return (tag, "a message", ()) if len(text) > _MESSAGE and " " in text else node
    if tag == "float":
        return (tag, format(float(text), ".9g"), ())  # sum() adds with more care since 3.12
    if tag.startswith("typing."):
        return (tag, text, ())  # what it keeps besides its name is the version's affair
    if tag.endswith(_EXCEPTION) and tag not in _OWN_WORDS:
        children = tuple(pair for pair in children if pair[0] not in ("args", "name", "value", ".__notes__"))
    found = [(label, _plain(child)) for label, child in children]
    if tag == "UnboundLocalError":
        # some versions blur where it is
        entries = [place for place, (label, _) in enumerate(found) if label.startswith("traceback")]
        for place in entries[-1:]:
            found[place] = (found[place][0], ("entry", "somewhere", ()))
    return (tag, text, tuple(found))
