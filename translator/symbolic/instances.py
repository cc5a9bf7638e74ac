"""Instances of classes written in Python: operators by special methods, `super`, attributes that change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.raised import Raised
from translator.semantics import Semantics
from translator.sentinels import NULL
from translator.sources import Source, class_sources
from translator.variables import plain
from translator.variables.arrays import ArrayVariable
from translator.variables.classes import MISSING, ClassVariable
from translator.variables.lazy import LazyVariable
from translator.variables.objects import InstanceVariable
from translator.variables.stand_ins import fail_by_type
from translator.variables.supers import SuperVariable
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

#: operator as written -> the names of its special methods: its own, the reflected one
_BINARY = {
    written: (f"__{name}__", f"__r{name}__")
    for written, name in {
        "+": "add",
        "-": "sub",
        "*": "mul",
        "/": "truediv",
        "//": "floordiv",
        "%": "mod",
        "**": "pow",
        "@": "matmul",
        "&": "and",
        "|": "or",
        "^": "xor",
        "<<": "lshift",
        ">>": "rshift",
    }.items()
}
_COMPARE = {
    "<": ("__lt__", "__gt__"),
    "<=": ("__le__", "__ge__"),
    "==": ("__eq__", "__eq__"),
    "!=": ("__ne__", "__ne__"),
    ">": ("__gt__", "__lt__"),
    ">=": ("__ge__", "__le__"),
}
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


class SymbolicInstances(Semantics):
    """What special methods say."""

    # -- what stands for classes and inputs

    def class_variable(self: Translator, class_: type, source: Source) -> ClassVariable:
        """One ClassVariable a class; `source` is where guards find it, if it is the first one."""
        found = self.classes.get(class_)
        if found is None:
            found = self.classes[class_] = ClassVariable(source, class_)
        return found

    def class_sources(self: Translator, class_: type, depth: int) -> tuple[Source, Source]:
        """A class that is known by its identity and its dictionary, as guards name them."""
        found = self._class_sources.get(class_)
        if found is None:
            number = len(self._class_sources)
            name = class_.__qualname__
            if any(name == one.name for one, _ in self._class_sources.values()):
                name = f"{name}#{number}"
            found = self._class_sources[class_] = class_sources(class_, name, number, depth + 1)
        return found

    def interned(self: Translator, name: str) -> str:
        """One string object for each name, so that a guard is made once."""
        return self._names.setdefault(name, name)

    def input_part(self: Translator, source: Source, value: Any) -> Any:
        """A part of an input, not looked at yet."""
        return self.once(source.name, lambda: LazyVariable(source, value))

    # -- operators

    def unary_of_instance(self: Translator, operator: str, value: InstanceVariable) -> Any:
        """`-value`, `+value`, `~value`."""
        return value.ask(self, _UNARY[operator], [], f"`{operator}`")

    def binary_of_instances(self: Translator, operator: str, left: Any, right: Any) -> Any:
        """`left operator right`, where one of them is an instance of a class written in Python."""
        if operator.endswith("=") and isinstance(left, InstanceVariable):
            own = _BINARY[operator[:-1]][0]
            result = self._answer(left, "__i" + own[2:], right)
            if result is not NotImplemented:
                return result
        own, reflected = _BINARY[operator.rstrip("=") if operator not in _BINARY else operator]
        attempts = [(left, own, right)]
        if self.type_of(left) is not self.type_of(right):
            attempts.append((right, reflected, left))
            if self._goes_first(right, left) and self._overrides(right, left, reflected):
                attempts.reverse()
        for owner, name, other in attempts:
            if not isinstance(owner, InstanceVariable):
                self._others(owner, operator, other)
                continue
            result = self._answer(owner, name, other)
            if result is not NotImplemented:
                return result
        what = f"`{operator}` of {left!r} and {right!r}"
        return fail_by_type(self, what, plain.ANY_BINARY[operator], left, right)

    def compare_instances(self: Translator, operator: str, left: Any, right: Any) -> Any:
        """`left operator right` for a comparison."""
        own, reflected = _COMPARE[operator]
        attempts = [(left, own, right), (right, reflected, left)]
        if self.type_of(left) is not self.type_of(right) and self._goes_first(right, left):
            attempts.reverse()
        for owner, name, other in attempts:
            if not isinstance(owner, InstanceVariable):
                self._others(owner, operator, other)
                continue
            result = self._comparison(owner, name, other)
            if result is not NotImplemented:
                return result
        if operator in ("==", "!="):
            return self.is_(left, right) is (operator == "==")
        what = f"`{operator}` of {left!r} and {right!r}"
        return fail_by_type(self, what, plain.COMPARE[operator], left, right)

    def _comparison(self: Translator, owner: InstanceVariable, name: str, other: Any) -> Any:
        if name == "__ne__" and owner.special(self, "__ne__") is None:
            # object.__ne__ asks __eq__ and says the opposite
            if owner.special(self, "__eq__") is None:
                return NotImplemented
            found = self._answer(owner, "__eq__", other)
            return found if found is NotImplemented else not self.truth_of(found)
        return self._answer(owner, name, other)

    def _answer(self: Translator, owner: InstanceVariable, name: str, other: Any) -> Any:
        method = owner.special(self, name)
        return NotImplemented if method is None else self.realize(self.call_now(method, [other]))

    def _goes_first(self: Translator, right: Any, left: Any) -> bool:
        kind, other = self.type_of(right), self.type_of(left)
        return kind is not other and issubclass(kind, other)

    def _overrides(self: Translator, right: Any, left: Any, name: str) -> bool:
        """Whether the subclass has a reflected method that the class of the left one has not."""
        if not isinstance(left, InstanceVariable):
            return True
        one, other = right.cls.lookup(self, name), left.cls.lookup(self, name)
        return one is not None and (other is None or other.raw is not one.raw)

    def _others(self: Translator, value: Any, operator: str, other: Any) -> None:
        """Surrenders where a value of a builtin type may have an answer of its own for an instance."""
        texts = operator in ("%", "%=") and type(value) in (str, bytes)
        if type(value) is ArrayVariable or texts or self.type_of(value).__module__ != "builtins":
            self.unsupported(f"`{operator}` of {value!r} and {other!r}", "it is not captured for these")
        if operator in ("*", "*=") and hasattr(self.type_of(value), "__getitem__"):
            if other.special(self, "__index__") is not None:
                self.unsupported(f"`{operator}` of {value!r} and {other!r}", "it is captured for ints")

    # -- attributes

    def setattr(self: Translator, owner: Any, name: str, value: Any) -> None:
        owner = self.realize(owner)
        if type(owner) in PLAIN:
            self.unsupported(f"setting the attribute {name!r}", "AttributeError is left to the original code")
        owner.setattr(self, name, value)

    def delattr(self: Translator, owner: Any, name: str) -> None:
        owner = self.realize(owner)
        if type(owner) in PLAIN:
            self.unsupported(f"deleting the attribute {name!r}", "AttributeError is left to it")
        owner.delattr(self, name)

    def attribute_or_missing(self: Translator, owner: Any, name: str) -> Any:
        """`owner.name` or MISSING, for `hasattr` and the default of `getattr`."""
        try:
            return self.getattr(owner, name)
        except Raised as raised:
            if issubclass(raised.variable.python_class, AttributeError):
                return MISSING
            raise

    # -- super

    def super_attr(
        self: Translator, super_: Any, class_: Any, instance: Any, name: str, explicit: bool
    ) -> Any:
        if getattr(self.realize(super_), "value", None) is not super:
            self.unsupported("a name `super` that is not the builtin", "it is not captured")
        return self.make_super(class_, instance).getattr(self, name)

    def super_method(
        self: Translator, super_: Any, class_: Any, instance: Any, name: str, explicit: bool
    ) -> tuple[Any, Any]:
        return self.super_attr(super_, class_, instance, name, explicit), NULL

    def make_super(self: Translator, class_: Any, instance: Any) -> SuperVariable:
        """`super(class_, instance)`."""
        class_, instance = self.realize(class_), self.realize(instance)
        if not isinstance(class_, ClassVariable) or not isinstance(
            instance, (InstanceVariable, ClassVariable)
        ):
            return self.unsupported("super() of these", "it is captured for classes written in Python")
        return SuperVariable(class_, instance)

    def super_without_arguments(self: Translator) -> SuperVariable:
        """`super()` in a method: of its `__class__` cell and its first argument."""
        frame = self.frame
        names = frame.prepared.program.localsplus
        code = frame.code
        if "__class__" not in names or not code.co_argcount:
            self.unsupported("super() without arguments here", "RuntimeError is left to the original code")
        cell = frame.locals[names.index("__class__")]
        first = frame.locals[0]
        first = getattr(first, "content", first) if names[0] in (frame.prepared.cells or ()) else first
        return self.make_super(cell.content, first)  # type: ignore[no-any-return]


__all__ = ["SymbolicInstances", "plain"]
