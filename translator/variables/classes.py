"""Classes written in Python: how attributes are looked up through them, and under which guards.

A lookup is guarded by what it found, read through the class as the program reads it (so that what would
shadow it is seen), or by its absence. Nothing of the program is run to find out.
"""

from __future__ import annotations

from abc import ABCMeta
from inspect import getattr_static
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.side_effects import Effect
from translator.variables.lazy import LazyVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from collections.abc import Callable

    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

_HEAP_TYPE = 1 << 9
mro_of = type.__dict__["__mro__"].__get__
dict_of = type.__dict__["__dict__"].__get__
#: metaclasses that change nothing about attributes and calls
PLAIN_METACLASSES = (type, ABCMeta)
#: attributes that every class has by its metaclass, whatever is in its own dictionary
_OF_EVERY_CLASS = frozenset(
    name for name in dir(type) if hasattr(type(getattr_static(type, name)), "__set__")
)
_NOT_YET = object()
#: what belongs to a class that others rely on without looking
_FIXED = frozenset({"__class__", "__bases__", "__mro__", "__dict__", "__slots__", "__abstractmethods__"})


def is_heap_type(class_: type) -> bool:
    """Whether the class can be changed."""
    return bool(class_.__flags__ & _HEAP_TYPE)


def _defaults(name: str) -> tuple[Any, ...]:
    """The methods that do what that of `object` does."""
    own = dict_of(object).get(name)
    if name in ("__getattribute__", "__setattr__", "__delattr__"):
        return own, dict_of(BaseException).get(name, own)
    return (own,)


def has_special(class_: type, name: str) -> bool:
    """Whether instances of the class have a special method."""
    return any(name in dict_of(each) for each in mro_of(class_))


class Attribute:
    """What a lookup through a class found.

    Attributes:
        raw: the object in the dictionary of the class.
        source: how guards find it.
        value: what the trace has put there instead; else None.
    """

    __slots__ = ("raw", "source", "value")

    def __init__(self, raw: Any, source: Source | None, value: Any = None) -> None:
        self.raw = raw
        self.source: Any = source
        self.value = value

    @property
    def kind(self) -> type:
        """The type of what is there; of what the trace has put there, one without `__get__`."""
        return object if self.value is not None else type(self.raw)

    def same(self, tx: Translator) -> None:
        """Guards that this very object is there, or one that is as little of a descriptor."""
        if type(self.raw) is BuiltinFunctionType or has_special(type(self.raw), "__get__"):
            tx.guards.identity(self.source, self.raw)
        else:
            tx.guards.type_is(self.source, type(self.raw))

    def part(self, tx: Translator, name: str) -> Any:
        """An attribute of the object (`__func__`, `fget`), as an input."""
        tx.guards.type_is(self.source, type(self.raw))
        source = self.source.attribute(name)
        return tx.once(source.name, lambda: LazyVariable(source, getattr(self.raw, name)))

    def get(self, tx: Translator) -> Any:
        """The object itself, as an input."""
        if self.value is not None:
            return self.value.content
        found = tx.once(self.source.name, lambda: LazyVariable(self.source, self.raw))
        if type(self.raw) not in PLAIN and type(self.raw) is not FunctionType:
            tx.guards.type_is(self.source, type(self.raw))
        return tx.realize(found)


class Stored:
    """A value that the trace has put into the dictionary of a class; MISSING: taken out."""

    __slots__ = ("content",)

    def __init__(self, content: Any) -> None:
        self.content = content


class ClassVariable(VariableTracker):
    """A class that came in, known by its identity.

    Attributes:
        value: the class.
        stored: attributes that the trace has set on it.
    """

    __slots__ = ("_found", "live", "stored", "value")

    kind = "a class"
    equals_itself = True
    source: Source

    def __init__(self, source: Source, value: type) -> None:
        self.source = source
        self.value = self.live = value
        self.stored: dict[str, Stored] = {}
        self._found: dict[str, Attribute | None] = {}

    def describe(self) -> str:
        return f"the class {self.value.__qualname__}"

    def python_type(self, tx: Translator) -> type:
        return type(self.value)

    def truth(self, tx: Translator) -> bool:
        if any(has_special(type(self.value), name) for name in ("__bool__", "__len__")):
            return self.give_up(tx, "bool()")  # type: ignore[no-any-return]
        return True

    def python(self, tx: Translator) -> Any:
        return self.value

    # -- lookups, as instances see them

    def lookup(self, tx: Translator, name: str) -> Attribute | None:
        """What is found in the dictionaries of the class and its bases, or None: under a guard."""
        if tx.effects.classes:
            for class_ in mro_of(self.value):
                variable = tx.classes.get(class_)
                if variable is not None and name in variable.stored:
                    return Attribute(None, None, variable.stored[name])
                if name in dict_of(class_):
                    break
        found: Any = self._found.get(name, _NOT_YET)
        if found is _NOT_YET:
            found = self._found[name] = self._look_up(tx, name)
        return found  # type: ignore[no-any-return]

    def _look_up(self, tx: Translator, name: str) -> Attribute | None:
        self.same_bases(tx)
        return self._from(tx, 0, name)

    def _from(self, tx: Translator, start: int, name: str) -> Attribute | None:
        """What the first of its bases has, from one on, under guards; nothing of the program is run."""
        name = tx.interned(name)
        for each in mro_of(self.value)[start:]:
            owner = tx.class_sources(each, self.source.depth)[1]
            if name in dict_of(each):
                return Attribute(dict_of(each)[name], owner.item(name, risky=is_heap_type(each)))
            if is_heap_type(each):
                tx.guards.add(15, "{} not in {}", name, owner)
        return None

    def same_bases(self, tx: Translator) -> None:
        """Guards that its bases are what they are."""
        own = tx.class_sources(self.value, self.source.depth)[0]
        tx.guards.identity(own.attribute("__mro__"), mro_of(self.value))

    def after(self, tx: Translator, class_: type, name: str) -> Attribute | None:
        """What `super(class_, …)` finds for this class."""
        mro = mro_of(self.value)
        if class_ not in mro:
            tx.unsupported(f"super() of {class_.__name__}", "TypeError is left to the original code")
        place = mro.index(class_) + 1
        for each in mro[place:] if tx.effects.classes else ():
            variable = tx.classes.get(each)
            if variable is not None and name in variable.stored:
                return Attribute(None, None, variable.stored[name])
            if name in dict_of(each):
                break
        self.same_bases(tx)
        return self._from(tx, place, name)

    def is_default(self, tx: Translator, name: str) -> bool:
        """Whether a special method is the one of `object`, under a guard."""
        found = self.lookup(tx, name)
        if found is None or found.value is not None or all(found.raw is not each for each in _defaults(name)):
            return False
        found.same(tx)
        return True

    def reads_plainly(self, tx: Translator) -> None:
        """Surrenders for instances whose attributes are not looked up the usual way."""
        if not self.is_default(tx, "__getattribute__"):
            self.give_up(tx, "attributes of instances (__getattribute__)")

    # -- its own attributes

    def getattr(self, tx: Translator, name: str) -> Any:
        from translator.variables import descriptors
        from translator.variables.enums import is_enum, member_of

        meta = type(self.value)
        if name == "__class__":
            return super().getattr(tx, name)
        if name in ("__name__", "__qualname__", "__module__", "__doc__", "__mro__", "__bases__"):
            return self._fact(tx, name)
        if has_special(meta, name) and name in _OF_EVERY_CLASS:
            return self.give_up(tx, f"attribute {name!r}")
        if is_enum(self.value) and name in self.value.__members__:  # type: ignore[attr-defined]
            return member_of(tx, self, name)
        self._check_metaclass(tx, name)
        found = self.lookup(tx, name)
        if found is not None:
            return descriptors.bind(tx, found, None, self)
        return descriptors.missing_of_class(tx, self, name)

    def _fact(self, tx: Translator, name: str) -> Any:
        if any(name in variable.stored for variable in tx.classes.values()):
            self.give_up(tx, f"attribute {name!r} after a change")
        if name == "__module__" or name == "__doc__":
            value = getattr(self.value, name, None)
            if type(value) not in PLAIN or (meta := type(self.value)) not in PLAIN_METACLASSES:
                self.give_up(tx, f"attribute {name!r} ({meta.__name__})")
        else:
            value = type.__getattribute__(self.value, name)
        source = self.source.attribute(name)
        return tx.realize(tx.once(source.name, lambda: LazyVariable(source, value)))

    def _check_metaclass(self, tx: Translator, name: str) -> None:
        """Attributes of the class come before those of its metaclass, unless these are data descriptors."""
        meta = type(self.value)
        if meta in PLAIN_METACLASSES:
            return
        if any(name in dict_of(each) for each in mro_of(meta) if each is not type and each is not object):
            self.give_up(tx, f"attribute {name!r}, which its metaclass has")
        if meta.__getattribute__ is not type.__getattribute__ or hasattr(meta, "__getattr__"):
            self.give_up(tx, f"attribute {name!r} by way of its metaclass")

    def setattr(self, tx: Translator, name: str, value: Any) -> None:
        """`Class.name = value`, replayed at the end."""
        value = tx.realize(value)
        special = name.startswith("__") and name.endswith("__")
        if special or type(self.value) not in PLAIN_METACLASSES or not is_heap_type(self.value):
            self.give_up(tx, f"setting the attribute {name!r}")
        if type(value) not in PLAIN and has_special(tx.type_of(value), "__get__"):
            self.give_up(tx, f"setting the attribute {name!r} to a descriptor")
        self.stored[name] = Stored(value)
        tx.effects.classes = True
        if id(self.value) not in tx.effects.touched:
            tx.effects.touch(self)
        tx.effects.add(tx, self, AttributeEffect(self, name, value))

    # -- calls

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        from translator.variables.construction import construct

        return construct(tx, self, arguments, keywords)

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A method of `object` that was read through the class."""
        from translator.variables.methods import UnboundMethodVariable

        return UnboundMethodVariable(name).call(tx, arguments, keywords)

    def rebuild(self, parts: list[str], name: Any) -> str:
        return str(name(self.value))


class AttributeEffect(Effect):
    """An attribute is set, or (MISSING) deleted."""

    __slots__ = ("name", "target", "value")

    def __init__(self, target: Any, name: str, value: Any) -> None:
        self.target = target
        self.name = name
        self.value = value

    def describe(self) -> str:
        return f"{self.target.describe()}.{self.name}"

    def changed_values(self) -> list[Any]:
        return [] if self.value is MISSING else [self.value]

    def needed(self, name: str, literal: Callable[[Any], str]) -> list[str]:
        if self.value is not MISSING:
            return []
        if type(raw_of(self.target, self.name)) is MemberDescriptorType:
            return [f"{literal(object.__getattribute__)}({name}, {self.name!r})"]
        return [f"{name}.__dict__[{self.name!r}]"]

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        if parts:
            return [f"{literal(set_plainly(self.target))}({name}, {self.name!r}, {parts[0]})"]
        return [f"{literal(delete_plainly(self.target))}({name}, {self.name!r})"]


def raw_of(target: Any, name: str) -> Any:
    """What the classes of an instance have under a name; None for what is itself a class or a module."""
    class_ = getattr(getattr(target, "cls", None), "value", None)
    if not isinstance(class_, type):
        return None
    return next((dict_of(each)[name] for each in mro_of(class_) if name in dict_of(each)), None)


def set_plainly(target: Any) -> Any:
    """The function that sets an attribute and does nothing else."""
    return type.__setattr__ if isinstance(target, ClassVariable) else object.__setattr__


def delete_plainly(target: Any) -> Any:
    """The function that deletes an attribute and does nothing else."""
    return type.__delattr__ if isinstance(target, ClassVariable) else object.__delattr__


class _Missing:
    __slots__ = ()

    def __repr__(self) -> str:
        return "missing"


#: in the place of an attribute that is not there
MISSING = _Missing()
