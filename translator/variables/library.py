"""Functions of the standard library that are known as a whole, not by their code."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import plain
from translator.variables.exceptions import ExceptionVariable, TracebackVariable
from translator.variables.methods import BoundMethodVariable
from translator.variables.sequences import TupleVariable
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

Handler = Callable[["Translator", "list[Any]", "dict[str, Any]"], Any]


def _clear_frames(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """The frames behind a traceback are done: that their variables are let go of is not seen."""
    values = [tx.realize(value) for value in arguments]
    if keywords or len(values) != 1 or (values[0] is not None and type(values[0]) is not TracebackVariable):
        return tx.unsupported("clear_frames() of this", "it is captured for tracebacks of the trace")
    return None


def _exception(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    if arguments or keywords:
        return tx.unsupported("sys.exception() with arguments", "TypeError is left to the original code")
    found = tx.being_handled()
    if found is None:
        tx.nothing_handled_outside()
    return found


def _exc_info(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    found = _exception(tx, arguments, keywords)
    if not isinstance(found, ExceptionVariable):
        return TupleVariable([None, None, None])
    return TupleVariable([found.class_value, found, found.traceback])


def _method(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    values = [tx.realize(value) for value in arguments]
    if keywords or len(values) != 2 or type(values[0]) in PLAIN or values[1] is None:
        return tx.unsupported("MethodType() of these", "TypeError is left to the original code")
    return BoundMethodVariable(*values)


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, re.RegexFlag)


def _pure(function: Any) -> Handler:
    def handler(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        values = [plain.python(tx, tx.realize(value)) for value in arguments]
        named = {key: plain.python(tx, tx.realize(value)) for key, value in keywords.items()}
        if any(map(_is_function, [*values, *named.values()])):
            return tx.unsupported(f"{function.__name__}() with a function", "it is captured for texts")
        return plain.run(tx, function, *values, **named)

    return handler


#: by the function: (translator, arguments, keywords) -> value
HANDLERS: dict[Any, Handler] = {
    traceback.clear_frames: _clear_frames,
    sys.exc_info: _exc_info,
    MethodType: _method,
    **({sys.exception: _exception} if hasattr(sys, "exception") else {}),
    **{
        function: _pure(function)
        for function in (re.compile, re.match, re.fullmatch, re.search, re.sub, re.subn, re.split, re.findall)
    },
    re.escape: _pure(re.escape),
    sys.intern: _pure(sys.intern),
}
