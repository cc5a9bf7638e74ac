"""Damaged bytecode in the Interpreter ends in a result, an exception of the program, or in one error that
says which instruction is wrong; never in a crash, a hang, or an error of the machine's own insides.
"""

from __future__ import annotations

import contextlib
import io
import warnings

from hypothesis import given, settings

from fuzz.mutations import mutated_functions
from opcodes import BadBytecode
from translator.errors import BadProgram, Unimplemented
from translator.events import Stop, WatchedInterpreter

MANY = settings(max_examples=2 * settings.default.max_examples)
FEW = settings(max_examples=settings.default.max_examples // 4)
MOST_INSTRUCTIONS = 20_000


class Bounded(WatchedInterpreter):
    """Stops after so many instructions: a wrong jump may go round for ever."""

    executed = 0

    def on_instruction(self, frame, instruction):
        Bounded.executed += 1
        if Bounded.executed > MOST_INSTRUCTIONS:
            raise Stop


class Verifying(Bounded):
    """Holds the host's own bytecode, too, against what a compiler makes."""

    verifies = True


def run(machine, function, make):
    """Ends in a result or in one line that says what is wrong, and leaves the machine as it was."""
    namespace = function.original.namespace()
    args, kwargs = function.original.arguments(function.original.calls[0], namespace)
    Bounded.executed = 0
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            machine.run(make(namespace), *args, **kwargs)
        except (BadBytecode, BadProgram, Unimplemented) as error:
            assert str(error) and "\n" not in str(error)
        except Stop:
            pass
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a damaged `raise` may raise any of the builtins
            assert error.__traceback__ is not None
        # (coroutines that are left are told of while warnings are ignored)
        del args, kwargs, namespace
    assert machine.frame is None and not machine.stack


@MANY
@given(mutated_functions())
def test_running_ends_in_a_result_or_says_what_is_wrong(function):
    machine = Bounded()
    run(machine, function, lambda namespace: function.foreign_function(namespace, machine))


@FEW
@given(mutated_functions())
def test_so_does_damaged_bytecode_of_the_running_python(function):
    run(Verifying(), function, function.function)
