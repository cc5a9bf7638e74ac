"""The stack machine: frames, value stack, unwinding, dispatch. What values mean is left to the hooks.

A handler is a method named as its instruction. It takes the instruction and gives None, or true when
the machine must look where to go on: a frame was entered or left, or another exception is handled.

The dispatch goes through an iterator over prepared steps: fetching the next step is one host
instruction, a jump is `__setstate__` on it, and a frame keeps its place by keeping its iterator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import opcodes
from opcodes.dispatch import BytecodeDispatchTableMeta
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import BadProgram
from translator.frames import EntryFrame, Frame, GeneratorFrame, Prepared
from translator.handlers import Handlers
from translator.prepared import PreparedCache
from translator.sentinels import ENTERED, NULL

if TYPE_CHECKING:
    from opcodes.instructions import Instruction
    from opcodes.program import Region


class StackMachine(Handlers, metaclass=BytecodeDispatchTableMeta):
    """Carries out Programs. Subclasses answer the hooks of `translator.semantics.Semantics`.

    Attributes:
        stack: the values of all frames, one list; a frame's part begins at `frame.base`.
        push, pop: of that list.
        frame, locals, steps: the running frame, its slots, its place.
        handled: the exception being handled (a value), or the machine's `none`.
    """

    #: filled in by the metaclass: one function an instruction
    handlers: dict[str, Callable[..., Any]]

    #: of this class
    prepared: PreparedCache

    def __init_subclass__(cls, **kwds: Any) -> None:
        super().__init_subclass__(**kwds)
        cls.prepared = PreparedCache()

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.push = self.stack.append
        self.pop = self.stack.pop
        self.frame: Any = None
        self.locals: list[Any] = []
        self.steps: Any = iter(())
        self.running = False
        self.handled: Any = None
        self.outer_handled: Any = None
        self.pending: Any = None
        self.finished = False
        self.reraised = False
        #: the index of the instruction that raised, where it is not the one that is being carried out
        self.failed_at: int | None = None

    # -- preparing

    @classmethod
    def prepare(cls, code: Any) -> Prepared:
        """The code object's Program with this class's handlers, made once a code object."""
        return cls.prepared.get(code) or cls.prepared.put(code, cls.make_prepared(code))

    @classmethod
    def make_prepared(cls, code: Any) -> Prepared:
        """Decodes, and looks the handlers up."""
        return Prepared(opcodes.decode(code), cls.handlers)

    # -- frames

    def new_frame(self, prepared: Prepared, function: Any, globals_: Any, locals_: list[Any]) -> Frame:
        """A frame above the running one, with all its slots; it is not entered yet."""
        kind = GeneratorFrame if prepared.generates else Frame
        back = self.frame
        depth = 1 if back is None else back.depth + 1
        return kind(prepared, function, globals_, locals_, len(self.stack), back, depth)

    def enter(self, frame: Frame) -> Any:
        """Makes it the running frame. Gives ENTERED."""
        self.frame = frame
        self.locals = frame.locals
        self.steps = frame.steps
        return ENTERED

    def leave(self, value: Any) -> bool:
        """The running frame is done; its caller goes on with the value."""
        frame = self.frame
        if frame.ends_otherwise:
            return frame.end(self, value)
        self.enter(frame.back)
        self.push(value)
        return True

    def jump(self, target: int) -> None:
        """Goes on at that instruction of the running frame."""
        self.steps.__setstate__(target)

    @property
    def instruction(self) -> Instruction:
        """The instruction being carried out."""
        return self.frame.instruction

    def where(self) -> str:
        """File, line, function and instruction being carried out, for messages."""
        frame = self.frame
        if frame is None or frame.is_entry:
            return "no instruction"
        code = frame.code
        return f"{code.co_filename}:{frame.line}, in {code.co_name}, {frame.instruction!r}"

    # -- running

    def execute(self, frame: Frame) -> Any:
        """Runs a frame, and what it calls, to its end: its value, or its exception is raised.

        It may be asked for again while an instruction of this machine is being carried out (a hook
        that calls the host, which calls back).
        """
        outer = self.frame, self.locals, self.steps
        depth = len(self.stack)
        entry = EntryFrame((stop, None), depth, self.frame)
        frame.back, frame.base = entry, depth
        self.enter(frame)
        try:
            self.run_to_end()
            return self.pop()
        finally:
            del self.stack[depth:]
            self.frame, self.locals, self.steps = outer
            self.running = True

    def run_to_end(self) -> None:
        """Goes round the loop until the entry frame is reached."""
        self.running = True
        self.loop()

    def loop(self) -> None:
        """Carries out instructions until `running` is false."""
        while True:
            try:
                if self.pending is not None:  # (and a statement between `try` and `while`: an interrupt on
                    self.raise_pending()  # the jump back to the first instruction of a `try` would escape it)
                while self.running:
                    for handler, instruction in self.steps:
                        if handler(self, instruction) is not None:
                            break
                    else:
                        self.fell_off()
                return
            except BaseException as exception:
                self.unwind(exception)

    def watched_loop(self) -> None:
        """The loop of machines that look at each instruction: `before(instruction)`, `after(instruction)`."""
        while True:
            try:
                if self.pending is not None:
                    self.raise_pending()
                while self.running:
                    for handler, instruction in self.steps:
                        if instruction is not None:
                            self.before(instruction)
                        switched = handler(self, instruction)
                        if instruction is not None:
                            self.after(instruction)
                        if switched:
                            break
                    else:
                        self.fell_off()
                return
            except BaseException as exception:
                self.unwind(exception)

    def raise_pending(self) -> None:
        """Raises the exception that was to be raised as the loop begins."""
        exception, self.pending = self.pending, None
        raise exception

    def before(self, instruction: Instruction) -> None:
        """Called by `watched_loop` before each instruction."""

    def after(self, instruction: Instruction) -> None:
        """Called by `watched_loop` after each instruction that did not raise."""

    def fell_off(self) -> None:
        """The steps of a frame ended without a return."""
        raise BadProgram(f"{self.where()}: the bytecode falls off its end; it is not what a compiler makes")

    # -- unwinding

    def escapes(self, exception: BaseException) -> bool:
        """Whether it is not the program's own, and leaves the machine at once."""
        return False

    def unwind(self, exception: BaseException) -> None:
        """Goes to the innermost region that catches it, leaving frames; raises it out of the entry frame."""
        frame = None
        if self.escapes(exception):
            raise exception
        try:
            self.arrived(exception)
            while True:
                frame = self.frame
                if frame.is_entry:
                    if frame.is_relay:
                        self.enter(frame.back)
                        self.chain(exception)
                        continue
                    raise exception
                index = frame.index
                if self.failed_at is not None:
                    index, self.failed_at = self.failed_at, None
                if self.reraised:
                    self.reraised = False
                else:
                    self.passing(exception, frame, index)
                region = frame.prepared.regions[index]
                if region is not None:
                    return self.catch(exception, frame, region, index)
                exception = self.abandon(frame, exception)
        finally:
            # the real frames in its traceback remember this one as their caller: it must not remember them
            del exception, frame

    def catch(self, exception: BaseException, frame: Frame, region: Region, index: int) -> None:
        """Cuts the stack, pushes what the region's handler finds, and goes there."""
        self.enter(frame)  # (an interrupt may have come when the frame was entered in part)
        if region.previous is not None:
            self.handled_again(frame, region.previous)
        if len(self.stack) < frame.base + region.depth:
            raise BadProgram(
                f"{self.where()}: its handler wants a stack of {region.depth}, and there are"
                f" {len(self.stack) - frame.base}; it is not what a compiler makes"
            )
        del self.stack[frame.base + region.depth :]
        value = self.caught(exception)
        if region.entry_values == 6:
            self.push_three(self.handled)
            self.push_three(value)
            self.handle(value)
        else:
            if region.lasti:
                self.push(self.constant(index))
            self.push(value)
        frame.steps.__setstate__(frame.prepared.entries[region.target])  # type: ignore[attr-defined]

    def push_three(self, exception: Any) -> None:
        """Traceback, value and type, as 3.10 keeps an exception on the stack."""
        if exception is None:
            exception = self.constant(None)
        kind, traceback = self.exception_parts(exception)
        self.stack += (traceback, exception, kind)

    def handled_again(self, frame: Frame, depth: int) -> None:
        """3.10: an exception leaves handlers; the older one, kept at this depth, is the handled one again.

        (Since 3.11 the bytecode does that itself.)
        """
        older = self.stack[frame.base + depth + 1]
        self.handle(None if self.is_none(older) else older)

    def abandon(self, frame: Frame, exception: BaseException) -> BaseException:
        """Leaves a frame that an exception goes through; gives the one that goes on."""
        if frame.prepared.nests_handlers:
            program = frame.prepared.program.of(frame.code)
            slots = program.stack[frame.index] or ()
            for place in range(len(slots) - 2):
                if slots[place : place + 3] == _OLDER:
                    self.handled_again(frame, place)
                    break
        del self.stack[frame.base :]
        if frame.parkable and frame.outer is not None:
            exception = self.leaving_generator(exception)
            self.fail_generator(frame)  # type: ignore[arg-type]
        else:
            self.enter(frame.back)
        return exception

    def leaving_generator(self, exception: BaseException) -> BaseException:
        """A hook: what becomes of an exception that leaves a generator's frame, which is the running one."""
        return exception

    def arrived(self, exception: BaseException) -> None:
        """A hook: an exception was raised by the instruction being carried out."""

    def chain(self, exception: BaseException) -> None:
        """A hook: thrown into a generator, it comes back from what that delegates to."""

    def passing(self, exception: BaseException, frame: Frame, index: int) -> None:
        """A hook: the exception goes through this frame (a traceback entry is added here)."""

    def handle(self, exception: Any) -> bool:
        """Makes it the handled exception (None: none). True if the loop must be left for it."""
        self.handled = exception
        return False

    # -- parked frames

    def park(self, frame: GeneratorFrame, value: Any) -> bool:
        """Takes the running frame off the stack; whoever resumed it goes on with the value."""
        stack = self.stack
        frame.saved = stack[frame.base :]
        if frame.saved:
            del stack[frame.base :]
        frame.state = "parked"
        if frame.outer is NOTHING and self.handled is None:
            back = frame.back
            frame.back = frame.outer = None
            self.frame = back
            self.locals = back.locals
            self.steps = back.steps
        else:
            self.unresume(frame)
        self.push(value)
        return True

    def park_first(self, frame: GeneratorFrame, generator: Any) -> bool:
        """Takes the frame off the stack before anyone has resumed it; its caller gets the generator."""
        frame.saved = self.stack[frame.base :]
        del self.stack[frame.base :]
        back, frame.back = frame.back, None
        self.enter(back)
        self.push(generator)
        return True

    def unresume(self, frame: GeneratorFrame) -> None:
        """Goes back to the resumer's frame and to what it was handling."""
        back, frame.back = frame.back, None
        handled = self.handled
        older, self.outer_handled = frame.outer
        frame.outer = None
        frame.handled = handled
        if older is not handled:
            self.handle(older)
        self.enter(back)

    def resume(self, frame: GeneratorFrame, value: Any, resumer: Instruction | None) -> Any:
        """Puts a parked frame on the stack again; it finds the value. Gives ENTERED."""
        back = self.frame
        stack = self.stack
        frame.back = back
        frame.base = len(stack)
        frame.depth = back.depth + 1
        frame.resumer = resumer  # type: ignore[assignment]
        frame.state = "running"
        handled = self.handled
        if handled is None and frame.handled is None and self.outer_handled is None:
            frame.outer = NOTHING  # type: ignore[assignment]
        else:
            frame.outer = handled, self.outer_handled  # type: ignore[assignment]
            if handled is not None:
                self.outer_handled = handled
            if frame.handled is not handled:
                self.handle(frame.handled)
                frame.handled = None
        if frame.saved:
            stack += frame.saved
            frame.saved = ()
        self.push(value)
        self.frame = frame
        self.locals = frame.locals
        self.steps = frame.steps
        return ENTERED

    def finish_generator(self, frame: GeneratorFrame, value: Any) -> bool:
        """A generator's frame returned: its resumer is told."""
        resumer = frame.resumer
        del self.stack[frame.base :]
        frame.state = "done"
        frame.locals = []
        self.unresume(frame)
        if resumer is None:
            self.push(value)
        else:
            self.exhausted(resumer, value)
        return True

    def fail_generator(self, frame: GeneratorFrame) -> None:
        """A generator's frame was left by an exception: its resumer gets it."""
        frame.state = "done"
        frame.locals = []
        self.unresume(frame)

    def exhausted(self, resumer: Instruction, value: Any) -> None:
        """What FOR_ITER, SEND or YIELD_VALUE do when the generator they resumed has returned."""
        if resumer.opname == "FOR_ITER":
            self.end_loop(resumer)
        elif resumer.opname == "SEND":
            self.sent(resumer, value)
        else:
            self.delegate_done(resumer, value)


StackMachine.prepared = PreparedCache()

#: what the older exception of 3.10 is among the slots of a Program
_OLDER = ("previous",) * 3

#: neither the caller of a generator nor anyone above handles an exception
NOTHING = (None, None)


def stop(machine: StackMachine, _: None) -> bool:
    """The one step of an entry frame."""
    machine.running = False
    machine.finished = True
    return True


__all__ = ["ENTERED", "NULL", "StackMachine"]
