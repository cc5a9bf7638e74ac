"""Functions written in Python (inlined), methods, and cells."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.sentinels import NULL
from translator.variables.lazy import LazyVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


class CellVariable(VariableTracker):
    """A cell: of the trace, or (with a source) of a closure that came in."""

    __slots__ = ("content",)

    kind = "a cell"

    def __init__(self, content: Any, source: Source | None = None) -> None:
        self.content = content
        self.source = source


class FunctionVariable(VariableTracker):
    """What functions share: code, defaults, cells; a call is inlined."""

    __slots__ = ()

    kind = "a function"
    equals_itself = True

    def python_type(self, tx: Translator) -> type:
        return FunctionType

    def truth(self, tx: Translator) -> bool:
        return True

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        return tx.enter_function(self, arguments, keywords)

    def code(self, tx: Translator) -> CodeType:
        """The code object, under a guard if the function came in."""
        raise NotImplementedError

    def globals(self, tx: Translator) -> dict[str, Any]:
        """The live globals."""
        raise NotImplementedError

    def defaults(self, tx: Translator) -> list[Any]:
        """Values of the positional defaults."""
        raise NotImplementedError

    def keyword_defaults(self, tx: Translator) -> dict[str, Any]:
        """Values of the keyword-only defaults."""
        raise NotImplementedError

    def closure(self, tx: Translator) -> list[Any]:
        """The cells."""
        raise NotImplementedError

    def global_source(self, name: str) -> Source | None:
        """Where a global is read from; None: from the globals of the compiled function."""
        return None

    def name(self) -> str:
        """For messages."""
        return "function"


class UserFunctionVariable(FunctionVariable):
    """A function that came in. What is guarded is what it is made of, not which object it is."""

    __slots__ = ("function",)

    source: Source

    def __init__(self, source: Source, function: FunctionType) -> None:
        self.source = source
        self.function = function

    def name(self) -> str:
        return self.function.__qualname__

    def code(self, tx: Translator) -> CodeType:
        return tx.function_code(self.source, self.function)

    def globals(self, tx: Translator) -> dict[str, Any]:
        return self.function.__globals__

    def defaults(self, tx: Translator) -> list[Any]:
        source = self.source.attribute("__defaults__")
        found = tx.realize(tx.once(source.name, lambda: LazyVariable(source, self.function.__defaults__)))
        return [] if found is None else tx.items(found)

    def keyword_defaults(self, tx: Translator) -> dict[str, Any]:
        source = self.source.attribute("__kwdefaults__")
        found = tx.realize(tx.once(source.name, lambda: LazyVariable(source, self.function.__kwdefaults__)))
        return {} if found is None else found.copied(tx)

    def closure(self, tx: Translator) -> list[Any]:
        source = self.source.attribute("__closure__")
        found = []
        for index, cell in enumerate(self.function.__closure__ or ()):
            place = source.item(index)
            try:
                content = LazyVariable(place.attribute("cell_contents", risky=True), cell.cell_contents)
            except ValueError:
                tx.unsupported(f"the empty cell {place.name}", "NameError is left to the original code")
            found.append(tx.cell_of(cell, content, place))
        return found

    def global_source(self, name: str) -> Source | None:
        return self.source.attribute("__globals__").item(name)


class NestedFunctionVariable(FunctionVariable):
    """A function made in the trace."""

    __slots__ = ("cells", "code_object", "default_values", "keyword_values", "maker", "qualname")

    def __init__(self, code: CodeType, maker: FunctionVariable, qualname: str) -> None:
        self.source = None
        self.code_object = code
        self.maker = maker
        self.qualname = qualname
        self.default_values: list[Any] = []
        self.keyword_values: dict[str, Any] = {}
        self.cells: list[Any] = []

    def name(self) -> str:
        return self.qualname

    def code(self, tx: Translator) -> CodeType:
        return self.code_object

    def globals(self, tx: Translator) -> dict[str, Any]:
        return self.maker.globals(tx)

    def defaults(self, tx: Translator) -> list[Any]:
        return self.default_values

    def keyword_defaults(self, tx: Translator) -> dict[str, Any]:
        return self.keyword_values

    def closure(self, tx: Translator) -> list[Any]:
        return self.cells

    def global_source(self, name: str) -> Source | None:
        return self.maker.global_source(name)


class MethodVariable(VariableTracker):
    """A method about to be called on a value that answers `call_method` (or on a plain value)."""

    __slots__ = ("name", "owner")

    kind = "a method"

    def __init__(self, owner: Any, name: str) -> None:
        self.source = None
        self.owner = owner
        self.name = name

    def describe(self) -> str:
        return f"method {self.name} of {self.owner!r}"

    def truth(self, tx: Translator) -> bool:
        """True, if there is such a method: of an array's result that is seen when it is called."""
        if type(self.owner) in PLAIN or self.owner.source is not None or self.owner.rebuildable:
            return True
        return self.give_up(tx, "bool()")  # type: ignore[no-any-return]

    def call(self, tx: Translator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if isinstance(self.owner, VariableTracker):
            return self.owner.call_method(tx, self.name, arguments, keywords)
        from translator.variables.builtins import plain_method

        return plain_method(tx, self.owner, self.name, arguments, keywords)


__all__ = [
    "NULL",
    "CellVariable",
    "FunctionVariable",
    "MethodVariable",
    "NestedFunctionVariable",
    "UserFunctionVariable",
]
