"""Arrays that are not NumPy's: torch's tensors, and whatever answers `__array_namespace__`.

Each library says what of it is captured (an opt-in list), and which of its operations may warn; what an
operation gives is asked of the library itself, on stand-ins without the data. No library is imported here:
it is there once the user's program has it.
"""

from __future__ import annotations

import operator as operators
import sys
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import Unimplemented
from translator.graph import Node
from translator.metas import evaluate, looked_up
from translator.variables.arrays import ArrayVariable, ResultTupleVariable
from translator.variables.builtins import BuiltinVariable
from translator.variables.foreign import ForeignArrayVariable
from translator.variables.sequences import ListVariable, SequenceVariable, SliceVariable, TupleVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class ForeignMeta(NamedTuple):
    """What is known of a result without its data."""

    kind: type
    dtype: Any = None
    shape: tuple[int, ...] | None = None
    device: Any = None
    #: the metas of a tuple's or list's items
    parts: tuple[ForeignMeta, ...] | None = None


class ArrayLibrary:
    """What is known of one library, and how its operations become nodes.

    Attributes:
        name: for messages, and what proofs ask for.
        warns: whether operations may show floating-point warnings, as those that NumPy computes do.
    """

    name = "a library"
    warns = False
    array_types: tuple[type, ...] = ()

    # -- what comes in

    def input_array(self, tx: Translator, source: Source, value: Any) -> ForeignArrayVariable:
        """The tracker of an array that came in, under guards on its type and dtype."""
        tx.guards.type_is(source, type(value))
        tx.guards.add(14, "{}.dtype is {}", source, value.dtype)
        return ForeignArrayVariable(None, self, frozenset(), source, value)

    def known_object(self, value: Any, source: Source | None) -> VariableTracker | None:
        """A tracker for a function, type or dtype of the library; None for anything else."""
        raise NotImplementedError

    # -- what is asked of an array

    def attribute(self, tx: Translator, array: ForeignArrayVariable, name: str) -> Any:
        """`array.name`; None if it is not known."""
        raise NotImplementedError

    def has_method(self, name: str) -> bool:
        """Whether calls of this method can be captured."""
        raise NotImplementedError

    def method(
        self,
        tx: Translator,
        array: ForeignArrayVariable,
        name: str,
        arguments: list[Any],
        keywords: dict[str, Any],
    ) -> Any:
        """A call of a method."""
        raise NotImplementedError

    def items(self, tx: Translator, array: ForeignArrayVariable) -> list[Any]:
        """What iterating over it gives."""
        return array.give_up(tx, "iteration")  # type: ignore[no-any-return]

    # -- recording

    def record(
        self,
        tx: Translator,
        target: Any,
        arguments: list[Any],
        keywords: dict[str, Any],
        *,
        fresh: bool,
        method: bool = False,
        warns: bool = False,
    ) -> ForeignArrayVariable:
        """A node for an operation; `fresh`: its result shares no memory with an argument."""
        roots: frozenset[ArrayVariable] = frozenset()
        if not fresh:
            roots = roots.union(*(each.shares() for each in arrays_in([*arguments, *keywords.values()])))
        made = tx.record(target, tuple(arguments), keywords, roots, method=method, library=self)
        made.node.warns = warns or self.warns
        return made  # type: ignore[return-value]

    def check(self, tx: Translator, what: str, values: list[Any]) -> list[Any]:
        """The arguments, looked at. Gives up on what the library might make something else of."""
        found = [tx.realize(value) for value in values]
        for value in found:
            self._check_value(tx, what, value)
        return found

    def _check_value(self, tx: Translator, what: str, value: Any) -> None:
        if type(value) in PLAIN and type(value) is not bytes:
            return
        if isinstance(value, ForeignArrayVariable) and value.library is self:
            return
        if type(value) in (TupleVariable, ListVariable) or isinstance(value, TupleVariable):
            self.check(tx, what, value.values)
            return
        if isinstance(value, BuiltinVariable) and self.takes_object(value.value):
            return
        tx.unsupported(
            f"{value!r} as an argument of {what}", f"it is captured for {self.name}'s arrays and numbers"
        )

    def takes_object(self, value: Any) -> bool:
        """Whether such an object (a dtype, a device) is an argument that is captured."""
        return False

    def check_index(self, tx: Translator, key: Any) -> None:
        """Gives up on keys that do not index an array as data."""
        key = tx.realize(key)
        if (
            key is None
            or key is Ellipsis
            or type(key) in (int, bool)
            or isinstance(key, ForeignArrayVariable)
        ):
            return
        if type(key) is SliceVariable:
            for part in key.children():
                if part is not None and type(tx.realize(part)) is not int:
                    tx.unsupported("a slice by what is no int", "it is captured for ints")
            return
        if isinstance(key, SequenceVariable):
            for part in key.values:
                self.check_index(tx, part)
            return
        tx.unsupported(f"an array indexed by {key!r}", "it is captured for ints, slices and arrays")

    def split(self, tx: Translator, made: ForeignArrayVariable) -> Any:
        """A tuple or list of arrays: one node an item."""
        found = self.meta(tx, made)
        if found.parts is None:
            return made
        values = []
        for index in range(len(found.parts)):
            item = tx.record(operators.getitem, (made, index), {}, made.roots, library=self)
            item.node.quiet = True
            values.append(item)
        if found.kind is list:
            return ListVariable(values)
        if found.kind is tuple:
            return TupleVariable(values)
        return ResultTupleVariable(made.node, found.kind, values)  # type: ignore[arg-type]

    # -- what results will be

    def meta(self, tx: Translator, array: ForeignArrayVariable) -> ForeignMeta:
        """What is known of a result; asks for the shapes of the inputs that it depends on."""
        return looked_up(tx, array, self._meta_of)  # type: ignore[no-any-return]

    def _meta_of(self, tx: Translator, node: Node) -> ForeignMeta:
        variable = tx.variable_of[node]
        if variable.source is not None:
            return self.input_meta(tx, variable)
        if node.writes:
            return tx.metas[node.inputs()[0]]  # type: ignore[no-any-return]
        try:
            result = self.carried_out(tx, node)
        except Unimplemented:
            raise
        except Exception as error:
            why = f"it depends on data, or an exception is raised ({type(error).__name__}: {error})"
            return tx.unsupported(f"the shape of {node.name}", " ".join(why.split()))  # type: ignore[no-any-return]
        return self.describe(tx, node, result)

    def input_meta(self, tx: Translator, variable: Any) -> ForeignMeta:
        """Of an input, under a guard on its shape."""
        value = variable.value
        tx.guards.add(35, "{}.shape == {}", variable.source, value.shape)
        return ForeignMeta(type(value), value.dtype, tuple(value.shape), getattr(value, "device", None))

    def carried_out(self, tx: Translator, node: Node) -> Any:
        """What the operation gives for stand-ins."""
        return evaluate(node, lambda used: self.stand_in(tx, tx.metas[used]))

    def stand_in(self, tx: Translator, found: ForeignMeta) -> Any:
        """An array without the data, of that shape and dtype."""
        raise NotImplementedError

    def describe(self, tx: Translator, node: Node, result: Any) -> ForeignMeta:
        """The meta of what an operation gave."""
        kind = type(result)
        if kind in self.array_types:
            return ForeignMeta(
                self.array_types[0], result.dtype, tuple(result.shape), self.device_of(tx, node)
            )
        if isinstance(result, (tuple, list)):
            return ForeignMeta(kind, parts=tuple(self.describe(tx, node, item) for item in result))
        return tx.unsupported(f"a result of type {kind.__name__}", "it is not captured")  # type: ignore[no-any-return]

    def device_of(self, tx: Translator, node: Node) -> Any:
        """Where the result is, if that is known; else None."""
        return None


# -- which libraries there are

#: by the type of array; None: it is no array
_by_type: WeakKeyDictionary[type, ArrayLibrary | None] = WeakKeyDictionary()
#: those with an `__array_namespace__`, by the namespace's name
namespaces: dict[str, ArrayLibrary] = {}
_torch: Any = None


def torch_library() -> Any:
    """What is known of torch, once the user has imported it; None before."""
    global _torch
    if _torch is None:
        module = sys.modules.get("torch")
        # while it is being imported, not all of it is there
        if module is None or not hasattr(module, "compile") or not hasattr(module, "fx"):
            return None
        from translator.torch_library import TorchLibrary

        _torch = TorchLibrary(module)
    return _torch


def library_of(value: Any) -> ArrayLibrary | None:
    """The library whose array this live value is; None if it is no array of a library that is captured."""
    kind = type(value)
    try:
        return _by_type[kind]
    except KeyError:
        pass
    found: ArrayLibrary | None = None
    torch = torch_library()
    if torch is not None and kind in torch.array_types:
        found = torch
    elif _has_namespace(kind):
        from translator.array_api_library import library_of_array

        found = library_of_array(value)
    elif torch is None and "torch" in sys.modules:
        return None
    _by_type[kind] = found
    return found


def _has_namespace(kind: type) -> bool:
    """Whether arrays of the type answer `__array_namespace__`, and are not NumPy's or torch's."""
    bases = type.__dict__["__mro__"].__get__(kind)
    owners = [("numpy", "ndarray"), ("numpy", "generic"), ("torch", "Tensor")]
    own = [getattr(sys.modules.get(module), name, None) for module, name in owners]
    if any(base is each for base in bases for each in own):
        return False
    return any("__array_namespace__" in vars(base) for base in bases)


def known_object(value: Any, source: Source | None) -> VariableTracker | None:
    """A tracker for a function, type or dtype of a library that is not NumPy; None for anything else."""
    torch = torch_library()
    found = None if torch is None else torch.known_object(value, source)
    if found is None:
        from translator.array_api_library import register_owner

        register_owner(value)
        for library in namespaces.values():
            found = library.known_object(value, source)
            if found is not None:
                return found
    return found  # type: ignore[no-any-return]


def walked_code(code: CodeType) -> CodeType:
    """The code that is walked through for a function's: its own, or what stands for it."""
    if _torch is None:
        return code
    found = _torch.substitutes.get(id(code))
    return code if found is None or found[0] is not code else found[1]  # type: ignore[no-any-return]


def arrays_in(values: list[Any]) -> list[ArrayVariable]:
    """The arrays among values, and in tuples and lists of them."""
    found: list[ArrayVariable] = []
    for value in values:
        if isinstance(value, ArrayVariable):
            found.append(value)
        elif isinstance(value, SequenceVariable):
            found += arrays_in(value.values)
    return found
