"""Arguments to parameters, for calls that the translator inlines."""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import CO_VARARGS, CO_VARKEYWORDS
from translator.variables.mappings import DictVariable
from translator.variables.sequences import TupleVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.variables.functions import FunctionVariable

_UNSET = object()


def bind(
    tx: Translator, function: FunctionVariable, code: CodeType, arguments: list[Any], keywords: dict[str, Any]
) -> list[Any]:
    """The values of the parameters' slots. A call that does not fit is left to the original code."""
    count = code.co_argcount
    flags = code.co_flags
    if len(arguments) == count and not keywords and not code.co_kwonlyargcount and not flags & 0x0C:
        return arguments
    names = code.co_varnames
    values = arguments[:count] + [_UNSET] * (count + code.co_kwonlyargcount - min(len(arguments), count))
    rest = arguments[count:]
    if rest and not flags & CO_VARARGS:
        _misfit(tx, function, "too many arguments")
    extra = _bind_keywords(tx, function, code, values, keywords)
    if _UNSET in values[:count]:
        defaults = function.defaults(tx)
        for place in range(max(count - len(defaults), 0), count):
            if values[place] is _UNSET:
                values[place] = defaults[place - count + len(defaults)]
    if code.co_kwonlyargcount and _UNSET in values[count:]:
        named = function.keyword_defaults(tx)
        for place in range(count, count + code.co_kwonlyargcount):
            if values[place] is _UNSET:
                values[place] = named.get(names[place], _UNSET)
    if any(value is _UNSET for value in values):
        _misfit(tx, function, "a missing argument")
    if flags & CO_VARARGS:
        values.append(TupleVariable(rest))
    if flags & CO_VARKEYWORDS:
        values.append(DictVariable(extra))
    return values


def _bind_keywords(
    tx: Translator, function: FunctionVariable, code: CodeType, values: list[Any], keywords: dict[str, Any]
) -> dict[str, Any]:
    """Puts keyword arguments in their places; gives those that no parameter takes."""
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    extra = {}
    for name, value in keywords.items():
        if name not in names[code.co_posonlyargcount :]:
            extra[name] = value
            continue
        place = names.index(name, code.co_posonlyargcount)
        if values[place] is not _UNSET:
            _misfit(tx, function, f"{name!r} twice")
        values[place] = value
    if extra and not code.co_flags & CO_VARKEYWORDS:
        _misfit(tx, function, f"an unexpected argument {next(iter(extra))!r}")
    return extra


def _misfit(tx: Translator, function: FunctionVariable, what: str) -> None:
    tx.unsupported(f"{function.name()}() with {what}", "TypeError is left to the original code")
