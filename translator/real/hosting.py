"""Host functions that handle, or raise, an exception and leave no mark on it.

A `raise` in Python adds a traceback entry, sets the context, and takes the exception out of the context
chain of whatever is being handled. RERAISE does none of it.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import opcodes
from opcodes.exceptiontable import exception_table
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.real.stubs import CO_NEWLOCALS, CO_OPTIMIZED, START, bare, instruction


def _template() -> None: ...


def _function(parts: list[tuple[str, int]], parameters: tuple[str, ...], regions: list[Any]) -> Any:
    """A function of these instructions; regions are (start, end, target, depth, lasti) in instructions."""
    offsets, code = [], START
    for name, arg in parts:
        offsets.append(len(code))
        code += instruction(name, arg)
    made = bare(
        _template.__code__,
        co_code=code,
        co_varnames=parameters,
        co_nlocals=len(parameters),
        co_argcount=len(parameters),
        co_stacksize=12,
        co_flags=CO_OPTIMIZED | CO_NEWLOCALS,
    )
    if regions:
        table = exception_table(
            (offsets[start], offsets[end], offsets[target], depth, lasti)
            for start, end, target, depth, lasti in regions
        )
        made = made.replace(co_exceptiontable=table)
    return FunctionType(made, globals())


def _with_blocks() -> tuple[Any, Any]:
    """Where an exception is three values, and handlers are blocks (3.10)."""
    load = [("LOAD_FAST", 0), ("LOAD_FAST", 1), ("LOAD_FAST", 2), ("RERAISE", 0)]
    forget = [("DELETE_FAST", 0), ("DELETE_FAST", 1), ("DELETE_FAST", 2)]
    handler = [("POP_TOP", 0)] * 3 + forget + [("LOAD_FAST", 3), ("UNARY_NEGATIVE", 0), ("POP_TOP", 0)]
    end = [("POP_EXCEPT", 0), ("LOAD_CONST", 0), ("RETURN_VALUE", 0)]
    parameters = "traceback", "exception", "kind", "action"
    handling = _function([("SETUP_FINALLY", len(load)), *load, *handler, *end], parameters, [])
    return handling, _function(load, parameters[:3], [])


def _with_regions() -> tuple[Any, Any]:
    """Where handlers are found in a table (since 3.11)."""
    load = [("LOAD_FAST", 0), ("DELETE_FAST", 0), ("RERAISE", 0)]
    handler = [("PUSH_EXC_INFO", 0), ("POP_TOP", 0), ("LOAD_FAST", 1), ("UNARY_NEGATIVE", 0), ("POP_TOP", 0)]
    end = [("POP_EXCEPT", 0), ("LOAD_CONST", 0), ("RETURN_VALUE", 0)]
    cleanup = [("COPY", 3), ("POP_EXCEPT", 0), ("RERAISE", 1)]
    regions = [(0, 3, 3, 0, False), (3, 8, 11, 1, True)]
    handling = _function([*load, *handler, *end, *cleanup], ("exception", "action"), regions)
    return handling, _function(load, ("exception",), [])


_BLOCKS: bool = opcodes.table(opcodes.HOST).facts["block_stack"]
_handling, _raising = _with_blocks() if _BLOCKS else _with_regions()
_get_traceback = BaseException.__dict__["__traceback__"].__get__


def call_handling(exception: BaseException, action: Any) -> None:
    """Calls the Action while the host handles the exception."""
    try:
        if _BLOCKS:
            _handling(_get_traceback(exception), exception, type(exception), action)
        else:
            _handling(exception, action)
    finally:
        del exception  # frames of tracebacks made meanwhile remember this one


def raise_unchanged(exception: BaseException) -> Any:
    """Raises it; its context stays what it is."""
    if _BLOCKS:
        _raising(_get_traceback(exception), exception, type(exception))
    _raising(exception)
