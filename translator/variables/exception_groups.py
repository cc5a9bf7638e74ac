"""Exception groups: how they are made, split, and put together again after `except*`."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables import plain
from translator.variables.exceptions import ExceptionVariable, is_builtin
from translator.variables.sequences import ListVariable, SequenceVariable, TupleVariable

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

#: None where this Python has no groups
GROUP: Any = getattr(builtins, "BaseExceptionGroup", None)
_EXCEPTION_GROUP: Any = getattr(builtins, "ExceptionGroup", None)


def is_group(value: Any) -> bool:
    """Whether it is an exception group."""
    return (
        GROUP is not None and isinstance(value, ExceptionVariable) and issubclass(value.python_class, GROUP)
    )


def members(group: ExceptionVariable) -> list[ExceptionVariable]:
    """What is in it."""
    return group.keywords["exceptions"].values  # type: ignore[no-any-return]


def construct_group(
    tx: Translator, class_value: Any, values: list[Any], keywords: dict[str, Any]
) -> ExceptionVariable:
    """`ExceptionGroup(message, exceptions)`."""
    class_ = class_value.value
    objects = [plain.python(tx, value) for value in values]
    try:
        real = class_(*objects, **{key: plain.python(tx, value) for key, value in keywords.items()})
    except Exception as error:
        return tx.raise_host(error)  # type: ignore[no-any-return]
    if not isinstance(values[1], SequenceVariable):
        return tx.unsupported("a group of what is no list or tuple", "it is not captured")  # type: ignore[no-any-return]
    if not is_builtin(class_):
        return tx.unsupported(f"the exception group {class_.__name__}", "it has a class of its own")  # type: ignore[no-any-return]
    return make_group(tx, real, values)


def make_group(tx: Translator, real: Any, values: list[Any]) -> ExceptionVariable:
    """The value for a real group whose members stand for those in `values`."""
    kind = plain.value_of(tx, type(real))
    inside = [tx.realize(value) for value in tx.items(values[1])]
    return ExceptionVariable(kind, type(real), values, {"exceptions": TupleVariable(inside)}, real)


def group_of(tx: Translator, message: Any, inside: list[Any], class_: Any = None) -> ExceptionVariable:
    """A new group, as C makes it."""
    real = (class_ or GROUP)(message, [plain.python(tx, each) for each in inside])
    return make_group(tx, real, [message, ListVariable(inside) if class_ is None else TupleVariable(inside)])


def derived(tx: Translator, group: ExceptionVariable, inside: list[Any]) -> ExceptionVariable:
    """The part of a group with these members: what `derive` makes, with the group's own context and notes."""
    made = group_of(tx, group.arguments.values[0], inside)
    made.context, made.cause, made.suppresses = group.context, group.cause, group.suppresses
    made.traceback, made.outer = group.traceback, group.outer
    notes = group.attributes.get("__notes__")
    if notes is not None:
        if not isinstance(notes, SequenceVariable):
            tx.unsupported("a group with such notes", "it is not captured")
        made.attributes["__notes__"] = ListVariable(list(notes.values))
    return made


def split(tx: Translator, exception: ExceptionVariable, condition: Any) -> tuple[Any, Any]:
    """`exception.split(condition)` for a class or a tuple of classes."""
    classes = tx.exception_classes(condition)
    if classes is None:
        return tx.unsupported("split() by a function", "it is captured for classes")  # type: ignore[no-any-return]
    return split_by(tx, exception, lambda each: issubclass(each.python_class, classes))


def split_by(
    tx: Translator, exception: ExceptionVariable, matches: Callable[[ExceptionVariable], bool]
) -> tuple[Any, Any]:
    """(what matches, the rest), None for nothing."""
    if matches(exception):
        return exception, None
    if not is_group(exception):
        return None, exception
    parts = [split_by(tx, each, matches) for each in members(exception)]
    found = []
    for index in (0, 1):
        inside = [part[index] for part in parts if part[index] is not None]
        found.append(derived(tx, exception, inside) if inside else None)
    return found[0], found[1]


def reraise_star(tx: Translator, original: ExceptionVariable, raised: list[Any]) -> Any:
    """What is raised after the `except*` clauses: None, or an exception."""
    if not raised:
        return None
    if not is_group(original):
        return raised[0]
    new, kept = [], []
    for each in raised:
        if each is not None:
            (kept if _same_origin(each, original) else new).append(each)
    leaves: set[int] = set()
    for each in kept:
        _leaves(each, leaves)
    again = (
        split_by(tx, original, lambda each: not is_group(each) and id(each) in leaves)[0] if kept else None
    )
    if again is not None:
        if not new:
            return again
        new.append(again)
    if not new:
        return None
    return new[0] if len(new) == 1 else group_of(tx, "", new)


def _leaves(exception: ExceptionVariable, into: set[int]) -> None:
    if is_group(exception):
        for each in members(exception):
            _leaves(each, into)
    else:
        into.add(id(exception))


def _same_origin(one: ExceptionVariable, other: ExceptionVariable) -> bool:
    """Whether a group is a part of the other one, raised again."""
    if not is_group(one):
        return False
    return one.traceback is other.traceback and one.context is other.context and one.cause is other.cause
