"""What comes in, by its type: the value that stands for it, and the guards that this needs."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import controls
from translator.foreign_arrays import library_of
from translator.sources import Source
from translator.variables import builtins as builtin_values
from translator.variables.foreign import empty_ordered_dict
from translator.variables.functions import UserFunctionVariable
from translator.variables.host_objects import TYPES, host_object
from translator.variables.input_lists import MOST_ITEMS, InputListVariable
from translator.variables.input_sets import InputSetVariable
from translator.variables.lazy import LazyVariable
from translator.variables.mappings import InputDictVariable
from translator.variables.methods import input_method, input_partial
from translator.variables.modules import ModuleVariable
from translator.variables.objects import input_object
from translator.variables.sequences import RangeVariable, TupleVariable
from translator.variables.tracker import PLAIN, VariableTracker
from translator.variables.unknown import UnknownVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


#: more guards than this would cost more than they save
MOST_GUARDS = 2_000


class SymbolicInputs:
    """The values of inputs."""

    def realize(self: Translator, value: Any) -> Any:
        """The value itself, looked at if it is an input that nobody has looked at yet."""
        return value.realize(self) if type(value) is LazyVariable else value

    def once(self: Translator, name: str, make: Any) -> LazyVariable:
        """One LazyVariable a source."""
        found = self._once.get(name)
        if found is None:
            found = self._once[name] = make()
        return found

    def input_value(self: Translator, source: Source, value: Any) -> Any:
        """The value of an input, under the guards that this needs."""
        guards = self.guards
        if len(guards) > MOST_GUARDS:
            self.unsupported(
                "so many inputs", f"more than {MOST_GUARDS} guards would cost more than they save"
            )
        guards.line = None if self.frame is None or self.frame.is_entry else self._line(self.frame)
        kind = type(value)
        if kind in PLAIN and kind is not CodeType:
            guards.value(source, value)
            return value
        if self.numpy is not None and self.numpy.is_input(value):
            return self.numpy.input_array(self, source, value)
        maker = _INPUTS.get(kind)
        if maker is not None:
            return maker(self, source, value)
        if kind is OrderedDict and (empty := empty_ordered_dict(self, source, value)) is not None:
            return empty
        library = library_of(value)
        if library is not None:
            return library.input_array(self, source, value)
        known = builtin_values.known_object(self, value, source)
        if known is not None:
            guards.identity(source, value)
            return known
        if issubclass(kind, type):  # (not isinstance: that asks the value for its __class__)
            guards.identity(source, value)
            return self.class_variable(value, source)
        return input_object(self, source, value) or UnknownVariable(source, value)


# -- inputs by type


def _tuple(tx: Translator, source: Source, value: tuple[Any, ...]) -> VariableTracker:
    return TupleVariable(_members(tx, source, value), source)


def _list(tx: Translator, source: Source, value: list[Any]) -> VariableTracker:
    known = tx.effects.known(tx, source, value)
    if known is not None:
        return known
    tx.guards.type_is(source, list)
    made = InputListVariable(tx, source, value)
    tx.effects.touch(made)
    return made


def _members(tx: Translator, source: Source, value: Any) -> list[Any]:
    tx.guards.type_is(source, type(value))
    if len(value) > MOST_ITEMS:
        tx.unsupported(f"{source.name} with {len(value)} items", f"up to {MOST_ITEMS} items are followed")
    tx.guards.length(source, len(value))
    return [LazyVariable(source.item(index), item) for index, item in enumerate(value)]


def _dict(tx: Translator, source: Source, value: dict[Any, Any]) -> VariableTracker:
    known = tx.effects.known(tx, source, value)
    if known is not None:
        return known
    tx.guards.type_is(source, dict)
    made = InputDictVariable(source, value)
    tx.effects.touch(made)
    return made


def _set(tx: Translator, source: Source, value: Any) -> VariableTracker:
    known = tx.effects.known(tx, source, value)
    if known is not None:
        return known
    tx.guards.type_is(source, type(value))
    made = InputSetVariable(tx, source, value)
    tx.effects.touch(made)
    return made


def _range(tx: Translator, source: Source, value: range) -> VariableTracker:
    tx.guards.type_is(source, range)
    for name in ("start", "stop", "step"):
        tx.guards.value(source.attribute(name), getattr(value, name))
    return RangeVariable(value, source)


def _function(tx: Translator, source: Source, value: FunctionType) -> VariableTracker:
    known = builtin_values.known_object(tx, value, source)
    if known is not None:
        tx.guards.identity(source, value)
        return known
    if str(value.__globals__.get("__name__")).split(".")[0] == "numpy":
        return UnknownVariable(source, value, "this function of NumPy is not captured")
    why = controls.why_disabled(value)
    if why is not None:
        return UnknownVariable(source, value, why)
    tx.guards.type_is(source, FunctionType)
    return UserFunctionVariable(source, value)


def _module(tx: Translator, source: Source, value: ModuleType) -> VariableTracker:
    if value.__name__ in ("numpy", "math", "operator", "functools", "builtins"):
        tx.guards.identity(source, value)
    elif not value.__name__.startswith("numpy."):
        tx.guards.type_is(source, ModuleType)
    return ModuleVariable(source, value)


def _partial(tx: Translator, source: Source, value: Any) -> VariableTracker:
    return input_partial(tx, source, value) or UnknownVariable(source, value, "it has attributes of its own")


_INPUTS: dict[type, Any] = {
    **dict.fromkeys(TYPES, host_object),
    MethodType: input_method,
    partial: _partial,
    tuple: _tuple,
    list: _list,
    dict: _dict,
    set: _set,
    frozenset: _set,
    range: _range,
    FunctionType: _function,
    ModuleType: _module,
}
