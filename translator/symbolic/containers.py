"""Displays, comprehensions, unpacking, strings."""

from __future__ import annotations

from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.real.containers import spread, unpacker
from translator.semantics import Semantics
from translator.sentinels import NULL, STOP
from translator.variables import mappings, plain, sequences, sets
from translator.variables.exceptions import ExceptionVariable
from translator.variables.iterators import IteratorVariable
from translator.variables.objects import InstanceVariable
from translator.variables.stand_ins import fail, fail_by_type, of_length
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


class SymbolicContainers(Semantics):
    """What is made of values."""

    def build_tuple(self: Translator, items: list[Any]) -> Any:
        return sequences.TupleVariable(items)

    def build_list(self: Translator, items: list[Any]) -> Any:
        return sequences.ListVariable(items)

    def build_set(self: Translator, items: list[Any]) -> Any:
        made = sets.SetVariable(set())
        for item in items:
            made.value.add(mappings.key_object(self, item, sets.as_item))
        return made

    def build_map(self: Translator, items: list[Any]) -> Any:
        pairs = zip(items[::2], items[1::2])
        return mappings.DictVariable({mappings.key_object(self, key): value for key, value in pairs})

    def build_const_key_map(self: Translator, keys: Any, values: list[Any]) -> Any:
        return mappings.DictVariable(dict(zip(plain.python(self, keys), values)))

    def list_append(self: Translator, list_: Any, item: Any) -> None:
        list_.values.append(item)

    def set_add(self: Translator, set_: Any, item: Any) -> None:
        set_.value.add(mappings.key_object(self, item, sets.as_item))

    def map_add(self: Translator, dict_: Any, key: Any, value: Any) -> None:
        dict_.values[mappings.key_object(self, key)] = value

    def list_extend(self: Translator, list_: Any, iterable: Any) -> None:
        iterable = self.realize(iterable)
        if not self.is_iterable(iterable):
            fail_by_type(self, f"`*` of {iterable!r}", spread, iterable)
        list_.values += self.items(iterable)

    def set_update(self: Translator, set_: Any, iterable: Any) -> None:
        set_.call_method(self, "update", [iterable], {})

    def dict_update(self: Translator, dict_: Any, mapping: Any) -> None:
        mapping = self.realize(mapping)
        if not isinstance(mapping, mappings.DictVariable):
            self.unsupported("`**` of what is no dict", "it is captured for dicts")
        dict_.update(self, mapping)

    def dict_merge(self: Translator, dict_: Any, mapping: Any, callable_: Any) -> None:
        mapping = self.realize(mapping)
        if not isinstance(mapping, mappings.DictVariable):
            self.unsupported("`**` of what is no dict", "it is captured for dicts")
        found = mapping.copied(self)
        if found.keys() & dict_.values.keys() or not all(type(key) is str for key in found):
            self.unsupported(
                "keywords that clash or are no strings", "TypeError is left to the original code"
            )
        dict_.values.update(found)

    def unpack(self: Translator, sequence: Any, count: int) -> list[Any]:
        sequence = self.realize(sequence)
        if isinstance(sequence, IteratorVariable):
            items = self._first_items(sequence, count)
        else:
            items = self._few_items(sequence)
        if len(items) != count:
            like = of_length(self, sequence, len(items))
            fail(self, f"unpacking {len(items)} items to {count}", unpacker(count, None), like)
        return items

    def _first_items(self: Translator, iterator: IteratorVariable, count: int) -> list[Any]:
        """The items of an iterator that is asked once more than needed."""
        found: list[Any] = []
        while len(found) <= count and (value := iterator.next(self)) is not STOP:
            found.append(value)
        return found

    def unpack_ex(self: Translator, sequence: Any, before: int, after: int) -> list[Any]:
        items = self._few_items(sequence)
        if len(items) < before + after:
            like = of_length(self, sequence, len(items))
            fail(self, f"unpacking {len(items)} items", unpacker(before, after), like)
        end = len(items) - after
        return [*items[:before], sequences.ListVariable(items[before:end]), *items[end:]]

    def _few_items(self: Translator, sequence: Any) -> list[Any]:
        """The items to be unpacked; the error names what cannot be."""
        sequence = self.realize(sequence)
        if not self.is_iterable(sequence):
            return fail_by_type(self, f"unpacking {sequence!r}", unpacker(1, None), sequence)
        return self.items(sequence)

    def is_iterable(self: Translator, value: Any) -> bool:
        """Whether `iter(value)` finds something to ask (what it asks may refuse all the same)."""
        if type(value) in PLAIN:
            return type(value) is str or type(value) is bytes
        if isinstance(value, InstanceVariable):
            return any(value.special(self, name) is not None for name in ("__iter__", "__getitem__"))
        known = getattr(value, "value", None)
        return type(known) is not type and type(known) is not BuiltinFunctionType

    # -- strings

    def build_string(self: Translator, pieces: list[Any]) -> Any:
        return "".join(pieces)

    def convert(self: Translator, value: Any, conversion: str) -> Any:
        return self.text_of({"str": str, "repr": repr, "ascii": ascii}[conversion], self.realize(value))

    def text_of(self: Translator, function: Any, value: Any) -> Any:
        """`str(value)` or `repr(value)`, by the value's own method if it has one."""
        if isinstance(value, ExceptionVariable):
            return value.text(self, function)
        if isinstance(value, InstanceVariable):
            return value.text(self, function)
        return plain.run(self, function, plain.python(self, value))

    def format(self: Translator, value: Any, spec: Any) -> Any:
        text = "" if spec is NULL else plain.python(self, spec)
        if text.endswith("n"):
            self.unsupported("formatting by the locale", "the locale is not guarded")
        value = self.realize(value)
        if isinstance(value, (InstanceVariable, ExceptionVariable)):
            return self._format_object(value, text)
        return plain.run(self, format, plain.python(self, value), text)

    def _format_object(self: Translator, value: Any, text: str) -> Any:
        """By its `__format__`; that of `object` is `str`."""
        if isinstance(value, InstanceVariable) and value.special(self, "__format__") is not None:
            found = self.realize(value.ask(self, "__format__", [text], "format()"))
            return found if type(found) is str else self.unsupported("__format__()", "it gives no string")
        if text:
            self.unsupported(f"format() of {value!r} by {text!r}", "TypeError is left to the original code")
        return self.text_of(str, value)
