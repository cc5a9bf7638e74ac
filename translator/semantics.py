"""What an operation means on a value: the hooks that the handlers call and each machine answers.

The handlers move values about the stack and never look into one. A *value* here is whatever the
machine puts on its stack: a Python object in the Interpreter, a VariableTracker in the
InstructionTranslator. A parameter or result typed `Value` is such a value; `str`, `int`, `bool` are
the host's own.

A hook that may run Python code of the program (`call`, `next`, `send`, …) either gives the value, or
pushes a frame on the machine's own stack and gives `ENTERED`: then the handler leaves the loop, and
the value is pushed on the caller's stack when that frame is left.

A hook raises what the operation raises; the machine unwinds to the region that catches it.
"""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.errors import Unimplemented
from translator.sentinels import NULL

Value = Any


class Semantics:
    """The hooks, with what each takes and gives. A machine overrides them; none has a default meaning
    but those that are written out in terms of others.
    """

    def unimplemented(self, what: str, where: str, why: str, hint: str) -> Any:
        """Give up: says what is not done, where, why, and what to do about it. Does not return."""
        raise Unimplemented(what, where, why, hint)

    def where(self) -> str:
        """The place in the program that is being carried out, for messages."""
        return self.missing("where")

    def lacking(self, what: str, part: str) -> Any:
        """Give up: the running Python lacks what bytecode of another one makes use of."""
        self.unimplemented(
            what,
            self.where(),
            f"the running Python has no {part}",
            "run it on the Python it was compiled by",
        )

    def missing(self, name: str) -> Any:
        """What a hook that the machine does not answer does."""
        own = type(self).__name__
        self.unimplemented(
            f"{name}()",
            self.where(),
            f"{own} does not say what it means on its values",
            f"define {own}.{name}",
        )

    # -- values

    def constant(self, value: object) -> Value:
        """The value for a Python constant of the code object (LOAD_CONST; also None, True, False)."""
        return self.missing("constant")

    def to_bool(self, value: Value) -> Value:
        """`bool(value)`, as a value."""
        return self.missing("to_bool")

    def truth(self, flag: Value) -> bool:
        """The host's bool for a value that is an exact bool already: which way a branch goes."""
        return self.missing("truth")

    def is_none(self, value: Value) -> bool:
        """Whether the value is None: which way POP_JUMP_IF_NONE goes."""
        return self.missing("is_none")

    # -- operators

    def unary(self, operator: str, value: Value) -> Value:
        """`-value` or `~value` (operator "-" or "~")."""
        return self.missing("unary")

    def not_(self, flag: Value) -> Value:
        """`not flag`, of an exact bool."""
        return self.missing("not_")

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """`left operator right`: "+", in place "+=", and "[]" for `left[right]`."""
        return self.missing("binary")

    def compare(self, operator: str, left: Value, right: Value) -> Value:
        """`left operator right` for "<", "<=", "==", "!=", ">", ">=" (not made a bool)."""
        return self.missing("compare")

    def is_(self, left: Value, right: Value) -> Value:
        """`left is right`, as a value."""
        return self.missing("is_")

    def contains(self, container: Value, item: Value) -> Value:
        """`item in container`, as a value."""
        return self.missing("contains")

    # -- names. Locals are in the frame; these are the others. `self.frame` is the frame that asks.

    def load_global(self, name: str) -> Value:
        """The global or builtin; NameError."""
        return self.missing("load_global")

    def store_global(self, name: str, value: Value) -> None:
        """Binds a global."""
        self.missing("store_global")

    def delete_global(self, name: str) -> None:
        """Unbinds a global; NameError."""
        self.missing("delete_global")

    def load_name(self, name: str) -> Value:
        """From the frame's namespace, its globals or the builtins; NameError."""
        return self.missing("load_name")

    def store_name(self, name: str, value: Value) -> None:
        """Binds a name in the frame's namespace."""
        self.missing("store_name")

    def delete_name(self, name: str) -> None:
        """Unbinds a name of the frame's namespace; NameError."""
        self.missing("delete_name")

    def load_locals(self) -> Value:
        """The frame's namespace (LOAD_LOCALS)."""
        return self.missing("load_locals")

    def load_from(self, namespace: Value, name: str) -> Value:
        """`namespace[name]`, or NULL if it has no such key."""
        return self.missing("load_from")

    def setup_annotations(self) -> None:
        """Makes sure that the frame's namespace has `__annotations__`."""
        self.missing("setup_annotations")

    def unbound_local(self, name: str) -> Any:
        """Raises the UnboundLocalError of a local that is not bound."""
        return self.missing("unbound_local")

    def unbound_cell(self, name: str, free: bool) -> Any:
        """Raises what an empty cell raises: NameError for a free variable, else UnboundLocalError."""
        return self.missing("unbound_cell")

    # -- cells

    def make_cell(self, content: Value) -> Value:
        """A new cell that holds `content` (or NULL)."""
        return self.missing("make_cell")

    def cell_get(self, cell: Value) -> Value:
        """What the cell holds, or NULL."""
        return self.missing("cell_get")

    def cell_set(self, cell: Value, content: Value) -> None:
        """Puts a value, or NULL, into the cell."""
        self.missing("cell_set")

    def closure(self) -> list[Value]:
        """The cells of the running function's closure, in order."""
        return self.missing("closure")

    # -- attributes and items

    def getattr(self, owner: Value, name: str) -> Value:
        """`owner.name`."""
        return self.missing("getattr")

    def method(self, owner: Value, name: str) -> tuple[Value, Value]:
        """`owner.name` about to be called: (function, owner), or (attribute, NULL)."""
        return self.getattr(owner, name), NULL

    def setattr(self, owner: Value, name: str, value: Value) -> None:
        """`owner.name = value`."""
        self.missing("setattr")

    def delattr(self, owner: Value, name: str) -> None:
        """`del owner.name`."""
        self.missing("delattr")

    def super_attr(self, super_: Value, class_: Value, instance: Value, name: str, explicit: bool) -> Value:
        """`super(class_, instance).name`; explicit: it was written with its two arguments."""
        return self.missing("super_attr")

    def super_method(
        self, super_: Value, class_: Value, instance: Value, name: str, explicit: bool
    ) -> tuple[Value, Value]:
        """The same about to be called, as `method`."""
        return self.super_attr(super_, class_, instance, name, explicit), NULL

    def special(self, owner: Value, name: str) -> tuple[Value, Value]:
        """The special method, looked up on the type: (function, owner), or (attribute, NULL)."""
        return self.missing("special")

    def setitem(self, container: Value, key: Value, value: Value) -> None:
        """`container[key] = value`."""
        self.missing("setitem")

    def delitem(self, container: Value, key: Value) -> None:
        """`del container[key]`."""
        self.missing("delitem")

    def build_slice(self, start: Value, stop: Value, step: Value) -> Value:
        """`slice(start, stop, step)`; step is the constant None if it was not written."""
        return self.missing("build_slice")

    # -- containers. Lists of values are the host's lists, in order, and the hook may keep them.

    def build_tuple(self, items: list[Value]) -> Value:
        """`(items…)`."""
        return self.missing("build_tuple")

    def build_list(self, items: list[Value]) -> Value:
        """`[items…]`."""
        return self.missing("build_list")

    def build_set(self, items: list[Value]) -> Value:
        """`{items…}`."""
        return self.missing("build_set")

    def build_map(self, items: list[Value]) -> Value:
        """`{key: value, …}` from [key, value, key, value, …]."""
        return self.missing("build_map")

    def build_const_key_map(self, keys: Value, values: list[Value]) -> Value:
        """`{key: value, …}` with the keys in a tuple (a value)."""
        return self.missing("build_const_key_map")

    def build_string(self, pieces: list[Value]) -> Value:
        """The strings joined."""
        return self.missing("build_string")

    def list_append(self, list_: Value, item: Value) -> None:
        """Of a list display or comprehension."""
        self.missing("list_append")

    def set_add(self, set_: Value, item: Value) -> None:
        """Of a set display or comprehension."""
        self.missing("set_add")

    def map_add(self, dict_: Value, key: Value, value: Value) -> None:
        """Of a dict comprehension."""
        self.missing("map_add")

    def list_extend(self, list_: Value, iterable: Value) -> None:
        """`[*iterable]`: the error names the value if it is not iterable."""
        self.missing("list_extend")

    def set_update(self, set_: Value, iterable: Value) -> None:
        """`{*iterable}`."""
        self.missing("set_update")

    def dict_update(self, dict_: Value, mapping: Value) -> None:
        """`{**mapping}`."""
        self.missing("dict_update")

    def dict_merge(self, dict_: Value, mapping: Value, callable_: Value) -> None:
        """`callable_(**mapping)`: a key that is there already is an error that names the callable."""
        self.missing("dict_merge")

    def unpack(self, sequence: Value, count: int) -> list[Value]:
        """The `count` items of a sequence, first to last."""
        return self.missing("unpack")

    def unpack_ex(self, sequence: Value, before: int, after: int) -> list[Value]:
        """`before` items, the list of the rest, `after` items."""
        return self.missing("unpack_ex")

    # -- strings

    def convert(self, value: Value, conversion: str) -> Value:
        """`str`, `repr` or `ascii` of the value."""
        return self.missing("convert")

    def format(self, value: Value, spec: Value) -> Value:
        """`format(value, spec)`; spec is NULL if none was written."""
        return self.missing("format")

    def interpolation(self, value: Value, text: Value, conversion: str | None, spec: Value) -> Value:
        """A t-string's Interpolation; spec is NULL if none was written."""
        return self.missing("interpolation")

    def template(self, strings: Value, interpolations: Value) -> Value:
        """A t-string's Template, of two tuples."""
        return self.missing("template")

    # -- iteration

    def iterate(self, iterable: Value, kind: str) -> Value:
        """`iter(iterable)`; kind "yield_from", "yield_from_coroutine": what `yield from` drives."""
        return self.missing("iterate")

    def next(self, iterator: Value, instruction: Any) -> Value:
        """The next item, STOP, or ENTERED (a generator's frame was pushed; when it is exhausted the
        machine does what `instruction`, the FOR_ITER, says).
        """
        return self.missing("next")

    # -- calls

    def call(self, callable_: Value, arguments: list[Value], keywords: dict[str, Value] | None) -> Value:
        """`callable_(*arguments, **keywords)`: its value, or ENTERED. The list is the hook's own."""
        return self.missing("call")

    def call_ex(self, callable_: Value, arguments: Value, keywords: Value) -> Value:
        """`callable_(*arguments, **keywords)` of values; keywords may be NULL. Its value, or ENTERED."""
        return self.missing("call_ex")

    def keyword_names(self, names: Value) -> tuple[str, ...]:
        """The host's strings of CALL_KW's tuple of names (a constant)."""
        return self.missing("keyword_names")

    def intrinsic_1(self, function: str, value: Value) -> Value:
        """CALL_INTRINSIC_1: "print", "import_star", "stopiteration_error", "unary_positive", …"""
        return self.missing("intrinsic_1")

    def intrinsic_2(self, function: str, first: Value, second: Value) -> Value:
        """CALL_INTRINSIC_2: "prep_reraise_star", "set_function_type_params", …"""
        return self.missing("intrinsic_2")

    # -- functions, classes, imports

    def make_function(self, code: Value, qualname: Value) -> Value:
        """A function of the running frame's globals; qualname is NULL if the code object has it."""
        return self.missing("make_function")

    def set_function_attribute(self, function: Value, flag: int, value: Value) -> Value:
        """1 defaults, 2 keyword defaults, 4 annotations, 8 closure, 16 `__annotate__`. Gives the function
        (with a closure it may be another object).
        """
        return self.missing("set_function_attribute")

    def build_class(self) -> Value:
        """The builtin `__build_class__`."""
        return self.missing("build_class")

    def import_name(self, name: str, fromlist: Value, level: Value, mode: str) -> Value:
        """`import name`; mode "default", "lazy" or "eager"."""
        return self.missing("import_name")

    def import_from(self, module: Value, name: str) -> Value:
        """`from module import name`."""
        return self.missing("import_from")

    # -- exceptions. An exception on its way is the host's; on the stack it is a value.

    def caught(self, exception: BaseException) -> Value:
        """The value of an exception that a region has caught."""
        return self.missing("caught")

    def thrown(self, exception: Value) -> BaseException:
        """The host's exception for a value that RERAISE raises again (or raises it itself)."""
        return self.missing("thrown")

    def restore_traceback(self, exception: Value, traceback: Value) -> None:
        """Where an exception is three values, it is raised again with the traceback of its catching."""

    def raise_(self, exception: Value, cause: Value) -> Any:
        """`raise`, `raise exception`, `raise exception from cause` (NULL for what is not written)."""
        return self.missing("raise_")

    def exception_match(self, exception: Value, type_: Value) -> Value:
        """Whether `except type_` catches it, as a value."""
        return self.missing("exception_match")

    def group_match(self, group: Value, type_: Value) -> tuple[Value, Value]:
        """`except* type_`: (rest, match), each a value or the constant None."""
        return self.missing("group_match")

    def exception_parts(self, exception: Value) -> tuple[Value, Value]:
        """(type, traceback) of an exception or of None, as 3.10 keeps them on the stack."""
        return self.missing("exception_parts")

    # -- with

    def enter_with(self, manager: Value, asynchronous: bool) -> tuple[Value, Value, Value]:
        """(bound exit, enter, owner of enter or NULL), looked up as BEFORE_WITH does."""
        return self.missing("enter_with")

    # -- generators and async

    def make_generator(self) -> Value:
        """The generator, coroutine or asynchronous generator whose parked frame `self.frame` is."""
        return self.missing("make_generator")

    def send(self, receiver: Value, value: Value, instruction: Any) -> tuple[bool, Value]:
        """One step of `yield from`/`await`: (True, what it yielded) or (False, its result); ENTERED
        as the second if a frame was pushed.
        """
        return self.missing("send")

    def cleanup_throw(self, receiver: Value, exception: Value) -> Value:
        """CLEANUP_THROW: the value of a StopIteration; anything else is raised again."""
        return self.missing("cleanup_throw")

    def awaitable(self, value: Value, after: str) -> Value:
        """What `await value` drives; after "__aenter__"/"__aexit__": whose result it is (errors)."""
        return self.missing("awaitable")

    def async_iterate(self, iterable: Value) -> Value:
        """`aiter(iterable)`."""
        return self.missing("async_iterate")

    def async_next(self, iterator: Value) -> Value:
        """The awaitable of `anext(iterator)`."""
        return self.missing("async_next")

    def is_stop_async_iteration(self, exception: Value) -> bool:
        """Whether the exception ends an `async for`."""
        return self.missing("is_stop_async_iteration")

    def wrap_yielded(self, value: Value) -> Value:
        """What an asynchronous generator yields, told apart from what it awaits."""
        return self.missing("wrap_yielded")

    def delegate_done(self, instruction: Any, value: Value) -> None:
        """What a generator delegates to at `instruction` has ended inside throw()."""
        self.missing("delegate_done")

    # -- match

    def length(self, subject: Value) -> Value:
        """`len(subject)`, as a value."""
        return self.missing("length")

    def match_mapping(self, subject: Value) -> Value:
        """Whether a mapping pattern may match, as a value."""
        return self.missing("match_mapping")

    def match_sequence(self, subject: Value) -> Value:
        """Whether a sequence pattern may match, as a value."""
        return self.missing("match_sequence")

    def match_keys(self, subject: Value, keys: Value) -> Value:
        """A tuple of the values of the keys, or None, as a value."""
        return self.missing("match_keys")

    def match_class(self, subject: Value, class_: Value, names: Value, count: int) -> Value:
        """A tuple of the attributes for `count` positions and the names, or None, as a value."""
        return self.missing("match_class")

    def dict_without_keys(self, subject: Value, keys: Value) -> Value:
        """A dict of what a mapping pattern leaves for `**rest`."""
        return self.missing("dict_without_keys")
