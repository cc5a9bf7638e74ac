"""The values on a machine's stack, and answers of hooks, that are no values of the program."""

from __future__ import annotations

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


class Sentinel:
    """One of a kind, compared by identity."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> str:
        return self.name

    def __bool__(self) -> bool:
        raise TypeError(f"{self.name} has no truth value: compare it with `is`")


#: An empty stack slot, an unbound local, an empty cell.
NULL = Sentinel("NULL")
#: What the hook `next` gives when an iterator is exhausted.
STOP = Sentinel("STOP")
#: What a hook gives when it has pushed a frame: the value will be pushed when that frame is left.
ENTERED = Sentinel("ENTERED")
