"""`opshift run`: a call carried out by the Interpreter."""

from __future__ import annotations

import traceback
from types import TracebackType

from opcodes import OpcodesError
from translator.command_line.modules import check_arguments, evaluate_arguments, find_function, load_module
from translator.command_line.places import Place
from translator.errors import TranslatorError
from translator.same import text_of


def run_call(place: Place, text: str) -> int:
    """Runs FILE:FUNCTION with the arguments in `text` and prints the value; the exit status."""
    import translator

    module = load_module(place.path)
    function = find_function(module, place)
    args, kwargs = evaluate_arguments(text, module)
    check_arguments(function, args, kwargs)
    try:
        value = translator.run(function, *args, **kwargs)
    except (OpcodesError, TranslatorError, SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        traceback.print_exception(type(error), error, _of_the_function(error.__traceback__))
        return 1
    print(text_of(value))
    return 0


def _of_the_function(found: TracebackType | None) -> TracebackType | None:
    """The traceback from where it leaves our own files."""
    while found is not None and found.tb_frame.f_globals.get("__name__", "").startswith("translator."):
        found = found.tb_next
    return found
