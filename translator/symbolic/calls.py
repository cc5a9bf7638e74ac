"""Calls, iteration, and functions made in the trace."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.calling import bind
from translator.convert_frame import original_code
from translator.foreign_arrays import walked_code
from translator.semantics import Semantics
from translator.sentinels import ENTERED, NULL
from translator.sources import Source
from translator.variables import mappings, plain, sequences
from translator.variables.construction import MakingFrame
from translator.variables.functions import CellVariable, FunctionVariable, NestedFunctionVariable
from translator.variables.stand_ins import fail
from translator.variables.tracker import PLAIN

if TYPE_CHECKING:
    from translator.instruction_translator import InstructionTranslator as Translator


#: so many frames deep
MOST_FRAMES = 200


class SymbolicCalls(Semantics):
    """Functions are inlined: their frames go on the machine's own stack."""

    def call(self: Translator, callable_: Any, arguments: list[Any], keywords: dict[str, Any] | None) -> Any:
        callable_ = self.realize(callable_)
        if type(callable_) in PLAIN:
            return fail(self, f"a call of {callable_!r}", callable_)
        return callable_.call(self, arguments, keywords or {})

    def call_ex(self: Translator, callable_: Any, arguments: Any, keywords: Any) -> Any:
        named: dict[str, Any] = {}
        if keywords is not NULL:
            keywords = self.realize(keywords)
            if not isinstance(keywords, mappings.DictVariable):
                self.unsupported("`**` of what is no dict", "it is captured for dicts")
            named = keywords.copied(self)
            if not all(type(key) is str for key in named):
                self.unsupported("keywords that are no strings", "TypeError is left to the original code")
        arguments = self.realize(arguments)
        if not self.is_iterable(arguments):
            self.unsupported(f"a call with `*` of {arguments!r}", "TypeError is left to the original code")
        return self.call(callable_, self.items(arguments), named)

    def keyword_names(self: Translator, names: Any) -> tuple[str, ...]:
        return plain.python(self, names)

    def intrinsic_1(self: Translator, function: str, value: Any) -> Any:
        if function == "unary_positive":
            return self.unary("+", value)
        if function == "list_to_tuple":
            return sequences.TupleVariable(self.items(value))
        return self.unsupported(f"the intrinsic {function}", "it is not captured")

    def make_function(self: Translator, code: Any, qualname: Any) -> Any:
        assert type(code) is CodeType or hasattr(code, "co_code")
        name = code.co_qualname if qualname is NULL else qualname
        made = NestedFunctionVariable(code, self.frame.function, name)
        made.namespace = self.namespace_of(self.frame.function)
        return made

    def set_function_attribute(self: Translator, function: Any, flag: int, value: Any) -> Any:
        if flag == 1:
            function.default_values = self.items(value)
        elif flag == 2:
            function.keyword_values = self.realize(value).copied(self)
        elif flag == 8:
            function.cells = self.items(value)
        elif flag in (4, 16):
            if flag == 16 and self.frame.prepared.program.table.facts["annotate_qualname"]:
                self.realize(value).given["__qualname__"] = f"{function.qualname}.__annotate__"
            function.annotations = value
        return function

    # -- inlining

    def enter_function(
        self: Translator,
        function: FunctionVariable,
        arguments: list[Any],
        keywords: dict[str, Any],
        making: Any = None,
    ) -> Any:
        """Inlines a call: pushes the frame of a function written in Python.

        `making` is the object that an `__init__` is called for: its caller gets that.
        """
        code = function.code(self)
        prepared = self.prepare(code)
        if prepared.generates:
            self.may_generate(code.co_flags, function.name())
        self.check_depth()
        self.spend(20)
        locals_ = bind(self, function, code, arguments, keywords)
        globals_ = function.globals(self)
        locals_ = locals_ + prepared.unbound
        if making is None:
            return self.enter(self.new_frame(prepared, function, globals_, locals_))
        back = self.frame
        frame = MakingFrame(prepared, function, globals_, locals_, len(self.stack), back, back.depth + 1)
        frame.made = making
        return self.enter(frame)

    def call_now(
        self: Translator, function: Any, arguments: list[Any], keywords: dict[str, Any] | None = None
    ) -> Any:
        """A call from within an operation (a sort key, `map`): its value, walked to the end."""
        outer = self.frame, self.locals, self.steps
        result = self.call(function, arguments, keywords)
        if result is not ENTERED:
            return result
        frame = self.frame
        self.frame, self.locals, self.steps = outer
        return self.execute(frame)

    def check_depth(self: Translator) -> None:
        """Surrenders where there are too many frames."""
        if self.frame.depth > MOST_FRAMES:
            self.unsupported(
                f"deep recursion of {self.frame.code.co_name}()", f"{MOST_FRAMES} frames are followed"
            )

    def cell_of(self: Translator, cell: Any, content: Any, source: Source) -> CellVariable:
        """One CellVariable for each cell that came in."""
        found = self._cells.get(id(cell))
        if found is None:
            found = self._cells[id(cell)] = CellVariable(content, source, cell)
            self.effects.touch(found)
        elif found.source.name != source.name:
            self.guards.same_object(found.source, source, True)
        return found

    def function_code(self: Translator, source: Source, function: FunctionType) -> CodeType:
        """The code that a function had before it was compiled, under a guard."""
        found = self._codes.get(source.name)
        if found is None:
            found = self._codes[source.name] = original_code(function)
            if found is function.__code__:
                self.guards.add(10, "{}.__code__ is {}", source, found)
            else:
                self.guards.add(80, "{}({}) is {}", original_code, source, found)
            found = self._codes[source.name] = walked_code(found)
        return found
