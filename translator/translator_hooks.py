"""The machine's hooks, answered on symbols."""

from __future__ import annotations

from operator import contains
from types import BuiltinMethodType, CodeType, MethodWrapperType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.semantics import Semantics
from translator.sentinels import NULL
from translator.variables import mappings, plain, sequences, sets
from translator.variables.arrays import ArrayVariable
from translator.variables.builtins import BuiltinVariable
from translator.variables.functions import CellVariable, MethodVariable, NestedFunctionVariable
from translator.variables.iterators import GeneratorVariable, IteratorVariable, PlainIterator
from translator.variables.lazy import LazyVariable
from translator.variables.tracker import PLAIN, SINGLETONS, VariableTracker

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

_BINARY = plain.ANY_BINARY
#: operators that can make something large out of something small
_GROWS = frozenset({"*", "**", "<<", "*=", "**=", "<<="})


#: what cannot change, so that CPython may give the same one again
_SHARED = frozenset({tuple, frozenset, range, slice})


class TranslatorHooks(Semantics):
    """What each operation means on plain values and VariableTrackers."""

    if TYPE_CHECKING:
        frame: Any

        def __getattr__(self, name: str) -> Any: ...

    # -- values

    def constant(self: Translator, value: object) -> Any:  # type: ignore[misc]
        # code objects, foreign ones too, are only ever made functions of
        return value if type(value) in PLAIN or hasattr(value, "co_code") else plain.value_of(self, value)

    def to_bool(self: Translator, value: Any) -> Any:  # type: ignore[misc]
        return self.truth_of(value)

    def truth(self: Translator, flag: Any) -> bool:  # type: ignore[misc]
        return flag if type(flag) is bool else self.truth_of(flag)

    def is_none(self: Translator, value: Any) -> bool:  # type: ignore[misc]
        return value is None or self.is_(value, None)  # type: ignore[return-value]

    # -- operators

    def unary(self: Translator, operator: str, value: Any) -> Any:  # type: ignore[misc]
        value = self.realize(value)
        if type(value) in PLAIN:
            return plain.run(self, plain.UNARY[operator], value)
        if type(value) is ArrayVariable:
            return value.unary(self, operator)
        return self.unsupported(f"`{operator}` of {value!r}", "it is captured for numbers and arrays")

    def not_(self: Translator, flag: Any) -> Any:  # type: ignore[misc]
        return not self.truth(flag)

    def binary(self: Translator, operator: str, left: Any, right: Any) -> Any:  # type: ignore[misc]
        if type(left) in PLAIN and type(right) in PLAIN:
            if operator in _GROWS and plain.too_large(operator, left, right):
                self.unsupported(f"a large result of `{operator}`", "it is not worked out ahead of the run")
            if operator in ("%", "%="):  # it may warn of bytes
                return plain.run(self, _BINARY[operator], left, right)
            try:
                result = _BINARY[operator](left, right)
            except Exception as error:
                return self.unsupported(
                    f"`{operator}` raises {type(error).__name__}",
                    "the exception is left to the original code",
                )
            return result if type(result) in PLAIN else plain.value_of(self, result)
        left, right = self.realize(left), self.realize(right)
        if operator == "[]":
            if isinstance(left, VariableTracker):
                return left.getitem(self, right)
            return plain.run(self, _BINARY["[]"], left, plain.python(self, right))
        if type(left) in PLAIN and type(right) in PLAIN:
            return self.binary(operator, left, right)
        return self._binary(operator, left, right)

    def _binary(self: Translator, operator: str, left: Any, right: Any) -> Any:  # type: ignore[misc]
        if type(left) is ArrayVariable or type(right) is not ArrayVariable:
            order = ((left, right, False), (right, left, True))
        else:
            order = ((right, left, True), (left, right, False))
        for owner, other, reflected in order:
            answer = getattr(owner, "binary", None)
            if answer is not None:
                result = answer(self, operator, other, reflected)
                if result is not NotImplemented:
                    return result
        if operator in ("%", "%=") and type(left) is str:
            return plain.run(self, _BINARY["%"], left, plain.python(self, right))
        return self.unsupported(f"`{operator}` of {left!r} and {right!r}", "it is not captured for these")

    def compare(self: Translator, operator: str, left: Any, right: Any) -> Any:  # type: ignore[misc]
        left, right = self.realize(left), self.realize(right)
        if type(left) in PLAIN and type(right) in PLAIN:
            return plain.run(self, plain.COMPARE[operator], left, right)
        if type(left) is ArrayVariable:
            return left.compare(self, operator, right, False)
        if type(right) is ArrayVariable:
            return right.compare(self, operator, left, True)
        if operator in ("==", "!="):
            return plain.equal(self, left, right) is (operator == "==")
        one, other = plain.python(self, left), plain.python(self, right)
        if plain.has_nan(one) or plain.has_nan(other):
            self.unsupported(
                "NaN among items that are compared", "identity of floats is not known in the trace"
            )
        return plain.run(self, plain.COMPARE[operator], one, other)

    def is_(self: Translator, left: Any, right: Any) -> Any:  # type: ignore[misc]
        if left is right and isinstance(left, VariableTracker):
            return True
        for one, other in ((left, right), (right, left)):
            if type(one) is LazyVariable and type(other) in PLAIN and other in SINGLETONS[:1]:
                return self._is_singleton(one, other)
        if type(left) is LazyVariable and type(right) is LazyVariable:
            if type(left.value) not in PLAIN or type(right.value) not in PLAIN:
                same = left.value is right.value
                self.guards.same_object(left.source, right.source, same)
                return same
        return self._is_same(self.realize(left), self.realize(right))

    def _is_singleton(self: Translator, lazy: LazyVariable, value: Any) -> bool:  # type: ignore[misc]
        if lazy.value is value:
            self.guards.identity(lazy.source, value)
            return True
        self.guards.add(3, "{} is not {}", lazy.source, value)
        return False

    def _is_same(self: Translator, left: Any, right: Any) -> bool:  # type: ignore[misc]
        if left is right and isinstance(left, VariableTracker):
            return True
        if type(left) in PLAIN and type(right) in PLAIN:
            if any(left is each or right is each for each in SINGLETONS):
                return left is right
            if type(left) is not type(right):
                return False
            return self.unsupported(
                "`is` between numbers or strings", "which objects are shared is CPython's own"
            )  # type: ignore[no-any-return]
        if isinstance(left, BuiltinVariable) and isinstance(right, BuiltinVariable):
            return left.value is right.value
        arrays = [value for value in (left, right) if type(value) is ArrayVariable]
        if len(arrays) == 2:
            if any(value.roots for value in arrays) or not any(value.source for value in arrays):
                return self.unsupported("`is` between arrays", "a view may be the array itself")  # type: ignore[no-any-return]
            if all(value.source for value in arrays):
                same = left.value is right.value
                self.guards.same_object(left.source, right.source, same)
                return same  # type: ignore[no-any-return]
            if not all(value.is_array(self) for value in arrays):
                return self.unsupported("`is` of a scalar", "which are shared is NumPy's own")  # type: ignore[no-any-return]
            return False
        if arrays and type(left) is not type(None) and type(right) is not type(None):
            if arrays[0].python_type(self) in PLAIN:
                return self.unsupported("`is` of a number", "its value depends on data")  # type: ignore[no-any-return]
        if isinstance(left, MethodVariable) or isinstance(right, MethodVariable):
            return self.unsupported("`is` of a method", "it is captured for calls")  # type: ignore[no-any-return]
        if type(left) not in PLAIN and type(right) not in PLAIN:
            kind = self.type_of(left)
            if kind in _SHARED and kind is self.type_of(right):
                return self.unsupported(  # type: ignore[no-any-return]
                    f"`is` between two of {kind.__name__}", "which objects are shared is CPython's own"
                )
        if isinstance(left, VariableTracker) and isinstance(right, VariableTracker):
            if left.source is not None and right.source is not None:
                return self.unsupported("`is` between inputs", "it is not captured for these")  # type: ignore[no-any-return]
        return False

    def contains(self: Translator, container: Any, item: Any) -> Any:  # type: ignore[misc]
        container, item = self.realize(container), self.realize(item)
        if type(container) in PLAIN:
            return plain.run(self, contains, container, plain.python(self, item))
        return container.contains(self, item)

    # -- cells and names

    def unbound_local(self: Translator, name: str) -> Any:  # type: ignore[misc]
        return self.unsupported(
            f"the unbound variable {name!r}", "UnboundLocalError is left to the original code"
        )

    def unbound_cell(self: Translator, name: str, free: bool) -> Any:  # type: ignore[misc]
        return self.unsupported(f"the unbound variable {name!r}", "NameError is left to the original code")

    def make_cell(self, content: Any) -> Any:
        return CellVariable(content)

    def cell_get(self, cell: Any) -> Any:
        return cell.content

    def cell_set(self: Translator, cell: Any, content: Any) -> None:  # type: ignore[misc]
        if cell.source is not None:
            self.unsupported(
                f"a change of the variable {cell.source.name}", "changes of closures are not replayed yet"
            )
        cell.content = content

    def closure(self: Translator) -> list[Any]:  # type: ignore[misc]
        return self.frame.function.closure(self)  # type: ignore[no-any-return]

    def store_global(self: Translator, name: str, value: Any) -> None:  # type: ignore[misc]
        self.unsupported(f"a change of the global {name!r}", "changes of globals are not replayed yet")

    # -- attributes and items

    def getattr(self: Translator, owner: Any, name: str) -> Any:  # type: ignore[misc]
        owner = self.realize(owner)
        if type(owner) not in PLAIN:
            return owner.getattr(self, name)
        found = getattr(owner, name, self)
        if found is self:
            return self.unsupported(
                f"attribute {name!r} of {owner!r}", "AttributeError is left to the original code"
            )
        if type(found) in PLAIN:
            return found
        if type(found) is BuiltinMethodType or type(found) is MethodWrapperType:
            return MethodVariable(owner, name)
        if name == "__class__":
            return plain.value_of(self, found)
        return self.unsupported(f"attribute {name!r} of {owner!r}", "it is not captured")

    def method(self: Translator, owner: Any, name: str) -> tuple[Any, Any]:  # type: ignore[misc]
        return self.getattr(owner, name), NULL

    def setattr(self: Translator, owner: Any, name: str, value: Any) -> None:  # type: ignore[misc]
        self.unsupported(f"setting the attribute {name!r}", "changes of objects are not replayed yet")

    def setitem(self: Translator, container: Any, key: Any, value: Any) -> None:  # type: ignore[misc]
        container, key = self.realize(container), self.realize(key)
        if type(container) in PLAIN:
            self.unsupported("setting an item of this", "TypeError is left to the original code")
        container.setitem(self, key, value)

    def delitem(self: Translator, container: Any, key: Any) -> None:  # type: ignore[misc]
        container, key = self.realize(container), self.realize(key)
        if type(container) in PLAIN:
            self.unsupported("deleting an item of this", "TypeError is left to the original code")
        container.delitem(self, key)

    def build_slice(self, start: Any, stop: Any, step: Any) -> Any:
        return sequences.SliceVariable(start, stop, step)

    # -- containers

    def build_tuple(self, items: list[Any]) -> Any:
        return sequences.TupleVariable(items)

    def build_list(self, items: list[Any]) -> Any:
        return sequences.ListVariable(items)

    def build_set(self: Translator, items: list[Any]) -> Any:  # type: ignore[misc]
        made = sets.SetVariable(set())
        for item in items:
            made.value.add(mappings.key_object(self, item))
        return made

    def build_map(self: Translator, items: list[Any]) -> Any:  # type: ignore[misc]
        pairs = zip(items[::2], items[1::2])
        return mappings.DictVariable({mappings.key_object(self, key): value for key, value in pairs})

    def build_const_key_map(self: Translator, keys: Any, values: list[Any]) -> Any:  # type: ignore[misc]
        return mappings.DictVariable(dict(zip(plain.python(self, keys), values)))

    def list_append(self, list_: Any, item: Any) -> None:
        list_.values.append(item)

    def set_add(self: Translator, set_: Any, item: Any) -> None:  # type: ignore[misc]
        set_.value.add(mappings.key_object(self, item))

    def map_add(self: Translator, dict_: Any, key: Any, value: Any) -> None:  # type: ignore[misc]
        dict_.values[mappings.key_object(self, key)] = value

    def list_extend(self: Translator, list_: Any, iterable: Any) -> None:  # type: ignore[misc]
        list_.values += self.items(iterable)

    def set_update(self: Translator, set_: Any, iterable: Any) -> None:  # type: ignore[misc]
        set_.call_method(self, "update", [iterable], {})

    def dict_update(self: Translator, dict_: Any, mapping: Any) -> None:  # type: ignore[misc]
        mapping = self.realize(mapping)
        if not isinstance(mapping, mappings.DictVariable):
            self.unsupported("`**` of what is no dict", "it is captured for dicts")
        dict_.update(self, mapping)

    def dict_merge(self: Translator, dict_: Any, mapping: Any, callable_: Any) -> None:  # type: ignore[misc]
        mapping = self.realize(mapping)
        if not isinstance(mapping, mappings.DictVariable):
            self.unsupported("`**` of what is no dict", "it is captured for dicts")
        found = mapping.copied(self)
        if found.keys() & dict_.values.keys() or not all(type(key) is str for key in found):
            self.unsupported(
                "keywords that clash or are no strings", "TypeError is left to the original code"
            )
        dict_.values.update(found)

    def unpack(self: Translator, sequence: Any, count: int) -> list[Any]:  # type: ignore[misc]
        items = self._few_items(sequence)
        if len(items) != count:
            self.unsupported(
                f"unpacking {len(items)} items to {count}", "ValueError is left to the original code"
            )
        return items

    def unpack_ex(self: Translator, sequence: Any, before: int, after: int) -> list[Any]:  # type: ignore[misc]
        items = self._few_items(sequence)
        if len(items) < before + after:
            self.unsupported(f"unpacking {len(items)} items", "ValueError is left to the original code")
        end = len(items) - after
        return [*items[:before], sequences.ListVariable(items[before:end]), *items[end:]]

    def _few_items(self: Translator, sequence: Any) -> list[Any]:  # type: ignore[misc]
        """The items to be unpacked. An iterator is not: it would be asked no further than needed."""
        sequence = self.realize(sequence)
        if isinstance(sequence, IteratorVariable):
            self.unsupported("unpacking an iterator", "it is captured for tuples, lists and other containers")
        return self.items(sequence)  # type: ignore[no-any-return]

    # -- strings

    def build_string(self, pieces: list[Any]) -> Any:
        return "".join(pieces)

    def convert(self: Translator, value: Any, conversion: str) -> Any:  # type: ignore[misc]
        function: Any = {"str": str, "repr": repr, "ascii": ascii}[conversion]
        return plain.run(self, function, plain.python(self, self.realize(value)))

    def format(self: Translator, value: Any, spec: Any) -> Any:  # type: ignore[misc]
        text = "" if spec is NULL else plain.python(self, spec)
        if text.endswith("n"):
            self.unsupported("formatting by the locale", "the locale is not guarded")
        return plain.run(self, format, plain.python(self, self.realize(value)), text)

    # -- iteration and calls

    def iterate(self: Translator, iterable: Any, kind: str = "iter") -> Any:  # type: ignore[misc]
        if kind != "iter":
            self.unsupported("yield from", "generators are not captured yet")
        iterable = self.realize(iterable)
        if type(iterable) in PLAIN:
            if type(iterable) is str or type(iterable) is bytes:
                return PlainIterator(iter(iterable))
            self.unsupported(f"iteration over {iterable!r}", "TypeError is left to the original code")
        return iterable.iterate(self)

    def next(self: Translator, iterator: Any, instruction: Any) -> Any:  # type: ignore[misc]
        return iterator.next(self)

    def call(self: Translator, callable_: Any, arguments: list[Any], keywords: dict[str, Any] | None) -> Any:  # type: ignore[misc]
        callable_ = self.realize(callable_)
        if type(callable_) in PLAIN:
            self.unsupported(f"a call of {callable_!r}", "TypeError is left to the original code")
        return callable_.call(self, arguments, keywords or {})

    def call_ex(self: Translator, callable_: Any, arguments: Any, keywords: Any) -> Any:  # type: ignore[misc]
        named: dict[str, Any] = {}
        if keywords is not NULL:
            keywords = self.realize(keywords)
            if not isinstance(keywords, mappings.DictVariable):
                self.unsupported("`**` of what is no dict", "it is captured for dicts")
            named = keywords.copied(self)
            if not all(type(key) is str for key in named):
                self.unsupported("keywords that are no strings", "TypeError is left to the original code")
        return self.call(callable_, self.items(arguments), named)

    def keyword_names(self: Translator, names: Any) -> tuple[str, ...]:  # type: ignore[misc]
        return plain.python(self, names)  # type: ignore[no-any-return]

    def intrinsic_1(self: Translator, function: str, value: Any) -> Any:  # type: ignore[misc]
        if function == "unary_positive":
            return self.unary("+", value)
        if function == "list_to_tuple":
            return sequences.TupleVariable(self.items(value))
        return self.unsupported(f"the intrinsic {function}", "it is not captured")

    def make_generator(self: Translator) -> Any:  # type: ignore[misc]
        return GeneratorVariable(self.frame)

    def make_function(self: Translator, code: Any, qualname: Any) -> Any:  # type: ignore[misc]
        assert type(code) is CodeType or hasattr(code, "co_code")
        name = code.co_qualname if qualname is NULL else qualname
        return NestedFunctionVariable(code, self.frame.function, name)

    def set_function_attribute(self: Translator, function: Any, flag: int, value: Any) -> Any:  # type: ignore[misc]
        if flag == 1:
            function.default_values = self.items(value)
        elif flag == 2:
            function.keyword_values = self.realize(value).copied(self)
        elif flag == 8:
            function.cells = self.items(value)
        return function
