"""What is interpreted and what runs natively."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401


class Skip:
    """Python functions that run natively: by module name, by file name pattern, or themselves.

        Skip(["numpy", "*/site-packages/*", my_function])

    A module name covers its submodules.
    """

    __slots__ = ("files", "functions", "modules")

    def __init__(self, rules: Iterable[Any] = ()) -> None:
        self.modules: set[str] = set()
        self.files: list[str] = []
        self.functions: set[int] = set()
        for rule in rules:
            if isinstance(rule, str):
                if "/" in rule or "*" in rule or rule.endswith(".py"):
                    self.files.append(rule)
                else:
                    self.modules.add(rule)
            elif hasattr(rule, "__code__"):
                self.functions.add(id(rule.__code__))
            elif hasattr(rule, "__name__") and hasattr(rule, "__file__"):
                self.modules.add(rule.__name__)
            else:
                raise TypeError(
                    f"skip takes module names, file patterns, modules and functions, not {rule!r}"
                )

    def skips(self, function: Any) -> bool:
        """Whether the function runs natively."""
        code = function.__code__
        if id(code) in self.functions:
            return True
        module = function.__globals__.get("__name__")
        while isinstance(module, str) and module:
            if module in self.modules:
                return True
            module = module.rpartition(".")[0]
        return any(fnmatch(code.co_filename, pattern) for pattern in self.files)


#: nothing is skipped
NO_SKIP = Skip()
