"""`opshift run`: a program or a call carried out by the Interpreter."""

from __future__ import annotations

import atexit
import runpy
import sys
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from opcodes import OpcodesError
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.command_line import programs
from translator.command_line.modules import check_arguments, evaluate_arguments, find_function, load_module
from translator.command_line.places import Place
from translator.command_line.watching import CountingInterpreter, machine_for
from translator.errors import TranslatorError
from translator.real.exceptions import OWN, cleaned, get_traceback, set_traceback
from translator.same import text_of

if TYPE_CHECKING:
    from translator.command_line.programs import Program

OWN.add(id(globals()))
#: what may be run as python would, by the option that says so
READERS = {"": programs.of_file, "-m": programs.of_module, "-c": programs.of_text}


class Options:
    """How to run: the kind of machine, what it leaves alone, and whether a count is wanted at the end."""

    def __init__(self, trace: bool, stats: bool, skip: tuple[str, ...]) -> None:
        self.stats = stats
        self.machine = machine_for(trace, stats)
        self.skip = skip

    def new_machine(self) -> Any:
        """A machine; what is counted is printed after everything else that the process prints."""
        if self.stats:
            atexit.register(print_report)
        return self.machine(skip=self.skip)


def print_report() -> None:
    """The count, below what the program wrote."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    sys.stderr.write(CountingInterpreter.report())
    sys.stderr.flush()


def run_call(place: Place, text: str, options: Options) -> int:
    """Runs FILE:FUNCTION with the arguments in `text` and prints the value; the exit status."""
    module = load_module(place.path)
    function = find_function(module, place)
    args, kwargs = evaluate_arguments(text, module)
    check_arguments(function, args, kwargs)
    try:
        value = options.new_machine().run(function, *args, **kwargs)
    except (OpcodesError, TranslatorError, SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        traceback.print_exception(type(error), error, cleaned(error.__traceback__))
        return 1
    print(text_of(value))
    return 0


def program_runner(kind: str, target: str, arguments: list[str], options: Options) -> Callable[[], int]:
    """What runs a program as python would: called with nothing of ours around it, it raises what the program
    does not catch, for python to report.

    Args:
        kind: "-m", "-c", or "" for a file.
    """
    try:
        program = READERS[kind](target)
    except SyntaxError as error:
        refused = error
        return lambda: left_to_python(refused, None)
    return lambda: run_program(program, arguments, options)


def run_program(program: Program, arguments: list[str], options: Options) -> int:
    """Runs it as `__main__`; 2 if it is damaged, or of a version for whose like this Python has nothing."""
    machine = options.new_machine()
    module = programs.as_main(program, arguments)
    try:
        if program.module is not None:  # as python does it, and interpreted
            machine.run(runpy._run_module_as_main, *program.module)  # type: ignore[attr-defined]
        else:
            machine.run_module(program.code, vars(module))
    except BaseException as error:
        if hasattr(error, "refuses"):  # the machine's own
            print(f"opshift: {' '.join(str(error).split())}", file=sys.stderr)
            return 2
        return left_to_python(error, cleaned(get_traceback(error)))
    return 0


def left_to_python(error: BaseException, found: TracebackType | None) -> int:
    """Raises it; python reports it without an entry of ours, and ends with the status that it gives it."""
    hook = sys.excepthook

    def report(kind: type[BaseException], value: BaseException, entries: TracebackType | None) -> None:
        if value is error:
            set_traceback(value, found)
            entries = found
        try:
            hook(kind, value, entries)
        except Exception as failure:
            set_traceback(failure, cleaned(get_traceback(failure)))
            sys.stderr.write("Error in sys.excepthook:\n")
            sys.__excepthook__(type(failure), failure, get_traceback(failure))
            sys.stderr.write("\nOriginal exception was:\n")
            sys.__excepthook__(kind, value, entries)

    sys.excepthook = report
    raise error
