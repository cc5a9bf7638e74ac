"""Exceptions of the traced program, and tracebacks, of which nothing is known but that there is one."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import plain
from translator.variables.exception_fields import bare, fields, is_builtin, make_real
from translator.variables.functions import MethodVariable
from translator.variables.sequences import ListVariable, TupleVariable
from translator.variables.stand_ins import fail
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

STATE = frozenset(
    {"args", "__traceback__", "__context__", "__cause__", "__suppress_context__", "__class__", "__notes__"}
)
_LINKS = frozenset({"__context__", "__cause__"})
_TEXTS = {"__str__": str, "__repr__": repr}
#: what speaks of the machine and not of the program
_HOSTS_OWN = (RecursionError, MemoryError, SystemError, Warning)


class TracebackVariable(VariableTracker):
    """The traceback of an exception that was raised in the trace: there is one, and that is all."""

    __slots__ = ()

    kind = "a traceback"

    def python_type(self, tx: Translator) -> type:
        return TracebackType

    def truth(self, tx: Translator) -> bool:
        return True


class ExceptionVariable(VariableTracker):
    """An exception made in the trace.

    Attributes:
        class_value, python_class: its class, as a value and as it is.
        arguments: `args`.
        keywords: those that its constructor was given.
        attributes: what was set on it, by name.
        context, cause, suppresses, traceback: as its attributes.
        outer: its context may be what the caller of the compiled function handles.
        real: a Python object that is like it, made when first asked for.
    """

    __slots__ = (
        "arguments",
        "attributes",
        "cause",
        "class_value",
        "context",
        "keywords",
        "outer",
        "python_class",
        "real",
        "suppresses",
        "traceback",
    )

    kind = "an exception"
    equals_itself = True
    methods = frozenset({"with_traceback", "add_note", "__str__", "__repr__", "split", "subgroup", "derive"})

    def __init__(
        self,
        class_value: Any,
        python_class: type,
        arguments: list[Any],
        keywords: dict[str, Any] | None = None,
        real: Any = None,
    ) -> None:
        self.source = None
        self.class_value = class_value
        self.python_class = python_class
        self.arguments = TupleVariable(arguments)
        self.keywords = keywords or {}
        self.attributes: dict[str, Any] = {}
        self.context: ExceptionVariable | None = None
        self.cause: ExceptionVariable | None = None
        self.suppresses = False
        self.traceback: Any = None
        self.outer = False
        self.real = real

    def describe(self) -> str:
        return f"the exception {self.python_class.__name__}"

    def python_type(self, tx: Translator) -> type:
        return self.python_class

    def truth(self, tx: Translator) -> bool:
        return True

    def python(self, tx: Translator) -> Any:
        """Always the same object, as it is equal to itself alone; its `args` are as they are now."""
        values = [plain.python(tx, tx.realize(value)) for value in self.arguments.values]
        if self.real is None:
            named = {key: plain.python(tx, tx.realize(value)) for key, value in self.keywords.items()}
            self.real = make_real(self.python_class, values, named)
        self.real.args = tuple(values)
        return self.real

    def text(self, tx: Translator, function: Any) -> Any:
        """What `str`, `repr` or `format` give of it."""
        return plain.run(tx, function, self.python(tx))

    # -- attributes

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in STATE:
            return self._state(tx, name)
        if name in self.attributes:
            return self.attributes[name]
        if name in fields(self.python_class):
            return self._field(tx, name)
        known = hasattr(self.python_class, name)
        if known and name in self.methods:
            return MethodVariable(self, name)
        if known:
            return self.give_up(tx, f"attribute {name!r}")
        return fail(tx, f"attribute {name!r}", getattr, bare(self.python_class), name)

    def _state(self, tx: Translator, name: str) -> Any:
        if name == "args":
            return self.arguments
        if name == "__class__":
            return self.class_value
        if name == "__traceback__":
            return self.traceback
        if name == "__cause__":
            return self.cause
        if name == "__suppress_context__":
            return self.suppresses
        if name == "__notes__":
            if name in self.attributes:
                return self.attributes[name]
            return fail(tx, f"attribute {name!r}", getattr, bare(self.python_class), name)
        if self.context is None and self.outer:
            tx.nothing_handled_outside()
        return self.context

    def _field(self, tx: Translator, name: str) -> Any:
        first = self.arguments.values[0] if self.arguments.values else None
        if issubclass(self.python_class, StopIteration) and name == "value":
            return first
        if name == "exceptions":
            return self.keywords["exceptions"]
        if name == "obj":
            return self.give_up(tx, f"attribute {name!r}")
        return plain.value_of(tx, getattr(self.python(tx), name))

    def setattr(self, tx: Translator, name: str, value: Any) -> None:
        """`self.name = value`."""
        value = tx.realize(value)
        if name == "__traceback__" and (value is None or type(value) is TracebackVariable):
            self.traceback = value
        elif name in _LINKS and (value is None or isinstance(value, ExceptionVariable)):
            if name == "__context__":
                self.context, self.outer = value, False
            else:
                self.cause, self.suppresses = value, True
        elif name == "__suppress_context__" and type(value) is bool:
            self.suppresses = value
        elif name in STATE or name in fields(self.python_class) or name == "__dict__":
            if name != "__notes__":
                self.give_up(tx, f"setting the attribute {name!r}")
            self.attributes[name] = value
        elif is_builtin(self.python_class):
            self.attributes[name] = value
        else:
            self.give_up(tx, f"setting the attribute {name!r}")

    # -- methods

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        values = [tx.realize(value) for value in arguments]
        if keywords:
            return self.give_up(tx, f"method {name}() with keyword arguments")
        if name in _TEXTS and not values:
            return self.text(tx, _TEXTS[name])
        if name == "with_traceback" and len(values) == 1:
            if values[0] is None or type(values[0]) is TracebackVariable:
                self.traceback = values[0]
                return self
        if name == "add_note" and len(values) == 1:
            return self._add_note(tx, values[0])
        if name in ("split", "subgroup") and len(values) == 1:
            from translator.variables.exception_groups import split

            match, rest = split(tx, self, values[0])
            return match if name == "subgroup" else TupleVariable([match, rest])
        return self.give_up(tx, f"method {name}() with these arguments")

    def _add_note(self, tx: Translator, note: Any) -> Any:
        if type(note) is not str:
            return fail(tx, "add_note()", ValueError().add_note, plain.python(tx, note))  # type: ignore[attr-defined]
        notes = self.attributes.setdefault("__notes__", ListVariable([]))
        if type(notes) is not ListVariable:
            return self.give_up(tx, "add_note() with such notes")
        notes.values.append(note)
        return None

    # -- in a result

    def children(self) -> list[Any]:
        return self.arguments.values

    @property
    def untouched(self) -> bool:
        """Whether it was never raised, and nothing links it to others."""
        links = (self.context, self.cause, self.traceback)
        return all(each is None for each in links) and not self.suppresses and not self.outer

    @property
    def rebuildable(self) -> bool:  # type: ignore[override]
        """Whether its constructor makes it again: it was never raised, nothing was set on it."""
        return self.untouched and not self.attributes and not self.keywords and is_builtin(self.python_class)

    def rebuild(self, parts: list[str], name: Any) -> str:
        return f"{name(self.python_class)}({', '.join(parts)})"


def of_host(tx: Translator, error: BaseException) -> ExceptionVariable:
    """The value for an exception that an operation on Python objects has raised."""
    from translator.variables.builtins import BuiltinVariable

    kind = type(error)
    if not is_builtin(kind) or isinstance(error, _HOSTS_OWN):
        tx.unsupported(
            f"an operation that raises {kind.__name__}", "the exception is left to the original code"
        )
    error.__traceback__ = error.__context__ = error.__cause__ = None
    arguments = [plain.value_of(tx, value) for value in error.args]
    return ExceptionVariable(BuiltinVariable(kind), kind, arguments, real=error)


def construct(tx: Translator, class_value: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """`class_(*arguments, **keywords)` of a class in C."""
    class_ = class_value.value
    values = [tx.realize(value) for value in arguments]
    if "exceptions" in fields(class_):
        from translator.variables.exception_groups import construct_group

        return construct_group(tx, class_value, values, keywords)
    simple = not fields(class_) or class_ is StopIteration
    if simple and not keywords and not all(type(value) in PLAIN for value in values):
        return ExceptionVariable(class_value, class_, values)
    objects = [plain.python(tx, value) for value in values]
    named = {key: plain.python(tx, tx.realize(value)) for key, value in keywords.items()}
    try:
        with plain.WarningsRaised():
            real = class_(*objects, **named)
    except Exception as error:
        return tx.raise_host(error)
    if type(real) is not class_:  # OSError chooses
        class_value = plain.value_of(tx, type(real))
        values = [plain.value_of(tx, value) for value in real.args]
    elif len(real.args) != len(values):
        values = [plain.value_of(tx, value) for value in real.args]
    return ExceptionVariable(class_value, type(real), values, keywords, real)
