"""Functions written in Python (inlined), methods, and cells."""

from __future__ import annotations

from types import BuiltinMethodType, CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator import remaking
from translator.sentinels import NULL
from translator.variables.lazy import LazyVariable
from translator.variables.mappings import DictVariable
from translator.variables.sequences import TupleVariable
from translator.variables.tracker import PLAIN, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator
    from translator.sources import Source


#: attributes that every function has, those that can be set here
_OWN = frozenset(
    {
        "__name__",
        "__qualname__",
        "__doc__",
        "__module__",
        "__annotations__",
        "__annotate__",
        "__type_params__",
    }
)
#: those that are values like others
_READABLE = frozenset(
    {
        "__name__",
        "__qualname__",
        "__doc__",
        "__module__",
        "__dict__",
        "__defaults__",
        "__kwdefaults__",
        "__type_params__",
        # (asking for annotations that are made when asked for would run the program)
        "__annotate__" if "__annotate__" in vars(FunctionType) else "__annotations__",
    }
)
_SETTABLE = _OWN | {"__wrapped__"}


class CellVariable(VariableTracker):
    """A cell: of the trace, or (with a source) of a closure that came in."""

    __slots__ = ("content", "live")

    kind = "a cell"
    rebuildable = fillable = always_filled = True

    def __init__(self, content: Any, source: Source | None = None, live: Any = None) -> None:
        self.content = content
        self.source = source
        #: the cell itself, if it came in
        self.live = live

    def children(self) -> list[Any]:
        return [] if self.content is NULL else [self.content]

    def create(self, name: Any) -> str:
        return f"{name(CellType)}()"

    def fill(self, parts: list[str], made: str, name: Any) -> list[str]:
        return [f"{made}.cell_contents = {part}" for part in parts]


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

    __slots__ = ("attributes", "function")

    source: Source

    def __init__(self, source: Source, function: FunctionType) -> None:
        self.source = source
        self.function = function
        #: attributes that were set, by name
        self.attributes: dict[str, Any] = {}

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

    @property
    def live(self) -> FunctionType:
        """The function itself."""
        return self.function

    def known(self, tx: Translator) -> UserFunctionVariable:
        """The one tracker of this function whose attributes are looked at."""
        if id(self.function) not in tx.effects.touched:
            tx.effects.touch(self)
        return tx.effects.known(tx, self.source, self.function)  # type: ignore[no-any-return]

    def find(self, tx: Translator, name: str) -> Any:
        """An attribute of its own, or MISSING; None if it is not one that is followed."""
        from translator.variables.classes import MISSING

        known = self.known(tx)
        if name in known.attributes:
            return known.attributes[name]
        own = self.function.__dict__
        special = name.startswith("__") and name.endswith("__") and name != "__wrapped__"
        if special and name not in _READABLE:
            return None
        if name not in own and not special:
            tx.guards.add(40, "not {}({}, {})", hasattr, self.source, tx.interned(name))
            return MISSING
        if name == "__dict__" and (known.attributes or "__opshift__" in own):
            return None
        found = getattr(self.function, name, MISSING)
        if found is MISSING:
            return None
        return tx.input_part(self.source.attribute(name, risky=True), found)

    def getattr(self, tx: Translator, name: str) -> Any:
        from translator.variables.classes import MISSING

        found = self.find(tx, name)
        return super().getattr(tx, name) if found is None or found is MISSING else found

    def setattr(self, tx: Translator, name: str, value: Any) -> None:
        """An attribute of its own, replayed at the end."""
        from translator.variables.objects import InstanceEffect, is_simple

        if name.startswith("__") or not is_simple(name):
            self.give_up(tx, f"setting the attribute {name!r}")
        known = self.known(tx)
        known.attributes[name] = value
        tx.effects.add(tx, known, InstanceEffect(known, name, value, True))


class NestedFunctionVariable(FunctionVariable):
    """A function made in the trace."""

    __slots__ = (
        "annotations",
        "attributes",
        "cells",
        "code_object",
        "default_values",
        "given",
        "keyword_values",
        "maker",
        "namespace",
        "qualname",
    )

    rebuildable = True

    def __init__(self, code: CodeType, maker: FunctionVariable, qualname: str) -> None:
        self.source = None
        self.code_object = code
        self.maker = maker
        self.qualname = qualname
        self.default_values: list[Any] = []
        self.keyword_values: dict[str, Any] = {}
        self.cells: list[Any] = []
        self.annotations: Any = None
        #: its globals, as a value
        self.namespace: Any = None
        #: attributes that were set, by name: those in its dictionary, and those that every function has
        self.attributes: Any = DictVariable({})
        self.given: dict[str, Any] = {}

    def children(self) -> list[Any]:
        named = list(self.keyword_values.values())
        return [
            self.namespace,
            self.annotations,
            *self.cells,
            *self.default_values,
            *named,
            *self._set().values(),
        ]

    def rebuild(self, parts: list[str], name: Any) -> str:
        rest = iter(parts[2:])
        cells = [next(rest) for _ in self.cells]
        defaults = [next(rest) for _ in self.default_values]
        named = [f"{name(key)}: {next(rest)}" for key in self.keyword_values]
        attributes = [f"{name(key)}: {next(rest)}" for key in self._set()]
        values = [_tuple_text(cells), _tuple_text(defaults), f"{{{', '.join(named)}}}", parts[1]]
        values.append(f"{{{', '.join(attributes)}}}")
        head = f"{name(self.code_object)}, {parts[0]}, {name(self.qualname)}"
        return f"{name(remaking.function)}({head}, {', '.join(values)})"

    def _set(self) -> dict[str, Any]:
        return {**self.given, **self.attributes.values}

    def getattr(self, tx: Translator, name: str) -> Any:
        if name == "__dict__":
            return self.attributes
        found = self._set()
        if name in found:
            return found[name]
        if name == "__name__":
            return self.code_object.co_name
        if name == "__qualname__":
            return self.qualname
        if name == "__defaults__":
            return TupleVariable(list(self.default_values)) if self.default_values else None
        return self._made_when_asked(tx, name)

    def find(self, tx: Translator, name: str) -> Any:
        """An attribute, MISSING, or None if it is not one that is followed."""
        from translator.variables.classes import MISSING

        if name in self._set() or name in _OWN or name in _READABLE:
            return self.getattr(tx, name)
        return None if name.startswith("__") else MISSING

    def _made_when_asked(self, tx: Translator, name: str) -> Any:
        if name == "__module__" and "__name__" in self.namespace.live:
            source = self.namespace.source.item("__name__", risky=True)
            return tx.input_part(source, self.namespace.live["__name__"])
        code = self.code_object
        if name == "__doc__" and isinstance(code, CodeType):
            return FunctionType(code, {}, None, None, tuple(CellType() for _ in code.co_freevars)).__doc__
        if name == "__type_params__" and name in vars(FunctionType):
            return TupleVariable([])
        if name == "__annotate__" and name in vars(FunctionType):
            return self.annotations
        if name == "__annotations__" and "__annotate__" not in vars(FunctionType):
            listed = [] if self.annotations is None else tx.items(self.annotations)
            self.annotations = None
            made = self.given[name] = DictVariable(dict(zip(listed[::2], listed[1::2])))
            return made
        return super().getattr(tx, name)

    def setattr(self, tx: Translator, name: str, value: Any) -> None:
        """An attribute of its own, or one that says what it is called."""
        if name.startswith("__") and name not in _SETTABLE:
            self.give_up(tx, f"setting the attribute {name!r}")
        if name in ("__name__", "__qualname__") and type(tx.realize(value)) is not str:
            self.give_up(tx, f"setting the attribute {name!r} to no string")
        if name in _OWN:
            self.given[name] = value
        else:
            self.attributes.put(name, value)

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


def _tuple_text(parts: list[str]) -> str:
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


_BUILTIN_OWNERS = frozenset({list, tuple, dict, set, frozenset, range, slice})


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

    def python_type(self, tx: Translator) -> type:
        if type(self.owner) in PLAIN or tx.type_of(self.owner) in _BUILTIN_OWNERS:
            return BuiltinMethodType
        return self.give_up(tx, "type()")  # type: ignore[no-any-return]

    def getattr(self, tx: Translator, name: str) -> Any:
        if name == "__name__":
            return self.name
        if name == "__self__":
            return self.owner
        return self.give_up(tx, f"attribute {name!r}")

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
