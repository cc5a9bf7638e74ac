"""How a kernel is written down: a function, and what makes arguments for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: every kernel that was written down, in order
KERNELS: list[Kernel] = []


class Kernel:
    """A function on arrays.

    Attributes:
        arguments: makes the arguments, of a `numpy.random.Generator`: the same for the same seed.
    """

    def __init__(self, function: Callable[..., Any], arguments: Callable[[Any], tuple[Any, ...]]) -> None:
        self.function = function
        self.arguments = arguments

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__


def kernel(arguments: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], Any]:
    """Puts a function down as a kernel, with what makes its arguments."""

    def put_down(function: Any) -> Any:
        KERNELS.append(Kernel(function, arguments))
        return function

    return put_down
