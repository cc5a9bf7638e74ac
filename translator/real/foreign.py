"""Bytecode of other CPythons: host functions whose calls are carried out by the machine.

A ForeignCode has a *twin*, a code object of the host with its names, parameters and lines (in the host's
line table). A function of foreign bytecode is a real function object of a copy of the twin. The machine
knows the copy and carries the foreign Program out; called by the host, the copy's own few instructions
hand the arguments to a machine.
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any
from weakref import ref

import opcodes
from opcodes.foreign import ForeignCode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.positions import Positions, written
from translator.frames import CO_ITERABLE_COROUTINE, CO_VARARGS, CO_VARKEYWORDS, GENERATES
from translator.real.stubs import CO_NEWLOCALS, CO_OPTIMIZED, START, bare, instruction

#: id of a twin's copy -> (weakly the copy, the foreign code)
_foreign: dict[int, tuple[Any, ForeignCode]] = {}
#: id of a foreign code -> (weakly itself, its twin)
_twins: dict[int, tuple[Any, CodeType]] = {}


def _template() -> None: ...


def foreign_of(code: Any) -> ForeignCode | None:
    """The foreign bytecode that a host code object stands for."""
    found = _foreign.get(id(code))
    return None if found is None or found[0]() is not code else found[1]


def twin_of(foreign: ForeignCode) -> CodeType:
    """The host's code object with the names, parameters and lines of a foreign one."""
    key = id(foreign)
    found = _twins.get(key)
    if found is not None and found[0]() is foreign:
        return found[1]
    spans = [
        (entry.end - entry.start, entry.position) for entry in Positions(foreign, foreign.version).entries()
    ]
    fields: dict[str, Any] = {}
    if hasattr(CodeType, "co_qualname"):
        fields["co_qualname"] = foreign.co_qualname
    twin = _template.__code__.replace(
        co_code=START + instruction("NOP") * (len(foreign.co_code) // 2 + 8) + instruction("RETURN_VALUE"),
        co_name=foreign.co_name,
        co_filename=foreign.co_filename,
        co_firstlineno=foreign.co_firstlineno,
        co_linetable=written(spans, foreign.co_firstlineno, opcodes.HOST),
        co_flags=foreign.co_flags,
        co_names=foreign.co_names,
        co_varnames=foreign.co_varnames,
        co_nlocals=len(foreign.co_varnames),
        co_cellvars=tuple(name for name in foreign.co_cellvars if name not in foreign.co_varnames),
        co_freevars=foreign.co_freevars,
        co_argcount=foreign.co_argcount,
        co_posonlyargcount=foreign.co_posonlyargcount,
        co_kwonlyargcount=foreign.co_kwonlyargcount,
        co_stacksize=8,
        **fields,
    )
    _twins[key] = ref(foreign, lambda _: _twins.pop(key, None)), twin
    return twin


class _Entry:
    """In the constants of a twin's copy: what its own instructions hand the arguments to."""

    __slots__ = ("call", "function", "machine", "result")

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.call = self.take
        self.function: Any = None
        self.result: list[Any] = []

    def __setitem__(self, _: int, slots: list[Any]) -> None:
        function = self.function()
        machine = self.machine()
        prepared = machine.prepare(function.__code__)
        slots += prepared.unbound

        def begin() -> Any:
            return machine.enter(machine.new_frame(prepared, function, function.__globals__, slots))

        self.result.append(machine.run_above(begin))

    def take(self) -> Any:
        """What the call gave."""
        return self.result.pop()


_Entry.__neg__ = _Entry.call  # type: ignore[attr-defined,operator]


def foreign_function(
    foreign: ForeignCode, globals_: dict[str, Any], closure: Any, machine: Any
) -> FunctionType:
    """A function object of the host for foreign bytecode; `machine` makes a machine for native calls."""
    twin = twin_of(foreign)
    count = (
        twin.co_argcount
        + twin.co_kwonlyargcount
        + bool(twin.co_flags & CO_VARARGS)
        + bool(twin.co_flags & CO_VARKEYWORDS)
    )
    entry = _Entry(machine)
    body = START + b"".join(instruction("LOAD_FAST", slot) for slot in range(count))
    body += instruction("BUILD_LIST", count) + instruction("LOAD_CONST", 0) + instruction("LOAD_CONST", 1)
    body += instruction("STORE_SUBSCR") + instruction("LOAD_CONST", 0) + instruction("UNARY_NEGATIVE")
    body += instruction("RETURN_VALUE")
    copy = bare(
        twin,
        co_code=body,
        co_consts=(entry, 0),
        co_stacksize=count + 4,
        co_flags=twin.co_flags & ~(GENERATES | CO_ITERABLE_COROUTINE) | CO_OPTIMIZED | CO_NEWLOCALS,
    ).replace(co_freevars=twin.co_freevars)
    key = id(copy)
    _foreign[key] = ref(copy, lambda _: _foreign.pop(key, None)), foreign
    function = FunctionType(copy, globals_, foreign.co_name, None, closure)
    function.__qualname__ = foreign.co_qualname
    entry.function = ref(function)
    return function
