"""What the argument of a raw instruction means, as `dis` writes it.

Read off the canonical instructions it lowers to, whose operands are decoded already; so no bit of an
argument is looked at here, and the text is the same on every host.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opcodes.instructions import Instruction
    from opcodes.program import Program, Raw

#: MAKE_FUNCTION and SET_FUNCTION_ATTRIBUTE, bit by bit
_ATTRIBUTES = ("defaults", "kwdefaults", "annotations", "closure", "annotate")


def argrepr(program: Program, raw: Raw) -> str:
    """The argument of one of the program's raw instructions for a reader; "" where there is none to say.

    As `dis` has it on that version, but: a jump names the offset it goes to ("to 24") in every version,
    operators and special methods are spelled out in every version, and code objects have no address.
    """
    if raw.arg is None:
        return ""
    row = program.table.rows[raw.opname]
    if row.jump is not None:
        offset = {"forward": raw.end, "backward": raw.end, "absolute": 0}[row.jump]
        offset += -2 * raw.arg if row.jump == "backward" else 2 * raw.arg
        return f"{'from' if raw.opname == 'END_ASYNC_FOR' else 'to'} {offset}"
    if raw.opname == "KW_NAMES":
        return constant_text(program.code.co_consts[raw.arg])
    instructions = lowered(program, raw)
    for instruction in instructions:
        write = _WRITERS.get(instruction.opname)
        if write is not None:
            return write(program, raw, instructions)
    return ""


def lowered(program: Program, raw: Raw) -> tuple[Instruction, ...]:
    """The canonical instructions that came from this raw one."""
    found: dict[int, tuple[Instruction, ...]] | None = program.__dict__.get("lowered")
    if found is None:
        groups: dict[int, list[Instruction]] = {}
        for instruction in program.instructions:
            if instruction.raw is not None:
                groups.setdefault(instruction.raw.offset, []).append(instruction)
        found = program.__dict__["lowered"] = {offset: tuple(group) for offset, group in groups.items()}
    return found.get(raw.offset, ())


def constant_text(value: Any) -> str:
    """`repr` of a constant, the same on every host and in every run.

    That is: the items of a frozenset sorted, code objects without address, integers of any length.
    """
    kind = type(value)
    if kind is int:
        return repr(value) if value.bit_length() < 10_000 else hex(value)
    if kind is tuple:
        items = [constant_text(item) for item in value]
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
    if kind is frozenset:
        return f"frozenset({{{', '.join(sorted(map(constant_text, value)))}}})" if value else "frozenset()"
    if kind is slice:
        return f"slice({', '.join(map(constant_text, (value.start, value.stop, value.step)))})"
    if isinstance(value, CodeType) or hasattr(value, "co_code"):
        return f'<code object {value.co_name}, file "{value.co_filename}", line {value.co_firstlineno}>'
    if isinstance(value, MappingProxyType) or kind.__name__ == "frozendict":
        items = [f"{constant_text(key)}: {constant_text(value[key])}" for key in value]
        return f"frozendict({{{', '.join(items)}}})"
    if isinstance(value, type):
        return value.__name__
    return repr(value)


# -- a writer for each canonical instruction whose argument says something

_Writer = Callable[["Program", "Raw", "tuple[Instruction, ...]"], str]


def _of(opname: str, instructions: tuple[Instruction, ...]) -> Any:
    return next(instruction for instruction in instructions if instruction.opname == opname)


def _names(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    """One name, or the two of a pair."""
    return ", ".join(instruction.name for instruction in instructions if "name" in instruction.operands)  # type: ignore[attr-defined]


def _operand(opname: str, operand: str) -> _Writer:
    def write(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
        value = getattr(_of(opname, instructions), operand)
        return "" if value is None else str(value)

    return write


def _constant(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    first = instructions[0]
    return constant_text(first.value) if first.opname == "LOAD_CONST" else ""  # type: ignore[attr-defined]


def _global(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    """With the NULL pushed before or after it (to 3.12, since 3.13)."""
    return " + ".join("NULL" if each.opname == "PUSH_NULL" else each.name for each in instructions)  # type: ignore[attr-defined]


def _method(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    (method,) = instructions
    name: str = method.name  # type: ignore[attr-defined]
    if raw.opname == "LOAD_METHOD":
        return name
    # CPython has them in this order on the stack; the machine does not care
    return f"NULL|self + {name}" if program.version < (3, 13) else f"{name} + NULL|self"


def _comparison(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    operator: str = _of("COMPARE_OP", instructions).operator
    return f"bool({operator})" if any(each.opname == "TO_BOOL" for each in instructions) else operator


def _formatting(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    parts = [each.conversion for each in instructions if each.opname == "CONVERT_VALUE"]  # type: ignore[attr-defined]
    if any(each.opname == "FORMAT_WITH_SPEC" for each in instructions):
        parts.append("with format")
    return ", ".join(parts)


def _attributes(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    (instruction,) = instructions
    flags: int = instruction.values()[0]
    return ", ".join(name for bit, name in enumerate(_ATTRIBUTES) if flags & 1 << bit)


def _inverted(plain: str, inverted: str) -> _Writer:
    def write(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
        (test,) = instructions
        return inverted if test.invert else plain  # type: ignore[attr-defined]

    return write


def _intrinsic(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    (call,) = instructions
    return f"INTRINSIC_{call.function.upper()}"  # type: ignore[attr-defined]


def _import(program: Program, raw: Raw, instructions: tuple[Instruction, ...]) -> str:
    (statement,) = instructions
    name, mode = statement.values()
    return str(name) if mode == "default" or not name else f"{name} + {mode}"


#: the first instruction of those lowered to that is here writes the text
_WRITERS: dict[str, _Writer] = {
    **dict.fromkeys(
        (
            *("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_AND_CLEAR", "STORE_FAST", "DELETE_FAST"),
            *("MAKE_CELL", "LOAD_DEREF", "STORE_DEREF", "DELETE_DEREF", "LOAD_FROM_DICT_OR_DEREF"),
            *("LOAD_FROM_DICT_OR_GLOBALS", "STORE_GLOBAL", "DELETE_GLOBAL"),
            *("LOAD_NAME", "STORE_NAME", "DELETE_NAME", "LOAD_ATTR", "STORE_ATTR", "DELETE_ATTR"),
            *("LOAD_SUPER_ATTR", "LOAD_SPECIAL", "IMPORT_FROM"),
        ),
        _names,
    ),
    "LOAD_CONST": _constant,
    "LOAD_GLOBAL": _global,
    "LOAD_METHOD": _method,
    "LOAD_SUPER_METHOD": _method,
    "BINARY_OP": _operand("BINARY_OP", "operator"),
    "COMPARE_OP": _comparison,
    "IS_OP": _inverted("is", "is not"),
    "CONTAINS_OP": _inverted("in", "not in"),
    "CALL_INTRINSIC_1": _intrinsic,
    "CALL_INTRINSIC_2": _intrinsic,
    "CONVERT_VALUE": _formatting,
    "FORMAT_SIMPLE": _formatting,
    "FORMAT_WITH_SPEC": _formatting,
    "MAKE_FUNCTION": _attributes,
    "SET_FUNCTION_ATTRIBUTE": _attributes,
    "IMPORT_NAME": _import,
}
