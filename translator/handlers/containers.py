"""Displays, comprehensions and unpacking."""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.handlers.family import Family


class ContainerHandlers(Family):
    """BUILD_LIST, LIST_APPEND, UNPACK_SEQUENCE …"""

    def BUILD_TUPLE(self, instruction: Any) -> Any:
        """(items[count] -- tuple)"""
        self.push(self.build_tuple(self.take(instruction.count)))

    def BUILD_LIST(self, instruction: Any) -> Any:
        """(items[count] -- list)"""
        self.push(self.build_list(self.take(instruction.count)))

    def BUILD_SET(self, instruction: Any) -> Any:
        """(items[count] -- set)"""
        self.push(self.build_set(self.take(instruction.count)))

    def BUILD_MAP(self, instruction: Any) -> Any:
        """(keys_and_values[2 * count] -- dict)"""
        self.push(self.build_map(self.take(2 * instruction.count)))

    def BUILD_CONST_KEY_MAP(self, instruction: Any) -> Any:
        """(values[count], keys -- dict)"""
        keys = self.pop()
        self.push(self.build_const_key_map(keys, self.take(instruction.count)))

    def LIST_APPEND(self, instruction: Any) -> Any:
        """(list, between[depth - 1], item -- list, between[depth - 1])"""
        item = self.pop()
        self.list_append(self.stack[-instruction.depth], item)

    def SET_ADD(self, instruction: Any) -> Any:
        """(set, between[depth - 1], item -- set, between[depth - 1])"""
        item = self.pop()
        self.set_add(self.stack[-instruction.depth], item)

    def MAP_ADD(self, instruction: Any) -> Any:
        """(dict, between[depth - 1], key, value -- dict, between[depth - 1])"""
        value, key = self.pop(), self.pop()
        self.map_add(self.stack[-instruction.depth], key, value)

    def LIST_EXTEND(self, instruction: Any) -> Any:
        """(list, between[depth - 1], iterable -- list, between[depth - 1])"""
        iterable = self.pop()
        self.list_extend(self.stack[-instruction.depth], iterable)

    def SET_UPDATE(self, instruction: Any) -> Any:
        """(set, between[depth - 1], iterable -- set, between[depth - 1])"""
        iterable = self.pop()
        self.set_update(self.stack[-instruction.depth], iterable)

    def DICT_UPDATE(self, instruction: Any) -> Any:
        """(dict, between[depth - 1], mapping -- dict, between[depth - 1])"""
        mapping = self.pop()
        self.dict_update(self.stack[-instruction.depth], mapping)

    def DICT_MERGE(self, instruction: Any) -> Any:
        """(dict, between[depth - 1], mapping -- dict, between[depth - 1])"""
        mapping = self.pop()
        callable_ = self.stack[-instruction.callable_depth]
        self.dict_merge(self.stack[-instruction.depth], mapping, callable_)

    def UNPACK_SEQUENCE(self, instruction: Any) -> Any:
        """(sequence -- items[count])"""
        items = self.unpack(self.pop(), instruction.count)
        self.stack += reversed(items)

    def UNPACK_EX(self, instruction: Any) -> Any:
        """(sequence -- after[after], rest, before[before])"""
        items = self.unpack_ex(self.pop(), instruction.before, instruction.after)
        self.stack += reversed(items)
