"""Faults of operators: swapped, in the wrong order, negations lost."""

from __future__ import annotations

import operator
from typing import Any

from tests.fuzz.faults.planting import fault, handler, operand


def swapped(one: str, other: str) -> None:
    """An operator does what another does, in plain and in fused steps."""
    from translator.real import direct, fusing, operators

    for name in ("BINARY_OP", "COMPARE_OP"):
        if (name, one) in direct.BY_OPERATOR:
            direct.BY_OPERATOR[name, one] = direct._operator(other)
    for known in (operators.BINARY, operators.COMPARE):
        if one in known and other in known:
            known[one] = known[other]
    make = fusing.step_handler
    fusing.step_handler = lambda loads, core, sign, sink: make(
        loads, core, other if sign == one else sign, sink
    )


@fault("an operator swapped")
def minus_is_plus() -> None:
    swapped("-", "+")


@fault("an operator swapped")
def floor_division_is_division() -> None:
    swapped("//", "/")


@fault("an operator swapped")
def and_is_or() -> None:
    swapped("&", "|")


@fault("an operator swapped")
def shift_goes_the_other_way() -> None:
    swapped("<<", ">>")


@fault("an operator swapped")
def remainder_of_floor() -> None:
    swapped("%", "//")


@fault("an operator swapped")
def less_is_less_or_equal() -> None:
    swapped("<", "<=")


@fault("an operator swapped")
def greater_or_equal_is_greater() -> None:
    swapped(">=", ">")


@fault("an operator swapped")
def unequal_is_equal() -> None:
    swapped("!=", "==")


@fault("an alias lost")
def in_place_addition_makes_another() -> None:
    swapped("+=", "+")


@fault("an alias lost")
def in_place_union_makes_another() -> None:
    swapped("|=", "|")


@fault("evaluation order exchanged")
def right_operand_is_asked_first() -> None:
    from translator.real import direct
    from translator.real.containers import host_function

    source = "def operate(self, instruction):\n b = self.pop(); a = self.pop()\n self.push(b == a)"
    direct.BY_OPERATOR["COMPARE_OP", "=="] = host_function(source, "operate")


@fault("an operator swapped")
def minus_sign_lost() -> None:
    from translator.real import operators

    operators.UNARY["-"] = operator.pos


@fault("an operator swapped")
def inversion_negates() -> None:
    from translator.real import operators

    operators.UNARY["~"] = operator.neg


@fault("a wrong operand")
def is_not_is_is() -> None:
    from translator.real import fusing

    fusing._BINARY = fusing._BINARY - {"IS_OP"}
    operand("IS_OP", invert=lambda one: False)


@fault("a wrong operand")
def not_in_is_in() -> None:
    from translator.real import fusing

    fusing._BINARY = fusing._BINARY - {"CONTAINS_OP"}
    operand("CONTAINS_OP", invert=lambda one: False)


@fault("an operator swapped")
def not_gives_the_truth() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> None:
        machine.push(bool(machine.pop()))

    handler("UNARY_NOT", new)


@fault("evaluation order exchanged")
def item_is_stored_before_it_is_taken() -> None:
    from translator.real import fusing

    fusing._STORES = set()

    def new(old: Any, machine: Any, instruction: Any) -> None:
        key, container, value = machine.pop(), machine.pop(), machine.pop()
        container[key] = value
        container[key] = value

    handler("STORE_SUBSCR", new)
