"""Arguments to parameters, for calls that the translator inlines."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import CO_VARARGS, CO_VARKEYWORDS
from translator.real.stubs import binding_stub
from translator.variables.mappings import DictVariable
from translator.variables.sequences import TupleVariable
from translator.variables.stand_ins import fail

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.variables.functions import FunctionVariable

_UNSET = object()


def bind(
    tx: Translator, function: FunctionVariable, code: CodeType, arguments: list[Any], keywords: dict[str, Any]
) -> list[Any]:
    """The values of the parameters' slots. A call that does not fit raises TypeError in the trace."""
    count = code.co_argcount
    flags = code.co_flags
    if len(arguments) == count and not keywords and not code.co_kwonlyargcount and not flags & 0x0C:
        return arguments
    names = code.co_varnames
    values = arguments[:count] + [_UNSET] * (count + code.co_kwonlyargcount - min(len(arguments), count))
    rest = arguments[count:]
    if rest and not flags & CO_VARARGS:
        _misfit(tx, function, code, arguments, keywords)
    extra = _bind_keywords(code, values, keywords)
    if extra is None:
        _misfit(tx, function, code, arguments, keywords)
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
        _misfit(tx, function, code, arguments, keywords)
    if flags & CO_VARARGS:
        values.append(TupleVariable(rest))
    if flags & CO_VARKEYWORDS:
        values.append(DictVariable(extra))
    return values


def _bind_keywords(code: CodeType, values: list[Any], keywords: dict[str, Any]) -> dict[str, Any] | None:
    """Puts keyword arguments in their places; gives those that no parameter takes; None: they do not fit."""
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    extra = {}
    for name, value in keywords.items():
        if name not in names[code.co_posonlyargcount :]:
            extra[name] = value
            continue
        place = names.index(name, code.co_posonlyargcount)
        if values[place] is not _UNSET:
            return None
        values[place] = value
    if extra and not code.co_flags & CO_VARKEYWORDS:
        return None
    return extra


def _misfit(
    tx: Translator, function: FunctionVariable, code: CodeType, arguments: list[Any], keywords: dict[str, Any]
) -> NoReturn:
    """Raises the TypeError of the call: a function with the same parameters is called as often."""
    stub = FunctionType(binding_stub(code, _template.__code__), {}, code.co_name)
    stub.__qualname__ = function.name()
    stub.__defaults__ = (None,) * len(function.defaults(tx))
    stub.__kwdefaults__ = dict.fromkeys(function.keyword_defaults(tx))
    fail(
        tx,
        f"{function.name()}() with these arguments",
        stub,
        *[None] * len(arguments),
        **dict.fromkeys(keywords),
    )
    raise AssertionError


def _template() -> None: ...
