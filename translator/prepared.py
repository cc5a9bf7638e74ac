"""A cache by the identity of code objects that keeps none of them alive.

Code objects compare by value, file names aside: two equal ones are not the same.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


class PreparedCache:
    """What was made for a code object, as long as the code object lives.

    Attributes:
        by_id: id of the code object -> what was made.
    """

    __slots__ = ("_alive", "by_id")

    def __init__(self) -> None:
        self.by_id: dict[int, Any] = {}
        self._alive: dict[int, Any] = {}

    def get(self, code: Any) -> Any:
        """What was put for this very code object, or None."""
        return self.by_id.get(id(code))

    def put(self, code: Any, made: Any) -> Any:
        """Keeps it, and gives it back. `made` must not hold the code object itself."""
        key = id(code)
        by_id, alive = self.by_id, self._alive

        def forget(_: Any) -> None:
            by_id.pop(key, None)
            alive.pop(key, None)

        alive[key] = ref(code, forget)
        by_id[key] = made
        return made
