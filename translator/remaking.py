"""Functions that were made in a trace and are given back: what a region calls to make them."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


def function(
    code: CodeType,
    namespace: dict[str, Any],
    qualname: str,
    cells: tuple[Any, ...],
    defaults: tuple[Any, ...],
    named: dict[str, Any],
    annotations: Any,
    attributes: dict[str, Any],
) -> FunctionType:
    """The function that MAKE_FUNCTION would have made of these."""
    made = FunctionType(code, namespace, code.co_name, defaults or None, cells or None)
    made.__qualname__ = qualname
    if named:
        made.__kwdefaults__ = named
    if type(annotations) is tuple:
        made.__annotations__ = dict(zip(annotations[::2], annotations[1::2]))
    elif type(annotations) is dict:
        made.__annotations__ = annotations
    elif annotations is not None:
        made.__annotate__ = annotations  # type: ignore[attr-defined]
    for name, value in attributes.items():
        setattr(made, name, value)
    return made
