"""BytecodeDispatchTableMeta: classes with one method an instruction, whatever the version."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from opcodes.errors import TableError
from opcodes.instructions import INSTRUCTIONS
from opcodes.table import VERSIONS, Version, table

Handler = Callable[..., Any]
_INSTRUCTION_NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$")


class DispatchTables(Mapping[Version, "tuple[tuple[Handler, ...] | None, ...]"]):
    """version -> for each raw opcode number the handlers of what it can lower to, in order of the row's
    sequences; None where the version has no such opcode. Built when first asked for."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        self._handlers = handlers
        self._built: dict[Version, tuple[tuple[Handler, ...] | None, ...]] = {}

    def __getitem__(self, version: Version) -> tuple[tuple[Handler, ...] | None, ...]:
        if version not in self._built:
            if version not in VERSIONS:
                raise KeyError(version)
            self._built[version] = tuple(
                None
                if row is None
                else tuple(
                    dict.fromkeys(self._handlers[name] for sequence in row.sequences for name in sequence)
                )
                for row in table(version).row_at
            )
        return self._built[version]

    def __iter__(self) -> Iterator[Version]:
        return iter(VERSIONS)

    def __len__(self) -> int:
        return len(VERSIONS)


class BytecodeDispatchTableMeta(type):
    """The metaclass of machines that carry instructions out.

    A class made with it has one method an instruction, named as the instruction, its own or inherited:

        class Machine(metaclass=BytecodeDispatchTableMeta):
            def BINARY_OP(self, instruction): ...

    A method named like an instruction that is none, or an instruction without a method, is a TableError
    when the class is defined. A class that declares itself `partial=True` sends the instructions it has
    no method for to its `unimplemented(self, instruction)`.

    Classes get:
        handlers: instruction name -> function, for every canonical instruction.
        dispatch_table: version -> by raw opcode number, the handlers it can lower to.
    """

    handlers: Mapping[str, Handler]
    dispatch_table: DispatchTables

    def __new__(
        mcls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        partial: bool = False,
        **kwds: Any,
    ) -> BytecodeDispatchTableMeta:
        cls = super().__new__(mcls, name, bases, namespace, **kwds)
        found = {
            attribute: getattr(cls, attribute)
            for base in reversed(cls.__mro__)
            for attribute, value in vars(base).items()
            if callable(value) and _INSTRUCTION_NAME.match(attribute) and not isinstance(value, type)
        }
        for attribute in found:
            if attribute not in INSTRUCTIONS:
                raise TableError(
                    f"{name}.{attribute} is named like an instruction, and no version has it"
                    " (see opcodes/instructions.py for the names)"
                )
        missing = [instruction for instruction in INSTRUCTIONS if instruction not in found]
        if missing and not partial:
            raise TableError(
                f"{name} has no method for {', '.join(missing[:8])}{' …' if len(missing) > 8 else ''}"
                f" ({len(missing)} of {len(INSTRUCTIONS)} instructions):"
                " write them, or define it with partial=True"
            )
        if missing and not hasattr(cls, "unimplemented"):
            raise TableError(f"{name} is partial: it needs a method unimplemented(self, instruction)")
        unimplemented = getattr(cls, "unimplemented", None)
        cls.handlers = {
            instruction: found.get(instruction, unimplemented)  # type: ignore[misc]
            for instruction in INSTRUCTIONS
        }
        cls.dispatch_table = DispatchTables(cls.handlers)
        return cls

    def __init__(
        cls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        partial: bool = False,
        **kwds: Any,
    ) -> None:
        super().__init__(name, bases, namespace, **kwds)
