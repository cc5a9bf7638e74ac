"""Faults of calls, arguments, functions and classes."""

from __future__ import annotations

from typing import Any

from tests.fuzz.faults.planting import fault, handler, hook, machines, method, unfused
from translator.sentinels import NULL


@fault("arguments")
def names_of_arguments_in_reverse() -> None:
    from translator.interpreter import Interpreter

    def new(old: Any, self: Any, head: int, arguments: list[Any], names: tuple[str, ...]) -> Any:
        return old(self, head, arguments, names[::-1])

    method(Interpreter, "call_with", new)


@fault("arguments")
def keywords_of_a_spread_call_are_lost() -> None:
    hook("call_ex", lambda old, self, callable_, arguments, keywords: old(self, callable_, arguments, NULL))


@fault("arguments")
def defaults_from_the_wrong_end() -> None:
    unfused()
    from translator.interpreter import Interpreter

    def new(old: Any, self: Any, callable_: Any, arguments: list[Any]) -> Any:
        defaults = getattr(callable_, "__defaults__", None)
        code = getattr(callable_, "__code__", None)
        if (
            type(defaults) is tuple
            and code is not None
            and 0 <= code.co_argcount - len(arguments) <= len(defaults)
        ):
            arguments = [*arguments, *defaults[: code.co_argcount - len(arguments)][::-1]]
        return old(self, callable_, arguments)

    method(Interpreter, "call_direct", new)


@fault("arguments")
def keyword_defaults_are_not_set() -> None:
    def new(old: Any, self: Any, function: Any, flag: int, value: Any) -> Any:
        return function if flag == 2 else old(self, function, flag, value)

    hook("set_function_attribute", new)


@fault("arguments")
def defaults_are_copied() -> None:
    def new(old: Any, self: Any, function: Any, flag: int, value: Any) -> Any:
        if flag == 1:
            value = tuple(list(each) if type(each) is list else each for each in value)
        return old(self, function, flag, value)

    hook("set_function_attribute", new)


@fault("an alias lost")
def returned_lists_are_copies() -> None:
    unfused()

    def new(old: Any, machine: Any, instruction: Any) -> Any:
        if type(machine.stack[-1]) is list:
            machine.stack[-1] = machine.stack[-1][:]
        return old(machine, instruction)

    handler("RETURN_VALUE", new)


@fault("a class")
def super_begins_at_the_class_itself() -> None:
    def new(old: Any, self: Any, super_: Any, class_: Any, instance: Any, name: str, *rest: Any) -> Any:
        found = getattr(instance, name)
        return (found, NULL)

    for each in machines():
        if hasattr(each, "super_method"):
            method(each, "super_method", new)
            break


@fault("a class")
def class_keywords_are_lost() -> None:
    def new(old: Any, self: Any, callable_: Any, arguments: list[Any], keywords: Any) -> Any:
        if keywords and "metaclass" in keywords:
            keywords = {"metaclass": keywords["metaclass"]}
        return old(self, callable_, arguments, keywords)

    hook("call", new)


@fault("a class")
def names_of_a_class_body_are_stored_twice() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> Any:
        machine.push(machine.stack[-1])
        old(machine, instruction)
        value = machine.stack[-1]
        machine.stack[-1] = value + 1 if type(value) is int else value
        return old(machine, instruction)

    handler("STORE_NAME", new)


@fault("a name")
def import_gives_another_name() -> None:
    hook(
        "import_from", lambda old, self, module, name: old(self, module, "ceil" if name == "floor" else name)
    )


@fault("evaluation order exchanged")
def arguments_are_passed_backwards() -> None:
    unfused()
    from translator.interpreter import Interpreter

    def new(old: Any, self: Any, arguments: list[Any]) -> Any:
        return old(self, [*arguments[:2], *arguments[2:][::-1]])

    method(Interpreter, "call_taken", new)


@fault("a stale cache entry")
def prepared_code_is_kept_by_name() -> None:
    from translator.interpreter import Interpreter

    first: dict[Any, Any] = {}
    make = Interpreter.make_prepared.__func__

    def new(cls: Any, code: Any) -> Any:
        key = code.co_name, code.co_varnames, code.co_freevars, code.co_cellvars, len(code.co_code)
        if code.co_filename.startswith("<generated") and key in first:
            return first[key]
        found = first[key] = make(cls, code)
        return found

    Interpreter.make_prepared = classmethod(new)
