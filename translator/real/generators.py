"""Generators, coroutines and asynchronous generators: parked frames behind objects of the host.

The object that the program sees is a generator of the host whose code, the driver, asks the machine for
one step of the parked frame at a time. Where interpreted code drives interpreted code (`for`, `yield
from`, `await`), the frame is put on the machine's own stack instead; before the first step the driver is
started, so that the host knows that the generator has been.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from types import CoroutineType, GeneratorType, SimpleNamespace
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_ITERABLE_COROUTINE, RelayFrame
from translator.real.drivers import Resumable, Wrapped, driver_of, frame_of, remember, resumable
from translator.real.exceptions import get_traceback, set_cause, set_context
from translator.real.hosting import raise_unchanged
from translator.semantics import Semantics
from translator.sentinels import ENTERED, NULL, STOP

ORIGINS = sys.get_coroutine_origin_tracking_depth


class RealGenerators(Semantics):
    """RETURN_GENERATOR, FOR_ITER, SEND, GET_AWAITABLE …"""

    frame: Any
    pending: Any

    def make_generator(self) -> Any:
        """A generator of the host for the running frame."""
        frame = self.frame
        prepared = frame.prepared
        driver = prepared.driver
        if driver is None:
            driver = prepared.driver = driver_of(prepared.code, frame.function.__code__)
        if ORIGINS() and prepared.code.co_flags & CO_COROUTINE:
            generator = self.made_with_origin(driver, frame)
        else:
            generator = driver(frame, self)
        function = frame.function
        generator.__name__ = function.__name__
        generator.__qualname__ = function.__qualname__
        remember(generator, frame)
        return generator

    def made_with_origin(self, driver: Any, frame: Any) -> Any:
        """A coroutine that remembers where it was made: `cr_origin` is of the interpreted frames."""
        self.frame = frame.back
        try:
            return self.call_in_frame(driver, [frame, self], {}, ORIGINS())
        finally:
            self.frame = frame

    def parked_anew(self, frame: Any) -> None:
        """A frame that has just become a generator's has not been started."""
        frame.state = "created"

    # -- driven by the host

    def step(self, frame: Any, value: Any) -> tuple[bool, Any]:
        """One step: (whether it is done, what it yielded or returned)."""
        if frame.state == "running":
            raise ValueError(f"{kind_of(frame)} already executing")
        if frame.state == "done":
            return True, None
        if self.thread != get_ident():
            return self.here().step(frame, value)  # type: ignore[no-any-return]
        result = self.run_step(frame, value)
        return frame.state == "done", result

    def step_throw(self, frame: Any, pending: list[BaseException]) -> tuple[bool, Any]:
        """One step that begins with an exception (taken out of the list)."""
        if frame.state == "running":
            raise ValueError(f"{kind_of(frame)} already executing")
        if frame.state == "done":
            raise pending.pop()
        return self.here().drive(frame, None, pending)  # type: ignore[no-any-return]

    def drive(self, frame: Any, value: Any, pending: list[BaseException] | None) -> tuple[bool, Any]:
        """Runs a parked frame until it yields or is done.

        The exception that is to be thrown in is in a list, and taken out of it when it is: what passes
        through here is in its traceback, and must not hold it.
        """

        def begin() -> Any:
            if pending is None:
                self.resume(frame, value, None)
            else:
                self.throw_into(frame, pending.pop(), None)
            return ENTERED

        result = self.run_above(begin)
        return frame.state == "done", result

    # -- driven by interpreted code

    def iterate(self, iterable: Any, kind: str) -> Any:
        """`iter(iterable)`; a generator of ours keeps its frame beside it."""
        if type(iterable) is GeneratorType:
            frame = frame_of(iterable)
            return iterable if frame is None else Resumable(iterable, frame)
        if kind == "iter":
            return iter(iterable)
        return self.iterate_from(iterable, kind)

    def iterate_from(self, iterable: Any, kind: str) -> Any:
        """What `yield from` drives."""
        if type(iterable) is CoroutineType:
            if not self.frame.prepared.code.co_flags & (CO_COROUTINE | CO_ITERABLE_COROUTINE):
                raise TypeError("cannot 'yield from' a coroutine object in a non-coroutine generator")
            return resumable(iterable)
        return iter(iterable)

    def next(self, iterator: Any, instruction: Any) -> Any:
        """The next item, STOP or ENTERED."""
        if type(iterator) is Resumable:
            frame = iterator.frame
            if frame.state == "parked":
                return self.resume(frame, None, instruction)
            if frame.state == "created":
                self.start(iterator)
                return self.resume(frame, None, instruction)
            if frame.state == "running":
                raise ValueError(f"{kind_of(frame)} already executing")
            iterator = iterator.generator
        return next(iterator, STOP)

    def send(self, receiver: Any, value: Any, instruction: Any) -> tuple[bool, Any]:
        """One step of `yield from` or `await`."""
        if type(receiver) is Resumable:
            frame = receiver.frame
            if frame.state == "parked":
                return True, self.resume(frame, value, instruction)
            if frame.state == "created" and value is None:
                self.start(receiver)
                return True, self.resume(frame, value, instruction)
            receiver = receiver.generator
        try:
            if value is None and hasattr(type(receiver), "__next__"):
                return True, next(receiver)
            return True, receiver.send(value)
        except StopIteration as stop:
            return False, stop.value

    def start(self, resumable: Any) -> None:
        """Has the host know that the generator has been started; its frame is left as it is."""
        resumable.frame.state = "starting"
        resumable.generator.send(None)

    def finish_generator(self, frame: Any, value: Any) -> bool:
        """The host's generator, if it was not the one that asked for the step, is done too."""
        driven = frame.resumer is not None
        switched = super().finish_generator(frame, value)
        if driven:
            self.end_driver(frame)
        return switched

    def fail_generator(self, frame: Any) -> None:
        """The same where it was left by an exception."""
        driven = frame.resumer is not None
        super().fail_generator(frame)
        if driven:
            self.end_driver(frame)

    def end_driver(self, frame: Any) -> None:
        """Has the host know that the generator is done: its driver goes on, finds that, and returns."""
        generator = frame.host()
        if generator is not None:
            try:
                generator.send(None)
            except StopIteration:
                pass

    def throw_into(self, frame: Any, exception: BaseException, resumer: Any) -> None:
        """Puts a parked frame on the stack again, with an exception on its way; what it delegates to gets
        it first.
        """
        instruction = frame.prepared.steps[frame.place][1]
        receiver = NULL
        if instruction.opname == "YIELD_VALUE" and instruction.receiver and frame.state == "parked":
            receiver = frame.saved[1 - instruction.receiver]
        self.resume(frame, None, resumer)
        if receiver is NULL:
            self.raise_later(exception)
        elif isinstance(exception, GeneratorExit):
            self.close_receiver(receiver, exception)
        elif type(receiver) is Resumable and receiver.frame.state == "parked":  # type: ignore[comparison-overlap]
            self.enter(RelayFrame((relay, None), len(self.stack), frame))
            self.throw_into(receiver.frame, exception, instruction)
        else:
            self.throw_receiver(receiver, exception, instruction)

    def close_receiver(self, receiver: Any, exception: BaseException) -> None:
        """GeneratorExit closes what a generator delegates to, then is raised in itself."""
        if type(receiver) is Resumable:
            receiver = receiver.generator
        close = None
        try:
            close = getattr(receiver, "close", None)
        except BaseException as ignored:  # as the host does: reported, not raised
            report_unraisable(ignored, receiver)
        try:
            if close is not None:
                close()
        except BaseException as other:
            exception = other
        self.raise_later(exception)

    def throw_receiver(self, receiver: Any, exception: BaseException, instruction: Any) -> None:
        """Throws into what a generator delegates to, natively."""
        if type(receiver) is Resumable:
            receiver = receiver.generator
        try:
            throw = getattr(receiver, "throw", None)
            if throw is None:
                return self.raise_later(exception)
            value = throw(exception)
        except StopIteration as stop:
            result = stop.value
        except BaseException as other:
            return self.raise_later(other)
        else:
            return self.yield_again(value)
        return self.delegate_done(instruction, result)

    def yield_again(self, value: Any) -> None:
        """The running frame yields what it delegates to has yielded."""
        self.pop()  # what the resumption pushed
        self.push(value)
        self.jump(self.frame.place)

    def delegate_done(self, instruction: Any, value: Any) -> None:
        """What a generator delegates to has ended inside throw()."""
        if self.frame.is_entry:
            self.enter(self.frame.back)
        if instruction.end is not None:
            del self.stack[-instruction.receiver :]
            self.push(value)
            self.jump(instruction.end)
        else:
            self.raise_later(StopIteration(value))

    def stop_iteration_error(self, exception: BaseException) -> BaseException:
        """A StopIteration (of an asynchronous generator StopAsyncIteration too) that would leave a generator:
        the RuntimeError in its place.
        """
        frame = self.frame
        kind = kind_of(frame)
        if isinstance(exception, StopIteration):
            text = f"{kind} raised StopIteration"
        elif kind == "async generator" and isinstance(exception, StopAsyncIteration):
            text = "async generator raised StopAsyncIteration"
        else:
            return exception
        error = RuntimeError(text)
        set_cause(error, exception)
        set_context(error, exception)
        return error

    def leaving_generator(self, exception: BaseException) -> BaseException:
        """The host does that too for those that it drives, and finds nothing left to do (since 3.12 the
        bytecode does).
        """
        return self.stop_iteration_error(exception)

    def raise_later(self, exception: BaseException) -> None:
        """Has the loop raise it as it begins."""
        self.pending = exception
        self.running = False

    def raise_pending(self) -> None:
        """Raises what was to be raised; its context is the exception that the frame itself handles."""
        exception, self.pending = self.pending, None
        if self.handled is not None:
            raise exception
        raise_unchanged(exception)

    def wrap_yielded(self, value: Any) -> Any:
        """Told apart from what is awaited."""
        return Wrapped(value)


def relay(machine: Any, _: None) -> bool:
    """The one step of a relay frame."""
    value = machine.pop()
    machine.enter(machine.frame.back)
    machine.yield_again(value)
    return True


def report_unraisable(exception: BaseException, about: Any) -> None:
    """Hands it to `sys.unraisablehook` (the host's own prints it only from C)."""
    report = SimpleNamespace(
        exc_type=type(exception),
        exc_value=exception,
        exc_traceback=get_traceback(exception),
        err_msg=None,
        object=about,
    )
    if sys.unraisablehook is not sys.__unraisablehook__:
        sys.unraisablehook(report)


def kind_of(frame: Any) -> str:
    """As the host's messages call it."""
    flags = frame.prepared.code.co_flags
    if flags & CO_COROUTINE:
        return "coroutine"
    return "async generator" if flags & CO_ASYNC_GENERATOR else "generator"
