"""The objects of the host that stand for parked frames: drivers, and what they exchange with the machine."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any
from weakref import ref

import opcodes
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import (
    CO_ASYNC_GENERATOR,
    CO_ITERABLE_COROUTINE,
    GENERATES,
    GeneratorFrame,
)
from translator.real.exceptions import get_traceback
from translator.sentinels import STOP

#: id of a host generator -> weakly, its frame
_frames: dict[int, ref[Any]] = {}


def frame_of(generator: Any) -> Any:
    """The parked frame behind a generator of the host, or None if it is not one of ours."""
    found = _frames.get(id(generator))
    frame = None if found is None else found()
    return frame if frame is not None and frame.host() is generator else None


def remember(generator: Any, frame: GeneratorFrame) -> None:
    """Makes `frame_of` know the generator."""
    key = id(generator)

    def forget(dead: Any) -> None:
        if _frames.get(key) is dead:
            del _frames[key]

    frame.host = ref(generator)  # type: ignore[assignment]
    _frames[key] = ref(frame, forget)


class Wrapped:
    """What an asynchronous generator yields, as against what it awaits."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Resumable:
    """On the machine's stack in place of a generator of ours that is driven: the two together.

    It is an iterator too, for whoever else gets hold of it.
    """

    __slots__ = ("frame", "generator")

    def __init__(self, generator: Any, frame: Any) -> None:
        self.generator = generator
        self.frame = frame

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.generator.__next__()


def resumable(generator: Any) -> Any:
    """The generator with its frame beside it, if it is one of ours."""
    frame = frame_of(generator)
    return generator if frame is None else Resumable(generator, frame)


def _drive(frame, machine):  # type: ignore[no-untyped-def]
    """The driver: one step of the frame for each step of the host's generator."""
    try:
        if frame.state == "starting":  # the machine carries out even the first step: this is to have begun
            frame.state = "parked"
            done, value = False, None
        else:
            done, value = machine.step(frame, None)
        while not done:
            try:
                sent, thrown = (yield value), None
            except BaseException as exception:
                sent, thrown = None, exception
            value = None
            if thrown is None:
                done, value = machine.step(frame, sent)
            else:
                pending, thrown = [thrown], None
                done, value = machine.step_throw(frame, pending)
            sent = None
        return value
    except BaseException as exception:
        [without_driver(exception, machine), exception, type(exception)]  # see `_reraising`
        raise  # as it is: no entry of the driver


class _Step:
    """Awaited by the driver of an asynchronous generator: ends when the frame yields a wrapped value.

    It has no `close`, so that GeneratorExit is thrown in as any other exception.
    """

    __slots__ = ("argument", "frame", "machine", "method")

    def __init__(self, machine: Any, frame: Any, method: Any, argument: Any) -> None:
        self.machine, self.frame, self.method, self.argument = machine, frame, method, argument

    def __await__(self) -> Any:
        return self

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    def send(self, value: Any) -> Any:
        method, argument = self.method, self.argument
        if method is None:
            return self.outcome(*self.machine.step(self.frame, value))
        self.method = self.argument = None
        return self.outcome(*method(self.frame, argument))

    def throw(self, kind: Any, value: Any = None, traceback: Any = None) -> Any:
        exception = kind if value is None and not isinstance(kind, type) else value
        if exception is None or not isinstance(exception, BaseException):
            exception = kind() if exception is None else kind(exception)
        if self.method is not None:
            self.method = self.argument = None
        return self.outcome(*self.machine.step_throw(self.frame, [exception]))

    def outcome(self, done: bool, value: Any) -> Any:
        if done:
            raise StopIteration(STOP)
        if type(value) is Wrapped:
            raise StopIteration(value.value)
        return value


async def _drive_async(frame, machine):  # type: ignore[no-untyped-def]
    """The driver of an asynchronous generator."""
    method, argument = machine.step, None
    try:
        while True:
            step = _Step(machine, frame, method, argument)
            argument = None
            try:
                value = await step
            except GeneratorExit as exception:
                if frame.state != "parked":
                    raise
                method, argument = machine.step_throw, [exception]  # thrown at what the frame awaits
                continue
            if value is STOP:
                return
            try:
                method, argument = machine.step, (yield value)
            except BaseException as exception:
                method, argument = machine.step_throw, [exception]  # type: ignore[list-item]
            value = None
    except BaseException as exception:
        [without_driver(exception, machine), exception, type(exception)]  # see `_reraising`
        raise


def without_driver(exception: BaseException, machine: Any) -> Any:
    """Takes the entries of the driver and the machine out of the traceback; gives what is left of it."""
    machine.arrived(exception)
    return get_traceback(exception)


def _reraising(code: CodeType) -> CodeType:
    """A driver that raises the list of three that it would make, where exceptions are three values (3.10):
    there a bare `raise` goes by the traceback that was caught, not by that of the exception."""
    table = opcodes.table(opcodes.HOST)
    if not table.facts["block_stack"]:
        return code
    made = bytearray(code.co_code)
    for at in range(0, len(made), 2):
        if made[at] == table.opmap["BUILD_LIST"] and made[at + 1] == 3:
            made[at : at + 2] = table.opmap["RERAISE"], 0
    return code.replace(co_code=bytes(made))


_DRIVERS = {False: _reraising(_drive.__code__), True: _reraising(_drive_async.__code__)}


#: id of a driver's code object -> weakly, the user's
_driven: dict[int, tuple[ref[Any], ref[Any]]] = {}


def driven_by(code: Any) -> Any:
    """The user's code object, of a driver's; any other is itself."""
    found = _driven.get(id(code))
    return code if found is None else found[1]() or code


def driver_of(code: Any, user: Any) -> FunctionType:
    """The driver of `code`, which is a copy of the user's, with its name, place and flags."""
    flags = code.co_flags & (GENERATES | CO_ITERABLE_COROUTINE)
    own = _DRIVERS[bool(flags & CO_ASYNC_GENERATOR)]
    made = own.replace(
        co_flags=own.co_flags & ~(GENERATES | CO_ITERABLE_COROUTINE) | flags,
        co_name=code.co_name,
        co_filename=code.co_filename,
        co_firstlineno=code.co_firstlineno,
    )
    key = id(made)
    _driven[key] = ref(made, lambda _: _driven.pop(key, None)), ref(user)
    return FunctionType(made, globals())
