"""What looks at its caller: locals(), eval(), sys._getframe(), … see the interpreted frame.

Those that need nothing but the frame's own names are answered here. The others are called by the host
inside stubs that stand for the interpreted frames, so that what they find there is right.
"""

from __future__ import annotations
import __future__ as future

import _thread
import _warnings
import builtins
import sys
from collections.abc import Callable
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import GENERATES, NamespaceFrame, ReplacingFrame
from translator.real.exceptions import get_traceback, set_traceback, visible_locals
from translator.real.stubs import Action, calling_stub, constant_stub
from translator.sentinels import NULL

try:
    import _typing  # type: ignore[import-not-found]  # what typing is made of in C, where the host has it
except ImportError:
    _typing = None  # type: ignore[assignment]

#: id of a callable -> what the machine does instead of calling it
SENSITIVE: dict[int, Callable[[Any, Any, list[Any], dict[str, Any]], Any]] = {}
_KEPT: list[Any] = []  # an id is good as long as its object lives
FUTURE_FLAGS = 0
for _name in future.all_feature_names:
    FUTURE_FLAGS |= getattr(future, _name).compiler_flag

#: frames made for something that looks further up than it says
_SPARE = 16


def sensitive(*callables: Any) -> Any:
    """Registers what is done for these callables."""

    def register(function: Any) -> Any:
        for one in callables:
            SENSITIVE[id(one)] = function
            _KEPT.append(one)
        return function

    return register


class RealCaller:
    """Real frames for what looks at them."""

    frame: Any

    def call_in_frame(
        self, callable_: Any, arguments: list[Any], keywords: dict[str, Any], levels: int = 1
    ) -> Any:
        """Calls it natively, inside stubs of the running frame and of those above it."""
        call: Any = partial(callable_, *arguments, **keywords)
        frame, made = self.frame, 0
        while frame is not None and made < levels:
            if not frame.is_entry:
                call = standing_for(frame, call)
                made += 1
            frame = frame.back
        try:
            return call()
        except BaseException as exception:
            traceback = get_traceback(exception)
            for _ in range(made + 1):
                if traceback is not None:
                    traceback = traceback.tb_next
            set_traceback(exception, traceback)
            raise exception

    def locals_of(self, frame: Any) -> Any:
        """What `locals()` gives in that frame."""
        facts = frame.prepared.program.table.facts
        found = {
            name: value
            for name, value in zip(*visible_locals(frame))
            if name.isidentifier() or name == ".0"  # (what a generator expression goes over)
        }
        if frame.namespace is not None:  # what it has in slots is an inlined comprehension's
            variables = frame.prepared.code.co_varnames
            found = {name: value for name, value in found.items() if name in variables}
            if found and not facts["locals_is_fresh"]:
                return {**frame.namespace, **found}
            return found or frame.namespace
        if facts["locals_is_fresh"]:
            return found
        try:
            kept: dict[str, Any] = frame.snapshot
        except AttributeError:
            frame.snapshot = found
            return found
        for name in frame.prepared.program.localsplus:
            kept.pop(name, None)
        kept.update(found)
        return kept

    def run_code(
        self, code: CodeType, globals_: Any, namespace: Any, returns: bool, function: Any = None
    ) -> Any:
        """Enters a frame for the code of a module, `exec` or `eval`."""
        prepared = self.prepare(code)
        frame = NamespaceFrame if returns else ReplacingFrame
        back = self.frame
        made = frame(
            prepared,
            function or FunctionType(code, globals_),
            globals_,
            list(prepared.unbound),
            len(self.stack),
            back,
            1 if back is None else back.depth + 1,
        )
        made.namespace = namespace
        if not returns:
            made.result = None
        return self.enter_body(made)

    def enter_body(self, frame: Any) -> Any:
        """Enters the frame of a module or class body."""
        return self.enter(frame)


def standing_for(frame: Any, call: Any) -> Any:
    """A callable that calls `call` in a real frame that stands for the interpreted one."""
    prepared = frame.prepared
    raw = prepared.program.instructions[frame.index].raw
    offset = -1 if raw is None else raw.offset
    if frame.namespace is not None:
        stub = constant_stub(prepared.code, offset, Action(call), True)
        return partial(eval, stub, frame.globals, frame.namespace)
    names, values = visible_locals(frame)
    key = offset, names, "call"
    stub = prepared.stubs.get(key)
    if stub is None:
        stub = calling_stub(prepared.code, offset, names)
        stub = prepared.stubs[key] = stub.replace(
            co_flags=stub.co_flags | prepared.code.co_flags & FUTURE_FLAGS
        )
    return partial(FunctionType(stub, frame.globals), *values, Action(call))


@sensitive(builtins.globals)
def call_globals(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """globals()"""
    if arguments or keywords:
        return callable_(*arguments, **keywords)
    return machine.frame.globals


@sensitive(builtins.locals)
def call_locals(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """locals()"""
    if arguments or keywords:
        return callable_(*arguments, **keywords)
    return machine.locals_of(machine.frame)


@sensitive(builtins.vars, builtins.dir)
def call_vars(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """vars() and dir()"""
    if arguments or keywords:
        return callable_(*arguments, **keywords)
    found = machine.locals_of(machine.frame)
    return found if callable_ is vars else sorted(found.keys())


@sensitive(builtins.eval, builtins.exec)
def call_exec(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """eval() and exec(): the code is interpreted; what is refused, the host refuses."""
    if not 1 <= len(arguments) <= 3 or keywords:
        return native_exec(machine, callable_, arguments, keywords)
    source, globals_, namespace = [*arguments, None, None][:3]
    frame = machine.frame
    if globals_ is None:
        globals_ = frame.globals
        namespace = machine.locals_of(frame) if namespace is None else namespace
    elif namespace is None:
        namespace = globals_
    if not isinstance(globals_, dict) or not hasattr(type(namespace), "__getitem__"):
        return native_exec(machine, callable_, arguments, keywords)
    if isinstance(source, CodeType):
        code = source
        sys.audit("exec", code)
    else:
        code = compiled(machine, callable_, source)
    if code.co_freevars or code.co_flags & GENERATES:
        return native_exec(machine, callable_, [code, globals_, namespace], keywords)
    if "__builtins__" not in globals_:
        globals_["__builtins__"] = frame.function.__builtins__
    return machine.run_code(code, globals_, namespace, callable_ is eval)


def native_exec(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """The host's own, with the frame's names as defaults."""
    return machine.call_in_frame(callable_, arguments, keywords)


def compiled(machine: Any, callable_: Any, source: Any) -> CodeType:
    """The code object of a source, with the flags of the code that asks."""
    if callable_ is eval and isinstance(source, str):
        source = source.lstrip(" \t")
    elif callable_ is eval and isinstance(source, (bytes, bytearray)):
        source = bytes(source).lstrip(b" \t")
    if not isinstance(source, (str, bytes, bytearray, memoryview)) and not hasattr(source, "__buffer__"):
        name = "eval" if callable_ is eval else "exec"
        raise TypeError(f"{name}() arg 1 must be a string, bytes or code object")
    mode = "eval" if callable_ is eval else "exec"
    return machine.call_in_frame(compile, [source, "<string>", mode], {})  # type: ignore[no-any-return]


@sensitive(builtins.compile, builtins.breakpoint)
def call_compile(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """compile() inherits the flags of its caller."""
    return machine.call_in_frame(callable_, arguments, keywords)


@sensitive(builtins.__import__)
def call_import(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """__import__()"""
    return machine.call_in_frame(callable_, arguments, keywords)


@sensitive(sys._getframe, *filter(None, [getattr(sys, "_getframemodulename", None)]))
def call_getframe(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """sys._getframe(depth)"""
    depth = arguments[0] if arguments else keywords.get("depth", 0)
    levels = depth + 1 + _SPARE if isinstance(depth, int) and depth < 10_000 else 1
    return machine.call_in_frame(callable_, arguments, keywords, levels)


@sensitive(_warnings.warn)
def call_warn(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """warnings.warn(…, stacklevel)"""
    level = keywords.get("stacklevel", arguments[2] if len(arguments) > 2 else 1)
    levels = max(level, 1) + _SPARE if isinstance(level, int) and level < 10_000 else _SPARE
    return machine.call_in_frame(callable_, arguments, keywords, levels)


@sensitive(
    *[
        getattr(_typing, name)
        for name in ("TypeVar", "ParamSpec", "TypeVarTuple", "TypeAliasType")
        if hasattr(_typing, name)
    ]
)
def call_typing(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """TypeVar("T") and its kin take `__module__` from their caller."""
    return machine.call_in_frame(callable_, arguments, keywords)


def run_in_thread(machine_type: Any, skip: Any, function: Any, *arguments: Any, **keywords: Any) -> Any:
    """What a new thread begins with."""
    machine = machine_type(skip=skip)
    return machine.run(function, *arguments, **keywords)


@sensitive(
    *[
        getattr(_thread, name)
        for name in ("start_new_thread", "start_new", "start_joinable_thread")
        if hasattr(_thread, name)
    ]
)
def call_start_thread(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """What a new thread runs is interpreted too."""
    if arguments and type(arguments[0]) in (FunctionType, MethodType):
        arguments[0] = partial(run_in_thread, type(machine), machine.skip, arguments[0])
    return callable_(*arguments, **keywords)


@sensitive(builtins.super)
def call_super(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """super() finds `__class__` and the first argument in the frame."""
    if arguments or keywords:
        return callable_(*arguments, **keywords)
    frame = machine.frame
    code = frame.prepared.code
    if not code.co_argcount:
        raise RuntimeError("super(): no arguments")
    first = frame.locals[0]
    if code.co_varnames[0] in code.co_cellvars and type(first) is machine.cell_type:
        first = machine.cell_get(first)
    if first is NULL:
        raise RuntimeError("super(): arg[0] deleted")
    if "__class__" not in code.co_freevars:
        raise RuntimeError("super(): __class__ cell not found")
    place = code.co_freevars.index("__class__") - len(code.co_freevars)
    class_ = machine.cell_get(frame.locals[place])
    if class_ is NULL:
        raise RuntimeError("super(): empty __class__ cell")
    if not isinstance(class_, type):
        raise RuntimeError(f"super(): __class__ is not a type ({type(class_).__name__})")
    return callable_(class_, first)


@sensitive(builtins.type, type.__new__)
def call_type(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """type(name, bases, namespace), and what a metaclass's `__new__` calls, take `__module__` from their
    caller."""
    if len(arguments) == 1 and not keywords and callable_ is type:
        return type(arguments[0])
    return machine.call_in_frame(callable_, arguments, keywords)


@sensitive(FunctionType)
def call_function_type(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """types.FunctionType(code, globals) takes builtins from its caller."""
    return machine.call_in_frame(callable_, arguments, keywords)


@sensitive(builtins.__build_class__)
def call_build_class(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """A class statement."""
    return machine.run_class(callable_, arguments, keywords)
