"""Objects as keys of dicts and items of sets: their own `__hash__` and `__eq__` are asked, in the trace.

Python's own dict and set do the work: a key stands for the object in them, and asks it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.lazy import LazyVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class Key:
    """Stands for an object in a dict or set of the trace; one for each object.

    Attributes:
        variable: the object.
        by_identity: whether its hash is that of its identity, which is not known in the trace.
    """

    __slots__ = ("by_identity", "number", "quiet", "tx", "variable")

    def __init__(self, tx: Translator, variable: Any, number: int | None) -> None:
        self.tx = tx
        self.variable = variable
        self.by_identity = number is None
        #: whether nothing of the program runs when it is hashed or compared
        self.quiet = self.by_identity
        self.number = hash(("key", len(tx.keys))) if number is None else number

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> Any:
        from translator.variables.named_tuples import NamedTupleVariable
        from translator.variables.objects import ObjectVariable
        from translator.variables.plain import value_of

        tx = self.tx
        if isinstance(self.variable, (ObjectVariable, NamedTupleVariable)):
            if type(other) is Key:
                tx.is_same_object(self.variable, other.variable)
            return tx.truth_of(tx.compare("==", self.variable, value_of(tx, other)))
        return NotImplemented

    def __repr__(self) -> str:
        return f"<key {self.variable!r}>"


def hashable(tx: Translator, value: Any) -> Any:
    """What stands for a value in a dict or set."""
    from translator.variables.functions import NestedFunctionVariable, UserFunctionVariable
    from translator.variables.named_tuples import NamedTupleVariable
    from translator.variables.objects import ObjectVariable
    from translator.variables.plain import python
    from translator.variables.sequences import TupleVariable

    value = value.realize(tx) if type(value) is LazyVariable else value
    if type(value) is TupleVariable:
        return tuple([hashable(tx, item) for item in value.values])
    if isinstance(value, ObjectVariable):
        return _key(tx, value, value.hashed(tx))
    if isinstance(value, NamedTupleVariable):
        items = [hashable(tx, item) for item in value.values]
        found = _key(tx, value, hash(tuple(items)))
        found.quiet = all(key.quiet for item in items for key in keys_in(item))
        return found
    if isinstance(value, UserFunctionVariable):
        return _key(tx, value.known(tx), None)
    if isinstance(value, NestedFunctionVariable):
        return _key(tx, value, None)
    return python(tx, value)


def _key(tx: Translator, variable: Any, number: int | None) -> Key:
    found = tx.keys.get(id(variable))
    if found is None:
        found = tx.keys[id(variable)] = Key(tx, variable, number)
    found.number = found.number if number is None else number
    return found


def keys_in(value: Any) -> list[Key]:
    """The keys that are in what stands for a value in a dict or set."""
    if type(value) is Key:
        return [value]
    if type(value) is tuple or type(value) is frozenset:
        return [key for item in value for key in keys_in(item)]
    return []


def from_key(value: Any) -> Any:
    """The value behind a key, or a tuple of them."""
    from translator.variables.sequences import TupleVariable

    if type(value) is Key:
        return value.variable
    if type(value) is tuple:
        return TupleVariable([from_key(item) for item in value])
    return value


def can_be_given_back(keys: Any) -> bool:
    """Whether a dict with these keys can be made again without running the program's `__hash__`."""
    for key in keys:
        found = keys_in(key)
        if found and (type(key) is frozenset or not all(each.quiet for each in found)):
            return False
    return True
