"""What every family of handlers can count on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from translator.semantics import Semantics

if TYPE_CHECKING:
    from collections.abc import Callable

    from translator.frames import Frame


class Family(Semantics):
    """A family of handlers: a plain mixin of StackMachine, which has what is declared here."""

    if TYPE_CHECKING:
        stack: list[Any]
        push: Callable[[Any], None]
        pop: Callable[[], Any]
        frame: Frame
        locals: list[Any]
        steps: Any
        handled: Any
        reraised: bool

        def jump(self, target: int) -> None: ...
        def enter(self, frame: Frame) -> Any: ...
        def leave(self, value: Any) -> bool: ...
        def park(self, frame: Any, value: Any) -> bool: ...
        def park_first(self, frame: Any, generator: Any) -> bool: ...
        def handle(self, exception: Any) -> bool: ...

    def take(self, count: int) -> list[Any]:
        """Pops `count` values, the lowest first."""
        if not count:
            return []
        values = self.stack[-count:]
        del self.stack[-count:]
        return values
