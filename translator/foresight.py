"""Whether a graph can fail after it has warned.

When an operation of a region raises, the region is dropped and the original instructions run from the
start. A warning that was already shown would be shown again. So what stands behind an operation that may
warn is proved not to raise, by dtypes alone where that is enough, else under guards on shapes; what
cannot be proved runs with floating-point warnings raised, which drops the region before any is shown.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from translator.errors import Unimplemented
from translator.graph import Node
from translator.numpy_names import WARNS_OF_EMPTY, WARNS_OTHERWISE

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.numpy_rules import NumpyRules

#: these never warn
_QUIET_FUNCTIONS = frozenset(
    {getattr, operator.getitem, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
)
_QUIET_NAMES = frozenset(
    """
    zeros ones empty full zeros_like ones_like eye identity concatenate stack vstack hstack reshape ravel
    transpose swapaxes copy squeeze expand_dims broadcast_to moveaxis where isnan isfinite isinf maximum
    minimum argmax argmin argsort sort asarray atleast_1d flip roll tile any all diagonal split logical_and
    logical_or logical_not shape ndim size flatten
    """.split()
)
#: whether these raise depends on data
_FAILS_BY_DATA = frozenset(
    """
    take take_along_axis choose repeat bincount ravel_multi_index unravel_index insert delete histogram
    pow power power_ float_power ipow item put inv solve cholesky eig eigh eigvals eigvalsh svd svdvals
    lstsq pinv matrix_rank cond matrix_power det norm multi_dot qr slogdet interp partition argpartition
    """.split()
)


def prove(tx: Translator) -> bool:
    """True if nothing fails after something warned; False if that cannot be proved.

    Adds guards on shapes where the proof needs them. Raises Unimplemented for a graph that fails on the
    very values that are traced.
    """
    rules = tx.numpy
    operations = tx.graph.operations
    first = next((index for index, node in enumerate(operations) if _may_warn(node)), len(operations))
    if rules is None or first + 1 >= len(operations):
        return True
    classes: dict[Node, Any] = {}
    proved = True
    for index, node in enumerate(operations):
        light = _light_proof(tx, rules, node, classes)
        if index > first and not light and not _full_proof(tx, rules, node):
            proved = False
            if any(_warns_otherwise(tx, other) for other in operations[first:index]):
                tx.unsupported(
                    f"{node.name} after what may warn",
                    "it is not certain not to raise, and the warning would be shown twice",
                )
    return proved


def _warns_otherwise(tx: Translator, node: Node) -> bool:
    """Whether it may warn of something else than floating-point errors."""
    if _name(node) not in WARNS_OTHERWISE and not node.writes:
        return False
    if _name(node) in WARNS_OF_EMPTY:
        return True
    used = [value for other in tx.graph.operations for value in other.args]
    return any(type(value) is complex for value in used) or any(
        array.value.dtype.kind == "c" for array in tx.inputs
    )


def _name(node: Node) -> str:
    return node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")


def _may_warn(node: Node) -> bool:
    return node.target not in _QUIET_FUNCTIONS and _name(node) not in _QUIET_NAMES


def _light_proof(tx: Translator, rules: NumpyRules, node: Node, classes: dict[Node, Any]) -> bool:
    """By dtypes: an elementwise operation on arrays that all have the shape of one input.

    `classes` gives for such nodes (the input whose shape they have, their dtype).
    """
    if node.kwargs or node.writes or node.op != "call_function" or _name(node) in _FAILS_BY_DATA:
        return False
    ufunc = rules.ufunc_of(node)
    if ufunc is None or len(node.args) != ufunc.nin:
        return False
    shape = None
    values = []
    for value in node.args:
        if type(value) is Node:
            found = classes.get(value) or _input_class(tx, value, classes)
            if found is None or (shape is not None and found[0] is not shape):
                return False
            shape = found[0]
            values.append(found[1])
        elif type(value) in (int, float, complex, bool):
            values.append(value)
        else:
            return False
    if shape is None:
        return False
    dtype = rules.result_dtype(ufunc, node.target, values)
    if dtype is None:
        return False
    classes[node] = (shape, dtype)
    return True


def _input_class(tx: Translator, node: Node, classes: dict[Node, Any]) -> Any:
    if node.op != "placeholder":
        return None
    found = classes[node] = (node, tx.variable_of[node].value.dtype)
    return found


def _full_proof(tx: Translator, rules: NumpyRules, node: Node) -> bool:
    """By carrying it out on stand-ins of the shapes that are traced."""
    if _name(node) in _FAILS_BY_DATA or _indexed_by_data(node):
        return False
    variable = tx.variable_of[node]
    try:
        rules.meta(tx, variable)
    except Unimplemented as reason:
        if reason.why.startswith(rules.raised):
            raise
        return False
    return True


def _indexed_by_data(node: Node) -> bool:
    if node.target not in (operator.getitem, operator.setitem):
        return False
    key = node.args[1]
    parts = key if type(key) is tuple else (key,)
    return any(type(part) is Node or type(part) is list for part in parts)
