"""What one bytecode instruction means, in every CPython from 3.10 to 3.15.

    decode(code) -> Program      a code object as canonical, version-free instructions
    encode(program) -> code      and back, for the running interpreter
    load("module.pyc") -> Program
    table((3, 13)) -> OpcodeTable

Machines that carry instructions out are made with `BytecodeDispatchTableMeta`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.decode import HOST, decode
from opcodes.dispatch import BytecodeDispatchTableMeta
from opcodes.encode import encode
from opcodes.errors import (
    BadBytecode,
    BadPyc,
    CannotEncode,
    CannotSplice,
    OpcodesError,
    TableError,
    UnknownVersion,
)
from opcodes.instructions import INSTRUCTIONS, Instruction, Label
from opcodes.program import Program, Raw, Region
from opcodes.table import VERSIONS, OpcodeTable, table

if TYPE_CHECKING:
    from opcodes.foreign import ForeignCode, load

__all__ = [
    "HOST",
    "INSTRUCTIONS",
    "VERSIONS",
    "BadBytecode",
    "BadPyc",
    "BytecodeDispatchTableMeta",
    "CannotEncode",
    "CannotSplice",
    "ForeignCode",
    "Instruction",
    "Label",
    "OpcodeTable",
    "OpcodesError",
    "Program",
    "Raw",
    "Region",
    "TableError",
    "UnknownVersion",
    "decode",
    "encode",
    "load",
    "table",
]


def __getattr__(name: str) -> Any:
    """What most users never need is loaded when asked for."""
    if name in ("ForeignCode", "load"):
        from opcodes import foreign

        return getattr(foreign, name)
    raise AttributeError(f"module 'opcodes' has no attribute {name!r}")
