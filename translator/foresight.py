"""Whether a graph can fail after it has warned.

When an operation of a region raises, the region is dropped and the original instructions run from the
start. A warning that was already shown would be shown again. So what stands behind an operation that may
warn is proved not to raise, by dtypes alone where that is enough, else under guards on shapes; what
cannot be proved runs with floating-point warnings raised, which drops the region before any is shown.
Likewise what stands behind a change of memory that the program sees: a region that has changed something
cannot be dropped.
Only operations that are listed as such are believed not to warn, or not to raise because of data.

A proof holds as long as the program has not asked for some warnings to be raised and others to be shown:
that is looked at when the region is run (`CHECKS`).
"""

from __future__ import annotations

import operator
import sys
import warnings
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import Unimplemented
from translator.graph import Node
from translator.numpy_changes import viewed
from translator.numpy_metas import nodes_in
from translator.numpy_names import (
    CASTS,
    FAILS_BY_DATA,
    FLOATING_POINT_ONLY,
    METHODS_FRESH,
    NEVER_FAILS,
    NEVER_WARNS,
    NOT_IF_EMPTY,
)
from translator.variables import plain

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.numpy_rules import NumpyRules

#: what `prove` finds: nothing warns; nothing fails where floating-point errors are either shown or raised;
#: the same where nothing is raised; floating-point errors are to be raised
CERTAIN, BY_STATE, UNRAISED, PROTECTED = "certain", "by state", "unraised", "protected"

_COMPARISONS = frozenset({operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne})
_INPLACE = frozenset(plain.INPLACE.values())
_POWERS = frozenset({operator.pow, operator.ipow, pow})
_OPERATORS = frozenset(
    {operator.matmul, operator.pos, operator.invert, operator.lshift, operator.rshift, *_INPLACE, *_POWERS}
)
_HARMLESS_KEYWORDS = frozenset({"axis", "keepdims", "dtype"})


def prove(tx: Translator) -> str:
    """How a run of the graph has to be protected from failing after something warned.

    Adds guards on shapes where the proof needs them. Raises Unimplemented for a graph that fails on the
    very values that are traced.
    """
    rules = tx.numpy
    operations = tx.graph.operations
    if rules is None:
        return CERTAIN
    none = len(operations)
    warns = next((index for index, node in enumerate(operations) if _may_warn(rules, node)), none)
    changes = next((index for index, node in enumerate(operations) if node.visible), none)
    classes: dict[Node, Any] = {}
    first_unproved = none
    for index, node in enumerate(operations):
        light = _light_proof(tx, rules, node, classes)
        if (index > warns or index >= changes) and not light and not _full_proof(tx, rules, node):
            first_unproved = min(first_unproved, index)
    if changes < none:
        return _prove_changes(tx, operations, changes, first_unproved)
    if warns == none:
        return CERTAIN
    other = next((node for node in operations if not _warns_of_floats_only(tx, rules, node)), None)
    if other is None:
        return BY_STATE if first_unproved == none else PROTECTED
    if first_unproved < none:
        tx.unsupported(
            f"{other.name}, which may warn, with what may raise", "the warning would be shown twice"
        )
    return UNRAISED


def _prove_changes(tx: Translator, operations: list[Node], first: int, unproved: int) -> str:
    """The same where the program sees a change: nothing may fail from then on."""
    if unproved < len(operations):
        tx.unsupported(
            f"{operations[unproved].name}, which may raise, with the change of an array that came in",
            "the change would be made twice",
            "change a copy of it, or compute a new array",
        )
    for node in operations[first:]:
        if node.visible:
            for array in tx.variable_of[viewed(node.args[0])].shares():
                assert array.source is not None
                if type(array.value) is not tx.rules.ndarray:
                    tx.unsupported("a change of the memory of a scalar", "it cannot be changed")
                tx.guards.add(45, "{}.flags.writeable", array.source)
    return UNRAISED


def _name(node: Node) -> str:
    return node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")


def _may_warn(rules: NumpyRules, node: Node) -> bool:
    if node.library is not None:
        return node.warns
    if node.target is getattr or node.target is operator.getitem or node.target in _COMPARISONS:
        return False
    if not node.inputs():
        return not rules.is_certain(node)
    return _name(node) not in NEVER_WARNS or not _HARMLESS_KEYWORDS.issuperset(node.kwargs or ())


def _is_as_listed(node: Node) -> bool:
    """Whether what the lists say of a function is true of this call of it."""
    # of an order that is given, norms are found by decompositions
    return _name(node) != "norm" or (len(node.args) == 1 and "dtype" not in (node.kwargs or ()))


def _is_operation(rules: NumpyRules, node: Node) -> bool:
    """Whether it is an operator or a ufunc."""
    target = node.target
    if target in _OPERATORS:
        return True
    owner = getattr(target, "__self__", None)
    ufunc = rules.numpy.ufunc
    return isinstance(target, ufunc) or isinstance(owner, ufunc) or rules.ufunc_of(node) is not None


def _warns_of_floats_only(tx: Translator, rules: NumpyRules, node: Node) -> bool:
    """Whether all that it may warn of is floating-point errors."""
    if not _may_warn(rules, node):
        return True
    if node.library is not None:
        return bool(node.library.warns)
    if _is_operation(rules, node):
        return True
    name = _name(node)
    harmless = _HARMLESS_KEYWORDS.issuperset(node.kwargs or ())
    if name in FLOATING_POINT_ONLY or name in FAILS_BY_DATA:
        return harmless and _is_as_listed(node)
    if name not in CASTS and not (name in NOT_IF_EMPTY and harmless):
        return False
    try:
        metas = [rules.meta(tx, tx.variable_of[used]) for used in node.inputs()]
    except Unimplemented:
        return False
    if name in NOT_IF_EMPTY:
        # `out` and `ddof` come behind the axis and the dtype
        return len(node.args) <= 3 and all(found.shape and 0 not in found.shape for found in metas)
    if node.target is operator.setitem and metas[0].dtype is not None and metas[0].dtype.kind == "c":
        return True
    if any(type(value) is complex for value in node.args):
        return False
    return all(found.dtype is not None and found.dtype.kind != "c" for found in metas)


def _light_proof(tx: Translator, rules: NumpyRules, node: Node, classes: dict[Node, Any]) -> bool:
    """By dtypes: an elementwise operation on arrays that all have the shape of one input.

    `classes` gives for such nodes (the input whose shape they have, their dtype).
    """
    if node.kwargs or node.writes or node.op != "call_function" or node.library is not None:
        return False
    ufunc = rules.ufunc_of(node)
    # powers of ints raise for negative ones
    if ufunc is None or len(node.args) != ufunc.nin or ufunc.__name__ == "power":
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
    dtype = getattr(tx.variable_of[node].value, "dtype", None)
    if dtype is None:  # one of Python's numbers, of any size
        return None
    found = classes[node] = (node, dtype)
    return found


def _full_proof(tx: Translator, rules: NumpyRules, node: Node) -> bool:
    """By carrying it out on stand-ins of the shapes that are traced."""
    if node.library is not None:
        return False
    used = node.inputs()
    if not used:
        return rules.is_certain(node)
    if not node.writes and all(each in tx.metas for each in used):
        found = rules.elementwise(node, tx.metas)
        if found is not None:
            tx.metas[node] = found
            return True
    index = node.target is operator.getitem or node.target is operator.setitem
    if index and nodes_in(node.args[1]):
        return False
    if node.writes and not _may_be_changed(tx, rules, viewed(node.args[0])):
        return False
    if not index and node.target is not getattr:
        if not (_is_operation(rules, node) or _name(node) in NEVER_FAILS):
            return False
        if not _is_as_listed(node):
            return False
    try:
        metas = [rules.meta(tx, tx.variable_of[each]) for each in used]
        if any(found.dtype is None for found in metas) or not rules.only_data(node, tx.metas):
            return False
        if (node.target in _POWERS or _name(node) == "power") and not _powers_go_well(node, tx.metas):
            return False
        rules.meta(tx, tx.variable_of[node])
    except Unimplemented as reason:
        if reason.why.startswith(rules.raised):
            raise
        return False
    return True


def _powers_go_well(node: Node, metas: dict[Node, Any]) -> bool:
    """Whether no int can be raised to a negative power (ValueError)."""
    if len(node.args) != 2:
        return False
    base, exponent = node.args
    if type(exponent) is int and exponent >= 0 and type(base) is Node:
        return True
    return any(
        metas[each].dtype.kind in "fc" if type(each) is Node else type(each) in (float, complex)
        for each in (base, exponent)
    )


def _may_be_changed(tx: Translator, rules: NumpyRules, node: Node) -> bool:
    """Whether such an array is never one that is only to be read (an input is asked whether it is)."""
    if node.op in ("placeholder", "call_method"):
        return node.op == "placeholder" or node.target in METHODS_FRESH
    if _is_operation(rules, node):
        return True
    rule = rules.rule_of(node.target)
    return rule is not None and rule.memory == "fresh"


# -- at run time

_SHOWN = frozenset({"default", "always", "all", "module", "once"})
#: what was looked at last, NumPy's errstate, the list of filters and its length; then what was found
_seen: tuple[Any, Any, int, bool, bool, dict[str, str]] = (None, None, -1, False, False, {})


def state_is_uniform() -> bool:
    """Whether, as things are set, no floating-point error is shown where another one is raised."""
    return _state()[3]


def nothing_is_raised() -> bool:
    """Whether, as things are set, no warning is raised."""
    return _state()[4]


#: what is asked before a region is run, by what was proved of it
CHECKS = {BY_STATE: state_is_uniform, UNRAISED: nothing_is_raised}


def raising() -> Any:
    """A context in which what NumPy would show of floating-point errors is raised instead."""
    ways = _state()[5]
    return sys.modules["numpy"].errstate(**ways)


def _state() -> tuple[Any, Any, int, bool, bool, dict[str, str]]:
    filters = warnings.filters
    state = _errstate()
    seen = _seen
    if state is seen[0] and filters is seen[1] and len(filters) == seen[2] and state is not None:
        return seen
    return _looked_at(state)


def _errstate() -> Any:
    """The object that holds how NumPy treats floating-point errors; None if it cannot be had."""
    numpy = sys.modules["numpy"]
    core = getattr(numpy, "_core", None)
    variable = getattr(getattr(core, "umath", None), "_extobj_contextvar", None)
    return None if variable is None else variable.get(variable)


def _looked_at(state: Any) -> tuple[Any, Any, int, bool, bool, dict[str, str]]:
    global _seen
    by_kind = sys.modules["numpy"].geterr()
    ways = set(by_kind.values())
    raised = bool(ways & {"raise", "call", "log"})
    shown = bool(ways & {"print", "call", "log"})
    unraised = not raised and not any(each[0] == "error" for each in warnings.filters)
    if "warn" in ways:
        actions = _actions()
        raised = raised or "error" in actions
        shown = shown or bool(actions & _SHOWN)
    uniform = not (raised and shown)
    strict = {kind: "ignore" if way == "ignore" else "raise" for kind, way in by_kind.items()}
    _seen = (state, warnings.filters, len(warnings.filters), uniform, unraised, strict)
    return _seen


def _actions() -> set[str]:
    """What the filters may say of a RuntimeWarning."""
    found = set()
    for action, message, category, module, line in warnings.filters:
        if issubclass(RuntimeWarning, category):
            found.add(action)
            if message is None and module is None and line == 0:
                return found
    found.add("default")
    return found
