"""Changes of arrays in place: whether they are certain not to raise, by shapes and dtypes alone."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import INPLACE, Node
from translator.variables import plain

if TYPE_CHECKING:
    from translator.numpy_metas import Meta, NumpyMetas

#: views of an array that are as writable as it is (or copies)
_VIEWS = frozenset({"transpose", "swapaxes", "moveaxis", "reshape", "ravel", "squeeze", "expand_dims"})
_ATTRIBUTES = frozenset({"T", "mT"})


def stores(rules: NumpyMetas, node: Node, metas: dict[Node, Meta]) -> bool | None:
    """Whether `array[key] = value`, or an operator in place, goes well; None if it is not known.

    The key holds no arrays. NumPy casts what is stored into any numeric dtype, and broadcasts it to the shape
    of what the key takes, where it may have more axes in front if they are of length one.
    """
    if node.target is not operator.setitem and node.target not in INPLACE:
        return None
    owner = metas[node.args[0]]
    if owner.kind is not rules.ndarray or owner.shape is None or owner.dtype is None:
        return None
    if node.target is operator.setitem:
        _, key, value = node.args
        taken = _taken(rules, owner, key)
    else:
        key, value, taken = ..., node.args[1], owner.shape
    if taken is None:
        return None
    if type(value) is Node:
        found = metas[value]
        if found.dtype is None or found.shape is None:
            return None
        shape, example = found.shape, rules.numpy.ones((), found.dtype)[()]
        if not found.scalar:
            example = rules.numpy.ones((1,) * max(len(shape), 1), found.dtype)
    elif type(value) in (int, float, complex, bool):
        shape, example = (), value
    else:
        return None
    if not taken and shape:
        return None  # one element, of an array: what NumPy says to that differs by version
    extra = len(shape) - len(taken)
    if extra > 0 and node.target is operator.setitem and set(shape[:extra]) == {1}:
        shape = shape[extra:]
    if len(shape) > len(taken) or any(a not in (1, b) for a, b in zip(shape[::-1], taken[::-1])):
        return False
    return _goes_well(rules, node, owner, key, example)


def _taken(rules: NumpyMetas, owner: Meta, key: Any) -> tuple[int, ...] | None:
    """The shape of what a key without arrays takes; None where it raises."""
    empty = rules.numpy.broadcast_to(rules.numpy.zeros((), bool), owner.shape)
    try:
        return empty[key].shape  # type: ignore[no-any-return]
    except Exception:
        return None


def _goes_well(rules: NumpyMetas, node: Node, owner: Meta, key: Any, example: Any) -> bool:
    """Whether it raises nothing on arrays of one element."""
    target = rules.numpy.ones((1,) * max(len(owner.shape or ()), getattr(example, "ndim", 0)), owner.dtype)
    with rules.numpy.errstate(all="ignore"):
        try:
            with plain.WarningsIgnored():
                if node.target is operator.setitem:
                    target[...] = example
                else:
                    node.target(target, example)
        except Exception:
            return False
    return True


def viewed(node: Node) -> Node:
    """What it is a view of that may be changed where it may be; itself if it is no such view."""
    while node.op != "placeholder":
        name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
        is_view = node.target is operator.getitem or node.target in INPLACE or name in _VIEWS
        if not is_view and not (node.target is getattr and node.args[1] in _ATTRIBUTES):
            break
        if type(node.args[0]) is not Node:
            break
        node = node.args[0]
    return node
