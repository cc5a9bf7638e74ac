"""Exceptions of classes written in Python, made in the trace."""

from __future__ import annotations

from types import GetSetDescriptorType, MemberDescriptorType, MethodDescriptorType, WrapperDescriptorType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import plain
from translator.variables.classes import Attribute, ClassVariable, dict_of, is_heap_type, mro_of
from translator.variables.exception_fields import builtin_base, fields, make_real
from translator.variables.exceptions import STATE, ExceptionVariable
from translator.variables.functions import MethodVariable
from translator.variables.objects import InstanceVariable, plain_text
from translator.variables.sequences import TupleVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_TEXTS = ("__str__", "__repr__")


class ExceptionInstanceVariable(InstanceVariable, ExceptionVariable):
    """Its attributes are looked up as those of any instance; what the C part keeps is the exception's."""

    __slots__ = ("cls", "live")

    kind = "an exception"

    def __init__(self, cls: ClassVariable, arguments: list[Any], keywords: dict[str, Any]) -> None:
        ExceptionVariable.__init__(self, cls, cls.value, arguments, keywords)
        self.cls = cls
        self.live = None

    def python(self, tx: Translator) -> Any:
        for name in _TEXTS:
            if self._raw(name) is not None:
                self.give_up(tx, f"a text by {name}()")
        return ExceptionVariable.python(self, tx)

    def text(self, tx: Translator, function: Any) -> Any:
        name = "__str__" if function is str else "__repr__"
        raw = next(dict_of(each)[name] for each in mro_of(self.python_class) if name in dict_of(each))
        if not in_c(raw):
            return InstanceVariable.text(self, tx, function)
        self.cls.lookup(tx, name)
        return plain_text(plain.run(tx, raw, ExceptionVariable.python(self, tx)), function)

    def _raw(self, name: str) -> Any:
        """What a class written in Python says of it, or None."""
        found = next((each for each in mro_of(self.python_class) if name in dict_of(each)), None)
        return dict_of(found)[name] if found is not None and is_heap_type(found) else None

    def find(self, tx: Translator, name: str) -> Any:
        if name == "__notes__" and name in self.attributes:
            return self.attributes[name]
        found = self.cls.lookup(tx, name)
        if found is not None and found.value is None and in_c(found.raw):
            found.same(tx)
            return self._of_c(tx, found, name)
        return InstanceVariable.find(self, tx, name)

    def answers_for(self, raw: Any) -> bool:
        return in_c(raw)

    def _of_c(self, tx: Translator, found: Attribute, name: str) -> Any:
        if found.kind in (GetSetDescriptorType, MemberDescriptorType):
            return self._state(tx, name) if name in STATE else self._field(tx, name)
        if found.kind in (MethodDescriptorType, WrapperDescriptorType):
            return MethodVariable(self, name)
        return self.give_up(tx, f"attribute {name!r}")

    def set_plainly(self, tx: Translator, name: str, value: Any) -> None:
        found = self.cls.lookup(tx, name)
        if name == "__notes__" or (found is not None and found.value is None and in_c(found.raw)):
            ExceptionVariable.setattr(self, tx, name, value)
        else:
            InstanceVariable.set_plainly(self, tx, name, value)

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if name == "__init__":
            return self.initialise(tx, arguments, keywords)
        if name in ("__setattr__", "__getattribute__", "__eq__", "__ne__"):
            return InstanceVariable.call_method(self, tx, name, arguments, keywords)
        return ExceptionVariable.call_method(self, tx, name, arguments, keywords)

    def initialise(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> None:
        """The `__init__` of its base in C."""
        values = [tx.realize(value) for value in arguments]
        if fields(self.python_class) - {"value"} or keywords:
            # it says what it makes of them
            objects = [plain.python(tx, value) for value in values]
            named = {key: plain.python(tx, tx.realize(value)) for key, value in keywords.items()}
            try:
                self.real = make_real(self.python_class, objects, named)
            except Exception as error:
                tx.raise_host(error)
        self.arguments = TupleVariable(values)
        self.keywords = keywords

    # -- in a result

    always_filled = fillable = True

    @property
    def rebuildable(self) -> bool:  # type: ignore[override]
        """Whether it was never raised, and its C part keeps nothing but `args`."""
        return self.untouched and not fields(self.python_class)

    def children(self) -> list[Any]:
        return [self.arguments, *self.attributes.values()]

    def create(self, name: Any) -> str:
        return f"{name(builtin_base(self.python_class).__new__)}({name(self.python_class)})"

    def fill(self, parts: list[str], made: str, name: Any) -> list[str]:
        set_plainly = name(object.__setattr__)
        keys = ["args", *self.attributes]
        return [f"{set_plainly}({made}, {name(key)}, {part})" for key, part in zip(keys, parts)]


def in_c(raw: Any) -> bool:
    """Whether it is an attribute of an exception class in C."""
    owner = getattr(raw, "__objclass__", None)
    return isinstance(owner, type) and issubclass(owner, BaseException) and not is_heap_type(owner)


def make_instance(
    tx: Translator, class_: ClassVariable, arguments: list[Any], keywords: dict[str, Any]
) -> ExceptionInstanceVariable:
    """`__new__` of the exception's base in C: `args` are what it is called with."""
    value = class_.value
    if class_.lookup(tx, "__del__") is not None:
        tx.unsupported(f"{value.__name__}()", "it has __del__: when it is called is CPython's own")
    if "exceptions" in fields(value) or issubclass(value, OSError):
        tx.unsupported(f"{value.__name__}()", f"it derives from {builtin_base(value).__name__}")
    class_.same_bases(tx)
    return ExceptionInstanceVariable(class_, [tx.realize(each) for each in arguments], {})


def is_base_new(value: type, raw: Any) -> bool:
    """Whether it is the `__new__` of an exception class in C."""
    return issubclass(value, BaseException) and raw is dict_of(_owner(value, "__new__"))["__new__"]


def _owner(value: type, name: str) -> type:
    return next(each for each in mro_of(builtin_base(value)) if name in dict_of(each))
