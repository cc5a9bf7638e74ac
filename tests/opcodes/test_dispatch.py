"""The metaclass: one method an instruction, mistakes found when the class is defined."""

from __future__ import annotations

import dis

import pytest

import opcodes
from opcodes import INSTRUCTIONS, BytecodeDispatchTableMeta, TableError


def does_nothing(self, instruction):
    pass


COMPLETE = dict.fromkeys(INSTRUCTIONS, does_nothing)


def define(name, namespace, bases=(), **options):
    return BytecodeDispatchTableMeta(name, bases, dict(namespace), **options)


def test_a_complete_class_has_a_handler_for_every_instruction():
    machine = define("Machine", COMPLETE)
    assert machine.handlers == COMPLETE


def test_the_dispatch_table_goes_by_raw_opcode_number():
    namespace = {name: (lambda self, instruction, name=name: name) for name in INSTRUCTIONS}
    machine = define("Machine", namespace)
    assert set(machine.dispatch_table) == set(opcodes.VERSIONS)
    for version in opcodes.VERSIONS:
        table = opcodes.table(version)
        by_number = machine.dispatch_table[version]
        assert len(by_number) == 256
        for number, handlers in enumerate(by_number):
            name = table.opnames[number]
            assert (handlers is None) == (name is None)
            if name is not None:
                reached = {handler(None, None) for handler in handlers}
                assert reached == {each for sequence in table.rows[name].sequences for each in sequence}


def test_the_table_of_the_host_serves_what_dis_shows():
    """Each instruction of a real function is found by its number, and its handler is among those."""
    machine = define("Machine", {name: (lambda self, instruction: None) for name in INSTRUCTIONS})
    code = compile("for i in x:\n    a.b(i, *c)[i] += 1 if d else 2", "loop.py", "exec")
    by_number = machine.dispatch_table[opcodes.HOST]
    numbers = {each.opcode for each in dis.get_instructions(code)}
    assert all(by_number[number] is not None for number in numbers)
    for instruction in opcodes.decode(code):
        assert machine.handlers[instruction.opname] in by_number[instruction.raw.opcode]


def test_an_unknown_version_is_no_key():
    machine = define("Machine", COMPLETE)
    with pytest.raises(KeyError):
        machine.dispatch_table[3, 9]
    assert machine.dispatch_table.get((3, 9)) is None


@pytest.mark.parametrize("name", ["BINARY_ADD", "LOAD_FASTER", "POP"])
def test_a_method_that_names_no_instruction_is_an_error(name):
    with pytest.raises(TableError, match=rf"^Machine\.{name} ") as refusal:
        define("Machine", {**COMPLETE, name: does_nothing})
    assert "\n" not in str(refusal.value)


def test_an_instruction_without_method_is_an_error():
    for missing in ("NOP", "CALL", "MATCH_CLASS"):
        namespace = {name: method for name, method in COMPLETE.items() if name != missing}
        with pytest.raises(TableError, match=rf"^Machine has no method for {missing}\b.*partial=True"):
            define("Machine", namespace)


def test_a_partial_class_sends_the_rest_to_unimplemented():
    def unimplemented(self, instruction):
        return f"cannot {instruction.opname}"

    machine = define("Machine", {"NOP": does_nothing, "unimplemented": unimplemented}, partial=True)
    assert machine.handlers["NOP"] is does_nothing
    rest = {name: handler for name, handler in machine.handlers.items() if name != "NOP"}
    assert set(rest.values()) == {unimplemented}
    call = INSTRUCTIONS["CALL"](0, 2)
    assert machine.handlers["CALL"](machine(), call) == "cannot CALL"


def test_a_partial_class_needs_unimplemented():
    with pytest.raises(TableError, match=r"^Machine is partial.*unimplemented"):
        define("Machine", {"NOP": does_nothing}, partial=True)


def test_a_partial_class_may_not_invent_instructions_either():
    namespace = {"LOAD_FASTER": does_nothing, "unimplemented": does_nothing}
    with pytest.raises(TableError, match="LOAD_FASTER"):
        define("Machine", namespace, partial=True)


def test_methods_are_inherited_and_replaced():
    def other(self, instruction):
        pass

    family = define("Arithmetic", {"BINARY_OP": other, "unimplemented": does_nothing}, partial=True)
    rest = {name: method for name, method in COMPLETE.items() if name != "BINARY_OP"}
    machine = define("Machine", rest, (family,))
    assert machine.handlers["BINARY_OP"] is other
    child = define("Child", {"CALL": other}, (machine,))
    assert child.handlers["CALL"] is other
    assert machine.handlers["CALL"] is does_nothing


def test_methods_come_from_plain_mixins_too():
    """The families of a machine need not be machines themselves."""

    class Everything:
        pass

    for name in INSTRUCTIONS:
        setattr(Everything, name, does_nothing)
    machine = define("Machine", {}, (Everything,))
    assert machine.handlers == COMPLETE


def test_other_names_and_class_keywords_are_left_alone():
    class Base:
        def __init_subclass__(cls, *, colour, **options):
            super().__init_subclass__(**options)
            cls.colour = colour

    machine = define("Machine", {**COMPLETE, "LIMIT": 3, "Names": dict, "step": 1}, (Base,), colour="red")
    assert (machine.colour, machine.LIMIT, machine.Names) == ("red", 3, dict)
