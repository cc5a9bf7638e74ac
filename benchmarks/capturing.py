"""What is captured, and called, by benchmarks/capture.py: the same functions for NumPy and torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def straight_line(operations: int) -> Callable[..., Any]:
    """A function of that many operations, one a line."""
    names = ["+", "*", "-"]
    body = "".join(f"    x = x {names[i % 3]} {(1.5, 0.5, 'y')[i % 3]}\n" for i in range(operations))
    scope: dict[str, Any] = {}
    exec(f"def straight_line_{operations}(x, y):\n{body}    return x\n", scope)
    return scope[f"straight_line_{operations}"]  # type: ignore[no-any-return]


def unrolled_loop(x, y):
    for _ in range(1000):
        x = x * 0.5 + y
    return x


def python_steps(x, y):
    total = 0
    for i in range(10_000):
        total += (i * 3) % 7
    return x * total


def helper(x, y, depth):
    if depth == 0:
        return x * 0.5 + y
    return helper(x, y, depth - 1)


def nested_helpers(x, y):
    for _ in range(10):
        x = helper(x, y, 10)
    return x


class Config:
    def __init__(self, scale, shift):
        self.scale = scale
        self.shift = shift

    def apply(self, x):
        return x * self.scale + self.shift


def containers(x, y):
    stack = []
    table = {}
    for i in range(50):
        config = Config(0.5, i)
        stack.append(config.apply(x))
        table[f"key{i % 5}"] = i
    first, *rest = stack[:4]
    return first + sum(rest) * len(table) + y, [table[key] for key in sorted(table)]


class Layer:
    def __init__(self, weight, bias):
        self.weight = weight
        self.bias = bias

    def __call__(self, x):
        return self.forward(x)

    def forward(self, x):
        x = x @ self.weight + self.bias
        return x * (x > 0)


class Network:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def scaled(x):
    return x * 2 + 1


def list_of_ten(xs):
    total = xs[0]
    for x in xs[1:]:
        total = total + x
    return total


def three_ints(x, a, b, c):
    return x * a + b - c


#: (name, function, how often a first call is measured)
FIRST_CALLS = [
    ("straight line of 10", straight_line(10), 20),
    ("straight line of 100", straight_line(100), 10),
    ("straight line of 1,000", straight_line(1000), 3),
    ("loop unrolled 1,000 times", unrolled_loop, 3),
    ("10,000 steps of Python", python_steps, 3),
    ("nested helpers", nested_helpers, 5),
    ("containers and classes", containers, 5),
]
