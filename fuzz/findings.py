"""What went wrong with one program: a disagreement, an error of ours, a crash, a hang, too much memory.

Findings are the same when they fail in the same way at the same place: see `signature`.
"""

from __future__ import annotations

import re
import traceback
from dataclasses import asdict, dataclass, field
from typing import Any

from fuzz.generated import GeneratedFunction
from fuzz.oracle import Observation
from fuzz.portraits import Node, parting, render, unnumbered

#: "disagreement": the observations differ; "error": the target raised outside of the program; "unsteady":
#: CPython itself does not give the same twice
KINDS = ("disagreement", "error", "crash", "hang", "memory", "unsteady")


@dataclass(frozen=True)
class Finding:
    """One program that a target did not get right."""

    kind: str
    target: str
    #: the version whose bytecode it is, "3.13"
    python: str
    #: the version it was carried out on
    host: str
    #: how it fails, before it is made small
    rough: str
    #: how and where it fails
    signature: str
    #: one line for a list
    title: str
    program: dict[str, Any]
    call: str = ""
    expected: str = ""
    got: str = ""
    difference: str = ""
    parting: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Finding:
        """What `to_dict` gave."""
        return cls(**data)


def to_data(function: GeneratedFunction) -> dict[str, Any]:
    """A program, JSON-ready."""
    return {
        "source": function.source,
        "calls": list(function.calls),
        "entry": function.entry,
        "prelude": list(function.prelude),
    }


def from_data(data: dict[str, Any]) -> GeneratedFunction:
    """What `to_data` gave."""
    return GeneratedFunction(data["source"], tuple(data["calls"]), data["entry"], tuple(data["prelude"]))


_HEX = re.compile(r"0x[0-9a-f]+|generated [0-9a-f]+")
_DIGITS = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def shape(text: str) -> str:
    """A message without what is this program's: numbers, names, quoted parts."""
    text = _QUOTED.sub("'…'", _HEX.sub("N", text))
    return re.sub(r"\b([a-z]{1,2})N\b", r"\1", _DIGITS.sub("N", text))[:160]


def category(expected: Observation, got: Observation) -> str:
    """How two observations differ, in words that other programs with the same fault share."""
    effects = unnumbered(expected.effects), unnumbered(got.effects)
    if expected.outcome != got.outcome:
        return f"{_ending(expected)} became {_ending(got)}"
    if effects[0] != effects[1]:
        return f"effects: {_sides(*effects)}"
    for same in (unnumbered, lambda node: node):
        for name in ("result", "arguments", "globals"):
            mine, other = same(getattr(expected, name)), same(getattr(got, name))
            if mine != other:
                return f"{name}: {_sides(mine, other)}"
    for name in ("output", "warnings"):
        if getattr(expected, name) != getattr(got, name):
            return f"{name}: {shape(str(getattr(expected, name)))} became {shape(str(getattr(got, name)))}"
    return "the observations differ"


def _ending(seen: Observation) -> str:
    if seen.outcome == "value":
        return "a value"
    return _exception(seen.result)


def _exception(node: Node) -> str:
    args = dict(node[2]).get("args")
    text = render(args) if args is not None and node[0].startswith(("translator.", "opcodes.")) else ""
    return f"{node[0]} {shape(text)}".strip()


def _sides(mine: Node, other: Node) -> str:
    found = parting(mine, other)
    if found is None:
        return "identity"
    path, first, second = found
    place = re.sub(r"\[[^\]]*\]", "[]", path).rpartition(" ")[2][-40:]
    if first[0] != second[0]:
        return f"{place} {first[0]} became {second[0]}"
    if first[1] != second[1]:
        words = "text" if first[0] == "str" else "value" if first[0] != "entry" else "traceback entry"
        return f"{place} other {words} of {first[0]}"
    return f"{place} other items of {first[0]}"


_OWN = re.compile(r"[\\/](translator|opcodes|fuzz)[\\/]")


def blamed(error: BaseException) -> str:
    """The innermost place in our own files: "opcodes/encode.py encode"."""
    place = ""
    for entry in traceback.extract_tb(error.__traceback__):
        if _OWN.search(entry.filename) and "/fuzz/" not in entry.filename.replace("\\", "/"):
            place = f"{'/'.join(entry.filename.replace(chr(92), '/').split('/')[-2:])} {entry.name}"
    return place


_CRASH_FRAME = re.compile(r'File "([^"]+)", line (\d+) in (\S+)')


def blamed_in_dump(text: str) -> str:
    """The innermost place in our own files of what `faulthandler` wrote, or the innermost at all."""
    frames = [(path.replace("\\", "/"), name) for path, _, name in _CRASH_FRAME.findall(text)]
    own = [pair for pair in frames if _OWN.search(pair[0]) and "/fuzz/" not in pair[0]]
    if not (own or frames):
        return "nowhere"
    path, name = (own or frames)[0]
    return f"{'/'.join(path.split('/')[-2:])} {name}"


def signature(target: str, kind: str, how: str, where: str) -> str:
    """What makes two findings one."""
    return " | ".join(part for part in (target.partition(":")[0], kind, how, where) if part)
