"""Small host code objects that stand for the user's: real frames, and argument binding done by C.

A stub keeps the user's file name, function name, first line and line table, and has a body of a few
instructions that every CPython has. What it does happens at the exact
offset of the user's instruction, so that lines and columns come out as CPython's own.

    LOAD_FAST argument; DELETE_FAST argument; NOP …; RAISE_VARARGS 1     (or UNARY_NEGATIVE; RETURN_VALUE)
"""

from __future__ import annotations

from types import CodeType
from typing import Any

import opcodes
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.positions import Positions, lengthened
from translator.frames import CO_VARARGS, CO_VARKEYWORDS

_OPMAP = opcodes.table(opcodes.HOST).opmap
_CACHES = opcodes.table(opcodes.HOST).caches
CO_OPTIMIZED, CO_NEWLOCALS = 0x01, 0x02
HIDDEN = " "
#: by how much a line table is lengthened at most
_SHIFT = 16


def instruction(name: str, arg: int = 0) -> bytes:
    """One instruction in bytes, with its EXTENDED_ARG."""
    out = bytes((_OPMAP[name], arg & 255))
    arg >>= 8
    while arg:
        out = bytes((_OPMAP["EXTENDED_ARG"], arg & 255)) + out
        arg >>= 8
    return out + bytes(2 * _CACHES.get(name, 0))


#: where the host has it: a frame that has not come to it does not count as a frame yet
START = instruction("RESUME") if "RESUME" in _OPMAP else b""


def bare(code: CodeType, **fields: Any) -> CodeType:
    """The code object with other bytes; nothing of its control flow is left.

    The bytes are as many as before or more: a line table that goes beyond them makes 3.11 write beyond the
    end of what it keeps for tracing.
    """
    missing = len(code.co_code) + _SHIFT - len(fields["co_code"])
    fields["co_code"] += instruction("NOP") * (missing // 2)
    if hasattr(code, "co_exceptiontable"):
        fields["co_exceptiontable"] = b""
    fields.setdefault("co_consts", (None,))
    return code.replace(co_names=(), co_freevars=(), co_cellvars=(), **fields)


def raising_stub(code: CodeType, offset: int, names: tuple[str, ...]) -> CodeType:
    """Code that takes the named locals and an exception, and raises it at the offset."""
    return _acting(code, offset, names, instruction("RAISE_VARARGS", 1))


def calling_stub(code: CodeType, offset: int, names: tuple[str, ...]) -> CodeType:
    """Code that takes the named locals and an object, and negates it at the offset: see `Action`."""
    return _acting(code, offset, names, instruction("UNARY_NEGATIVE") + instruction("RETURN_VALUE"))


def _acting(code: CodeType, offset: int, names: tuple[str, ...], action: bytes) -> CodeType:
    hidden = len(names)
    load = START + instruction("LOAD_FAST", hidden) + instruction("DELETE_FAST", hidden)
    fields: dict[str, Any] = {}
    if offset < len(load):
        shift = len(load) - max(offset, 0)
        fields["co_linetable"] = lengthened(Positions(code, opcodes.HOST), [(0, shift)])
        offset = len(load)
    padding = instruction("NOP") * ((offset - len(load)) // 2)
    return bare(
        code,
        co_code=load + padding + action,
        co_varnames=(*names, HIDDEN),
        co_nlocals=hidden + 1,
        co_argcount=hidden + 1,
        co_posonlyargcount=0,
        co_kwonlyargcount=0,
        co_stacksize=4,
        co_flags=CO_OPTIMIZED | CO_NEWLOCALS,
        **fields,
    )


def constant_stub(code: CodeType, offset: int, constant: Any, call: bool) -> CodeType:
    """Code of a class or module body that raises the constant, or negates it, at the offset."""
    load = START + instruction("LOAD_CONST", 0)
    fields: dict[str, Any] = {}
    if offset < len(load):
        fields["co_linetable"] = lengthened(Positions(code, opcodes.HOST), [(0, len(load) - max(offset, 0))])
        offset = len(load)
    action = (
        instruction("UNARY_NEGATIVE") + instruction("RETURN_VALUE")
        if call
        else instruction("RAISE_VARARGS", 1)
    )
    return bare(
        code,
        co_code=load + instruction("NOP") * ((offset - len(load)) // 2) + action,
        co_consts=(constant,),
        co_varnames=(),
        co_nlocals=0,
        co_argcount=0,
        co_posonlyargcount=0,
        co_kwonlyargcount=0,
        co_stacksize=4,
        co_flags=0,
        **fields,
    )


def binding_stub(code: Any, template: CodeType) -> CodeType:
    """Code with the parameters of `code` that gives them as a list: C binds the arguments."""
    count = (
        code.co_argcount
        + code.co_kwonlyargcount
        + bool(code.co_flags & CO_VARARGS)
        + bool(code.co_flags & CO_VARKEYWORDS)
    )
    body = START + b"".join(instruction("LOAD_FAST", slot) for slot in range(count))
    body += instruction("BUILD_LIST", count) + instruction("RETURN_VALUE")
    return bare(
        template,
        co_code=body,
        co_name=code.co_name,
        co_varnames=tuple(code.co_varnames[:count]),
        co_nlocals=count,
        co_argcount=code.co_argcount,
        co_posonlyargcount=code.co_posonlyargcount,
        co_kwonlyargcount=code.co_kwonlyargcount,
        co_stacksize=count + 1,
        co_flags=CO_OPTIMIZED | CO_NEWLOCALS | code.co_flags & (CO_VARARGS | CO_VARKEYWORDS),
    )


def intrinsic_code(name: str, operands: int) -> CodeType | None:
    """Code that gives CALL_INTRINSIC_n of its arguments; None where the host has no such intrinsic."""
    table = opcodes.table(opcodes.HOST)
    known = table.intrinsics_1 if operands == 1 else table.intrinsics_2
    if name not in known:
        return None
    loads = b"".join(instruction("LOAD_FAST", slot) for slot in range(operands))
    call = instruction(f"CALL_INTRINSIC_{operands}", known.index(name))
    return bare(
        bare.__code__,
        co_code=START + loads + call + instruction("RETURN_VALUE"),
        co_name=name,
        co_varnames=("first", "second")[:operands],
        co_nlocals=operands,
        co_argcount=operands,
        co_stacksize=operands + 2,
        co_flags=CO_OPTIMIZED | CO_NEWLOCALS,
    )


class Action:
    """`-action` calls `action.call()` with nothing in between that is Python.

    The type's method is the slot's own descriptor: looking it up gives what the slot holds.
    """

    __slots__ = ("call",)

    def __init__(self, call: Any) -> None:
        self.call = call


Action.__neg__ = Action.call  # type: ignore[misc,operator]
