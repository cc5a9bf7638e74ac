"""The handlers, a family a file: what each instruction does with the stack, written once.

Their docstrings are the stack effects of `opcodes.instructions`, word for word; what an operation
means on a value is a hook (`translator.semantics`).
"""

from __future__ import annotations

from translator.handlers.attributes import AttributeHandlers
from translator.handlers.calls import CallHandlers
from translator.handlers.containers import ContainerHandlers
from translator.handlers.context_managers import ContextManagerHandlers
from translator.handlers.control import ControlHandlers
from translator.handlers.exceptions import ExceptionHandlers
from translator.handlers.formatting import FormattingHandlers
from translator.handlers.functions import FunctionHandlers
from translator.handlers.generators import GeneratorHandlers
from translator.handlers.iteration import IterationHandlers
from translator.handlers.locals import LocalHandlers
from translator.handlers.matching import MatchHandlers
from translator.handlers.names import NameHandlers
from translator.handlers.operators import OperatorHandlers
from translator.handlers.stack import StackHandlers


class Handlers(
    StackHandlers,
    LocalHandlers,
    NameHandlers,
    AttributeHandlers,
    OperatorHandlers,
    ControlHandlers,
    IterationHandlers,
    CallHandlers,
    ContainerHandlers,
    FormattingHandlers,
    FunctionHandlers,
    ExceptionHandlers,
    ContextManagerHandlers,
    GeneratorHandlers,
    MatchHandlers,
):
    """All families."""
