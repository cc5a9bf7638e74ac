"""The errors of `translator`: each is one line that says what, where, why and what to do."""

from __future__ import annotations


class TranslatorError(Exception):
    """Whatever `translator` refuses. Its text is one line meant for a user."""


class Refusal(TranslatorError):
    """A machine does not go on. The program that it carries out cannot catch it: it leaves the run."""

    #: until it has left the run
    refuses = True


class Unimplemented(Refusal):
    """An instruction, or a use of one, that this machine does not carry out."""

    def __init__(self, what: str, where: str, why: str, hint: str) -> None:
        super().__init__(f"{what} at {where}: {why}; {hint}")
        self.what, self.where, self.why, self.hint = what, where, why, hint


class BackendFailed(Unimplemented):
    """A backend that raises, or whose callable raises or gives something else than the graph's outputs.

    Where the original code raises as well, it is the program's error and none of the backend's.
    """


class NotInterpretable(TranslatorError):
    """Something that has no bytecode to interpret (a builtin, a class, an object that is no function)."""


class BadProgram(Refusal):
    """Bytecode that cannot be carried out: it falls off its end, or takes more than the stack has."""


class StackEffectMismatch(Refusal):
    """In checking mode: an instruction changed the depth of the stack other than it declares."""


class InternalError(TranslatorError):
    """A mistake of ours in tracing or compiling, raised with fullgraph and under OPSHIFT_RAISE=1 only."""


class RecompileRefused(TranslatorError):
    """A call that would have to be captured, under the stance `fail_on_recompile`."""


class NotExported(TranslatorError):
    """A function that is not one graph, or arguments that an exported graph is not for."""
