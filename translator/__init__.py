"""Machines that carry bytecode out: on real values, on symbols.

translator.run(function, *args, **kwargs)    runs it in the Interpreter
translator.compile(function)                 captures its array operations
translator.trace(function, *args, **kwargs)  shows how, instruction by instruction
translator.explain(function)(*args)          shows what is captured, and what is not and why
translator.reset()                           forgets all that was compiled
"""

from __future__ import annotations

from typing import Any

#: what is loaded when first asked for: name -> (module, attribute)
_LAZY = {
    "run": ("translator.interpreter", "run"),
    "Interpreter": ("translator.interpreter", "Interpreter"),
    "StackMachine": ("translator.machine", "StackMachine"),
    "InstructionTranslator": ("translator.instruction_translator", "InstructionTranslator"),
    "compile": ("translator.compiling", "compile"),
    "explain": ("translator.explaining", "explain"),
    "reset": ("translator.compiling", "reset"),
    "trace": ("translator.tracing", "trace"),
    "Skip": ("translator.policy", "Skip"),
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        module, attribute = _LAZY[name]
        return getattr(import_module(module), attribute)
    raise AttributeError(f"module 'translator' has no attribute {name!r}")
