"""Checking mode: bytecode is verified before it runs, and the depth that each instruction really changed is
held against the stack effect it declares."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import StackEffectMismatch
from translator.interpreter import RealMachine


class CheckedInterpreter(RealMachine):
    """Runs on real values; StackEffectMismatch where an instruction does not do what its docstring says."""

    verifies = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        #: frame -> (the last instruction begun in it, its index, the depth before it)
        self.begun: dict[Any, tuple[Any, int, int]] = {}
        self.checked = 0

    loop = RealMachine.watched_loop

    def before(self, instruction: Any) -> None:
        """Checks the frame's last instruction, now that it is over, and notes this one."""
        frame = self.frame
        depth, index = len(self.stack) - frame.base, frame.index
        last = self.begun.get(frame)
        if last is not None:
            self.check(*last, index, depth)
        self.begun[frame] = instruction, index, depth

    def check(self, instruction: Any, index: int, before: int, now: int, depth: int) -> None:
        """Holds the change against the effect of falling through, or of jumping."""
        self.checked += 1
        jumped = bool(instruction.targets) and now != index + 1
        declared = instruction.stack_effect(jump=jumped)
        if depth - before != declared:
            raise StackEffectMismatch(
                f"{self.where()}: {instruction!r} at index {index} changed the depth by {depth - before} and"
                f" declares {declared} (jumped: {jumped}); correct its handler or its docstring"
            )

    def catch(self, *arguments: Any) -> None:
        """An instruction that raised has no effect to check."""
        self.begun.pop(self.frame, None)
        super().catch(*arguments)

    def leave(self, value: Any) -> bool:
        """Forgets the frame."""
        self.begun.pop(self.frame, None)
        return super().leave(value)

    def abandon(self, frame: Any, exception: BaseException) -> BaseException:
        """Forgets the frame."""
        self.begun.pop(frame, None)
        return super().abandon(frame, exception)

    def throw_into(self, frame: Any, exception: BaseException, resumer: Any) -> None:
        """What comes of a yield that something is thrown into is no effect of it."""
        self.begun.pop(frame, None)
        super().throw_into(frame, exception, resumer)
