"""nn.Module as a Python object: its methods are inlined; what stands here is what they need besides.

`module_getattr` says what `Module.__getattr__` says, without the instance's whole `__dict__`. The functions
that tell of a mode are asked when a function is captured, and under a guard.
"""

from __future__ import annotations

from types import CodeType
from typing import Any


def module_getattr(self: Any, name: str) -> Any:
    """Parameters, buffers and modules, in this order."""
    parameters = self._parameters
    if name in parameters:
        return parameters[name]
    buffers = self._buffers
    if name in buffers:
        return buffers[name]
    modules = self._modules
    if name in modules:
        return modules[name]
    raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def substitutes(torch: Any) -> dict[int, tuple[CodeType, CodeType]]:
    """By the id of a code object: (itself, what is walked through in its place)."""
    original = getattr(torch.nn.Module.__getattr__, "__code__", None)
    expected = ("_parameters", "_buffers", "_modules")
    if original is None or not set(expected) <= set(original.co_consts):
        return {}
    return {id(original): (original, module_getattr.__code__)}


def state_functions(torch: Any) -> list[Any]:
    """Functions without arguments that tell of a mode: None, True or False."""
    names = (
        "is_grad_enabled is_inference_mode_enabled is_autocast_enabled are_deterministic_algorithms_enabled"
    )
    found = [getattr(torch, name, None) for name in names.split()]
    found += [getattr(torch._C, name, None) for name in ("_get_tracing_state", "_is_tracing")]
    return [each for each in found if each is not None]
