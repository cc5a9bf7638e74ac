"""Attributes, items, slices, super()."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family


class AttributeHandlers(Family):
    """LOAD_ATTR, LOAD_METHOD, STORE_SUBSCR …"""

    def LOAD_ATTR(self, instruction: Any) -> Any:
        """(owner -- attribute)"""
        self.push(self.getattr(self.pop(), instruction.name))

    def LOAD_METHOD(self, instruction: Any) -> Any:
        """(owner -- callable, self_or_null)"""
        self.stack += self.method(self.pop(), instruction.name)

    def LOAD_SUPER_ATTR(self, instruction: Any) -> Any:
        """(super, class_, self -- attribute)"""
        super_, class_, instance = self.take(3)
        self.push(self.super_attr(super_, class_, instance, instruction.name, instruction.explicit))

    def LOAD_SUPER_METHOD(self, instruction: Any) -> Any:
        """(super, class_, self -- callable, self_or_null)"""
        super_, class_, instance = self.take(3)
        self.stack += self.super_method(super_, class_, instance, instruction.name, instruction.explicit)

    def LOAD_SPECIAL(self, instruction: Any) -> Any:
        """(owner -- callable, self_or_null)"""
        self.stack += self.special(self.pop(), instruction.name)

    def STORE_ATTR(self, instruction: Any) -> Any:
        """(value, owner -- )"""
        owner, value = self.pop(), self.pop()
        self.setattr(owner, instruction.name, value)

    def DELETE_ATTR(self, instruction: Any) -> Any:
        """(owner -- )"""
        self.delattr(self.pop(), instruction.name)

    def STORE_SUBSCR(self, instruction: Any) -> Any:
        """(value, container, key -- )"""
        key, container, value = self.pop(), self.pop(), self.pop()
        self.setitem(container, key, value)

    def DELETE_SUBSCR(self, instruction: Any) -> Any:
        """(container, key -- )"""
        key, container = self.pop(), self.pop()
        self.delitem(container, key)

    def BUILD_SLICE(self, instruction: Any) -> Any:
        """(bounds[count] -- slice)"""
        step = self.pop() if instruction.count == 3 else self.constant(None)
        stop, start = self.pop(), self.pop()
        self.push(self.build_slice(start, stop, step))
