"""torch: its tensors' operators, attributes and methods, and the functions that are listed.

The operations run at run time as they would have without us, in the same order, under the same modes
(gradients, autocast): autograd sees what it would have seen.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import torch_names as names
from translator.foreign_arrays import ArrayLibrary, ForeignMeta
from translator.graph import Node
from translator.torch_modules import state_functions, substitutes
from translator.variables import plain
from translator.variables.builtins import BuiltinVariable
from translator.variables.foreign import ForeignArrayVariable, ForeignFunction, StateFunction
from translator.variables.sequences import SliceVariable, TupleVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

_VIEWS = frozenset({"T", "mT", "real", "imag", "data"})
#: functions whose argument makes them random, or write, unless it is this one: (place, keyword, value)
_ONLY_IF = {
    "dropout": (2, "training", False),
    "batch_norm": (5, "training", False),
    "scaled_dot_product_attention": (4, "dropout_p", 0.0),
    "embedding": (3, "max_norm", None),
    "max_pool1d": (6, "return_indices", False),
    "max_pool2d": (6, "return_indices", False),
    "unique": (2, "return_inverse", False),
}
#: where such an argument may be left out
_ABSENT_IS_RIGHT = frozenset(_ONLY_IF) - {"dropout"}
#: these make tensors of no tensor: their dtype is a setting of torch
_REFUSED_KEYWORDS = frozenset({"out", "generator", "inplace", "pin_memory", "layout", "names"})


class TorchLibrary(ArrayLibrary):
    """The functions of one torch by identity."""

    name = "torch"

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.array_types = (torch.Tensor, torch.nn.Parameter)
        #: by id: (the function, its name, whether its result is fresh)
        self.functions: dict[int, tuple[Any, str, bool]] = {}
        for name in names.FRESH | names.ALIAS | names.SEVERAL | names.SOMETIMES_SEVERAL:
            value = torch
            for part in name.split("."):
                value = getattr(value, part, None)
            self._add(value, name, name in names.FRESH)
        for name in names.FUNCTIONAL:
            self._add(getattr(torch.nn.functional, name, None), name, False)
        listed = names.FRESH | names.ALIAS | names.SEVERAL | names.SOMETIMES_SEVERAL | names.METHODS
        self.methods = frozenset(
            name
            for name in listed | names.IN_PLACE | names.FACTS | {"is_floating_point", "is_complex"}
            if "." not in name and hasattr(torch.Tensor, name)
        )
        self.substitutes = substitutes(torch)
        self.states = {id(each): each for each in state_functions(torch)}
        self.values = (torch.dtype, torch.memory_format, torch.layout)

    def _add(self, value: Any, name: str, fresh: bool) -> None:
        if callable(value):
            self.functions.setdefault(id(value), (value, name, fresh))

    # -- what comes in

    def known_object(self, value: Any, source: Source | None) -> VariableTracker | None:
        found = self.functions.get(id(value))
        if found is not None and found[0] is value:
            return ForeignFunction(value, self, source)
        if self.states.get(id(value), self) is value:
            return StateFunction(value, source)
        if isinstance(value, self.values) or value is self.torch.Tensor:
            return BuiltinVariable(value, source)
        return DeviceVariable(value, source) if type(value) is self.torch.device else None

    def takes_object(self, value: Any) -> bool:
        return isinstance(value, (*self.values, self.torch.device)) or value in (float, int, bool, complex)

    def _check_value(self, tx: Translator, what: str, value: Any) -> None:
        if type(value) is not DeviceVariable:
            super()._check_value(tx, what, value)

    # -- what is asked of a tensor

    def has_method(self, name: str) -> bool:
        return name in self.methods

    def attribute(self, tx: Translator, array: ForeignArrayVariable, name: str) -> Any:
        if name in ("shape", "ndim", "dtype", "device", "itemsize", "nbytes"):
            return self.fact(tx, array, name)
        if name in ("requires_grad", "is_leaf", "is_cuda") and array.source is not None:
            tx.guards.add(25, f"{{}}.{name} is {{}}", array.source, getattr(array.value, name))
            return getattr(array.value, name)
        if name in _VIEWS:
            # T of more or less than two dimensions is said to go away
            warns = name == "T" and self.fact(tx, array, "ndim") != 2
            return self.record(tx, getattr, [array, name], {}, fresh=False, warns=warns)
        return NotImplemented

    def fact(self, tx: Translator, array: ForeignArrayVariable, name: str) -> Any:
        """What a tensor's shape, dtype or device is, as a value."""
        if array.source is not None and name == "dtype":
            return BuiltinVariable(array.value.dtype)
        if array.source is not None and name == "device":
            tx.guards.add(60, "{}.device == {}", array.source, array.value.device)
            return DeviceVariable(array.value.device)
        if array.source is not None and name == "ndim":
            tx.guards.add(15, "{}.ndim == {}", array.source, array.value.ndim)
            return array.value.ndim
        found = self.meta(tx, array)
        if name == "dtype":
            return BuiltinVariable(found.dtype)
        if name == "device":
            if found.device is None:
                return array.give_up(tx, "the device")
            return DeviceVariable(found.device)
        shape = array.shape(tx)
        if name == "shape":
            return SizeVariable(list(shape), self.torch.Size)
        if name == "ndim":
            return len(shape)
        if name == "numel":
            return math.prod(shape)
        return found.dtype.itemsize * (math.prod(shape) if name == "nbytes" else 1)

    def method(
        self,
        tx: Translator,
        array: ForeignArrayVariable,
        name: str,
        arguments: list[Any],
        keywords: dict[str, Any],
    ) -> Any:
        if name in names.FACTS or name in ("is_floating_point", "is_complex"):
            return self._ask(tx, array, name, [tx.realize(value) for value in arguments], keywords)
        values = self.check(tx, f"{name}()", arguments)
        named = self._keywords(tx, name, keywords)
        if name in names.IN_PLACE:
            return array.change(tx, name, values, named, method=True)
        fresh = name in names.FRESH or name in ("new_zeros", "new_ones", "new_full")
        return self._record(tx, name, name, [array, *values], named, fresh, method=True)

    def _ask(
        self,
        tx: Translator,
        array: ForeignArrayVariable,
        name: str,
        arguments: list[Any],
        keywords: dict[str, Any],
    ) -> Any:
        if keywords or len(arguments) > (name == "size"):
            return array.give_up(tx, f"{name}() with these arguments")
        if name.startswith("is_"):
            return getattr(self.fact(tx, array, "dtype").value, name)
        if name == "size":
            shape = self.fact(tx, array, "shape")
            return shape.getitem(tx, arguments[0]) if arguments else shape
        return self.fact(tx, array, "ndim" if name in ("dim", "ndimension") else "numel")

    def items(self, tx: Translator, array: ForeignArrayVariable) -> list[Any]:
        # as Tensor.__iter__ does: all rows at once, so that gradients go the same way
        if not array.shape(tx):
            return array.give_up(tx, "iteration without dimensions (TypeError)")  # type: ignore[no-any-return]
        made = self._record(tx, "unbind", "unbind", [array, 0], {}, False, method=True)
        return list(made.values)

    # -- calls

    def call(self, tx: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """A call of a function that is listed becomes a node."""
        _, name, fresh = self.functions[id(function)]
        values = self.check(tx, f"{name}()", arguments)
        named = self._keywords(tx, name, keywords)
        if name in _ONLY_IF:
            self._check_argument(tx, name, values, named)
        if name in names.MAYBE_IN_PLACE and any(value is True for value in values[1:]):
            tx.unsupported(f"{name}() in place", "changes of tensors are captured as methods")
        return self._record(tx, name, function, values, named, fresh)

    def _check_argument(self, tx: Translator, name: str, values: list[Any], keywords: dict[str, Any]) -> None:
        place, keyword, wanted = _ONLY_IF[name]
        absent = wanted if name in _ABSENT_IS_RIGHT else NotImplemented
        found = values[place] if len(values) > place else keywords.get(keyword, absent)
        if type(found) is not type(wanted) or found != wanted:
            tx.unsupported(f"{name}() with {keyword}={found!r}", f"it is captured with {keyword}={wanted!r}")

    def _keywords(self, tx: Translator, name: str, keywords: dict[str, Any]) -> dict[str, Any]:
        found = dict(zip(keywords, self.check(tx, f"{name}()", list(keywords.values()))))
        for refused in _REFUSED_KEYWORDS & found.keys():
            if found[refused] is not None and found[refused] is not False:
                tx.unsupported(f"{refused}= of {name}()", "it is not captured", "call it without it")
        return found

    def _record(
        self,
        tx: Translator,
        name: str,
        target: Any,
        values: list[Any],
        keywords: dict[str, Any],
        fresh: bool,
        method: bool = False,
    ) -> Any:
        several = name in names.SEVERAL or (
            name in names.SOMETIMES_SEVERAL and self._by_axis(values, keywords)
        )
        warns = self._may_warn(tx, name, values, keywords)
        made = self.record(tx, target, values, keywords, fresh=fresh, method=method, warns=warns)
        if warns:
            # it may not both warn and raise: what raises is run again
            self.meta(tx, made)
        return self.split(tx, made) if several else made

    def _may_warn(self, tx: Translator, name: str, values: list[Any], keywords: dict[str, Any]) -> bool:
        if name in names.CASTS:
            return self._has_complex(tx)
        if name in names.WARN_WITHOUT_DIM:
            return len(values) < 2 and "dim" not in keywords
        if name in names.WARN_OF_FEW:
            return not all(length > 1 for length in values[0].shape(tx))
        if name in names.WARN_OF_SHAPES:
            arrays = [each for each in values if isinstance(each, ForeignArrayVariable)]
            return len({each.shape(tx) for each in arrays}) != 1
        return name in names.WARN

    @staticmethod
    def _by_axis(values: list[Any], keywords: dict[str, Any]) -> bool:
        """Whether max() or min() is along a dimension, which gives indices too."""
        second = values[1] if len(values) > 1 else None
        return "dim" in keywords or (second is not None and not isinstance(second, ForeignArrayVariable))

    @staticmethod
    def _has_complex(tx: Translator) -> bool:
        known = (
            variable for variable in tx.variable_of.values() if isinstance(variable, ForeignArrayVariable)
        )
        return any(each.source is not None and each.value.dtype.is_complex for each in known)

    # -- what results will be

    def stand_in(self, tx: Translator, found: ForeignMeta) -> Any:
        if found.parts is not None:
            parts = [self.stand_in(tx, part) for part in found.parts]
            return parts if found.kind is list else tuple(parts)
        return self.torch.empty(found.shape, dtype=found.dtype, device="meta")

    def carried_out(self, tx: Translator, node: Node) -> Any:
        torch = self.torch
        # what ints are divided to, and what factories make, is a setting; so is what products are made in
        tx.guards.add(50, "{}() is {}", torch.get_default_dtype, torch.get_default_dtype())
        autocast = torch._C._is_any_autocast_enabled
        if autocast():
            tx.unsupported(f"the dtype of {node.name}", "it is worked out without autocast only")
        tx.guards.add(45, "{}() is {}", autocast, False)
        with torch.no_grad(), torch.device("meta"):
            return super().carried_out(tx, node)

    def device_of(self, tx: Translator, node: Node) -> Any:
        """Where all its tensors are, if none is moved or made."""
        used = [tx.metas[each] for each in node.inputs()]
        devices = {found.device for found in used}
        moves = "device" in (node.kwargs or {}) or node.target in ("to", "cpu", "type_as")
        return devices.pop() if len(devices) == 1 and not moves else None

    def input_meta(self, tx: Translator, variable: Any) -> ForeignMeta:
        tx.guards.add(60, "{}.device == {}", variable.source, variable.value.device)
        return super().input_meta(tx, variable)


class SizeVariable(TupleVariable):
    """A torch.Size of known lengths."""

    __slots__ = ("size_type",)

    kind = "a torch.Size"

    def __init__(self, values: list[Any], size_type: type) -> None:
        super().__init__(values)
        self.size_type = size_type

    def python_type(self, tx: Translator) -> type:
        return self.size_type

    def python(self, tx: Translator) -> Any:
        return self.size_type(self.values)

    def argument(self, tx: Translator) -> Any:
        return tuple(self.values)

    def rebuild(self, parts: list[str], name: Any) -> str:
        return f"{name(self.size_type)}(({''.join(part + ', ' for part in parts)}))"

    def getitem(self, tx: Translator, key: Any) -> Any:
        if type(key) is SliceVariable:
            return SizeVariable(self.values[key.python(tx)], self.size_type)
        return super().getitem(tx, key)

    def binary(self, tx: Translator, operator: str, other: Any, reflected: bool) -> Any:
        known = plain.python(tx, other)
        pair = (known, self.python(tx)) if reflected else (self.python(tx), known)
        try:
            result = plain.ANY_BINARY[operator](*pair)
        except Exception as error:
            why = f"{type(error).__name__} is left to the original code"
            return tx.unsupported(f"`{operator}` of a torch.Size", why)
        return self._value(tx, result)

    def _value(self, tx: Translator, result: Any) -> Any:
        if isinstance(result, tuple) and type(result) is self.size_type:
            return SizeVariable(list(result), self.size_type)
        return result if type(result) in PLAIN else plain.value_of(tx, result)

    def call_method(self, tx: Translator, name: str, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if name == "numel" and not arguments and not keywords:
            return math.prod(self.values)
        return super().call_method(tx, name, arguments, keywords)

    methods = TupleVariable.methods | {"numel"}


class DeviceVariable(VariableTracker):
    """A torch.device: equal to others by value, never the same object."""

    __slots__ = ("value",)

    kind = "a torch.device"
    rebuildable = True
    equals_itself = True

    def __init__(self, value: Any, source: Source | None = None) -> None:
        super().__init__(source)
        self.value = value

    def python_type(self, tx: Translator) -> type:
        return type(self.value)

    def truth(self, tx: Translator) -> bool:
        return True

    def python(self, tx: Translator) -> Any:
        return self.value

    argument = python

    def rebuild(self, parts: list[str], name: Any) -> str:
        return str(name(self.value))

    def getattr(self, tx: Translator, name: str) -> Any:
        if name in ("type", "index"):
            return getattr(self.value, name)
        return super().getattr(tx, name)
