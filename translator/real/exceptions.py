"""Exceptions of real values: raising, matching, tracebacks."""

from __future__ import annotations

import builtins
import sys
from types import CellType, FunctionType, TracebackType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import BadProgram
from translator.real.hosting import raise_unchanged
from translator.real.stubs import constant_stub, raising_stub
from translator.semantics import Semantics
from translator.sentinels import NULL

set_traceback = BaseException.__dict__["__traceback__"].__set__
get_traceback = BaseException.__dict__["__traceback__"].__get__
set_context = BaseException.__dict__["__context__"].__set__
get_context = BaseException.__dict__["__context__"].__get__
is_subclass = type.__subclasscheck__  # by the real bases alone, as exceptions are matched
set_cause = BaseException.__dict__["__cause__"].__set__

#: the host's exception groups, where it has them
GROUP: Any = getattr(builtins, "BaseExceptionGroup", None)
#: ids of the namespaces of the modules, and of the code objects, whose frames no traceback shows
OWN: set[int] = set()


def is_own(frame: Any) -> bool:
    """Whether it is a frame of the machine itself."""
    return id(frame.f_globals) in OWN or id(frame.f_code) in OWN


def cleaned(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback without the entries of the machine's own frames."""
    while traceback is not None and is_own(traceback.tb_frame):
        traceback = traceback.tb_next
    entry = traceback
    while entry is not None:
        following = entry.tb_next
        while following is not None and is_own(following.tb_frame):
            following = following.tb_next
        if following is not entry.tb_next:
            entry.tb_next = following
        entry = following
    return traceback


class RealExceptions(Semantics):
    """RAISE_VARARGS, CHECK_EXC_MATCH, tracebacks."""

    frame: Any

    def caught(self, exception: BaseException) -> Any:
        """Itself."""
        return exception

    def thrown(self, exception: Any) -> BaseException:
        """Raised here: a `raise` would set its context."""
        if not isinstance(exception, BaseException):
            raise BadProgram(
                f"{self.where()}: what it raises is of type {type(exception).__name__}, no exception"
            )
        raise_unchanged(exception)
        raise AssertionError

    def raise_(self, exception: Any, cause: Any) -> Any:
        """`raise …`; the host chains the context."""
        if exception is NULL:
            _, exception, traceback = sys.exc_info()
            if exception is None:
                raise RuntimeError("No active exception to reraise")
            self.restore_traceback(exception, traceback)
            self.reraised = True
            raise exception
        if cause is NULL:
            raise exception
        raise exception from cause

    def restore_traceback(self, exception: Any, traceback: Any) -> None:
        """(Where the host keeps one in the exception alone, it is that one.)"""
        if not isinstance(exception, BaseException):
            return  # it is refused where it is raised
        if traceback is not None and not isinstance(traceback, TracebackType):
            raise BadProgram(
                f"{self.where()}: what it raises has a {type(traceback).__name__} in place of a traceback"
            )
        set_traceback(exception, traceback)

    def facts(self) -> dict[str, Any]:
        """Of the version whose bytecode is being carried out."""
        return self.frame.prepared.program.table.facts  # type: ignore[no-any-return]

    def exception_match(self, exception: Any, type_: Any) -> Any:
        """Whether `except type_` catches it."""
        kind = exception if isinstance(exception, type) else type(exception)
        if type(type_) is type and is_subclass(BaseException, type_):
            return is_subclass(type_, kind)
        types = type_ if isinstance(type_, tuple) else (type_,)
        for one in types:
            if not isinstance(one, type) or not is_subclass(BaseException, one):
                raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        return any([is_subclass(one, kind) for one in types])

    def group_match(self, group: Any, type_: Any) -> tuple[Any, Any]:
        """`except* type_`."""
        matches = self.exception_match(group, type_)
        Group = self.groups()
        for one in type_ if isinstance(type_, tuple) else (type_,):
            if is_subclass(Group, one):
                raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
        if group is None:
            return None, None
        if matches:
            if not isinstance(group, Group):
                group = self.wrapped(group)
            return None, group
        if isinstance(group, Group):
            parts = group.split(type_)
            if not isinstance(parts, tuple):
                raise TypeError(
                    f"{type(group).__name__}.split must return a tuple, not {type(parts).__name__}"
                )
            if len(parts) < 2:
                raise TypeError(
                    f"{type(group).__name__}.split must return a 2-tuple, got tuple of size {len(parts)}"
                )
            return parts[1], parts[0]
        return group, None

    def groups(self) -> Any:
        """BaseExceptionGroup, where the host has it."""
        if GROUP is None:
            self.lacking("except*", "BaseExceptionGroup")
        return GROUP

    def wrapped(self, exception: BaseException) -> BaseException:
        """A naked exception that `except*` caught, in a group."""
        group: BaseException = self.groups()("", (exception,))  # a tuple, and its arguments show it
        frame = self.frame
        if frame.prepared.program.table.facts["except_star_adds_entry"]:
            self.passing(group, frame, frame.index)
            set_context(group, None)
        return group

    def exception_parts(self, exception: Any) -> tuple[Any, Any]:
        """Type and traceback; None twice for None."""
        if not isinstance(exception, BaseException):  # None, or what 3.10 has below the first exception
            return None, None
        return type(exception), get_traceback(exception)

    # -- tracebacks

    def arrived(self, exception: BaseException) -> None:
        """Takes the machine's own entries out of its traceback."""
        set_traceback(exception, cleaned(get_traceback(exception)))

    def chain(self, exception: BaseException) -> None:
        """Its context is what the generator handles, as if it had been raised there."""
        handled = self.handled
        if handled is None or handled is exception:
            return
        link = handled
        while link is not None:
            context = get_context(link)
            if context is exception:
                set_context(link, None)
            link = context
        set_context(exception, handled)

    def passing(self, exception: BaseException, frame: Any, index: int) -> None:
        """Adds the entry of the frame: a stub with its locals raises the exception where it stands.

        Called while the exception is the handled one of the host, so that its context stays.
        """
        try:
            if frame.namespace is None:
                names, values = visible_locals(frame)
                made = frame.prepared.raising.get(index)
                if made is None or (made[0] is not names and made[0] != names):
                    stub = raising_stub(frame.prepared.code, offset_of(frame, index), names)
                    made = frame.prepared.raising[index] = names, stub
                FunctionType(made[1], frame.globals)(*values, exception)
            else:
                stub = constant_stub(frame.prepared.code, offset_of(frame, index), exception, False)
                eval(stub, frame.globals, frame.namespace)
        except BaseException as raised:
            if raised is not exception:
                raise
            set_traceback(exception, get_traceback(exception).tb_next)
        finally:
            del exception, frame
            values = None


def offset_of(frame: Any, index: int) -> int:
    """Where the instruction stands in the code object, in bytes; -1 for one that is not there."""
    raw = frame.prepared.program.instructions[index].raw
    return -1 if raw is None else raw.offset  # type: ignore[no-any-return]


def visible_locals(frame: Any) -> tuple[tuple[str, ...], list[Any]]:
    """Names and values of the bound locals, what is in cells taken out."""
    prepared = frame.prepared
    if prepared.cells is None:
        values = frame.locals
        for value in values:
            if value is NULL:
                break
        else:
            return prepared.program.localsplus, values
        pairs = [
            (name, value) for name, value in zip(prepared.program.localsplus, values) if value is not NULL
        ]
    else:
        pairs = []
        for name, value in zip(prepared.program.localsplus, frame.locals):
            if name in prepared.cells and type(value) is CellType:
                try:
                    value = value.cell_contents
                except ValueError:
                    continue
            if value is not NULL:
                pairs.append((name, value))
    return tuple([name for name, _ in pairs]), [value for _, value in pairs]
