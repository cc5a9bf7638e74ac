"""A cache by the identity of code objects that keeps none of them alive.

Code objects compare by value, file names aside: two equal ones are not the same.
"""

from __future__ import annotations

from typing import Any
from weakref import ref


class PreparedCache:
    """What was made for a code object, as long as the code object lives."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[int, tuple[Any, Any]] = {}

    def get(self, code: Any) -> Any:
        """What was put for this very code object, or None."""
        entry = self.entries.get(id(code))
        return None if entry is None else entry[1]

    def put(self, code: Any, made: Any) -> Any:
        """Keeps it, and gives it back. `made` must not hold the code object by another way than weakly."""
        key = id(code)
        entries = self.entries

        def forget(_: Any) -> None:
            entries.pop(key, None)

        entries[key] = (ref(code, forget), made)
        return made
