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
MOST_INSTRUCTIONS = 20_000


class Bounded(WatchedInterpreter):
    """Stops after so many instructions: a wrong jump may go round for ever."""

    executed = 0

    def on_instruction(self, frame, instruction):
        Bounded.executed += 1
        if Bounded.executed > MOST_INSTRUCTIONS:
            raise Stop


@MANY
@given(mutated_functions())
def test_running_ends_in_a_result_or_says_what_is_wrong(function):
    namespace = function.original.namespace()
    args, kwargs = function.original.arguments(function.original.calls[0], namespace)
    Bounded.executed = 0
    machine = Bounded()
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            machine.run(function.foreign_function(namespace, machine), *args, **kwargs)
        except (BadBytecode, BadProgram, Unimplemented) as error:
            assert str(error) and "\n" not in str(error)
        except Stop:
            pass
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a damaged `raise` may raise any of the builtins
            assert error.__traceback__ is not None
    assert machine.frame is None and not machine.stack
