"""Small host code objects that stand for the user's: real frames, and argument binding done by C.

A stub keeps the user's file name, function name, first line and line table, and has a body of a few
instructions that every CPython has. What it does happens at the exact
offset of the user's instruction, so that lines and columns come out as CPython's own.

    LOAD_FAST argument; DELETE_FAST argument; NOP …; RAISE_VARARGS 1     (or UNARY_NEGATIVE; RETURN_VALUE)
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

import opcodes
from opcodes.positions import Positions, lengthened
from translator.frames import CO_VARARGS, CO_VARKEYWORDS

_OPMAP = opcodes.table(opcodes.HOST).opmap
_CACHES = opcodes.table(opcodes.HOST).caches
CO_OPTIMIZED, CO_NEWLOCALS = 0x01, 0x02
HIDDEN = " "


def instruction(name: str, arg: int = 0) -> bytes:
    """One instruction in bytes, with its EXTENDED_ARG."""
    out = bytes((_OPMAP[name], arg & 255))
    arg >>= 8
    while arg:
        out = bytes((_OPMAP["EXTENDED_ARG"], arg & 255)) + out
        arg >>= 8
    return out + bytes(2 * _CACHES.get(name, 0))


#: where the host has it: a frame that has not come to it does not count as a frame yet
_START = instruction("RESUME") if "RESUME" in _OPMAP else b""


def bare(code: CodeType, **fields: Any) -> CodeType:
    """The code object with other bytes; nothing of its control flow is left."""
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
    load = _START + instruction("LOAD_FAST", hidden) + instruction("DELETE_FAST", hidden)
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
    load = _START + instruction("LOAD_CONST", 0)
    fields: dict[str, Any] = {}
    if offset < len(load):
        fields["co_linetable"] = lengthened(Positions(code, opcodes.HOST), [(0, len(load) - max(offset, 0))])
        offset = len(load)
    action = (
        instruction("UNARY_NEGATIVE") + instruction("RETURN_VALUE") if call else instruction("RAISE_VARARGS", 1)
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
    body = _START + b"".join(instruction("LOAD_FAST", slot) for slot in range(count))
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


def handling_function(template: Any) -> Any:
    """A function (traceback, exception, type, call) that calls `call()` while it handles the exception.

    Where the host keeps the traceback of a handled exception apart from the exception (3.10), a `raise` in
    Python would put its own entry there. RERAISE does not.
    """
    parts = [("LOAD_FAST", 0), ("LOAD_FAST", 1), ("LOAD_FAST", 2), ("RERAISE", 0)]
    parts.insert(0, ("SETUP_FINALLY", len(parts)))
    parts += [("POP_TOP", 0)] * 3 + [("DELETE_FAST", 0), ("DELETE_FAST", 1), ("DELETE_FAST", 2)]
    parts += [("LOAD_FAST", 3), ("CALL_FUNCTION", 0), ("POP_TOP", 0), ("POP_EXCEPT", 0)]
    parts += [("LOAD_CONST", 0), ("RETURN_VALUE", 0)]
    code = bare(
        template.__code__,
        co_code=b"".join(instruction(name, arg) for name, arg in parts),
        co_varnames=("traceback", "exception", "kind", "call"),
        co_nlocals=4,
        co_argcount=4,
        co_stacksize=12,
        co_flags=CO_OPTIMIZED | CO_NEWLOCALS,
    )
    return FunctionType(code, globals())


class Action:
    """`-action` calls `action.call()` with nothing in between that is Python.

    The type's method is the slot's own descriptor: looking it up gives what the slot holds.
    """

    __slots__ = ("call",)

    def __init__(self, call: Any) -> None:
        self.call = call


Action.__neg__ = Action.call  # type: ignore[attr-defined]
