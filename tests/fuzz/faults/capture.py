"""Faults of the capture: guards left out, effects dropped, repeated and exchanged, aliases, resume points."""

from __future__ import annotations

from typing import Any

from tests.fuzz.faults.planting import fault, method


def no_guard(name: str) -> None:
    """A kind of guard is left out."""
    from translator.guards import Guards

    setattr(Guards, name, lambda self, *args, **kwargs: None)


@fault("a guard left out", target="compile")
def no_guard_of_a_type() -> None:
    no_guard("type_is")


@fault("a guard left out", target="compile")
def no_guard_of_a_value() -> None:
    no_guard("value")


@fault("a guard left out", target="compile")
def no_guard_of_a_length() -> None:
    no_guard("length")


@fault("a guard left out", target="compile")
def no_guard_of_identity() -> None:
    no_guard("identity")


@fault("a guard left out", target="compile")
def no_guard_of_aliases() -> None:
    no_guard("same_object")


@fault("a guard left out", target="compile")
def no_guard_of_arrays() -> None:
    from translator.guards import Guards

    def new(old: Any, self: Any, cost: int, template: str, *parts: Any) -> None:
        if "shape" not in template and "dtype" not in template:
            old(self, cost, template, *parts)

    method(Guards, "add", new)


@fault("a stale cache entry", target="compile")
def entries_fit_every_call() -> None:
    from translator.guards import Guards

    Guards.ordered = lambda self: []


@fault("a guard left out", target="compile")
def only_the_first_guard_counts() -> None:
    from translator.guards import Guards

    old = Guards.ordered
    Guards.ordered = lambda self: old(self)[:1]


def log(change: Any) -> None:
    """The effects of a region are changed before they are replayed."""
    from translator.side_effects import SideEffects

    def new(old: Any, self: Any, tx: Any) -> Any:
        result = old(self, tx)
        self.log[:] = change(list(self.log))
        return result

    method(SideEffects, "finish", new)


@fault("a side effect dropped", target="compile")
def effects_are_not_replayed() -> None:
    log(lambda effects: [])


@fault("a side effect dropped", target="compile")
def last_effect_is_dropped() -> None:
    log(lambda effects: effects[:-1])


@fault("a side effect out of order", target="compile")
def effects_are_replayed_backwards() -> None:
    log(lambda effects: effects[::-1])


@fault("a side effect", target="compile")
def list_changes_are_replayed_short() -> None:
    from translator.variables.input_lists import InputListVariable

    def new(old: Any, self: Any, *args: Any) -> Any:
        return [*old(self, *args), *[f"{args[1]}[1:] = {args[1]}[1:][::-1]"]]

    method(InputListVariable, "replay", new)


@fault("a side effect twice", target="compile")
def dict_changes_are_replayed_twice() -> None:
    from translator.variables.mappings import InputDictVariable

    def new(old: Any, self: Any, *args: Any) -> Any:
        found = old(self, *args)
        return [*found, f"{args[1]}.update({{'again': 1}})"]

    method(InputDictVariable, "replay", new)


@fault("an alias lost", target="compile")
def aliases_in_the_result_are_copies() -> None:
    from translator import result_writer

    def new(old: Any, self: Any, value: Any, text: str) -> Any:
        return text

    method(result_writer._Texts, "_named", new)


@fault("an alias lost", target="compile")
def aliased_inputs_are_two() -> None:
    from translator.side_effects import SideEffects

    SideEffects.known = lambda self, tx, source, live: None


@fault("an operator swapped", target="compile")
def recorded_operands_are_exchanged() -> None:
    from translator.variables.arrays import ArrayVariable

    def new(old: Any, self: Any, tx: Any, operator: str, other: Any, reflected: bool) -> Any:
        return old(self, tx, operator, other, not reflected if operator in ("-", "/") else reflected)

    method(ArrayVariable, "binary", new)


@fault("an operator swapped", target="compile")
def recorded_comparison_is_another() -> None:
    from translator.variables.arrays import ArrayVariable

    def new(old: Any, self: Any, tx: Any, operator: str, *rest: Any) -> Any:
        return old(self, tx, {"<": "<=", ">": ">="}.get(operator, operator), *rest)

    method(ArrayVariable, "compare", new)


@fault("a wrong resume point", target="compile")
def region_goes_on_one_instruction_late() -> None:
    from translator import region_code

    def new(old: Any, self: Any, end: Any) -> Any:
        from opcodes import instructions as ins

        written = old(self, end)
        later = min(end.index + 1, len(self.spot.program) - 1)
        return [*written[:-1], ins.JUMP(later)]

    method(region_code.SitePiece, "_go_on", new)


@fault("a wrong resume point", target="compile")
def region_forgets_to_store_a_variable() -> None:
    from translator import region_ends

    ending = region_ends._variables

    def forgetful(tx: Any, start: Any, frame: Any, end: Any) -> None:
        ending(tx, start, frame, end)
        if end.stores:
            end.stores.pop()
            end.outputs.pop()

    region_ends._variables = forgetful


@fault("a branch", target="compile")
def truth_of_a_list_is_constant() -> None:
    from translator.variables.sequences import SequenceVariable

    SequenceVariable.truth = lambda self, tx: True


@fault("arguments", target="compile")
def index_from_the_end_is_off() -> None:
    from translator.variables.sequences import SequenceVariable

    def new(old: Any, self: Any, tx: Any, key: Any) -> Any:
        return old(self, tx, 0 if type(key) is int and key == -1 else key)

    method(SequenceVariable, "getitem", new)


@fault("a cell not shared that should be", target="compile")
def captured_cells_are_not_written() -> None:
    from translator.instruction_translator import InstructionTranslator

    InstructionTranslator.cell_set = lambda self, cell, content: None
