"""Frames of a machine, and what is prepared once for each code object they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.sentinels import NULL

if TYPE_CHECKING:
    from opcodes.instructions import Instruction
    from opcodes.program import Program, Region

    Step = tuple[Callable[[Any, Instruction], Any], Instruction]

_REBINDING = frozenset({"STORE_FAST", "DELETE_FAST", "STORE_DEREF", "DELETE_DEREF"})
CO_OPTIMIZED, CO_VARARGS, CO_VARKEYWORDS = 0x01, 0x04, 0x08
CO_GENERATOR, CO_COROUTINE, CO_ITERABLE_COROUTINE, CO_ASYNC_GENERATOR = 0x20, 0x80, 0x100, 0x200
GENERATES = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR


class Prepared:
    """A Program made ready for one class of machine, once.

    Attributes:
        program: the Program, without its code object.
        code: a copy of the code object.
        nests_handlers: 3.10's form: the machine restores the handled exception of handlers that are left.
        steps: (handler, operand): what the loop goes through. The operand is the instruction, unless the
            machine fuses several; then targets are places in this list.
        origins: for each step the index of the instruction it stands for.
        entries: for each instruction the place of its step.
        regions: for each instruction the region that catches its exceptions, or None.
        unbound: as many NULLs as the frame has slots after the parameters.
        parameters: how many slots the parameters take, `*args` and `**kwargs` included.
        plain: the parameters a call may fill from the stack as they are (no `*`, no keyword-only, no
            generator); -1 for none of that.
        places: name of a parameter -> its slot, for those that a keyword may fill.
        keeps: how many arguments live as long as the frame, whatever the function does to its parameters
            (where CPython's caller holds them; 0 if it does nothing to them).
        optimized: its locals are in slots (a function's); else it has a namespace.
        generates: a call makes a generator, coroutine or asynchronous generator.
        cells: names of the slots that hold cells, or None.
        raising, stubs, binder, driver: host code made from the code object when first needed.
    """

    __slots__ = (
        "__weakref__",
        "binder",
        "cells",
        "code",
        "driver",
        "entries",
        "generates",
        "keeps",
        "nests_handlers",
        "optimized",
        "origins",
        "parameters",
        "places",
        "plain",
        "program",
        "raising",
        "regions",
        "steps",
        "stubs",
        "unbound",
    )

    def __init__(
        self,
        program: Program,
        handlers: Mapping[str, Callable[..., Any]],
        fusing: Any = None,
        host_code: CodeType | None = None,
    ) -> None:
        code = program.code
        self.program = program.of(None)  # a cache that holds this must not keep the code object alive
        #: (its flags are those of the Program's own code object, native or foreign)
        self.code: Any = code.replace() if host_code is None else host_code
        self.nests_handlers = any(region.entry_values == 6 for region in program.regions)
        self.steps: tuple[Step, ...]
        if fusing is None:
            self.steps = tuple([(handlers[one.opname], one) for one in program.instructions])
            self.origins = self.entries = range(len(self.steps) + 1)
        else:
            self.steps, self.origins, self.entries = tuple(fusing.steps), fusing.origins, fusing.entries
        self.regions: tuple[Region | None, ...] = program.handlers
        flags = code.co_flags
        self.parameters = (
            code.co_argcount
            + code.co_kwonlyargcount
            + bool(flags & CO_VARARGS)
            + bool(flags & CO_VARKEYWORDS)
        )
        self.unbound = [NULL] * (len(program.localsplus) - self.parameters)
        self.cells = frozenset([*code.co_cellvars, *code.co_freevars]) or None
        self.raising: dict[int, tuple[tuple[str, ...], CodeType]] = {}
        self.stubs: dict[Any, CodeType] = {}
        self.binder: CodeType | None = None
        self.driver: Any = None
        self.generates = bool(flags & GENERATES)
        self.keeps = 0
        if program.table.facts["caller_keeps_arguments"] and not self.generates:
            self.keeps = self.parameters if rebinds(program, self.parameters) else 0
        self.optimized = bool(flags & CO_OPTIMIZED)
        simple = self.parameters == code.co_argcount and not self.generates and not self.keeps
        simple = simple and self.optimized
        self.plain = code.co_argcount if simple else -1
        named = code.co_varnames[: code.co_argcount]
        self.places = {name: place for place, name in enumerate(named) if place >= code.co_posonlyargcount}


def rebinds(program: Program, parameters: int) -> bool:
    """Whether a parameter is stored to or deleted."""
    return any(one.opname in _REBINDING and one.slot < parameters for one in program)  # type: ignore[attr-defined]


class Frame:
    """One call of a code object on the machine's own stack.

    Attributes:
        prepared: the code, made ready.
        function: the function whose call it is (its globals, closure, name).
        globals: the function's globals.
        locals: one value a slot of `program.localsplus`, NULL where unbound; cells are in their slots.
        steps: the iterator over `prepared.steps` that says where it is.
        base: where its part of the machine's value stack begins.
        back: the frame that goes on when it is left.
        depth: how many frames there are, this one included.
        kept: the arguments, if `prepared.keeps` them; else it is not there.
        namespace: the mapping of a class or module body; None for a function.
    """

    __slots__ = (
        "__weakref__",
        "back",
        "base",
        "depth",
        "function",
        "globals",
        "kept",
        "locals",
        "prepared",
        "snapshot",
        "steps",
    )

    #: overridden by those that have one
    namespace: Any = None
    #: whether it can be parked (a generator's)
    parkable = False
    #: whether a return is more than handing the value to the caller: then `end` does it
    ends_otherwise = False
    #: whether the machine's caller is below it
    is_entry = False

    def __init__(
        self,
        prepared: Prepared,
        function: Any,
        globals_: Any,
        locals_: list[Any],
        base: int,
        back: Frame | None,
        depth: int,
    ) -> None:
        self.prepared = prepared
        self.function = function
        self.globals = globals_
        self.locals = locals_
        self.steps: Iterator[Step] = iter(prepared.steps)
        self.base = base
        self.back = back
        self.depth = depth

    @property
    def code(self) -> CodeType:
        """The code object it runs."""
        return self.prepared.code

    @property
    def place(self) -> int:
        """Which step is being carried out (the last one that was begun)."""
        return max(len(self.prepared.steps) - self.steps.__length_hint__() - 1, 0)  # type: ignore[attr-defined]

    @property
    def index(self) -> int:
        """The index of the instruction being carried out."""
        return self.prepared.origins[self.place]

    @property
    def instruction(self) -> Instruction:
        """The instruction being carried out."""
        return self.prepared.program.instructions[self.index]

    @property
    def line(self) -> int | None:
        """The line being carried out."""
        raw = self.instruction.raw
        return None if raw is None else raw.line

    def end(self, machine: Any, value: Any) -> bool:
        """What a return does, if `ends_otherwise`."""
        raise NotImplementedError

    def bound_locals(self) -> dict[str, Any]:
        """Slots by name, those that are bound; cells as they are."""
        names = self.prepared.program.localsplus
        return {name: value for name, value in zip(names, self.locals) if value is not NULL}

    def __repr__(self) -> str:
        return f"<frame of {self.code.co_name}, line {self.line}>"


class NamespaceFrame(Frame):
    """The frame of a class or module body, or of `exec`."""

    __slots__ = ("namespace",)


class ReplacingFrame(NamespaceFrame):
    """A frame whose caller gets `result`, whatever it returns."""

    __slots__ = ("result",)

    ends_otherwise = True

    def end(self, machine: Any, value: Any) -> bool:
        """The caller gets the result instead."""
        machine.enter(self.back)
        machine.push(self.result)
        return True


class GeneratorFrame(Frame):
    """The frame of a generator, coroutine or asynchronous generator.

    Attributes:
        saved: its values while it is parked; None while it runs or is done.
        state: "created", "parked", "running", "done".
        handled: while parked, the exception it is handling.
        resumer: the instruction of the caller that resumed it; None for the entry frame.
        host: weakly, the generator of the host.
        entry: the entry frame that its steps for the host run above.
        outer: what its caller was handling, to be put back.
    """

    __slots__ = ("entry", "handled", "host", "outer", "resumer", "saved", "state")

    parkable = True
    ends_otherwise = True

    def __init__(self, *fields: Any) -> None:
        super().__init__(*fields)
        self.state = "created"
        self.saved: Any = ()
        self.handled = self.outer = self.resumer = self.host = self.entry = None

    def end(self, machine: Any, value: Any) -> bool:
        """It is done, and its resumer is told."""
        return machine.finish_generator(self, value)  # type: ignore[no-any-return]


class NamespaceGeneratorFrame(GeneratorFrame):
    """That of the code of a module, compiled so that it may await at its top."""

    __slots__ = ("namespace",)


class EntryFrame(Frame):
    """Below the first frame of a run: its one step stops the machine."""

    __slots__ = ()

    is_entry = True
    #: an exception goes through it to the frame below
    is_relay = False

    def __init__(self, step: Any, base: int, back: Frame | None) -> None:
        self.prepared = None  # type: ignore[assignment]
        self.function = self.globals = None
        self.locals = []
        self.steps = iter((step,))
        self.base = base
        self.back = back
        self.depth = 0 if back is None else back.depth

    @property
    def index(self) -> int:
        """It has no instruction."""
        return 0

    def __repr__(self) -> str:
        return "<entry>"


class RelayFrame(EntryFrame):
    """Between a generator and the one that delegates to it, while an exception thrown into the latter is
    being carried out in the former: its one step hands over what is yielded.
    """

    __slots__ = ()

    is_relay = True

    def __repr__(self) -> str:
        return "<relay>"
