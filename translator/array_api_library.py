"""Libraries of the array API standard: the operators, attributes and functions that the standard has."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import array_api_names as names
from translator import foreign_arrays
from translator.foreign_arrays import ArrayLibrary, ForeignMeta
from translator.graph import Node
from translator.sources import Source
from translator.variables.builtins import BuiltinVariable
from translator.variables.foreign import ForeignArrayVariable, ForeignFunction
from translator.variables.modules import ModuleVariable
from translator.variables.sequences import TupleVariable
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_DTYPES = """
bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128
""".split()
#: stand-ins larger than this are not computed with
_MOST_ELEMENTS = 1 << 16


def library_of_array(value: Any) -> ArrayLibrary | None:
    """The library of an array that answers `__array_namespace__`; None if it is of no use."""
    try:
        namespace = value.__array_namespace__()
    except Exception:
        return None  # it cannot say which: it is an object like others
    return library_of_namespace(namespace)


def library_of_namespace(namespace: Any) -> ArrayLibrary | None:
    """The library for a namespace that is a module with the standard's functions."""
    name = getattr(namespace, "__name__", None)
    if not isinstance(name, str) or name.split(".")[0] in ("numpy", "torch"):
        return None
    found = foreign_arrays.namespaces.get(name)
    if found is None and all(hasattr(namespace, each) for each in ("ones", "add", "float64", "reshape")):
        found = foreign_arrays.namespaces[name] = ArrayApiLibrary(namespace)
    return found


def register_owner(function: Any) -> None:
    """Looks whether a function is one of a namespace that has not been seen yet."""
    try:
        module = object.__getattribute__(function, "__module__")  # (runs nothing of the program)
    except AttributeError:
        return
    if isinstance(module, str):
        owner = sys.modules.get(module.split(".")[0])
        if owner is not None and "__array_api_version__" in vars(owner):
            library_of_namespace(owner)


class ArrayApiLibrary(ArrayLibrary):
    """The functions of one namespace by identity."""

    # those that compute with NumPy show its floating-point warnings
    warns = True

    def __init__(self, namespace: Any) -> None:
        self.namespace = namespace
        self.name = namespace.__name__
        self.array_types = (type(namespace.ones((), dtype=namespace.float64)),)
        self.functions: dict[int, tuple[Any, str]] = {}
        for name in names.FRESH | names.ALIAS | names.SEVERAL | names.BY_DATA:
            value = namespace
            for part in name.split("."):
                value = getattr(value, part, None)
            if callable(value):
                self.functions.setdefault(id(value), (value, name))
        self.dtypes = [getattr(namespace, each) for each in _DTYPES if hasattr(namespace, each)]

    def known_object(self, value: Any, source: Source | None) -> VariableTracker | None:
        found = self.functions.get(id(value))
        if found is not None and found[0] is value:
            return ForeignFunction(value, self, source)
        return BuiltinVariable(value, source) if self.takes_object(value) else None

    def takes_object(self, value: Any) -> bool:
        return any(type(value) is type(each) and value == each for each in self.dtypes)

    def input_array(self, tx: Translator, source: Source, value: Any) -> ForeignArrayVariable:
        # the standard promises equal dtypes, not one object each
        tx.guards.type_is(source, type(value))
        tx.guards.add(20, "{}.dtype == {}", source, value.dtype)
        return ForeignArrayVariable(None, self, frozenset(), source, value)

    # -- what is asked of an array

    def has_method(self, name: str) -> bool:
        return name == "__array_namespace__"

    def method(
        self,
        tx: Translator,
        array: ForeignArrayVariable,
        name: str,
        arguments: list[Any],
        keywords: dict[str, Any],
    ) -> Any:
        """`array.__array_namespace__()`: the namespace, read from an input."""
        if arguments or keywords:
            return array.give_up(tx, f"{name}() with these arguments")
        known = [array, *tx.inputs, *tx.variable_of.values()]
        own = (each for each in known if getattr(each, "library", None) is self)
        owner = next((each for each in own if each.source is not None), None)
        if owner is None:
            return array.give_up(tx, f"{name}()")
        path = owner.source
        source = Source(f"{path.name}.{name}()", f"{path.code}.{name}()", path.depth + 1, True)
        tx.guards.identity(source, self.namespace)
        return ModuleVariable(source, self.namespace)

    def attribute(self, tx: Translator, array: ForeignArrayVariable, name: str) -> Any:
        if name == "dtype":
            known = array.value if array.source is not None else self.meta(tx, array)
            return BuiltinVariable(known.dtype)
        if name == "shape":
            return TupleVariable(list(array.shape(tx)))
        if name == "ndim":
            return len(array.shape(tx))
        if name == "size":
            return math.prod(array.shape(tx))
        if name in ("T", "mT"):
            return self.record(tx, getattr, [array, name], {}, fresh=False)
        return NotImplemented

    def call(self, tx: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A call of a function of the standard becomes a node."""
        _, name = self.functions[id(function)]
        values = self.check(tx, f"{name}()", arguments)
        named = dict(zip(keywords, self.check(tx, f"{name}()", list(keywords.values()))))
        made = self.record(tx, function, values, named, fresh=name in names.FRESH)
        return self.split(tx, made) if name in names.SEVERAL else made

    # -- what results will be

    def input_meta(self, tx: Translator, variable: Any) -> ForeignMeta:
        if None in variable.value.shape:
            tx.unsupported(f"the shape of {variable.describe()}", "the library does not know it yet")
        return super().input_meta(tx, variable)

    def stand_in(self, tx: Translator, found: ForeignMeta) -> Any:
        if found.parts is not None:
            parts = [self.stand_in(tx, part) for part in found.parts]
            return parts if found.kind is list else tuple(parts)
        shape = found.shape or ()
        if math.prod(shape) > _MOST_ELEMENTS:
            tx.unsupported("a shape that needs a large computation", "it is not worked out ahead of the run")
        if len(shape) == 2 and shape[0] == shape[1]:
            return self.namespace.eye(shape[0], dtype=found.dtype)
        return self.namespace.ones(shape, dtype=found.dtype)

    def carried_out(self, tx: Translator, node: Node) -> Any:
        _, name = self.functions.get(id(node.target), (None, ""))
        picks = node.args[1] if len(node.args) > 1 and name == "" else None
        masks = [tx.metas[used] for used in Node("", "", "", (picks,)).inputs()]
        if name in names.BY_DATA or any(found.dtype == self.namespace.bool for found in masks):
            tx.unsupported(f"the shape of {node.name}", "it depends on data")
        numpy = sys.modules.get("numpy")
        if numpy is None:
            return super().carried_out(tx, node)
        with numpy.errstate(all="ignore"):
            return super().carried_out(tx, node)
