"""Machines that carry bytecode out: on real values, on symbols.

translator.run(function, *args, **kwargs)    runs it in the Interpreter
translator.compile(function)                 captures its array operations
translator.trace(function, *args, **kwargs)  shows how, instruction by instruction
translator.explain(function)(*args)          shows what is captured, and what is not and why
translator.export(function, *args)           the one graph of a call with its guards, or why there is none
translator.reset()                           forgets all that was compiled

translator.disable, graph_break() and set_stance() say what is not to be captured, where it ends, and
what compiled functions do; set_logs("graph, guards") shows what they do, live.
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
    "export": ("translator.exporting", "export"),
    "disable": ("translator.controls", "disable"),
    "graph_break": ("translator.controls", "graph_break"),
    "set_stance": ("translator.controls", "set_stance"),
    "set_logs": ("translator.logs", "set_logs"),
    "trace": ("translator.tracing", "trace"),
    "Skip": ("translator.policy", "Skip"),
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        module, attribute = _LAZY[name]
        value = globals()[name] = getattr(import_module(module), attribute)
        if name == "compile":
            # a captured function finds these in the module, where the capture looks for them
            controls = import_module("translator.controls")
            globals().update({each: getattr(controls, each) for each in controls.PUBLIC})
        return value
    raise AttributeError(f"module 'translator' has no attribute {name!r}")
