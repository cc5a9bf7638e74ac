"""Generators and what drives them: their frames are parked, and go on when a value is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_ITERABLE_COROUTINE, EntryFrame
from translator.machine import stop
from translator.raised import Raised
from translator.semantics import Semantics
from translator.sentinels import STOP
from translator.variables.exceptions import ExceptionVariable, TracebackVariable
from translator.variables.generators import GeneratorVariable, runs_when_closed
from translator.variables.instance_iterators import seen_iterator
from translator.variables.iterators import IteratorVariable, PlainIterator
from translator.variables.objects import InstanceVariable
from translator.variables.stand_ins import fail, fail_by_type
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_OTHERS = CO_COROUTINE | CO_ASYNC_GENERATOR | CO_ITERABLE_COROUTINE


class SymbolicGenerators(Semantics):
    """RETURN_GENERATOR, YIELD_VALUE, FOR_ITER, SEND, CLEANUP_THROW."""

    if TYPE_CHECKING:
        handled: Any
        pending: Any

    def make_generator(self: Translator) -> Any:
        frame = self.frame
        made = GeneratorVariable(frame)
        frame.state = "created"
        self.generators.append(made)
        return made

    def may_generate(self: Translator, flags: int, name: str) -> None:
        """Refuses coroutines and asynchronous generators."""
        if flags & _OTHERS:
            self.unsupported(f"the coroutine {name}()", "asynchronous code is not captured")

    def no_one_left(self: Translator) -> None:
        """Surrenders if generators are left unfinished that do something when they are freed."""
        for generator in self.generators:
            if runs_when_closed(generator):
                code = generator.frame.code
                self.unsupported(
                    f"the generator {code.co_name}(), left unfinished within `try` or `with`",
                    "what it does when it is freed happens at a time that the trace does not know",
                )

    # -- driven by the machine

    def iterate(self: Translator, iterable: Any, kind: str = "iter") -> Any:
        iterable = self.realize(iterable)
        if type(iterable) in PLAIN:
            if type(iterable) is str or type(iterable) is bytes:
                return PlainIterator(iter(iterable))
            return fail(self, f"iteration over {iterable!r}", iter, iterable)
        return iterable.iterate(self)

    def iterator_of(self: Translator, iterable: Any) -> Any:
        """What `iter(iterable)` gives to the program."""
        iterable = self.realize(iterable)
        if isinstance(iterable, InstanceVariable):
            return seen_iterator(self, iterable)
        return self.iterate(iterable)

    def next_of_instance(self: Translator, iterator: Any, *default: Any) -> Any:
        """`next(iterator, *default)` for something that is no iterator of Python's own."""
        if not isinstance(iterator, InstanceVariable):
            return fail_by_type(self, f"next() of {iterator!r}", next, iterator)
        try:
            return iterator.ask(self, "__next__", [], "next()")
        except Raised as raised:
            if default and issubclass(raised.variable.python_class, StopIteration):
                return default[0]
            raise

    def next(self: Translator, iterator: Any, instruction: Any) -> Any:
        if type(iterator) is GeneratorVariable:
            frame = iterator.frame
            if frame.state in ("parked", "created"):
                self.check_depth()
                return self.resume(frame, None, instruction)
        return iterator.next(self)

    def send(self: Translator, receiver: Any, value: Any, instruction: Any) -> tuple[bool, Any]:
        if type(receiver) is GeneratorVariable:
            frame = receiver.frame
            if frame.state == "parked" or (frame.state == "created" and self.realize(value) is None):
                self.check_depth()
                return True, self.resume(frame, value, instruction)
            done, result = receiver.step(self, self.realize(value))
            return not done, result
        if self.realize(value) is not None:
            self.unsupported(f"a value sent to {receiver!r}", "it is captured for generators")
        found = receiver.next(self)
        return (False, receiver.result) if found is STOP else (True, found)

    def cleanup_throw(self: Translator, receiver: Any, exception: Any) -> Any:
        exception = self.known_exception(exception)
        if issubclass(exception.python_class, StopIteration):
            return exception.getattr(self, "value")
        self.reraised = True
        raise Raised(exception, self.where())

    def leaving_generator(self: Translator, exception: BaseException) -> BaseException:
        variable = exception.variable  # type: ignore[attr-defined]
        if not issubclass(variable.python_class, StopIteration):
            return exception
        return Raised(self.stop_iteration_error(variable), exception.where)  # type: ignore[attr-defined]

    def stop_iteration_error(self: Translator, exception: Any) -> ExceptionVariable:
        """The RuntimeError for a StopIteration that would leave a generator."""
        made = self.new_exception(RuntimeError, "generator raised StopIteration")
        made.cause = made.context = exception
        made.suppresses = True
        return made

    def intrinsic_1(self: Translator, function: str, value: Any) -> Any:
        if function == "stopiteration_error":
            value = self.known_exception(value)
            if issubclass(value.python_class, StopIteration):
                return self.stop_iteration_error(value)
            return value
        return super().intrinsic_1(function, value)

    # -- driven by operations of the translator

    def go_on(
        self: Translator, frame: Any, value: Any = None, exception: ExceptionVariable | None = None
    ) -> Any:
        """Resumes a parked frame, with an exception perhaps, until it yields or returns: the value."""
        self.check_depth()
        outer = self.frame, self.locals, self.steps
        depth = len(self.stack)
        self.enter(EntryFrame((stop, None), depth, self.frame))
        self.resume(frame, value, None)
        if exception is not None:
            if self.handled is not None:
                self.chain_context(exception)
            self.pending = Raised(exception, self.where())
        try:
            self.run_to_end()
            return self.pop()
        finally:
            del self.stack[depth:]
            self.frame, self.locals, self.steps = outer
            self.running = True

    def close_iterator(self: Translator, iterator: Any) -> None:
        """Closes what a generator delegates to."""
        if type(iterator) is GeneratorVariable:
            iterator.close(self)
        elif not isinstance(iterator, IteratorVariable):
            self.unsupported(f"closing {iterator!r}", "it is captured for generators")

    def throw_into_iterator(self: Translator, iterator: Any, exception: ExceptionVariable) -> Any:
        """Throws into what a generator delegates to: what that yields."""
        if type(iterator) is GeneratorVariable:
            done, value = iterator.throw_in(self, exception)
            return iterator.given(self, done, value)
        if not isinstance(iterator, IteratorVariable):
            self.unsupported(f"throwing into {iterator!r}", "it is captured for generators")
        raise Raised(exception, self.where())

    def mark_raised(self, exception: ExceptionVariable) -> None:
        """It has a traceback."""
        exception.traceback = TracebackVariable()
