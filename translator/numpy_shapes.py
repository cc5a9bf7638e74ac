"""Shapes of results from shapes of operands."""

from __future__ import annotations

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


def broadcast(shapes: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The shape that shapes broadcast to; None if they do not."""
    result: list[int] = []
    for place in range(1, max(map(len, shapes), default=0) + 1):
        length = 1
        for shape in shapes:
            if place <= len(shape) and shape[-place] != 1:
                if length not in (1, shape[-place]):
                    return None
                length = shape[-place]
        result.append(length)
    return tuple(result[::-1])


def matrix_product(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of `left @ right`; None if they do not fit (`numpy.matmul`: what is one axis only, goes)."""
    if not left or not right or left[-1] != right[-2 if len(right) > 1 else 0]:
        return None
    stack = broadcast([left[:-2], right[:-2]])
    if stack is None:
        return None
    return stack + left[-2:-1] + (right[-1:] if len(right) > 1 else ())
