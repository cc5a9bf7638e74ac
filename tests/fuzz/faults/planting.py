"""Planted faults: each is a small patch, applied at run time, that a campaign has to find.

A fault is a function that changes what is loaded: an operator, a handler, a table's row, a guard. It has a
name, a kind, and the target that can see it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

#: name -> fault, in the order they are written
FAULTS: dict[str, Fault] = {}


@dataclass(frozen=True)
class Fault:
    """One planted fault.

    Attributes:
        plant: applies it.
        needs: an opcode that the running version must have, or the fault is none of it.
    """

    name: str
    kind: str
    target: str
    plant: Callable[[], None]
    needs: str = ""

    @property
    def here(self) -> bool:
        """Whether the running version has it."""
        from opcodes import HOST, table

        return not self.needs or self.needs in table(HOST).opmap


def fault(kind: str, target: str = "interpret", needs: str = "") -> Callable[[Any], Any]:
    """Registers a function as a fault, under its own name."""

    def register(plant: Callable[[], None]) -> Callable[[], None]:
        name = plant.__name__
        assert name not in FAULTS, f"two faults are called {name}"
        FAULTS[name] = Fault(name, kind, target, plant, needs)
        return plant

    return register


def machines() -> list[Any]:
    """The classes of the Interpreter that a run may use."""
    from translator.checking import CheckedInterpreter
    from translator.interpreter import Interpreter, RealMachine

    return [RealMachine, Interpreter, CheckedInterpreter]


def handler(name: str, new: Callable[[Any, Any, Any], Any]) -> None:
    """Replaces an instruction's handler: `new(old, machine, instruction)`."""
    for machine in machines():
        old = machine.handlers[name]
        machine.handlers[name] = lambda self, instruction, old=old: new(old, self, instruction)


def method(owner: Any, name: str, new: Callable[..., Any]) -> None:
    """Replaces a method: `new(old, self, *args)`."""
    old = getattr(owner, name)

    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        return new(old, self, *args, **kwargs)

    setattr(owner, name, changed)


def hook(name: str, new: Callable[..., Any]) -> None:
    """Replaces a hook of the machine on real values, wherever the classes override it: `new(old, self, …)`."""
    from translator.interpreter import RealMachine

    method(RealMachine, name, new)


def unfused() -> None:
    """Every instruction is carried out by its own handler, so that a fault in one is not fused away."""
    from translator.interpreter import Interpreter, RealMachine

    Interpreter.make_prepared = classmethod(RealMachine.make_prepared.__func__)  # type: ignore[method-assign]


class Changed:
    """An instruction with other operands."""

    def __init__(self, instruction: Any, **operands: Any) -> None:
        self.__dict__.update(operands)
        self._instruction = instruction

    def __getattr__(self, name: str) -> Any:
        return getattr(self._instruction, name)


def operand(name: str, **changes: Callable[[Any], Any]) -> None:
    """The handler of an instruction sees other operands: each change gets the instruction."""

    def new(old: Any, machine: Any, instruction: Any) -> Any:
        return old(
            machine, Changed(instruction, **{key: change(instruction) for key, change in changes.items()})
        )

    handler(name, new)


def apply(name: str) -> None:
    """Plants one fault in this process."""
    load()
    FAULTS[name].plant()


def load() -> None:
    """Registers all faults."""
    from importlib import import_module

    for each in ("operators", "control", "values", "functions", "bytecode", "capture"):
        import_module(f"tests.fuzz.faults.{each}")
