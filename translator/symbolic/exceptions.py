"""Exceptions in the trace: raised, chained, matched and caught as CPython does."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.raised import Raised
from translator.semantics import Semantics
from translator.sentinels import NULL
from translator.variables import exception_groups, plain
from translator.variables.exceptions import ExceptionVariable, TracebackVariable, of_host
from translator.variables.sequences import TupleVariable
from translator.variables.stand_ins import fail, stand_in

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


def _raise(exception: Any) -> None:
    raise exception


def _raise_from(cause: Any) -> None:
    raise ValueError from cause


def _catch(class_: Any) -> None:
    try:
        raise ValueError
    except class_:
        pass


class SymbolicExceptions(Semantics):
    """RAISE_VARARGS, CHECK_EXC_MATCH, CHECK_EG_MATCH."""

    if TYPE_CHECKING:
        handled: Any
        outer_handled: Any
        reraised: bool

    def escapes(self, exception: BaseException) -> bool:
        return type(exception) is not Raised

    def caught(self, exception: BaseException) -> Any:
        return exception.variable  # type: ignore[attr-defined]

    def thrown(self: Translator, exception: Any) -> BaseException:
        raise Raised(self.known_exception(exception), self.where())

    def known_exception(self: Translator, value: Any) -> ExceptionVariable:
        """The value, if it is an exception of the trace."""
        value = self.realize(value)
        if not isinstance(value, ExceptionVariable):
            self.unsupported("an exception that came in", "it is captured for those of the trace")
        return value  # type: ignore[no-any-return]

    def raise_(self: Translator, exception: Any, cause: Any) -> Any:
        if exception is NULL:
            current = self.being_handled()
            if current is None:
                self.unsupported("`raise` alone", "what the caller handles is not known in the trace")
            self.reraised = True
            raise Raised(current, self.where())
        made = self.instance(exception, _raise)
        if cause is not NULL:
            cause = self.realize(cause)
            if cause is not None:
                cause = self.instance(cause, _raise_from)
            made.cause, made.suppresses = cause, True
        return self.raise_variable(made)

    def instance(self: Translator, value: Any, refusal: Any) -> ExceptionVariable:
        """The exception for what stands behind `raise` or `from`: itself, or of its class."""
        value = self.realize(value)
        if isinstance(value, ExceptionVariable):
            return value
        classes = self.exception_classes(value)
        if type(classes) is type and issubclass(classes, BaseException):
            made = self.call_now(value, [])
            if isinstance(made, ExceptionVariable):
                return made
            self.unsupported(f"raising {value!r}", "what it makes is not captured")
        return fail(self, f"raising {value!r}", refusal, stand_in(self, value))  # type: ignore[no-any-return]

    def raise_variable(self: Translator, exception: ExceptionVariable) -> NoReturn:
        """Raises it; its context is the exception that is being handled."""
        self.chain_context(exception)
        raise Raised(exception, self.where())

    def chain_context(self, exception: ExceptionVariable) -> None:
        """Makes what is being handled its context, so that no cycle comes of it."""
        handled = self.being_handled()
        if handled is None:
            exception.outer = exception.outer or exception.context is None
        elif handled is not exception:
            link = handled
            while link.context is not None:
                if link.context is exception:
                    link.context = None
                    break
                link = link.context
            exception.context, exception.outer = handled, False

    def new_exception(self: Translator, class_: type, *arguments: Any) -> ExceptionVariable:
        """An exception of a class in C."""
        return ExceptionVariable(plain.value_of(self, class_), class_, list(arguments))

    def raise_host(self: Translator, error: BaseException) -> NoReturn:
        """Raises in the trace what an operation on Python objects has raised."""
        self.raise_variable(of_host(self, error))

    def being_handled(self) -> Any:
        """The innermost exception that is being handled, or None."""
        return self.handled if self.handled is not None else self.outer_handled

    def nothing_handled_outside(self: Translator) -> None:
        """Guards that the caller of the compiled function is handling no exception."""
        if self.handled_outside:
            self.unsupported("the context of an exception", "the caller handles an exception")
        self.guards.add(30, "{}()[1] is None", sys.exc_info)

    def passing(self, exception: BaseException, frame: Any, index: int) -> None:
        exception.variable.traceback = TracebackVariable()  # type: ignore[attr-defined]

    # -- matching

    def exception_classes(self: Translator, value: Any) -> Any:
        """The class, or tuple of classes, that a value is; None if it is something else."""
        value = self.realize(value)
        if isinstance(value, TupleVariable):
            found = [self.exception_classes(each) for each in value.values]
            return tuple(found) if all(type(each) is type for each in found) else None
        class_ = getattr(value, "value", None)
        return class_ if isinstance(class_, type) and type(class_) is type else None

    def exception_match(self: Translator, exception: Any, type_: Any) -> Any:
        exception = self.realize(exception)
        if isinstance(exception, ExceptionVariable):
            kind = exception.python_class
        else:  # 3.10 has the class on the stack
            kind = self.exception_classes(exception)
            if type(kind) is not type:
                self.known_exception(exception)
        classes = self.exception_classes(type_)
        if classes is None:
            type_ = self.realize(type_)
            if isinstance(type_, TupleVariable):
                self.unsupported("`except` with such a tuple", "it is captured for classes")
            return fail(self, f"`except {type_!r}`", _catch, stand_in(self, type_))
        for each in classes if type(classes) is tuple else (classes,):
            if not issubclass(each, BaseException):
                return fail(self, f"`except {each!r}`", _catch, classes)
        return issubclass(kind, classes)

    def group_match(self: Translator, group: Any, type_: Any) -> tuple[Any, Any]:
        group = self.realize(group)
        matched = self.exception_match(group, type_) if group is not None else False
        classes = self.exception_classes(type_)
        for each in classes if type(classes) is tuple else (classes,):
            if issubclass(each, exception_groups.GROUP):
                self.unsupported("`except*` of groups", "TypeError is left to the original code")
        if group is None:
            return None, None
        if matched:
            if not exception_groups.is_group(group):
                group = self._wrapped(group)
            return None, group
        if exception_groups.is_group(group):
            match, rest = exception_groups.split(self, group, type_)
            return rest, match
        return group, None

    def _wrapped(self: Translator, exception: ExceptionVariable) -> ExceptionVariable:
        """A naked exception that `except*` caught, in a group."""
        made = exception_groups.group_of(self, "", [exception], exception_groups.GROUP)
        if self.frame.prepared.program.table.facts["except_star_adds_entry"]:
            made.traceback = TracebackVariable()
        return made

    def exception_parts(self: Translator, exception: Any) -> tuple[Any, Any]:
        exception = None if exception is NULL else self.realize(exception)
        if exception is None:
            return None, None
        exception = self.known_exception(exception)
        return exception.class_value, exception.traceback

    def intrinsic_2(self: Translator, function: str, first: Any, second: Any) -> Any:
        if function == "prep_reraise_star":
            raised = [None if each is None else self.known_exception(each) for each in self.items(second)]
            return exception_groups.reraise_star(self, self.known_exception(first), raised)
        return self.unsupported(f"the intrinsic {function}", "it is not captured")
