"""Displays, comprehensions, unpacking, strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.semantics import Semantics
from translator.sentinels import NULL
from translator.variables import mappings, plain, sequences, sets
from translator.variables.iterators import IteratorVariable

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
            made.value.add(mappings.key_object(self, item))
        return made

    def build_map(self: Translator, items: list[Any]) -> Any:
        pairs = zip(items[::2], items[1::2])
        return mappings.DictVariable({mappings.key_object(self, key): value for key, value in pairs})

    def build_const_key_map(self: Translator, keys: Any, values: list[Any]) -> Any:
        return mappings.DictVariable(dict(zip(plain.python(self, keys), values)))

    def list_append(self: Translator, list_: Any, item: Any) -> None:
        list_.values.append(item)

    def set_add(self: Translator, set_: Any, item: Any) -> None:
        set_.value.add(mappings.key_object(self, item))

    def map_add(self: Translator, dict_: Any, key: Any, value: Any) -> None:
        dict_.values[mappings.key_object(self, key)] = value

    def list_extend(self: Translator, list_: Any, iterable: Any) -> None:
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
        items = self._few_items(sequence)
        if len(items) != count:
            self.unsupported(
                f"unpacking {len(items)} items to {count}", "ValueError is left to the original code"
            )
        return items

    def unpack_ex(self: Translator, sequence: Any, before: int, after: int) -> list[Any]:
        items = self._few_items(sequence)
        if len(items) < before + after:
            self.unsupported(f"unpacking {len(items)} items", "ValueError is left to the original code")
        end = len(items) - after
        return [*items[:before], sequences.ListVariable(items[before:end]), *items[end:]]

    def _few_items(self: Translator, sequence: Any) -> list[Any]:
        """The items to be unpacked. An iterator is not: it would be asked no further than needed."""
        sequence = self.realize(sequence)
        if isinstance(sequence, IteratorVariable):
            self.unsupported("unpacking an iterator", "it is captured for tuples, lists and other containers")
        return self.items(sequence)

    # -- strings

    def build_string(self: Translator, pieces: list[Any]) -> Any:
        return "".join(pieces)

    def convert(self: Translator, value: Any, conversion: str) -> Any:
        function: Any = {"str": str, "repr": repr, "ascii": ascii}[conversion]
        return plain.run(self, function, plain.python(self, self.realize(value)))

    def format(self: Translator, value: Any, spec: Any) -> Any:
        text = "" if spec is NULL else plain.python(self, spec)
        if text.endswith("n"):
            self.unsupported("formatting by the locale", "the locale is not guarded")
        return plain.run(self, format, plain.python(self, self.realize(value)), text)
