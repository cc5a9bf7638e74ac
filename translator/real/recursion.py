"""The recursion limit is the interpreted program's own: what it is held against is the machine's stack.

The host's limit goes with it, as far as the machine itself can do with that.
"""

from __future__ import annotations

import sys
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.real.caller import sensitive

#: below this the host is given about as many more as the program, but enough for the machine
_LOW = 500
_ENOUGH = 40
#: frames of the machine that are there when the limit is set, and later may not be
_PASSING = 10
#: what a program has asked for last, and what the host was given for it
_asked: tuple[int, int] | None = None


def own_limit() -> int:
    """How many frames there may be."""
    host = sys.getrecursionlimit()
    return _asked[0] if _asked is not None and _asked[1] == host else host


def host_depth() -> int:
    """How many frames the host has."""
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]
    return depth


@sensitive(sys.setrecursionlimit)
def call_set_limit(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """sys.setrecursionlimit(limit): refused where the program is deeper already."""
    global _asked
    limit = arguments[0] if len(arguments) == 1 and not keywords else None
    if not isinstance(limit, int) or limit < 1:
        return callable_(*arguments, **keywords)
    depth = machine.frame.depth
    if limit <= depth:
        raise RecursionError(
            f"cannot set the recursion limit to {limit} at the recursion depth {depth}: the limit is too low"
        )
    host = limit if limit >= _LOW else max(limit, host_depth() + max(limit - depth - _PASSING, _ENOUGH))
    callable_(host)
    _asked = limit, host
    machine.limit = limit
    return None


@sensitive(sys.getrecursionlimit)
def call_get_limit(machine: Any, callable_: Any, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """sys.getrecursionlimit()"""
    return callable_(*arguments, **keywords) if arguments or keywords else own_limit()
