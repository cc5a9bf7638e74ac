"""What a call of a class makes: its `__new__` and `__init__` are inlined, the object is never built here."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import Frame
from translator.variables.classes import PLAIN_METACLASSES, ClassVariable, dict_of, has_special, is_heap_type
from translator.variables.exception_instances import ExceptionInstanceVariable, is_base_new, make_instance
from translator.variables.functions import FunctionVariable
from translator.variables.objects import InstanceVariable, ObjectVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_ABSTRACT = 1 << 20


class MakingFrame(Frame):
    """The frame of an `__init__`: its caller gets the object that was made."""

    __slots__ = ("made",)

    ends_otherwise = True

    def end(self, machine: Any, value: Any) -> bool:
        """The caller gets the object."""
        if machine.realize(value) is not None:
            machine.unsupported("__init__() that returns something", "TypeError is left to the original code")
        machine.enter(self.back)
        machine.push(self.made)
        return True


def construct(tx: Translator, class_: ClassVariable, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """`class_(*arguments, **keywords)`: its value, or ENTERED."""
    value = class_.value
    if type(value) not in PLAIN_METACLASSES and not _called_plainly(tx, class_):
        return _by_metaclass(tx, class_, arguments, keywords)
    if value.__flags__ & _ABSTRACT:
        return tx.unsupported(f"{value.__name__}()", "it is abstract: TypeError is left to the original code")
    made: Any
    new = class_.lookup(tx, "__new__")
    assert new is not None
    if new.raw is dict_of(object)["__new__"]:
        new.same(tx)
        made = make_object(tx, class_)
        if class_.is_default(tx, "__init__") and (arguments or keywords):
            return tx.unsupported(
                f"{value.__name__}() with arguments", "TypeError is left to the original code"
            )
    elif new.kind is staticmethod:
        made = tx.realize(tx.call_now(tx.realize(new.part(tx, "__func__")), [class_, *arguments], keywords))
        if not issubclass(tx.type_of(made), value):
            return made
    elif is_base_new(value, new.raw):
        new.same(tx)
        made = make_instance(tx, class_, arguments, keywords)
    else:
        return tx.unsupported(
            f"{value.__name__}()", f"a class that derives from {_builtin_base(value)} is not captured"
        )
    return initialize(tx, made, arguments, keywords)


def initialize(tx: Translator, made: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """Calls `__init__` of what was made: the object, or ENTERED."""
    class_ = getattr(made, "cls", None)
    if class_ is not None and class_.is_default(tx, "__init__"):
        return made
    if not isinstance(made, InstanceVariable):
        return tx.unsupported(f"{made!r} from __new__", "it is captured for objects made in the trace")
    found = class_.lookup(tx, "__init__")
    assert found is not None
    if isinstance(made, ExceptionInstanceVariable) and not is_heap_type(
        getattr(found.raw, "__objclass__", type(found))
    ):
        found.same(tx)
        made.initialise(tx, arguments, keywords)
        return made
    if found.kind is FunctionType:
        function = found.get(tx)
        if isinstance(function, FunctionVariable):
            return tx.enter_function(function, [made, *arguments], keywords, making=made)
    return tx.unsupported(f"{class_.value.__name__}()", "its __init__ is no function written in Python")


def make_object(tx: Translator, class_: ClassVariable, arguments: bool = False) -> ObjectVariable:
    """`object.__new__(class_)`; or with arguments."""
    value = class_.value
    if arguments and (not class_.is_default(tx, "__new__") or class_.is_default(tx, "__init__")):
        tx.unsupported(f"{value.__name__}() with arguments", "TypeError is left to the original code")
    try:
        object.__new__(value) if not has_special(value, "__del__") else None
    except TypeError:
        tx.unsupported(
            f"{value.__name__}()", f"a class that derives from {_builtin_base(value)} is not captured"
        )
    if class_.lookup(tx, "__del__") is not None:
        tx.unsupported(f"{value.__name__}()", "it has __del__: when it is called is CPython's own")
    return ObjectVariable(class_, None, None)


def _builtin_base(class_: type) -> str:
    from translator.variables.classes import is_heap_type, mro_of

    return next(each.__name__ for each in mro_of(class_) if not is_heap_type(each))


def _called_plainly(tx: Translator, class_: ClassVariable) -> bool:
    """Whether the metaclass has no `__call__` of its own, under a guard."""
    meta = type(class_.value)
    if not is_heap_type(meta):
        return False
    found = tx.class_variable(meta, class_.source.type()).lookup(tx, "__call__")
    if found is None or found.raw is not dict_of(type)["__call__"]:
        return False
    found.same(tx)
    return True


def _by_metaclass(
    tx: Translator, class_: ClassVariable, arguments: list[Any], keywords: dict[str, Any]
) -> Any:
    from translator.variables.enums import is_enum, member_by_value

    if is_enum(class_.value) and len(arguments) == 1 and not keywords:
        return member_by_value(tx, class_, arguments[0])
    return tx.unsupported(
        f"{class_.value.__name__}()", f"classes of the metaclass {type(class_.value).__name__} are not called"
    )
