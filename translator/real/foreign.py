"""Bytecode of other CPythons: host functions whose calls are carried out by the machine.

A ForeignCode has a *twin*, a code object of the host with its names, parameters and lines (in the host's
line table). A function of foreign bytecode is a real function object of a copy of the twin. The machine
knows the copy and carries the foreign Program out; called by the host, the copy's own few instructions
hand the arguments to a machine (`foreign_bodies`).
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType
from typing import Any
from weakref import ref

import opcodes
from opcodes.foreign import ForeignCode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.positions import Positions, written
from translator.frames import CO_ASYNC_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from translator.real.exceptions import OWN
from translator.real.foreign_bodies import body_of, kind_of
from translator.real.stubs import START, instruction

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


class AsyncDriven:
    """An asynchronous generator of a machine, and the names that the body which drives it cannot look up."""

    __slots__ = ("asend", "athrow", "generator")

    done = StopAsyncIteration
    every = BaseException

    def __init__(self, generator: Any) -> None:
        self.generator = generator
        self.asend, self.athrow = generator.asend, generator.athrow


class _Entry:
    """In the constants of a function of foreign bytecode: takes the arguments of a call by the host.

    Attributes:
        foreign: the bytecode.
        machine: makes a machine to carry it out.
        function: weakly, the function object; another one may have been made of its code object.
    """

    __slots__ = ("foreign", "function", "machine")

    def __init__(self, foreign: ForeignCode, machine: Any) -> None:
        self.foreign = foreign
        self.machine = machine
        self.function: Any = None

    def __matmul__(self, arguments: tuple[Any, ...]) -> Any:
        machine = self.machine()
        prepared = machine.prepare(self.foreign)
        closing, *slots = arguments
        function = self.called(sys._getframe(1), closing.__closure__ if closing is not None else ())
        slots += prepared.unbound

        def begin() -> Any:
            return machine.enter(machine.new_frame(prepared, function, function.__globals__, slots))

        result = machine.run_above(begin)
        return AsyncDriven(result) if kind_of(self.foreign.co_flags) == CO_ASYNC_GENERATOR else result

    def called(self, frame: Any, cells: tuple[Any, ...]) -> FunctionType:
        """The function whose frame it is."""
        function: FunctionType | None = self.function()
        if function is not None and function.__globals__ is frame.f_globals:
            if all(one is other for one, other in zip(function.__closure__ or (), cells)):
                return function
        return FunctionType(frame.f_code, frame.f_globals, self.foreign.co_name, None, cells or None)


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
    entry = _Entry(foreign, machine)
    copy = body_of(twin, count, entry)
    key = id(copy)

    def forget(_: Any) -> None:
        _foreign.pop(key, None)
        OWN.discard(key)

    _foreign[key] = ref(copy, forget), foreign
    OWN.add(key)  # an entry of the frame that hands the arguments over is in no traceback
    function = FunctionType(copy, globals_, foreign.co_name, None, closure)
    function.__qualname__ = foreign.co_qualname
    function.__doc__ = docstring(foreign)
    entry.function = ref(function)
    return function


def docstring(foreign: ForeignCode) -> str | None:
    """The first constant, where the bytecode's version takes it for that."""
    flag = opcodes.table(foreign.version).facts["docstring_flag"]
    constants = foreign.co_consts
    if constants and type(constants[0]) is str and (not flag or foreign.co_flags & flag):
        return constants[0]
    return None
