"""Faults of variables, cells, containers, strings, attributes and pattern matching."""

from __future__ import annotations

from typing import Any

from tests.fuzz.faults.planting import fault, handler, hook, operand, unfused
from translator.sentinels import NULL


@fault("a cell shared that should not be")
def cells_are_shared_between_calls() -> None:
    cells: dict[Any, Any] = {}

    def new(old: Any, machine: Any, instruction: Any) -> None:
        old(machine, instruction)
        key = id(machine.frame.prepared), instruction.slot
        cell = machine.locals[instruction.slot]
        shared = cells.setdefault(key, cell)
        if shared is not cell:
            try:
                shared.cell_contents = cell.cell_contents
            except ValueError:
                pass
            machine.locals[instruction.slot] = shared

    handler("MAKE_CELL", new)


@fault("a cell not shared that should be")
def storing_in_a_cell_makes_another() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> None:
        machine.locals[instruction.slot] = machine.make_cell(machine.pop())

    handler("STORE_DEREF", new)


@fault("a cell not shared that should be")
def free_variables_in_reverse() -> None:
    unfused()
    hook("closure", lambda old, self: old(self)[::-1])


@fault("a variable")
def deleting_a_variable_does_nothing() -> None:
    handler("DELETE_FAST", lambda old, machine, instruction: None)


@fault("a variable", needs="LOAD_FAST_AND_CLEAR")
def comprehension_variable_stays() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> None:
        old(machine, instruction)
        machine.stack[-1] = NULL

    handler("LOAD_FAST_AND_CLEAR", new)


@fault("a side effect dropped")
def global_is_not_stored() -> None:
    handler("STORE_GLOBAL", lambda old, machine, instruction: machine.take(1) and None)


@fault("a NULL lost")
def method_without_its_null() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> None:
        old(machine, instruction)
        if machine.stack[-1] is NULL:
            machine.stack[-1] = None

    handler("LOAD_METHOD", new)


@fault("a NULL lost")
def null_becomes_none() -> None:
    handler("PUSH_NULL", lambda old, machine, instruction: machine.push(None))


@fault("a container")
def list_is_extended_backwards() -> None:
    hook("list_extend", lambda old, self, list_, iterable: old(self, list_, list(iterable)[::-1]))


@fault("a container")
def first_of_two_keys_wins() -> None:
    def new(old: Any, self: Any, items: list[Any]) -> Any:
        made: dict[Any, Any] = {}
        for key, value in zip(items[::2], items[1::2]):
            made.setdefault(key, value)
        return made

    hook("build_map", new)


@fault("a container")
def key_and_value_exchanged() -> None:
    hook("map_add", lambda old, self, dict_, key, value: old(self, dict_, value, key))


@fault("a container")
def keyword_given_twice_is_no_error() -> None:
    hook("dict_merge", lambda old, self, dict_, mapping, callable_: dict_.update(mapping))


@fault("a wrong operand")
def star_takes_one_too_many() -> None:
    def new(old: Any, self: Any, sequence: Any, before: int, after: int) -> Any:
        items = old(self, sequence, before, after)
        rest = items[before]
        if rest and after:
            items[before + 1] = rest.pop()
        return items

    hook("unpack_ex", new)


@fault("evaluation order exchanged")
def unpacked_backwards() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> None:
        old(machine, instruction)
        machine.stack[-instruction.count :] = machine.stack[-instruction.count :][::-1]

    handler("UNPACK_SEQUENCE", new)


@fault("a wrong operand")
def step_of_a_slice_is_lost() -> None:
    hook("build_slice", lambda old, self, start, stop, step: old(self, start, stop, None))


@fault("a container")
def set_of_one() -> None:
    hook("build_set", lambda old, self, items: set(items[:1]))


@fault("a string")
def conversion_is_str() -> None:
    hook("convert", lambda old, self, value, conversion: str(value))


@fault("a string")
def format_specification_is_lost() -> None:
    hook("format", lambda old, self, value, spec: old(self, value, NULL))


@fault("evaluation order exchanged")
def string_is_joined_backwards() -> None:
    hook("build_string", lambda old, self, pieces: old(self, pieces[::-1]))


@fault("a side effect dropped")
def attribute_is_not_deleted() -> None:
    handler("DELETE_ATTR", lambda old, machine, instruction: machine.take(1) and None)


@fault("a side effect dropped")
def item_is_not_deleted() -> None:
    handler("DELETE_SUBSCR", lambda old, machine, instruction: machine.take(2) and None)


@fault("a side effect twice")
def attribute_is_stored_twice() -> None:
    unfused()

    def new(old: Any, machine: Any, instruction: Any) -> None:
        owner, value = machine.pop(), machine.pop()
        setattr(owner, instruction.name, value)
        setattr(owner, instruction.name, value)

    handler("STORE_ATTR", new)


@fault("pattern matching")
def strings_match_as_sequences() -> None:
    hook("match_sequence", lambda old, self, subject: isinstance(subject, str) or old(self, subject))


@fault("pattern matching")
def length_is_one_more() -> None:
    hook("length", lambda old, self, subject: old(self, subject) + 1)


@fault("pattern matching")
def positional_patterns_are_left_out() -> None:
    operand("MATCH_CLASS", count=lambda one: 0)


@fault("pattern matching")
def any_mapping_has_the_keys() -> None:
    def new(old: Any, self: Any, subject: Any, keys: Any) -> Any:
        return tuple(subject.get(key) for key in keys)

    hook("match_keys", new)
