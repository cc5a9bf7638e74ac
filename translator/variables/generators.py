"""Generators of the traced program: parked frames that go on, on the machine's stack, when they are asked."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.raised import Raised
from translator.sentinels import NULL, STOP
from translator.variables import plain
from translator.variables.exceptions import ExceptionVariable, TracebackVariable
from translator.variables.functions import MethodVariable
from translator.variables.iterators import IteratorVariable
from translator.variables.stand_ins import fail

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class GeneratorVariable(IteratorVariable):
    """A generator, made by a call of a generator function or by a generator expression.

    Attributes:
        result: what it has returned.
    """

    __slots__ = ("frame", "result")

    kind = "a generator"
    methods = frozenset({"send", "throw", "close", "__next__", "__iter__"})
    equals_itself = True

    def __init__(self, frame: Any) -> None:
        self.source = None
        self.frame = frame
        self.result: Any = None

    def python_type(self, tx: Translator) -> type:
        return type(_generator())

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in self.methods:
            return MethodVariable(self, name)
        if name in ("__name__", "__qualname__"):
            return self.frame.code.co_name if name == "__name__" else self.frame.function.name()
        if hasattr(_generator(), name):
            return self.give_up(tx, f"attribute {name!r}")
        return fail(tx, f"attribute {name!r}", getattr, _generator(), name)

    # -- one step

    def next(self, tx: Translator) -> Any:
        done, value = self.step(tx, None)
        return STOP if done else value

    def step(self, tx: Translator, sent: Any) -> tuple[bool, Any]:
        """`send(sent)`: whether it has returned, and what it gave."""
        state = self.frame.state
        if state == "done":
            self.result = None  # it was given once
            return True, None
        if state == "running":
            return fail(tx, "a generator that asks itself", _ask_running)  # type: ignore[no-any-return]
        if state == "created" and sent is not None:
            return fail(tx, "a value sent to a new generator", _generator().send, 1)  # type: ignore[no-any-return]
        return self._outcome(tx.go_on(self.frame, sent))

    def _outcome(self, value: Any) -> tuple[bool, Any]:
        done = self.frame.state == "done"
        if done:
            self.result = value
        return done, value

    def throw_in(self, tx: Translator, exception: ExceptionVariable) -> tuple[bool, Any]:
        """`throw(exception)`: whether it has returned, and what it gave."""
        frame = self.frame
        if frame.state == "running":
            return fail(tx, "a generator that asks itself", _ask_running)  # type: ignore[no-any-return]
        if frame.state in ("created", "done"):
            self.end()
            tx.mark_raised(exception)
            raise Raised(exception, tx.where())
        sent = None
        receiver = self.receiver()
        if receiver is not NULL:
            frame.state = "running"
            yielded, value, exception = self._throw_on(tx, receiver, exception)  # type: ignore[assignment]
            frame.state = "parked"
            if yielded:
                return False, value
            sent = value
        return self._outcome(tx.go_on(frame, sent, exception))

    def _throw_on(
        self, tx: Translator, receiver: Any, exception: ExceptionVariable
    ) -> tuple[bool, Any, ExceptionVariable | None]:
        """Throws into what it delegates to: whether that yields, what it gives, and the exception that this
        one goes on with.
        """
        closes = issubclass(exception.python_class, GeneratorExit)
        try:
            if closes:
                tx.close_iterator(receiver)
                return False, None, exception
            return True, tx.throw_into_iterator(receiver, exception), None
        except Raised as raised:
            other = raised.variable
        instruction = self.frame.prepared.steps[self.frame.place][1]
        if closes or not issubclass(other.python_class, StopIteration) or instruction.end is None:
            return False, None, other  # since 3.12 a region of the frame takes the value of a StopIteration
        del self.frame.saved[1 - instruction.receiver :]
        self.frame.steps.__setstate__(instruction.end)
        return False, other.getattr(tx, "value"), None

    def receiver(self) -> Any:
        """What it delegates to where it is parked, or NULL."""
        frame = self.frame
        instruction = frame.prepared.steps[frame.place][1]
        if frame.state == "parked" and instruction.opname == "YIELD_VALUE" and instruction.receiver:
            return frame.saved[1 - instruction.receiver]
        return NULL

    def end(self) -> None:
        """It is done without having been asked."""
        self.frame.state = "done"
        self.frame.locals = []
        self.frame.saved = ()

    def close(self, tx: Translator) -> Any:
        """`close()`."""
        if self.frame.state in ("created", "done"):
            self.end()
            return None
        leaving = tx.new_exception(GeneratorExit)
        tx.chain_context(leaving)
        try:
            done, value = self.throw_in(tx, leaving)
        except Raised as raised:
            if issubclass(raised.variable.python_class, (StopIteration, GeneratorExit)):
                return None
            raise
        if not done:
            return fail(tx, "a generator that yields when it is closed", _ignores_exit)
        return value if CLOSE_GIVES_VALUE else None

    # -- methods

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if keywords:
            return self.give_up(tx, f"method {name}() with keyword arguments")
        if name == "__iter__" and not arguments:
            return self
        if name == "close" and not arguments:
            return self.close(tx)
        if name == "throw" and 1 <= len(arguments) <= 3:
            return self.given(tx, *self.throw_in(tx, thrown_exception(tx, arguments)))
        if (name == "send" and len(arguments) == 1) or (name == "__next__" and not arguments):
            return self.given(tx, *self.step(tx, tx.realize(arguments[0]) if arguments else None))
        return self.give_up(tx, f"method {name}() with these arguments")

    def given(self, tx: Translator, done: bool, value: Any) -> Any:
        if done:
            tx.raise_variable(tx.new_exception(StopIteration, *([] if value is None else [value])))
        return value


def thrown_exception(tx: Translator, arguments: list[Any]) -> ExceptionVariable:
    """The exception that `throw(*arguments)` throws."""
    if len(arguments) > 1 and MANY_ARGUMENTS_WARN:
        tx.unsupported("throw() with several arguments", "the warning is left to the original code")
    kind, *more = [tx.realize(value) for value in arguments]
    value = more[0] if more else None
    traceback = more[1] if len(more) > 1 else None
    if isinstance(kind, ExceptionVariable):
        if value is not None:
            return fail(tx, "throw() of two exceptions", _throw_two)  # type: ignore[no-any-return]
        made = kind
    elif isinstance(value, ExceptionVariable) and value.class_value is kind:
        made = value
    elif isinstance(value, ExceptionVariable) and issubclass(
        value.python_class, tx.exception_classes(kind) or ()
    ):
        made = value
    else:
        classes = tx.exception_classes(kind)
        if type(classes) is not type or not issubclass(classes, BaseException):
            return tx.unsupported(f"throw() of {kind!r}", "TypeError is left to the original code")  # type: ignore[no-any-return]
        made = tx.call_now(kind, [] if value is None else [value])
        if not isinstance(made, ExceptionVariable):
            return tx.unsupported(f"throw() of {kind!r}", "what it makes is not captured")  # type: ignore[no-any-return]
    if type(traceback) is TracebackVariable:
        made.traceback = traceback
    elif traceback is not None:
        tx.unsupported("throw() with this traceback", "it is not captured")
    return made


def runs_when_closed(variable: GeneratorVariable) -> bool:
    """Whether a generator that is not finished would do something when it is freed."""
    frame = variable.frame
    if frame.state != "parked":
        return False
    receiver = variable.receiver()
    if receiver is not NULL and not isinstance(receiver, IteratorVariable):
        return True
    return not _leads_out(frame.prepared, frame.index)


def _leads_out(prepared: Any, index: int) -> bool:
    """Whether an exception at this instruction leaves the frame, without the program taking notice."""
    region = prepared.regions[index]
    if region is None:
        return True
    handler = prepared.program.instructions[region.target]
    if handler.opname == "CALL_INTRINSIC_1":
        return bool(handler.function == "stopiteration_error")
    return handler.opname == "CLEANUP_THROW" and _leads_out(prepared, region.target)


# -- what real generators do


def _generator() -> Any:
    return (each for each in ())


def _ask_running() -> None:
    def asks():  # type: ignore[no-untyped-def]
        yield from own

    own = asks()
    next(own)


def _ignores_exit() -> None:
    def ignores():  # type: ignore[no-untyped-def]
        try:
            yield
        except GeneratorExit:
            yield

    own = ignores()
    next(own)
    try:
        own.close()
    finally:
        next(own, None)


def _throw_two() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _generator().throw(ValueError(), ValueError())


def _close_gives() -> Any:
    def returns():  # type: ignore[no-untyped-def]
        try:
            yield
        except GeneratorExit:
            return 1

    own = returns()
    next(own)
    return own.close()


def _warns() -> bool:
    try:
        with plain.WarningsRaised():
            _generator().throw(ValueError, ValueError(), None)
    except ValueError:
        return False
    except DeprecationWarning:
        return True
    return False


#: whether `close()` gives what the generator returns
CLOSE_GIVES_VALUE = _close_gives() == 1
#: whether `throw(type, value, traceback)` warns
MANY_ARGUMENTS_WARN = _warns()
