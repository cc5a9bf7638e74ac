"""Bound methods and `functools.partial`."""

from __future__ import annotations

from functools import partial
from types import MethodType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.variables.tracker import VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source

#: methods of `object` that trackers answer
OF_OBJECT = frozenset(
    {
        "__setattr__",
        "__delattr__",
        "__getattribute__",
        "__init__",
        "__eq__",
        "__ne__",
        "__hash__",
        "__init_subclass__",
    }
)


class BoundMethodVariable(VariableTracker):
    """A function with its first argument: `instance.method`, or a method object that came in."""

    __slots__ = ("function", "instance")

    kind = "a bound method"
    rebuildable = True
    equals_itself = True

    def __init__(self, function: Any, instance: Any, source: Source | None = None) -> None:
        self.function = function
        self.instance = instance
        self.source = source

    def describe(self) -> str:
        return f"a method of {self.instance!r}"

    def python_type(self, tx: Translator) -> type:
        return MethodType

    def truth(self, tx: Translator) -> bool:
        return True

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return tx.call(self.function, [self.instance, *arguments], keywords)

    def getattr(self, tx: Translator, name: str) -> Any:
        if name == "__func__":
            return self.function
        if name == "__self__":
            return self.instance
        if name in ("__name__", "__qualname__", "__module__", "__doc__"):
            return tx.getattr(self.function, name)
        return super().getattr(tx, name)

    def children(self) -> list[Any]:
        return [self.function, self.instance]

    def rebuild(self, parts: list[str], name: Any) -> str:
        return f"{name(MethodType)}({', '.join(parts)})"


class UnboundMethodVariable(VariableTracker):
    """A method of `object`, to be called with an instance (`object.__setattr__`), or `object.__new__`."""

    __slots__ = ("name",)

    kind = "a method of object"

    def __init__(self, name: str) -> None:
        self.source = None
        self.name = name

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        from translator.variables.classes import ClassVariable
        from translator.variables.construction import make_object
        from translator.variables.objects import InstanceVariable

        owner = tx.realize(arguments[0]) if arguments else None
        if self.name == "__new__" and isinstance(owner, ClassVariable):
            return make_object(tx, owner, bool(arguments[1:] or keywords))
        if isinstance(owner, InstanceVariable) and self.name != "__new__":
            return owner.call_method(tx, self.name, arguments[1:], keywords)
        return self.give_up(tx, f"{self.name}() with these arguments")


class PartialVariable(VariableTracker):
    """`functools.partial(function, *arguments, **keywords)`."""

    __slots__ = ("arguments", "function", "keywords")

    kind = "a partial function"
    rebuildable = True
    equals_itself = True

    def __init__(
        self, function: Any, arguments: list[Any], keywords: dict[str, Any], source: Source | None = None
    ) -> None:
        self.function = function
        self.arguments = arguments
        self.keywords = keywords
        self.source = source

    def python_type(self, tx: Translator) -> type:
        return partial

    def truth(self, tx: Translator) -> bool:
        return True

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if any(map(_is_placeholder, self.arguments)):
            self.give_up(tx, "a call with placeholders")
        return tx.call(self.function, [*self.arguments, *arguments], {**self.keywords, **keywords})

    def getattr(self, tx: Translator, name: str) -> Any:
        from translator.variables.sequences import TupleVariable

        if name == "func":
            return self.function
        if name == "args" and self.source is None:
            return TupleVariable(list(self.arguments))
        return super().getattr(tx, name)

    def children(self) -> list[Any]:
        return [self.function, *self.arguments, *self.keywords.values()]

    def rebuild(self, parts: list[str], name: Any) -> str:
        end = 1 + len(self.arguments)
        named = [f"{name(key)}: {part}" for key, part in zip(self.keywords, parts[end:])]
        stars = f", **{{{', '.join(named)}}}" if named else ""
        return f"{name(partial)}({', '.join(parts[:end])}{stars})"


def _is_placeholder(value: Any) -> bool:
    """Whether it may be what newer Pythons have for arguments that are given later."""
    return type(getattr(value, "value", None)).__name__ == "_PlaceholderType"


def make_partial(tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    """A call of `functools.partial`."""
    if not arguments:
        return tx.unsupported("partial() of nothing", "TypeError is left to the original code")
    function, *rest = arguments
    function = tx.realize(function)
    if isinstance(function, PartialVariable):
        # one of an exact partial is made flat
        if any(map(_is_placeholder, function.arguments)) or function.source is not None:
            return tx.unsupported("partial() of a partial that came in", "it is not captured")
        rest = [*function.arguments, *rest]
        keywords = {**function.keywords, **keywords}
        function = function.function
    return PartialVariable(function, rest, dict(keywords))


def input_partial(tx: Translator, source: Source, value: Any) -> Any:
    """A partial that came in: what it is made of, under guards."""
    if vars(value):
        return None
    tx.guards.type_is(source, partial)
    function = tx.input_part(source.attribute("func"), value.func)
    arguments = tx.items(tx.realize(tx.input_part(source.attribute("args"), value.args)))
    keywords = tx.realize(tx.input_part(source.attribute("keywords"), value.keywords)).copied(tx)
    return PartialVariable(function, arguments, keywords, source)


def input_method(tx: Translator, source: Source, value: Any) -> Any:
    """A bound method that came in."""
    tx.guards.type_is(source, MethodType)
    function = tx.input_part(source.attribute("__func__"), value.__func__)
    instance = tx.input_part(source.attribute("__self__"), value.__self__)
    return BoundMethodVariable(function, instance, source)
