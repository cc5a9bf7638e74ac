"""Faults of operators: swapped, in the wrong order, negations lost."""

from __future__ import annotations

import operator
from typing import Any

from tests.fuzz.faults.planting import fault, handler, operand, unfused


def swapped(one: str, other: str) -> None:
    """An operator does what another does."""
    unfused()
    for name in ("BINARY_OP", "COMPARE_OP"):
        operand(name, operator=lambda each: other if each.operator == one else each.operator)


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
    unfused()

    def new(old: Any, machine: Any, instruction: Any) -> Any:
        if instruction.operator != "==":
            return old(machine, instruction)
        right, left = machine.pop(), machine.pop()
        machine.push(right == left)
        return None

    handler("COMPARE_OP", new)


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
    unfused()
    operand("IS_OP", invert=lambda one: False)


@fault("a wrong operand")
def not_in_is_in() -> None:
    unfused()
    operand("CONTAINS_OP", invert=lambda one: False)


@fault("an operator swapped")
def not_gives_the_truth() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> None:
        machine.push(bool(machine.pop()))

    handler("UNARY_NOT", new)


@fault("evaluation order exchanged")
def item_is_stored_before_it_is_taken() -> None:
    unfused()

    def new(old: Any, machine: Any, instruction: Any) -> None:
        key, container, value = machine.pop(), machine.pop(), machine.pop()
        container[key] = value
        container[key] = value

    handler("STORE_SUBSCR", new)
