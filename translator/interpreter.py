"""The Interpreter: the machine on Python's own objects. It runs what it is given.

translator.run(function, *args, **kwargs)
"""

from __future__ import annotations

import builtins
import os
import sys
from _thread import get_ident
from types import CellType, CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

import opcodes
from opcodes.errors import BadBytecode
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import BadProgram, NotInterpretable, Refusal
from translator.frames import (
    EntryFrame,
    Frame,
    GeneratorFrame,
    NamespaceFrame,
    NamespaceGeneratorFrame,
    Prepared,
)
from translator.machine import StackMachine, stop
from translator.policy import NO_SKIP, Skip
from translator.real.awaiting import RealAwaiting
from translator.real.calls import RealCalls
from translator.real.classes import RealClasses
from translator.real.constructing import RealConstructing
from translator.real.containers import RealContainers
from translator.real.direct import BY_OPERATOR, DirectHandlers
from translator.real.exceptions import (
    OWN,
    RealExceptions,
    cleaned,
    get_traceback,
    set_traceback,
)
from translator.real.foreign import foreign_of, twin_of
from translator.real.functions import RealFunctions
from translator.real.fusing import Fusing
from translator.real.generators import RealGenerators
from translator.real.hosting import call_handling
from translator.real.intrinsics import RealIntrinsics
from translator.real.names import RealNames
from translator.real.operators import RealOperators
from translator.real.recursion import own_limit
from translator.real.stubs import Action
from translator.sentinels import ENTERED, NULL
from translator.verifying import verify

if TYPE_CHECKING:
    from opcodes.program import Program


class RealMachine(
    RealOperators,
    RealNames,
    RealContainers,
    RealClasses,
    RealFunctions,
    RealCalls,
    RealConstructing,
    RealExceptions,
    RealAwaiting,
    RealGenerators,
    RealIntrinsics,
    StackMachine,
):
    """The machine on real values, every handler and every hook as it is written.

    Args:
        skip: which Python functions run natively (module names, file patterns, functions).
    """

    cell_type = CellType
    #: whether the host's own bytecode is verified too, before it is run
    verifies = False

    def __init_subclass__(cls, **kwds: Any) -> None:
        super().__init_subclass__(**kwds)
        for value in vars(cls).values():
            if type(value) is FunctionType:
                OWN.add(id(value.__code__))  # what a subclass overrides shows in no traceback either

    def __init__(self, *, skip: Any = ()) -> None:
        super().__init__()
        self.skip = skip if isinstance(skip, Skip) else Skip(skip) if skip else NO_SKIP
        self.pending: BaseException | None = None
        self.hosted: BaseException | None = None
        self.finished = False
        self.limit = own_limit()
        self.thread = get_ident()
        self.loop_action = Action(self.loop)
        #: where calls look for what is prepared: not at all if there is a policy to ask
        self.prepared_by_id = self.prepared.by_id if self.skip is NO_SKIP else {}

    def run(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls the function; what it does is interpreted."""
        arguments = list(args)
        if type(function) is MethodType:
            arguments.insert(0, function.__self__)
            function = function.__func__
        if type(function) is not FunctionType:
            raise NotInterpretable(
                f"{function!r} has no bytecode to interpret: run takes a Python function, and this is a"
                f" {type(function).__name__}"
            )
        try:
            result = self.run_above(lambda: self.call_function(function, arguments, kwargs))
            if result is NULL:
                raise BadProgram(f"{function.__code__.co_name}: what it returns is no value")
            return result
        except BaseException as exception:
            set_traceback(exception, cleaned(get_traceback(exception)))
            if getattr(exception, "refuses", False):
                exception.refuses = False  # type: ignore[attr-defined]  # whoever called may catch it
            raise exception

    def escapes(self, exception: BaseException) -> bool:
        """Whether it is the machine's own refusal to go on, which no handler of the program may catch."""
        return isinstance(exception, (Refusal, BadBytecode)) and getattr(exception, "refuses", False)

    def here(self) -> RealMachine:
        """This machine, or in another thread another one."""
        if self.thread == get_ident():
            return self
        return type(self)(skip=self.skip)

    @classmethod
    def prepare(cls, code: Any) -> Prepared:
        """Of what foreign bytecode's functions have as their code objects there is one for all of them."""
        made = cls.prepared.get(code)
        if made is None:
            foreign = foreign_of(code)
            made = cls.make_prepared(code) if foreign is None else cls.prepare(foreign)
            cls.prepared.put(code, made)
        return made

    @classmethod
    def make_prepared(cls, code: Any) -> Prepared:
        """Of the host's bytecode, or of another's."""
        program = program_of(code, cls.verifies)
        return Prepared(program, cls.handlers, None, host_code_of(program.code))

    def run_module(self, code: Any, namespace: dict[str, Any]) -> None:
        """Runs the code object of a module (of any version, see `opcodes.load`) in a namespace."""
        main = namespace.get("__name__") == "__main__"
        namespace.setdefault("__builtins__", builtins if main else vars(builtins))

        def begin() -> Any:
            if type(code) is CodeType:
                function = FunctionType(code, namespace)
            else:
                function = self.make_foreign(code, namespace, None)
            return self.run_code(function.__code__, namespace, namespace, False, function)

        self.run_above(begin)

    # -- running

    def execute(self, frame: Frame) -> Any:
        """Runs a frame to its end."""
        return self.run_above(lambda: self.enter_above(frame))

    def enter_above(self, frame: Frame, body: bool = False) -> Any:
        """Enters a frame that was made before the entry frame was there."""
        frame.back, frame.base = self.frame, len(self.stack)
        return self.enter_body(frame) if body else self.enter(frame)

    def run_above(self, begin: Any) -> Any:
        """Runs what `begin` enters (or gives at once) until it is done, above what runs already."""
        outer = self.frame, self.locals, self.steps, self.running, self.finished
        handled = self.handled, self.outer_handled, self.hosted
        depth = len(self.stack)
        self.handled = self.outer_handled = self.hosted = None
        try:
            self.enter(EntryFrame((stop, None), depth, self.frame))
            result = begin()
            if result is not ENTERED:
                return result
            self.run_to_end()
            return self.pop()
        finally:
            begin = None
            del self.stack[depth:]
            self.frame, self.locals, self.steps, self.running, self.finished = outer
            self.handled, self.outer_handled, self.hosted = handled
            self.pending = None

    def run_step(self, frame: Any, value: Any) -> Any:
        """`run_above` for one step of a parked frame that the host asks for; the entry frame is the
        generator's own.
        """
        outer = self.frame, self.locals, self.steps, self.running, self.finished
        handled = self.handled, self.outer_handled, self.hosted
        stack = self.stack
        depth = len(stack)
        self.handled = self.outer_handled = self.hosted = None
        entry = frame.entry
        if entry is None:
            entry = frame.entry = EntryFrame((stop, None), depth, self.frame)
        else:
            entry.steps.__setstate__(0)
            entry.base, entry.back = depth, self.frame
            entry.depth = 0 if self.frame is None else self.frame.depth
        self.frame, self.locals, self.steps = entry, entry.locals, entry.steps
        try:
            self.resume(frame, value, None)
            self.run_to_end()
            return self.pop()
        finally:
            value = entry.back = None
            if len(stack) != depth:
                del stack[depth:]
            self.frame, self.locals, self.steps, self.running, self.finished = outer
            self.handled, self.outer_handled, self.hosted = handled

    def run_to_end(self) -> None:
        """Goes round the loop, inside a host's handler of whatever exception is being handled."""
        self.finished = False
        while not self.finished:
            self.running = True
            exception = self.handled if self.handled is not None else self.outer_handled
            self.hosted = exception
            if exception is None:
                self.loop()
            else:
                del exception
                self.loop_handling()

    def loop_handling(self) -> None:
        """The loop where the host handles the exception too: `sys.exc_info()`, implicit contexts and
        callees in C see it.
        """
        call_handling(self.hosted, self.loop_action)  # type: ignore[arg-type]

    def handle(self, exception: Any) -> bool:
        """Leaves the loop if the host must handle another exception than it does."""
        if exception is not None and not isinstance(exception, BaseException):
            raise BadProgram(
                f"{self.where()}: what it handles is of type {type(exception).__name__}, no exception"
            )
        self.handled = exception
        effective = exception if exception is not None else self.outer_handled
        if effective is not self.hosted:
            self.running = False
            return True
        return False

    # -- frames

    def new_frame(
        self, prepared: Any, function: Any, globals_: Any, locals_: list[Any], kind: type[Frame] = Frame
    ) -> Frame:
        """A frame above the running one; RecursionError if there are too many."""
        if prepared.generates:
            kind = GeneratorFrame
        back = self.frame
        depth = back.depth + 1
        if depth > self.limit:
            self.check_depth(depth)
        if not prepared.optimized:  # the code of a module, made a function's
            kind = NamespaceGeneratorFrame if prepared.generates else NamespaceFrame
        frame: Frame = kind(prepared, function, globals_, locals_, len(self.stack), back, depth)
        if not prepared.optimized:
            frame.namespace = globals_
        if prepared.keeps:
            frame.kept = locals_[: prepared.keeps]
        return frame

    def check_depth(self, depth: int) -> None:
        """RecursionError at the interpreter's own limit."""
        self.limit = own_limit()
        if depth > self.limit:
            raise RecursionError("maximum recursion depth exceeded")


class Interpreter(DirectHandlers, RealMachine):
    """Runs functions on real values, fast: the hottest handlers spelled out, steps fused."""

    @classmethod
    def make_prepared(cls, code: Any) -> Prepared:
        """Operators get a handler each, and what often goes together is fused."""
        program = program_of(code, cls.verifies)
        fusing = Fusing(program, cls.handlers, BY_OPERATOR)
        return Prepared(program, cls.handlers, fusing, host_code_of(program.code))


def program_of(code: Any, verifies: bool = False) -> Program:
    """Of the code object, verified if so wanted. A foreign one always is: CPython itself would not survive
    one of the host's that is damaged."""
    try:
        program = opcodes.decode(code)
        if verifies or not isinstance(code, CodeType):
            verify(program)
    except BadBytecode as error:
        error.refuses = True  # type: ignore[attr-defined]  # the program has no part in that
        raise
    return program


def host_code_of(code: Any) -> CodeType | None:
    """What stands for a foreign code object; None for one of the host."""
    return None if isinstance(code, CodeType) else twin_of(code)


def _register() -> None:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("translator", "opcodes"):
            OWN.add(id(vars(module)))


_register()


def run(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Runs a Python function in the Interpreter: its value, or its exception.

    With OPSHIFT_CHECK in the environment, each instruction's change of the stack is held against what it
    declares.
    """
    machine: RealMachine
    if os.environ.get("OPSHIFT_CHECK"):
        from translator.checking import CheckedInterpreter

        machine = CheckedInterpreter()
    else:
        machine = Interpreter()
    try:
        return machine.run(function, *args, **kwargs)
    except BaseException as exception:
        set_traceback(exception, cleaned(get_traceback(exception)))
        raise exception
