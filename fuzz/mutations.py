"""Code objects that no compiler made: the bytecode of generated functions, damaged.

They are for machines that must not fall over wrong input. **Never run one natively**: CPython believes
what a code object says, and crashes. Even making one is done with care, for CPython walks over inline
caches when it does: the damage ends in padding, and names no instrumented or internal opcode.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from hypothesis import strategies as st

from fuzz.programs import EVERYTHING, GeneratedFunction, functions
from opcodes.decode import HOST
from opcodes.foreign import ForeignCode, from_xdis
from opcodes.table import table

#: Code units after the end, so that no inline cache of the last instruction is outside.
_PADDING = 16

_OPCODES = tuple(
    sorted(
        number
        for name, number in table(HOST).opmap.items()
        if not name.startswith("INSTRUMENTED_") and name not in ("CACHE", "RESERVED", "ENTER_EXECUTOR", "NOP")
    )
)
_NOP = table(HOST).opmap["NOP"]


@dataclass(frozen=True)
class Mutation:
    """One change: `kind` names it, `place` and `value` are taken modulo what is there."""

    kind: str
    place: int
    value: int

    def apply(self, units: list[tuple[int, int]], parts: dict[str, Any]) -> None:
        """Changes the code units (opcode, argument) or the other parts of a code object in place."""
        if not units:
            return
        place = self.place % len(units)
        opcode, argument = units[place]
        if self.kind == "argument":
            units[place] = (opcode, self.value % 256)
        elif self.kind == "nearby argument":
            units[place] = (opcode, (argument + (1, -1, 2, -2)[self.value % 4]) % 256)
        elif self.kind == "opcode":
            units[place] = (_OPCODES[self.value % len(_OPCODES)], argument)
        elif self.kind == "delete":
            del units[place]
        elif self.kind == "insert":
            units.insert(place, (_OPCODES[self.value % len(_OPCODES)], self.value % 7))
        elif self.kind == "swap":
            other = self.value % len(units)
            units[place], units[other] = units[other], units[place]
        elif self.kind == "truncate":
            del units[place:]
        elif self.kind == "constants":
            parts["co_consts"] = parts["co_consts"][: self.value % (len(parts["co_consts"]) + 1)]
        elif self.kind == "names":
            parts["co_names"] = parts["co_names"][: self.value % (len(parts["co_names"]) + 1)]
        elif self.kind == "exception table" and parts.get("co_exceptiontable"):
            damaged = bytearray(parts["co_exceptiontable"])
            damaged[self.place % len(damaged)] = self.value % 256
            parts["co_exceptiontable"] = bytes(damaged)


KINDS = (
    "nearby argument",
    "argument",
    "opcode",
    "delete",
    "insert",
    "swap",
    "truncate",
    "constants",
    "names",
    "exception table",
)


@dataclass(frozen=True)
class MutatedFunction:
    """A generated function and what is done to its code."""

    original: GeneratedFunction
    mutations: tuple[Mutation, ...]

    def code(self) -> CodeType:
        """The damaged code object."""
        code = self.original.function().__code__
        raw = code.co_code
        units = [(raw[i], raw[i + 1]) for i in range(0, len(raw), 2)]
        parts: dict[str, Any] = {"co_consts": code.co_consts, "co_names": code.co_names}
        if hasattr(code, "co_exceptiontable"):
            parts["co_exceptiontable"] = code.co_exceptiontable
        for mutation in self.mutations:
            mutation.apply(units, parts)
        units += [(_NOP, 0)] * _PADDING
        return code.replace(co_code=bytes(byte for unit in units for byte in unit), **parts)

    def foreign(self) -> ForeignCode:
        """The same as bytecode that CPython never sees, code objects in it too."""
        code = from_xdis(self.original.function().__code__, HOST)
        units = list(zip(code.co_code[::2], code.co_code[1::2]))
        parts: dict[str, Any] = {
            name: getattr(code, name) for name in ("co_consts", "co_names", "co_exceptiontable")
        }
        for mutation in self.mutations:
            mutation.apply(units, parts)
        return code.replace(co_code=bytes(byte for unit in units for byte in unit), **parts)

    def foreign_function(self, namespace: dict[str, Any], machine: Any) -> FunctionType:
        """A function of that, for an Interpreter."""
        function = self.original.function(namespace)
        damaged = machine.make_foreign(self.foreign(), namespace, function.__closure__)
        damaged.__defaults__, damaged.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        return damaged  # type: ignore[no-any-return]

    def function(self, namespace: dict[str, Any]) -> FunctionType:
        """A function with that code in the program's globals; the original stays under its own name."""
        function = self.original.function(namespace)
        damaged = FunctionType(
            self.code(), namespace, function.__name__, function.__defaults__, function.__closure__
        )
        damaged.__kwdefaults__ = function.__kwdefaults__
        return damaged


def mutated_functions() -> st.SearchStrategy[MutatedFunction]:
    """Functions of the whole language with one to four changes in their bytecode."""
    mutation = st.builds(Mutation, st.sampled_from(KINDS), st.integers(0, 2000), st.integers(0, 2000))
    return st.builds(
        MutatedFunction, functions(EVERYTHING), st.lists(mutation, min_size=1, max_size=4).map(tuple)
    )
