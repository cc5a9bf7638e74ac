"""What NumPy's results will be, without their data: type, dtype, shape.

Operators and ufuncs by dtype resolution and broadcasting; anything else by carrying it out, once, on
stand-ins of the same types, shapes and dtypes: where it is known that nothing else of the arguments matters.
What depends on data is not foreseen.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, NamedTuple

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import Unimplemented
from translator.graph import Node
from translator.metas import evaluate, looked_up
from translator.numpy_changes import stores
from translator.numpy_names import ALL, CHEAP, DATA_OF_METHODS, WARNS_OTHERWISE
from translator.numpy_shapes import broadcast, matrix_product
from translator.variables import plain
from translator.variables.arrays import ArrayVariable
from translator.variables.builtins import BuiltinVariable
from translator.variables.sequences import TupleVariable
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

#: stand-ins larger than this are not computed with
_MOST_ELEMENTS = 1 << 16
#: the same where an operation costs no more than to look at each element once
_MOST_IN_ONE_PASS = 1 << 21


class Meta(NamedTuple):
    """What is known of a result without its data: its exact type, and for arrays and scalars more."""

    kind: type
    dtype: Any = None
    shape: tuple[int, ...] | None = None
    scalar: bool = True
    #: the metas of a tuple's or list's items
    parts: tuple[Meta, ...] | None = None


class NumpyMetas:
    """How results are foreseen, with what was found before.

    Attributes:
        numpy: the user's module.
        memo: what was found for an operation and the metas of its operands.
    """

    numpy: Any
    ndarray: type

    def __init__(self) -> None:
        self.memo: dict[Any, Meta] = {}
        #: what elementwise operations give, by the target and the metas' ids; each meta that was found, once
        self._elementwise: dict[Any, Meta | None] = {}
        self._metas: dict[Meta, Meta] = {}
        self._certain: dict[Any, bool] = {}
        self._dtypes: dict[Any, Any] = {}

    # -- what results will be

    def fact(self, tx: Translator, array: ArrayVariable, name: str) -> Any:
        """shape, ndim, size, dtype … of an array, as values."""
        if name == "dtype":
            dtype = self._dtype(tx, array)
            if dtype is None:
                return tx.unsupported("the dtype of this", "it is not an array")
            if dtype.isbuiltin != 1:
                return tx.unsupported(f"the dtype {dtype}", "which object it is, is NumPy's own")
            return BuiltinVariable(dtype)
        if array.source is not None and name == "ndim":
            if type(array.value) is self.ndarray:
                tx.guards.add(15, "{}.ndim == {}", array.source, array.value.ndim)
            return array.value.ndim
        shape = array.shape(tx)
        if name == "shape":
            return TupleVariable(list(shape))
        if name == "ndim":
            return len(shape)
        size = 1
        for length in shape:
            size *= length
        if name == "size":
            return size
        itemsize = self._dtype(tx, array).itemsize
        return itemsize if name == "itemsize" else size * itemsize

    def _dtype(self, tx: Translator, array: ArrayVariable) -> Any:
        if array.source is not None:
            return array.value.dtype
        return self.meta(tx, array).dtype

    def meta(self, tx: Translator, array: ArrayVariable) -> Meta:
        """What is known of a result; asks for the shapes of the inputs that it depends on."""
        return looked_up(tx, array, self._meta_of)  # type: ignore[no-any-return]

    def _meta_of(self, tx: Translator, node: Node) -> Meta:
        variable = tx.variable_of[node]
        if variable.source is not None:
            value = variable.value
            if type(value) is self.ndarray:
                tx.guards.add(35, "{}.shape == {}", variable.source, value.shape)
                return self._once(Meta(self.ndarray, value.dtype, value.shape, False))
            if type(value) in PLAIN:
                return self._once(Meta(type(value)))
            return self._once(Meta(type(value), value.dtype, (), True))
        elementwise = self.elementwise(node, tx.metas)
        if elementwise is not None:
            return elementwise
        key = _meta_key(node, tx.metas)
        found = self.memo.get(key) if key is not None else None
        if found is None:
            found = self._once(self._foresee(tx, node))
            if key is not None:
                if len(self.memo) > 10_000:
                    self.memo.clear()
                self.memo[key] = found
        return found

    def _foresee(self, tx: Translator, node: Node) -> Meta:
        """Carries the operation out on stand-ins of the same types, shapes and dtypes."""
        product = self._product(tx, node)
        if product is not None:
            return product
        if node.writes:
            return self._foresee_change(tx, node)
        if node.target is operator.getitem and _counts_depend_on_data(node.args[1], tx.metas):
            return self._picked(tx, node)
        if not self.only_data(node, tx.metas):
            return self._not_foreseen(tx, node)
        result = self._carried_out(tx, node)
        return self._describe(tx, result)

    def _foresee_change(self, tx: Translator, node: Node) -> Meta:
        """A change in place: it is what it was, if nothing is raised."""
        if self.only_data(node, tx.metas) and stores(self, node, tx.metas) is not True:
            self._carried_out(tx, node)
        return tx.metas[node.inputs()[0]]

    def _picked(self, tx: Translator, node: Node) -> Meta:
        """What a mask, or a slice with bounds that are data, takes of an array: an array of some shape."""
        owner = tx.metas[node.inputs()[0]]
        if owner.kind is not self.ndarray:
            return self._not_foreseen(tx, node)
        return Meta(self.ndarray, owner.dtype, None, False)

    def _not_foreseen(self, tx: Translator, node: Node) -> Any:
        return tx.unsupported(
            f"the shape of {node.name}", "it depends on data", "do not ask for shapes of what depends on data"
        )

    def only_data(self, node: Node, metas: dict[Node, Meta]) -> bool:
        """Whether type, dtype and shape follow from those of the arrays, whatever is in them."""
        places = self.data_places(node)
        if places is None or nodes_in(tuple((node.kwargs or {}).values())):
            return False
        for place, value in enumerate(node.args):
            nodes = nodes_in(value)
            if nodes and place not in places:
                return False
            if any(metas[used].kind is int for used in nodes) and not self._takes_ints(node, metas):
                return False
        if node.target in (pow, operator.pow, operator.ipow):
            # of Python's numbers: the type depends on signs
            return any(metas[used].dtype is not None for used in node.inputs())
        if getattr(node.target, "__name__", "") == "ix_":
            return not any(map(_is_mask, (metas[used] for used in node.inputs())))
        return True

    def _takes_ints(self, node: Node, metas: dict[Node, Meta]) -> bool:
        """Whether Python's ints are operands like others; NumPy's functions look how large they are."""
        return node.target in _OPERATORS or node.target in _UFUNC_OF

    def data_places(self, node: Node) -> frozenset[int] | None:
        """Which arguments are only data; None if that is not known."""
        target = node.target
        if node.op == "call_method":
            return DATA_OF_METHODS.get(target)
        if target in _OPERATORS or target in _UFUNC_OF or isinstance(target, self.numpy.ufunc):
            return ALL
        if target is round or target is getattr:
            return frozenset((0,))
        if target is getattr(self.numpy, "where", None) and len(node.args) == 1:
            return None
        rule = self.rule_of(target)
        return None if rule is None else rule.data

    def rule_of(self, function: Any) -> Any:
        """The rule for a function, or None."""
        raise NotImplementedError

    def _carried_out(self, tx: Translator, node: Node) -> Any:
        """What the operation gives for stand-ins."""
        name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
        if name in WARNS_OTHERWISE and any(_is_delicate(tx.metas[used]) for used in node.inputs()):
            return tx.unsupported(f"the shape of {node.name}", "working it out could warn")
        try:
            with self.numpy.errstate(all="ignore"), plain.WarningsRaised():
                return evaluate(node, lambda used: self._stand_in(tx, tx.metas[used], name in CHEAP))
        except Unimplemented:
            raise
        except Warning:
            return tx.unsupported(f"the shape of {node.name}", "working it out would warn")
        except Exception as error:
            return tx.unsupported(
                f"the shape of {node.name}",
                f"{self.raised} when it was worked out ({type(error).__name__}: {error})",
            )

    #: how the reason begins when an operation raises on stand-ins
    raised = "an exception was raised"

    def result_dtype(self, ufunc: Any, target: Any, values: list[Any]) -> Any:
        """The dtype that a ufunc's operator gives for dtypes and numbers; None if it raises.

        Found on arrays of one element, so that numbers too large for a dtype are noticed.
        """
        key = (target, *((type(value), value) for value in values))
        if key not in self._dtypes:
            filled = [
                self.numpy.ones(1, value) if isinstance(value, self.numpy.dtype) else value
                for value in values
            ]
            try:
                with self.numpy.errstate(all="ignore"):
                    self._dtypes[key] = target(*filled).dtype
            except Exception:
                self._dtypes[key] = None
        return self._dtypes[key]

    def _once(self, found: Meta) -> Meta:
        """The one Meta that equals it, so that it can be known by its id."""
        if len(self._metas) > 10_000:
            self._metas.clear()
            self._elementwise.clear()
        return self._metas.setdefault(found, found)

    def elementwise(self, node: Node, metas: dict[Node, Meta]) -> Meta | None:
        """What an operator or ufunc on arrays gives, that is certain not to raise; None of anything else."""
        if node.kwargs or node.writes or node.op != "call_function":
            return None
        key: list[Any] = [node.target]
        for value in node.args:
            if type(value) is Node:
                key.append(id(metas[value]))
            elif type(value) in (int, float, complex):
                key += (type(value), value)
            else:
                return None
        made = tuple(key)
        try:
            return self._elementwise[made]
        except KeyError:
            result = self._by_broadcasting(node, metas)
            self._elementwise[made] = result = None if result is None else self._once(result)
            return result

    def _by_broadcasting(self, node: Node, metas: dict[Node, Meta]) -> Meta | None:
        """Dtype by `resolve_dtypes`, shape by broadcasting."""
        ufunc = self.ufunc_of(node)
        if ufunc is None or len(node.args) != ufunc.nin or ufunc.__name__ == "power":
            return None
        dtypes: list[Any] = []
        shapes: list[tuple[int, ...]] = []
        for value in node.args:
            if type(value) is Node:
                operand = metas[value]
                if operand.dtype is None or operand.shape is None:
                    return None
                dtypes.append(operand.dtype)
                shapes.append(operand.shape)
            elif type(value) in (int, float, complex):
                dtypes.append(type(value))
                shapes.append(())
            else:
                return None
        if any(type(value) is int and not -128 <= value < 128 for value in node.args):
            return None
        try:
            result = ufunc.resolve_dtypes((*dtypes, None))[-1]
        except Exception:
            return None
        shape = broadcast(shapes)
        if shape is None:
            return None
        return Meta(self.ndarray, result, shape, False) if shape else Meta(result.type, result, (), True)

    def _product(self, tx: Translator, node: Node) -> Meta | None:
        """`left @ right` of arrays."""
        if node.target is not operator.matmul:
            return None
        left, right = (tx.metas[value] if type(value) is Node else None for value in node.args)
        if left is None or right is None or left.scalar or right.scalar or not (left.shape and right.shape):
            return None
        shape = matrix_product(left.shape, right.shape)
        if shape is None:
            return None
        key = (operator.matmul, left.dtype, right.dtype)
        if key not in self._dtypes:
            one, other = (self.numpy.ones((1, 1), found.dtype) for found in (left, right))
            self._dtypes[key] = operator.matmul(one, other).dtype
        dtype = self._dtypes[key]
        return Meta(self.ndarray, dtype, shape, False) if shape else Meta(dtype.type, dtype, (), True)

    def ufunc_of(self, node: Node) -> Any:
        """The ufunc that an elementwise operation is, with one result; or None."""
        target = node.target
        if isinstance(target, self.numpy.ufunc):
            return target if target.nout == 1 and target.signature is None else None
        name = _UFUNC_OF.get(target)
        return getattr(self.numpy, name) if name else None

    def is_certain(self, node: Node) -> bool:
        """Whether an operation on constants alone neither raises nor warns: it was tried."""
        key = _meta_key(node, {})
        if key is None or self.data_places(node) is None:
            return False
        found = self._certain.get(key)
        if found is None:
            try:
                with self.numpy.errstate(all="raise"), plain.WarningsRaised():
                    evaluate(node, lambda used: None)
                found = True
            except Exception:
                found = False
            self._certain[key] = found
        return found

    def _stand_in(self, tx: Translator, found: Meta, cheap: bool = False) -> Any:
        if found.parts is not None:
            parts = [self._stand_in(tx, part, cheap) for part in found.parts]
            return parts if found.kind is list else tuple(parts)
        if found.dtype is None:
            return found.kind(1)
        if found.scalar:
            return found.dtype.type(1)
        if found.shape is None:
            tx.unsupported("the shape of what follows", "it depends on data")
        size = 1
        for length in found.shape or ():
            size *= length
        if size > _MOST_ELEMENTS and cheap and size <= _MOST_IN_ONE_PASS:
            return self.numpy.broadcast_to(self.numpy.ones((), found.dtype), found.shape)
        if size > _MOST_ELEMENTS:
            tx.unsupported("a shape that needs a large computation", "it is not worked out ahead of the run")
        shape = found.shape or ()
        if len(shape) == 2 and shape[0] == shape[1]:
            return self.numpy.eye(shape[0], dtype=found.dtype)
        return self.numpy.ones(shape, found.dtype)

    def _describe(self, tx: Translator, result: Any) -> Meta:
        kind = type(result)
        if kind is self.ndarray:
            return Meta(kind, result.dtype, result.shape, False)
        if isinstance(result, self.numpy.generic):
            return Meta(kind, result.dtype, (), True)
        if kind in PLAIN:
            return Meta(kind)
        if isinstance(result, (tuple, list)):
            return Meta(kind, parts=tuple(self._describe(tx, item) for item in result))
        return tx.unsupported(f"a result of type {kind.__name__}", "it is not captured")


_UFUNC_OF: dict[Any, str] = {
    operator.add: "add",
    operator.sub: "subtract",
    operator.mul: "multiply",
    operator.truediv: "true_divide",
    operator.floordiv: "floor_divide",
    operator.mod: "remainder",
    operator.and_: "bitwise_and",
    operator.or_: "bitwise_or",
    operator.xor: "bitwise_xor",
    operator.lt: "less",
    operator.le: "less_equal",
    operator.gt: "greater",
    operator.ge: "greater_equal",
    operator.eq: "equal",
    operator.ne: "not_equal",
    operator.neg: "negative",
    abs: "absolute",
}

#: operators and builtins that are no ufunc, or are one only for some operands
_OPERATORS = frozenset(
    {
        operator.getitem, operator.setitem, operator.pow, operator.matmul, operator.lshift, operator.rshift,
        operator.pos, operator.invert, pow, divmod, *plain.INPLACE.values(),
    }
)  # fmt: skip


def nodes_in(value: Any) -> list[Node]:
    """The nodes in an argument: it, or those in containers and slices."""
    return [value] if type(value) is Node else Node("", "", "", (value,)).inputs()


def _is_mask(found: Meta) -> bool:
    return found.kind is bool or (found.dtype is not None and found.dtype.kind == "b")


def _counts_depend_on_data(key: Any, metas: dict[Node, Meta]) -> bool:
    """Whether how much an index takes depends on data: masks, and slices whose bounds are data."""
    if type(key) is tuple:
        return any(_counts_depend_on_data(part, metas) for part in key)
    if type(key) is slice:
        return bool(nodes_in(key))
    return any(_is_mask(metas[used]) for used in nodes_in(key))


def _is_delicate(found: Meta) -> bool:
    """Complex or empty: what is done with it may warn."""
    return found.dtype is not None and (
        found.dtype.kind == "c" or (found.shape is not None and 0 in found.shape)
    )


def _meta_key(node: Node, metas: dict[Node, Meta]) -> Any:
    """What the result's meta depends on, hashable; None if it is not."""

    def key(value: Any) -> Any:
        if type(value) is Node:
            return metas[value]
        if type(value) in (tuple, list):
            return (type(value), *map(key, value))
        if type(value) is slice:
            return (slice, value.start, value.stop, value.step)
        return (type(value), value)

    try:
        made = (node.op, node.target, *map(key, node.args), *map(key, (node.kwargs or {}).items()))
        hash(made)
    except TypeError:
        return None
    return made
