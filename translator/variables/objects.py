"""Instances of classes written in Python: those that came in, and those that are made in the trace."""

from __future__ import annotations

import operator
from collections.abc import Callable
from keyword import iskeyword
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.raised import Raised
from translator.side_effects import Effect
from translator.variables import descriptors
from translator.variables.classes import (
    MISSING,
    Attribute,
    AttributeEffect,
    ClassVariable,
    dict_of,
    is_heap_type,
    mro_of,
)
from translator.variables.lazy import LazyVariable
from translator.variables.stand_ins import fail_by_type
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


#: what asks a special method
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "__next__": next,
    "__len__": len,
    "__getitem__": lambda owner: owner[0],
    "__setitem__": lambda owner: operator.setitem(owner, 0, 0),
    "__delitem__": lambda owner: operator.delitem(owner, 0),
    "__neg__": operator.neg,
    "__pos__": operator.pos,
    "__invert__": operator.invert,
}


class InstanceVariable(VariableTracker):
    """What instances of classes written in Python share: attributes, special methods.

    Attributes:
        cls: the class.
        attributes: instance attributes that were read or set; MISSING where deleted.
        live: the object itself, if it came in.
    """

    __slots__ = ()

    kind = "an instance"
    equals_itself = True
    cls: ClassVariable
    attributes: dict[str, Any]
    live: Any

    def describe(self) -> str:
        name = self.cls.value.__qualname__
        return f"a {name} object" if self.source is None else f"the {name} object {self.source.name}"

    def python_type(self, tx: Translator) -> type:
        return self.cls.value

    # -- reading

    def getattr(self, tx: Translator, name: str) -> Any:
        fallback = self.special(tx, "__getattr__")
        try:
            found = self.find(tx, name)
        except Raised as raised:
            if fallback is None or not issubclass(raised.variable.python_class, AttributeError):
                raise
            found = MISSING  # (a property may raise it too)
        if found is not MISSING:
            return found
        if fallback is not None:
            return tx.call_now(fallback, [name])
        return fail_by_type(
            tx, f"attribute {name!r} of {self.describe()}", lambda owner: getattr(owner, name), self
        )

    def find(self, tx: Translator, name: str) -> Any:
        """What `object.__getattribute__` gives, or MISSING."""
        class_ = self.cls
        class_.reads_plainly(tx)
        found = class_.lookup(tx, name)
        if found is not None and found.value is None:
            if found.kind is MemberDescriptorType:
                return self._slot(tx, found, name)
            if found.kind is GetSetDescriptorType:
                return self._of_object(tx, found, name)
            if descriptors.is_data(tx, found):
                return descriptors.bind(tx, found, self, class_)
        value = self.own(tx, name)
        if value is not MISSING:
            if found is not None and found.value is None:
                found.same(tx)
            return value
        return MISSING if found is None else descriptors.bind(tx, found, self, class_)

    def own(self, tx: Translator, name: str) -> Any:
        """What its own dictionary has under a name, or MISSING: under a guard if it came in."""
        if name in self.attributes or self.source is None:
            return self.attributes.get(name, MISSING)
        own = self.own_dict(tx)
        if own is None:
            return MISSING
        if name in own:
            return self._read(tx, name, own[name])
        tx.guards.add(25, "{} not in {}", tx.interned(name), self.source.own_attribute("__dict__"))
        self.attributes[name] = MISSING
        return MISSING

    def _read(self, tx: Translator, name: str, value: Any) -> LazyVariable:
        """An attribute of the live object."""
        source: Any = self.source
        plain = is_simple(name) and self.cls.lookup(tx, "__getattr__") is None
        source = (
            source.own_attribute(name) if plain else source.own_attribute("__dict__").item(name, risky=True)
        )
        found = self.attributes[name] = tx.once(source.name, lambda: LazyVariable(source, value))
        return found

    def own_dict(self, tx: Translator) -> dict[str, Any] | None:
        """The live object's dictionary; None if its class gives it none."""
        class_ = self.cls.value
        if not class_.__dictoffset__:
            return None
        raw = next(
            (dict_of(each)["__dict__"] for each in mro_of(class_) if "__dict__" in dict_of(each)), None
        )
        if type(raw) is not GetSetDescriptorType:
            self.give_up(tx, "attributes by a __dict__ of its own")
        return raw.__get__(self.live)  # type: ignore[union-attr, no-any-return]

    def _slot(self, tx: Translator, found: Attribute, name: str) -> Any:
        """An attribute that has a slot."""
        found.same(tx)
        if name in self.attributes or self.source is None:
            return self.attributes.get(name, MISSING)
        try:
            value = found.raw.__get__(self.live)
        except AttributeError:
            if self.cls.lookup(tx, "__getattr__") is not None:
                self.give_up(tx, f"the empty slot {name!r}")
            tx.guards.add(40, "not {}({}, {})", hasattr, self.source.later(), tx.interned(name))
            self.attributes[name] = MISSING
            return MISSING
        return self._read(tx, name, value)

    def _of_object(self, tx: Translator, found: Attribute, name: str) -> Any:
        """`__class__`, `__dict__`."""
        found.same(tx)
        if name == "__class__" and dict_of(object).get(name) is found.raw:
            return self.cls
        return self.give_up(tx, f"attribute {name!r}")

    def special(self, tx: Translator, name: str) -> Any:
        """A special method, looked up on the class and bound; None if there is none, or `object`'s."""
        found = self.cls.lookup(tx, name)
        if found is None or self.cls.is_default(tx, name):
            return None
        if found.value is None and found.raw is None:
            return tx.unsupported(f"{name} of {self.describe()}, which is None", "TypeError is left to it")
        return descriptors.bind(tx, found, self, self.cls)

    def cached(self, tx: Translator, function: Any, name: str) -> Any:
        """What a cached property gives the first time."""
        value = tx.call_now(function, [self])
        if not self.cls.value.__dictoffset__:
            self.give_up(tx, f"the cached property {name!r} without a __dict__")
        self.put(tx, name, value)
        return value

    def answers_for(self, raw: Any) -> bool:
        """Whether it carries out that method of a builtin type that its class derives from."""
        return False

    # -- changing

    def setattr(self, tx: Translator, name: str, value: Any) -> None:
        """`self.name = value`."""
        setter = self.special(tx, "__setattr__")
        if setter is not None:
            tx.call_now(setter, [name, value])
        else:
            self.set_plainly(tx, name, value)

    def set_plainly(self, tx: Translator, name: str, value: Any) -> None:
        """What `object.__setattr__` does."""
        found = self.cls.lookup(tx, name)
        if found is not None and found.value is None:
            if found.kind is MemberDescriptorType and is_heap_type(found.raw.__objclass__):
                found.same(tx)
                self.put(tx, name, value)
                return
            if descriptors.is_data(tx, found):
                descriptors.store_by_descriptor(tx, found, self, name, value)
                return
            found.same(tx)
        if not self.cls.value.__dictoffset__:
            self.give_up(tx, f"setting the attribute {name!r} (AttributeError)")
        self.put(tx, name, value)

    def delattr(self, tx: Translator, name: str) -> None:
        """`del self.name`."""
        deleter = self.special(tx, "__delattr__")
        if deleter is not None:
            tx.call_now(deleter, [name])
            return
        found = self.cls.lookup(tx, name)
        slot = False
        if found is not None and found.value is None:
            slot = found.kind is MemberDescriptorType and is_heap_type(found.raw.__objclass__)
            if not slot and descriptors.is_data(tx, found):
                descriptors.store_by_descriptor(tx, found, self, name, None, deletes=True)
                return
        before = self._slot(tx, found, name) if slot else self.own(tx, name)  # type: ignore[arg-type]
        if before is MISSING:
            self.give_up(tx, f"deleting the attribute {name!r} (AttributeError)")
        self.put(tx, name, MISSING)

    def put(self, tx: Translator, name: str, value: Any) -> None:
        """Changes an instance attribute; of an input it is to be replayed."""
        if self.source is not None:
            plainly = is_simple(name) and self.cls.is_default(tx, "__setattr__")
            tx.effects.add(tx, self, InstanceEffect(self, name, value, plainly))
        if self.source is None and value is MISSING:
            self.attributes.pop(name, None)
        else:
            self.attributes[name] = value

    # -- what Python asks by special methods

    def truth(self, tx: Translator) -> bool:
        method = self.special(tx, "__bool__")
        if method is not None:
            answer = tx.realize(tx.call_now(method, []))
            if type(answer) is not bool:
                self.give_up(tx, "__bool__() that gives no bool (TypeError)")
            return answer  # type: ignore[no-any-return]
        return True if self.special(tx, "__len__") is None else self.length(tx) > 0

    def text(self, tx: Translator, function: Any) -> Any:
        """What `str` or `repr` gives: by its own method."""
        for name in ("__str__", "__repr__") if function is str else ("__repr__",):
            method = self.special(tx, name)
            if method is not None:
                found = tx.realize(tx.call_now(method, []))
                if type(found) is not str:
                    self.give_up(tx, f"{name}() that gives no string")
                return plain_text(found, function)
        return self.give_up(tx, "a text that holds its address")

    def length(self, tx: Translator) -> int:
        found = tx.realize(self.ask(tx, "__len__", [], "len()"))
        if type(found) is not int or not 0 <= found < 1 << 62:
            self.give_up(tx, "__len__() that gives no length")
        return found  # type: ignore[no-any-return]

    def ask(self, tx: Translator, name: str, arguments: list[Any], what: str) -> Any:
        """Calls a special method that it must have."""
        method = self.special(tx, name)
        if method is None:
            if name not in _OPERATIONS:
                return tx.unsupported(f"{what} of {self.describe()}", f"it has no {name}")
            return fail_by_type(tx, f"{what} of {self.describe()}", _OPERATIONS[name], self)
        return tx.call_now(method, arguments)

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        method = self.special(tx, "__call__")
        if method is None:
            return fail_by_type(tx, f"a call of {self.describe()}", lambda owner: owner(), self)
        return tx.call(method, arguments, keywords)

    def getitem(self, tx: Translator, key: Any) -> Any:
        return self.ask(tx, "__getitem__", [key], "an item")

    def setitem(self, tx: Translator, key: Any, value: Any) -> None:
        self.ask(tx, "__setitem__", [key, value], "setting an item")

    def delitem(self, tx: Translator, key: Any) -> None:
        self.ask(tx, "__delitem__", [key], "deleting an item")

    def contains(self, tx: Translator, item: Any) -> bool:
        if self.special(tx, "__contains__") is not None:
            return tx.truth_of(self.ask(tx, "__contains__", [item], "`in`"))  # type: ignore[no-any-return]
        if not tx.is_iterable(self):
            return fail_by_type(tx, f"`in` of {self.describe()}", lambda owner: 0 in owner, self)  # type: ignore[no-any-return]
        return tx.iterate(self, "iter").contains(tx, item)  # type: ignore[no-any-return]

    def iterate(self, tx: Translator) -> Any:
        from translator.variables.instance_iterators import iterator_of_instance

        return iterator_of_instance(tx, self)

    def items(self, tx: Translator) -> list[Any]:
        return list(tx.walk(self))

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A method of `object` on it."""
        if keywords:
            return self.give_up(tx, f"{name}() with keywords")
        names = [tx.realize(each) for each in arguments[:1]]
        count = len(arguments)
        if name == "__init__" and not arguments:
            return None
        if name == "__setattr__" and count == 2 and type(names[0]) is str:
            return self.set_plainly(tx, names[0], arguments[1])
        if name == "__getattribute__" and count == 1 and type(names[0]) is str:
            found = self.find(tx, names[0])
            return found if found is not MISSING else self.give_up(tx, f"attribute {names[0]!r}")
        if name in ("__eq__", "__ne__") and count == 1:
            same = tx.is_(self, arguments[0])
            return same if (name == "__eq__") is same else NotImplemented
        return self.give_up(tx, f"{name}() of object")

    def hashed(self, tx: Translator) -> Any:
        """`hash(self)` by its own method; None if the hash is that of its identity."""
        method = self.special(tx, "__hash__")
        if method is None:
            return None
        found = tx.realize(tx.call_now(method, []))
        if type(found) is not int:
            self.give_up(tx, "__hash__() that gives no int")
        return hash(found)


class ObjectVariable(InstanceVariable):
    """An instance of a class that derives from `object` alone."""

    __slots__ = ("attributes", "cls", "live")

    always_filled = fillable = True

    def __init__(self, cls: ClassVariable, source: Source | None, live: Any) -> None:
        self.cls = cls
        self.source = source
        self.live = live
        self.attributes: dict[str, Any] = {}

    @property
    def rebuildable(self) -> bool:  # type: ignore[override]
        """Whether it was made in the trace."""
        return self.source is None

    def children(self) -> list[Any]:
        return list(self.attributes.values())

    def create(self, name: Any) -> str:
        return f"{name(object.__new__)}({name(self.cls.value)})"

    def fill(self, parts: list[str], made: str, name: Any) -> list[str]:
        found = []
        for key, part in zip(self.attributes, parts):
            if is_simple(key) and raw_of(self.cls.value, "__setattr__") is object.__setattr__:
                found.append(f"{made}.{key} = {part}")
            else:
                found.append(f"{name(object.__setattr__)}({made}, {name(key)}, {part})")
        return found


class InstanceEffect(AttributeEffect):
    """An attribute of an instance is set or deleted."""

    __slots__ = ("plainly",)

    def __init__(self, target: Any, name: str, value: Any, plainly: bool) -> None:
        super().__init__(target, name, value)
        self.plainly = plainly

    def replay(self, parts: list[str], name: str, literal: Callable[[Any], str]) -> list[str]:
        if self.plainly and parts:
            return [f"{name}.{self.name} = {parts[0]}"]
        return super().replay(parts, name, literal)


def plain_text(text: str, function: Any) -> Any:
    """What `ascii` makes of a text that `__repr__` gave."""
    return text.encode("ascii", "backslashreplace").decode("ascii") if function is ascii else text


def raw_of(class_: type, name: str) -> Any:
    """What is in the dictionaries of a class and its bases, without a guard."""
    return next((dict_of(each)[name] for each in mro_of(class_) if name in dict_of(each)), None)


def is_simple(name: str) -> bool:
    """Whether the name can be written after a dot."""
    return name.isascii() and name.isidentifier() and not iskeyword(name)


def input_object(tx: Translator, source: Source, value: Any) -> VariableTracker | None:
    """The tracker of an instance that came in, under a guard on its type; None for other types."""
    from translator.variables.enums import EnumVariable, is_enum
    from translator.variables.named_tuples import input_named_tuple

    class_ = type(value)
    if issubclass(class_, tuple):
        return input_named_tuple(tx, source, value)  # type: ignore[no-any-return]
    if not is_heap_type(class_) or raw_of(class_, "__getattribute__") is not object.__getattribute__:
        return None
    known = tx.effects.known(tx, source, value)
    if known is not None:
        return known
    if is_enum(class_):
        tx.guards.identity(source, value)
        return EnumVariable(tx.class_variable(class_, source.type()), value, source)
    tx.guards.type_is(source, class_)
    made = ObjectVariable(tx.class_variable(class_, source.type()), source, value)
    tx.effects.touch(made)
    return made


__all__ = ["PLAIN", "Effect", "FunctionType", "InstanceVariable", "ObjectVariable", "input_object"]
