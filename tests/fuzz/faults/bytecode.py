"""Faults of opcodes/: rows and numbers of a table, decoding, encoding, what is put in between."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from opcodes import HOST, table
from tests.fuzz.faults.planting import fault


def exchanged(values: tuple[Any, ...], one: Any, other: Any) -> tuple[Any, ...]:
    """Two entries of a table of numbers exchanged."""
    return tuple(other if each == one else one if each == other else each for each in values)


def lowered(name: str, change: Any) -> None:
    """A row of the running version lowers with another argument: `change(argument)`."""
    here = table(HOST)
    number = here.opmap[name]
    lower = here.lower_at[number]
    here.lower_at[number] = lambda lowering, index, argument: lower(lowering, index, change(argument))


@fault("a wrong table row of one version", needs="BINARY_OP")
def numbers_of_two_operators_exchanged() -> None:
    table(HOST).binary_operators = exchanged(table(HOST).binary_operators, "-", "*")


@fault("a wrong table row of one version", needs="BINARY_OP")
def number_of_an_in_place_operator() -> None:
    table(HOST).binary_operators = exchanged(table(HOST).binary_operators, "+=", "-=")


@fault("a comparison's wrong index")
def numbers_of_two_comparisons_exchanged() -> None:
    table(HOST).compare_operators = exchanged(table(HOST).compare_operators, "<", ">")


@fault("a comparison's wrong index")
def comparison_is_one_off() -> None:
    found = table(HOST).compare_operators
    table(HOST).compare_operators = (*found[1:], found[0])


@fault("a wrong table row of one version", needs="CALL_INTRINSIC_1")
def numbers_of_two_intrinsics_exchanged() -> None:
    here = table(HOST)
    here.intrinsics_1 = exchanged(here.intrinsics_1, "list_to_tuple", "unary_positive")


@fault("a wrong table row of one version", needs="LOAD_SPECIAL")
def numbers_of_two_special_methods_exchanged() -> None:
    here = table(HOST)
    here.special_methods = exchanged(here.special_methods, "__enter__", "__exit__")


@fault("a wrong table row of one version")
def build_list_takes_one_less() -> None:
    lowered("BUILD_LIST", lambda argument: max(argument - 1, 0))


@fault("a wrong table row of one version", needs="SWAP")
def swap_reaches_one_too_deep() -> None:
    lowered("SWAP", lambda argument: argument + 1)


@fault("a jump off by one", needs="JUMP_FORWARD")
def decoded_jump_is_one_short() -> None:
    lowered("JUMP_FORWARD", lambda argument: max(argument - 1, 0))


@fault("a jump off by one", target="roundtrip")
def encoded_jump_is_one_further() -> None:
    from opcodes.layout import Layout

    distance = Layout._distance
    Layout._distance = lambda self, piece: distance(self, piece) + (not piece.extended_jump if False else 1)


@fault("an exception region", target="roundtrip", needs="PUSH_EXC_INFO")
def encoded_region_is_too_deep() -> None:
    encode = import_module("opcodes.encode")

    write = encode.exception_table
    encode.exception_table = lambda entries: write([each._replace(depth=each.depth + 1) for each in entries])


@fault("an exception region", target="roundtrip", needs="PUSH_EXC_INFO")
def encoded_region_is_left_out() -> None:
    encode = import_module("opcodes.encode")

    write = encode.exception_table
    encode.exception_table = lambda entries: write(list(entries)[1:])


@fault("a traceback", target="roundtrip")
def encoded_lines_are_one_more() -> None:
    encode = import_module("opcodes.encode")

    old = encode._Encoding._line_table

    def changed(self: Any, layout: Any) -> bytes:
        found = old(self, layout)
        return found[: len(found) // 2 * 2 - 2] if len(found) > 6 else found

    encode._Encoding._line_table = changed


@fault("a wrong operand", target="roundtrip")
def constants_are_numbered_anew() -> None:
    from opcodes import assemble

    old = assemble.Assembler.constant
    assemble.Assembler.constant = lambda self, value: max(old(self, value) - 1, 0)


@fault("the stack's size", target="roundtrip")
def region_of_a_splice_ends_early() -> None:
    from dataclasses import replace

    from opcodes import splice

    old = splice._Splice._old_regions

    def changed(self: Any) -> Any:
        found = []
        for region in old(self):
            try:
                found.append(replace(region, end=max(region.start + 1, region.end - 3)))
            except TypeError:
                found.append(region._replace(end=max(region.start + 1, region.end - 3)))
        return tuple(found)

    splice._Splice._old_regions = changed


@fault("a jump off by one", target="roundtrip")
def jumps_go_past_what_was_spliced_in() -> None:
    from opcodes import splice

    old = splice._Splice._kept

    def changed(self: Any) -> Any:
        found = old(self)
        for instruction in found:
            for name in instruction.targets:
                target = getattr(instruction, name)
                if type(target) is int and target + 1 < len(found):
                    setattr(instruction, name, target + 1)
        return found

    splice._Splice._kept = changed
