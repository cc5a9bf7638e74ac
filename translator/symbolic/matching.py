"""Structural pattern matching."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.raised import Raised
from translator.real.containers import MAPPING_FLAG, SEQUENCE_FLAG, class_matcher, type_flags
from translator.semantics import Semantics
from translator.variables import mappings, object_builtins, plain
from translator.variables.classes import ClassVariable
from translator.variables.objects import InstanceVariable
from translator.variables.sequences import TupleVariable
from translator.variables.stand_ins import class_like, fail, stand_in
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator

#: the flag of types whose one positional pattern is the subject itself, and the classes that it comes from
_MATCHES_ITSELF = 1 << 22
_SELF = frozenset({bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple})


class SymbolicMatching(Semantics):
    """GET_LEN, MATCH_CLASS, MATCH_KEYS …"""

    def match_mapping(self: Translator, subject: Any) -> Any:
        return self._flag(subject, MAPPING_FLAG)

    def match_sequence(self: Translator, subject: Any) -> Any:
        return self._flag(subject, SEQUENCE_FLAG)

    def _flag(self: Translator, subject: Any, flag: int) -> bool:
        subject = self.realize(subject)
        if isinstance(subject, InstanceVariable):
            subject.cls.same_bases(self)  # the flag is inherited
        return bool(type_flags(self.type_of(subject)) & flag)

    def match_keys(self: Translator, subject: Any, keys: Any) -> Any:
        subject, found = self.realize(subject), []
        wanted = [self.realize(key) for key in keys.values]
        if not isinstance(subject, mappings.DictVariable) or subject.python_type(self) is not dict:
            if not wanted:
                return TupleVariable([])
            return self.unsupported("a mapping pattern", "it is captured for dicts")
        seen: list[Any] = []
        for key in wanted:
            known = mappings.key_object(self, key)
            if known in seen:
                text = f"mapping pattern checks duplicate key ({plain.python(self, key)!r})"
                self.raise_host(ValueError(text))
            seen.append(known)
            if not subject.contains(self, key):
                return None
            found.append(subject.getitem(self, key))
        return TupleVariable(found)

    def dict_without_keys(self: Translator, subject: Any, keys: Any) -> Any:
        subject = self.realize(subject)
        if not isinstance(subject, mappings.DictVariable):
            self.unsupported("`**` in a mapping pattern", "it is captured for dicts")
        rest = subject.call_method(self, "copy", [], {})
        for key in keys.values:
            rest.delitem(self, self.realize(key))
        return rest

    # -- class patterns

    def match_class(self: Translator, subject: Any, class_: Any, names: Any, count: int) -> Any:
        subject, class_ = self.realize(subject), self.realize(class_)
        named = list(plain.python(self, names))
        wanted = getattr(class_, "value", None)
        if type(class_) in PLAIN or not isinstance(wanted, type):
            matcher = class_matcher(tuple(named), count)
            return fail(self, "a class pattern", matcher, None, stand_in(self, class_))
        if not self.truth_of(object_builtins.HANDLERS[isinstance](self, [subject, class_], {})):
            return None
        found, seen = [], list(named)
        if count:
            positions = self._positions(class_, wanted, count)
            if positions is None:
                found.append(subject)
            else:
                seen = positions + named
        if len(set(seen)) != len(seen):
            self.unsupported("a class pattern with a name twice", "TypeError is left to the original code")
        for name in seen:
            try:
                found.append(self.getattr(subject, name))
            except Raised as raised:
                if issubclass(raised.variable.python_class, AttributeError):
                    return None
                raise
        return TupleVariable(found)

    def _positions(self: Translator, class_: Any, wanted: type, count: int) -> list[str] | None:
        """The names behind the positions; None: one, the subject itself."""
        if isinstance(class_, ClassVariable):
            if class_.lookup(self, "__match_args__") is not None:
                return self._match_args(class_, wanted, count)
            class_.same_bases(self)
        elif hasattr(wanted, "__match_args__"):
            self.unsupported(
                f"a class pattern of {wanted.__name__}", "it is captured for Python's own classes"
            )
        itself = bool(type_flags(wanted) & _MATCHES_ITSELF)
        if count > itself:
            base = next(each for each in wanted.__mro__ if each in _SELF) if itself else object
            self._refused(class_like(wanted, (base,)), count)
        return None

    def _match_args(self: Translator, class_: ClassVariable, wanted: type, count: int) -> list[str]:
        listed = self.realize(class_.getattr(self, "__match_args__"))
        if type(listed) in PLAIN or not isinstance(listed, TupleVariable):
            like: Any = stand_in(self, listed)
            return self._refused(class_like(wanted, __match_args__=like), count)
        names = [self.realize(name) for name in listed.values]
        if len(names) < count:
            like = tuple(map(str, range(len(names))))
            return self._refused(class_like(wanted, __match_args__=like), count)
        if not all(type(name) is str for name in names[:count]):
            self.unsupported("__match_args__ that are no strings", "TypeError is left to the original code")
        return names[:count]

    def _refused(self: Translator, like: Callable[[], Any], count: int) -> Any:
        """The TypeError of a class pattern whose positions do not fit."""
        return fail(self, "a class pattern", class_matcher((), count), like(), like)
