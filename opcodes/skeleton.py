"""The overlay to be filled in for a CPython that has no table yet, written from its own `opcode` module.

    opshift tables --skeleton

What can be read off the running interpreter is filled in: numbers, caches, ids, what is gone and what is
new. What an opcode means is for a person to write: `...` stands for each such row.
"""

from __future__ import annotations

import dis
import importlib.util
import opcode
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from opcodes.decode import HOST, decode_with
from opcodes.errors import OpcodesError
from opcodes.foreign import ForeignCode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.table import VERSIONS, OpcodeTable, Version, table

#: the attributes of a table that say what arguments stand for
IDS = (
    *("binary_operators", "compare_operators", "intrinsics_1", "intrinsics_2"),
    *("common_constants", "special_methods"),
)


class Host:
    """What the running interpreter says about its opcodes, in the terms of an OpcodeTable."""

    def __init__(self) -> None:
        self.version = HOST
        self.magic = (int.from_bytes(importlib.util.MAGIC_NUMBER[:2], "little"),)
        # the compiler's own are 256 and up; co_code never shows the instrumented ones
        self.opmap = {
            name: number
            for name, number in opcode.opmap.items()
            if number < 256 and not name.startswith("INSTRUMENTED_")
        }
        entries = getattr(opcode, "_inline_cache_entries", {})
        sizes = {
            name: entries[number] if isinstance(entries, list) else entries.get(name, 0)
            for name, number in self.opmap.items()
        }
        self.caches = {name: size for name, size in sizes.items() if size}
        self.with_argument = {name for name, number in self.opmap.items() if _takes_argument(number)}
        self.have_argument = min(self.opmap[name] for name in self.with_argument)
        self.binary_operators = tuple(symbol for _, symbol in getattr(opcode, "_nb_ops", ()))
        self.compare_operators = tuple(opcode.cmp_op)
        self.intrinsics_1 = _intrinsics("_intrinsic_1_descs")
        self.intrinsics_2 = _intrinsics("_intrinsic_2_descs")
        self.common_constants = tuple(getattr(opcode, "_common_constants", ()))
        self.special_methods = tuple(getattr(opcode, "_special_method_names", ()))

    def effects(self, name: str, arg: int) -> tuple[int | None, int | None]:
        """`dis.stack_effect` when it falls through and when it jumps; None where there is none."""
        given = arg if name in self.with_argument else None
        found: list[int | None] = []
        for jump in (False, True):
            try:
                found.append(dis.stack_effect(self.opmap[name], given, jump=jump))
            except ValueError:
                found.append(None)
        return found[0], found[1]


def _takes_argument(number: int) -> bool:
    known = getattr(opcode, "hasarg", None)
    return number in known if known is not None else number >= opcode.HAVE_ARGUMENT


def _intrinsics(name: str) -> tuple[str | None, ...]:
    return tuple(
        None if text.endswith("_INVALID") else text.removeprefix("INTRINSIC_").lower()
        for text in getattr(opcode, name, ())
    )


def skeleton(known: Sequence[Version] = VERSIONS) -> str:
    """The module `opcodes/cpython<version>.py` for the running interpreter, with `...` to be filled in.

    `known` are the versions taken to have a table. OpcodesError if the running one is among them.
    """
    if HOST in known:
        raise OpcodesError(
            f"CPython {_dotted(HOST)} has its table, opcodes/{_module(HOST)}.py: "
            "a skeleton is for a Python without one"
        )
    older = [version for version in known if version < HOST]
    host = Host()
    body = list(_overlay(host, table(max(older))) if older else _first(host))
    return "\n".join([*_head(host, max(older) if older else None), *body, ")"]) + "\n"


def _head(host: Host, base: Version | None) -> Iterator[str]:
    yield f'"""CPython {_dotted(host.version)}: say here in one line what is new.'
    yield ""
    yield 'Facts from `Lib/_opcode_metadata.py` and `Python/bytecodes.c` of that version."""'
    yield ""
    yield "from __future__ import annotations"
    yield ""
    yield "from opcodes import instructions as ins"
    if base is not None:
        yield f"from opcodes.{_module(base)} import {_constant(base)}"
    yield "from opcodes.rows import counted, fixed, flagged, indexed, jump, local, named, sequence"
    yield f"from opcodes.table import {'numbered' if base is not None else 'OpcodeTable, numbered'}"
    yield ""


def _overlay(host: Host, base: OpcodeTable) -> Iterator[str]:
    yield f"{_constant(host.version)} = {_constant(base.version)}.evolve("
    yield f"    version={host.version},"
    yield f"    magic={host.magic},"
    if host.have_argument != base.have_argument:
        yield f"    have_argument={host.have_argument},"
    if dict(host.opmap) != dict(base.opmap):
        yield from _numbers(host)
    removed = sorted(base.opmap.keys() - host.opmap.keys())
    if removed:
        yield "    removed=("
        yield "        # what does their work now?"
        yield from (f'        "{name}",' for name in removed)
        yield "    ),"
    added = [name for name in host.opmap if name not in base.opmap]
    if added:
        yield "    added={"
        yield from (f'        "{name}": ...,  # {_hint(host, name)}' for name in added)
        yield "    },"
    yield "    changed={"
    yield from (f'        "{name}": ...,  # {why}' for name, why in changes(host, base).items())
    yield "        # and those that mean something else with the same stack effect"
    yield "    },"
    caches = {
        name: host.caches.get(name, 0)
        for name in host.opmap
        if host.caches.get(name, 0) != base.caches.get(name, 0)
    }
    if caches:
        yield "    caches={"
        yield from (f'        "{name}": {size},' for name, size in caches.items())
        yield "    },"
    yield from _ids(host, base)
    yield "    # facts={…}: words of errors, and what else opcodes/texts.py and the tables before have"


def _first(host: Host) -> Iterator[str]:
    """With no older table to begin from: a whole one."""
    yield f"{_constant(host.version)} = OpcodeTable("
    yield f"    version={host.version},"
    yield f"    magic={host.magic},"
    yield f"    have_argument={host.have_argument},"
    yield from _numbers(host)
    yield "    rows={"
    yield from (f'        "{name}": ...,  # {_hint(host, name)}' for name in host.opmap)
    yield "    },"
    yield f"    caches={host.caches},"
    yield "    deref_slots=...,"
    yield from _ids(host, None)
    yield "    facts={},"


def _numbers(host: Host) -> Iterator[str]:
    runs: list[tuple[int, list[str]]] = []
    for name, number in sorted(host.opmap.items(), key=lambda item: item[1]):
        if runs and runs[-1][0] + len(runs[-1][1]) == number:
            runs[-1][1].append(name)
        else:
            runs.append((number, [name]))
    yield "    numbers=numbered("
    yield "        {"
    for first, names in runs:
        lines = textwrap.wrap(" ".join(names), 84)
        if len(lines) == 1:
            yield f'            {first}: "{lines[0]}",'
        else:
            yield f"            {first}: ("
            yield from (f'                "{line} "' for line in lines[:-1])
            yield f'                "{lines[-1]}"'
            yield "            ),"
    yield "        }"
    yield "    ),"


def _ids(host: Host, base: OpcodeTable | None) -> Iterator[str]:
    for name in IDS:
        values = getattr(host, name)
        if base is None or list(map(_typed, values)) != list(map(_typed, getattr(base, name))):
            lines = textwrap.wrap(
                "".join(f"{_source(value)}, " for value in values), 96, break_on_hyphens=False
            )
            yield f"    {name}=("
            yield from (f"        {line}" for line in lines)
            yield "    ),"


def _typed(value: Any) -> tuple[type, Any]:
    return type(value), value


def _source(value: Any) -> str:
    """A common constant as it is written: a builtin by its name."""
    if isinstance(value, str):
        return f'"{value}"'
    return value.__name__ if callable(value) else repr(value)


def _hint(host: Host, name: str) -> str:
    """What is known of a new opcode: whether it takes an argument, jumps, and its stack effects."""
    parts = []
    if name in host.with_argument:
        effects = [host.effects(name, arg)[0] for arg in range(4)]
        shown = (
            str(effects[0]) if len(set(effects)) == 1 else f"{', '.join(map(str, effects))} for 0, 1, 2, 3"
        )
        parts.append(f"argument; stack effect {shown}")
    else:
        parts.append(f"stack effect {host.effects(name, 0)[0]}")
    number = host.opmap[name]
    for kind in ("const", "name", "local", "free", "compare", "jrel", "jabs"):
        if number in getattr(opcode, f"has{kind}"):
            parts.append(f"has{kind}")
    return "; ".join(parts)


#: only these arguments mean something
_ARGUMENTS = {"BUILD_SLICE": (2, 3), "MAKE_FUNCTION": (0, 1, 2, 4, 8, 15)}

#: RETURN_VALUE and RETURN_GENERATOR: dis.stack_effect books them by its own conventions
_BOOKED_OTHERWISE = ("RETURN_VALUE", "RETURN_GENERATOR")


def changes(host: Host, base: OpcodeTable) -> dict[str, str]:
    """Opcodes of both whose stack effect is another one than the base table's row says: name -> how."""
    found: dict[str, str] = {}
    for name in host.opmap:
        if name not in base.opmap or name in _BOOKED_OTHERWISE:
            continue
        if (name in host.with_argument) != (base.opmap[name] >= base.have_argument):
            found[name] = "takes an argument now" if name in host.with_argument else "takes no argument now"
            continue
        for arg in _ARGUMENTS.get(name, (0, 1, 2, 3, 4, 8, 9, 16, 32)):
            declared, real = _declared(base, name, arg), host.effects(name, arg)
            if declared is not None and real[0] is not None and declared != real:
                found[name] = f"stack effect for {arg}: {_shown(declared)} before, {_shown(real)} now"
                break
    return found


def _shown(effects: tuple[int | None, int | None]) -> str:
    return str(effects[0]) if effects[0] == effects[1] else f"{effects[0]} ({effects[1]} if it jumps)"


def _declared(base: OpcodeTable, name: str, arg: int) -> tuple[int, int] | None:
    """The stack effects of what a row of the table lowers this argument to; None if it refuses it."""
    room = bytes((base.opmap["NOP"], 0)) * 64
    unit = bytes((base.opmap[name], arg)) + bytes(2 * base.caches.get(name, 0))
    code = ForeignCode(
        base.version,
        **dict.fromkeys(("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_stacksize"), 0),
        **dict.fromkeys(("co_flags", "co_firstlineno"), 0),
        **dict.fromkeys(("co_names", "co_cellvars", "co_freevars"), ()) | {"co_names": ("name",) * 64},
        co_nlocals=64,
        co_varnames=tuple(f"local{n}" for n in range(64)),
        co_consts=(("key",),) * 64,
        co_code=room + unit + room,
        co_linetable=b"",
        co_filename="",
        co_name="",
    )
    try:
        instructions = decode_with(code, base).instructions
    except OpcodesError:
        return None
    own = [each for each in instructions if each.raw is not None and each.raw.offset == len(room)]
    fall = sum(each.stack_effect() for each in own)
    jumping = [index for index, each in enumerate(own) if "target" in each.operands]
    if not jumping:
        return fall, fall
    at = jumping[0]
    jump = sum(each.stack_effect() for each in own[:at]) + own[at].stack_effect(jump=True)
    return fall, jump


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))


def _module(version: Version) -> str:
    return f"cpython{version[0]}{version[1]}"


def _constant(version: Version) -> str:
    return _module(version).upper().replace("CPYTHON", "CPYTHON_")
