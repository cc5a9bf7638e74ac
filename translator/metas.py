"""What is known of a result without its data, worked out once a node and only when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.graph import Node, mapped

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


def looked_up(tx: Translator, array: Any, work_out: Callable[[Translator, Node], Any]) -> Any:
    """The meta of an array: what `work_out` gives for its node, and first for the nodes it is made of."""
    metas = tx.metas
    waiting = [array.argument(tx)]
    while waiting:
        node = waiting[-1]
        if node in metas:
            waiting.pop()
            continue
        missing = [used for used in node.inputs() if used not in metas]
        if missing:
            waiting += missing
            continue
        metas[node] = work_out(tx, node)
        waiting.pop()
    return metas[array.argument(tx)]


def evaluate(node: Node, stand_in: Callable[[Node], Any]) -> Any:
    """Carries an operation out on stand-ins for its nodes."""
    arguments = [mapped(value, stand_in) for value in node.args]
    named = {key: mapped(value, stand_in) for key, value in (node.kwargs or {}).items()}
    if node.op == "call_method":
        return getattr(arguments[0], node.target)(*arguments[1:], **named)
    return node.target(*arguments, **named)
