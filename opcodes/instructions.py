"""The canonical instructions: what an instruction means, whatever the version.

Each class is one instruction. Its docstring is its stack effect in the notation of CPython's
`bytecodes.c`: `(inputs -- outputs)`, bottom to top, `name[size]` for several slots, where the size
is an expression over the operands. A second line `jump: (…)` gives the effect when it jumps.
Its annotations are its operands, decoded once; no handler shifts bits.

Names are CPython's newest name for that meaning. Slots named `null`, `self_or_null`,
`value_or_null`, `index`, `lasti` or `previous` hold what their name says; every other slot holds
an ordinary value.

Operands that are jump targets are indexes into `Program.instructions` (a `Label` while a splice is
being written).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar

from opcodes.effects import StackEffect, parse_effects
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform

    from opcodes.program import Raw, Raws
else:

    def dataclass_transform(**_: Any) -> Any:
        return lambda cls: cls


class Label:
    """A place in a list of instructions being written; stands in the list, and as a target."""

    __slots__ = ("name",)

    def __init__(self, name: str = "") -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name or 'label'}>"


Target = int | Label

#: Every canonical instruction by name, in the order of this file.
INSTRUCTIONS: dict[str, type[Instruction]] = {}


@dataclass_transform(eq_default=False)
class InstructionMeta(type):
    """Turns the annotations of an instruction class into slots, and registers the class."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> InstructionMeta:
        operands = tuple(
            sys.intern(key)
            for key, kind in namespace.get("__annotations__", {}).items()
            if not kind.startswith("ClassVar")
        )
        if bases:
            namespace["__slots__"] = operands
            namespace["operands"] = operands
            namespace["opname"] = name
            namespace["defaults"] = {
                operand: namespace.pop(operand) for operand in operands if operand in namespace
            }
            namespace["targets"] = tuple(
                operand for operand in operands if operand in ("target", "end", "origin")
            )
            namespace["id"] = len(INSTRUCTIONS)
        cls = super().__new__(mcls, name, bases, namespace)
        if bases:
            INSTRUCTIONS[name] = cls  # type: ignore[assignment]
        return cls


class Instruction(metaclass=InstructionMeta):
    """One canonical instruction with its operands, and the raw instruction it came from.

    `raw` is None for an instruction that no code object had (spliced in).
    """

    # `raw` is read far less often than instructions are made: it is made when first asked for. Where
    # `_raws` is None, `_at` is the raw instruction itself (or None); else it is a code unit of `_raws`.
    __slots__ = ("_at", "_raws")

    opname: ClassVar[str]
    id: ClassVar[int]
    operands: ClassVar[tuple[str, ...]]
    defaults: ClassVar[dict[str, Any]]
    targets: ClassVar[tuple[str, ...]]

    def __init__(self, *values: Any, **named: Any) -> None:
        self._raws: Raws | None = None
        self._at: Any = None
        for operand, value in zip(self.operands, values):
            setattr(self, operand, value)
        for operand in self.operands[len(values) :]:
            if operand in named:
                setattr(self, operand, named.pop(operand))
            elif operand in self.defaults:
                setattr(self, operand, self.defaults[operand])
            else:
                raise TypeError(f"{self.opname} needs its operand {operand!r}")
        if named or len(values) > len(self.operands):
            raise TypeError(f"{self.opname} takes {', '.join(self.operands) or 'no operands'}")

    @property
    def raw(self) -> Raw | None:
        """The raw instruction this came from, the same object for all that came from it."""
        raws = self._raws
        return self._at if raws is None else raws[self._at]

    @raw.setter
    def raw(self, raw: Raw | None) -> None:
        self._raws, self._at = None, raw

    @classmethod
    def net_effect(cls, instruction: Instruction) -> int:
        """The change of depth when an instruction of this class falls through: `stack_effect`, faster."""
        cls.net_effect = net = parse_effects(cls).fall.net  # type: ignore[method-assign, assignment]
        return net(instruction)

    @classmethod
    def effects(cls) -> StackEffect:
        """The declared stack effect, parsed from the docstring once."""
        return parse_effects(cls)

    def stack_effect(self, *, jump: bool = False) -> int:
        """The change of depth, in slots, when this instruction falls through (or jumps)."""
        return parse_effects(type(self)).net(self, jump)

    def values(self) -> tuple[Any, ...]:
        """The operands, in order."""
        return tuple(getattr(self, operand) for operand in self.operands)

    def replace(self, **changes: Any) -> Instruction:
        """A copy with some operands changed; it comes from the same raw instruction."""
        new = type(self).__new__(type(self))
        new._raws, new._at = self._raws, self._at
        for operand in self.operands:
            setattr(new, operand, getattr(self, operand))
        for operand, value in changes.items():
            if operand not in self.operands:
                raise TypeError(f"{self.opname} has no operand {operand!r}")
            setattr(new, operand, value)
        return new

    def __repr__(self) -> str:
        shown = [
            f"{operand}={getattr(self, operand)!r}"
            for operand in self.operands
            if not (operand in self.defaults and getattr(self, operand) == self.defaults[operand])
        ]
        return f"{self.opname}({', '.join(shown)})"


# -- stack and bookkeeping


class NOP(Instruction):
    """( -- )"""


class RESUME(Instruction):
    """( -- )"""

    #: "start", "yield", "yield_from", "await" or "genexpr": what execution resumes after
    point: str = "start"


class POP_TOP(Instruction):
    """(value -- )"""


class PUSH_NULL(Instruction):
    """( -- null)"""


class COPY(Instruction):
    """(bottom, between[depth - 1] -- bottom, between[depth - 1], bottom)"""

    depth: int


class SWAP(Instruction):
    """(bottom, between[depth - 2], top -- top, between[depth - 2], bottom)"""

    depth: int


class ROTATE(Instruction):
    """(below[depth - 1], top -- top, below[depth - 1])"""

    depth: int


# -- constants


class LOAD_CONST(Instruction):
    """( -- value)"""

    value: Any


class LOAD_BUILD_CLASS(Instruction):
    """( -- build_class)"""


# -- locals, cells, globals, names. `slot` indexes the frame's localsplus in every version: the
# variables, then the cells that are not variables, then the free variables.


class LOAD_FAST(Instruction):
    """( -- value)"""

    slot: int
    name: str


class LOAD_FAST_CHECK(Instruction):
    """( -- value)"""

    slot: int
    name: str


class LOAD_FAST_AND_CLEAR(Instruction):
    """( -- value_or_null)"""

    slot: int
    name: str


class STORE_FAST(Instruction):
    """(value_or_null -- )"""

    slot: int
    name: str


class DELETE_FAST(Instruction):
    """( -- )"""

    slot: int
    name: str


class MAKE_CELL(Instruction):
    """( -- )"""

    slot: int
    name: str


class COPY_FREE_VARS(Instruction):
    """( -- )"""

    count: int


class LOAD_DEREF(Instruction):
    """( -- value)"""

    slot: int
    name: str


class STORE_DEREF(Instruction):
    """(value -- )"""

    slot: int
    name: str


class DELETE_DEREF(Instruction):
    """( -- )"""

    slot: int
    name: str


class LOAD_LOCALS(Instruction):
    """( -- namespace)"""


class LOAD_FROM_DICT_OR_DEREF(Instruction):
    """(namespace -- value)"""

    slot: int
    name: str


class LOAD_FROM_DICT_OR_GLOBALS(Instruction):
    """(namespace -- value)"""

    name: str


class LOAD_GLOBAL(Instruction):
    """( -- value)"""

    name: str


class STORE_GLOBAL(Instruction):
    """(value -- )"""

    name: str


class DELETE_GLOBAL(Instruction):
    """( -- )"""

    name: str


class LOAD_NAME(Instruction):
    """( -- value)"""

    name: str


class STORE_NAME(Instruction):
    """(value -- )"""

    name: str


class DELETE_NAME(Instruction):
    """( -- )"""

    name: str


class SETUP_ANNOTATIONS(Instruction):
    """( -- )"""


# -- attributes and items


class LOAD_ATTR(Instruction):
    """(owner -- attribute)"""

    name: str


class LOAD_METHOD(Instruction):
    """(owner -- callable, self_or_null)

    In 3.10 to 3.12 the NULL is the lower of the two: see CALL for why that does not matter.
    """

    name: str


class LOAD_SUPER_ATTR(Instruction):
    """(super, class_, self -- attribute)"""

    name: str
    #: super() was written with two arguments
    explicit: bool


class LOAD_SUPER_METHOD(Instruction):
    """(super, class_, self -- callable, self_or_null)"""

    name: str
    explicit: bool


class LOAD_SPECIAL(Instruction):
    """(owner -- callable, self_or_null)"""

    name: str


class STORE_ATTR(Instruction):
    """(value, owner -- )"""

    name: str


class DELETE_ATTR(Instruction):
    """(owner -- )"""

    name: str


class STORE_SUBSCR(Instruction):
    """(value, container, key -- )"""


class DELETE_SUBSCR(Instruction):
    """(container, key -- )"""


class BUILD_SLICE(Instruction):
    """(bounds[count] -- slice)"""

    #: 2 or 3
    count: int


# -- operators


class BINARY_OP(Instruction):
    """(left, right -- result)"""

    #: as written: "+", "+=" (in place), "[]" (subscript)
    operator: str


class UNARY_NEGATIVE(Instruction):
    """(value -- result)"""


class UNARY_INVERT(Instruction):
    """(value -- result)"""


class UNARY_NOT(Instruction):
    """(bool -- result)

    The operand is an exact bool already: TO_BOOL stands before it.
    """


class TO_BOOL(Instruction):
    """(value -- bool)"""


class COMPARE_OP(Instruction):
    """(left, right -- result)"""

    #: "<", "<=", "==", "!=", ">" or ">="
    operator: str


class IS_OP(Instruction):
    """(left, right -- bool)"""

    #: `is not`
    invert: bool


class CONTAINS_OP(Instruction):
    """(item, container -- bool)"""

    #: `not in`
    invert: bool


# -- control flow


class JUMP(Instruction):
    """( -- )
    jump: ( -- )
    """

    target: Target


class POP_JUMP_IF_TRUE(Instruction):
    """(bool -- )
    jump: (bool -- )
    """

    target: Target


class POP_JUMP_IF_FALSE(Instruction):
    """(bool -- )
    jump: (bool -- )
    """

    target: Target


class POP_JUMP_IF_NONE(Instruction):
    """(value -- )
    jump: (value -- )
    """

    target: Target


class POP_JUMP_IF_NOT_NONE(Instruction):
    """(value -- )
    jump: (value -- )
    """

    target: Target


class RETURN_VALUE(Instruction):
    """(value -- )"""


# -- iteration. From 3.15 an iterator takes two slots: (iterator, NULL), or (list or tuple, tagged
# index).


class GET_ITER(Instruction):
    """(iterable -- iterator, index[slots - 1])"""

    slots: int
    #: "iter"; or 3.15's "yield_from" and "yield_from_coroutine" (a coroutine is allowed)
    kind: str = "iter"


class FOR_ITER(Instruction):
    """(iterator, index[slots - 1] -- iterator, index[slots - 1], next)
    jump: (iterator, index[slots - 1] -- iterator[not pops], index[slots - 1], dummy[not pops])
    """

    target: Target
    slots: int
    #: exhausted: True (3.10, 3.11), the iterator is popped; False, a dummy is pushed, and the
    #: POP_TOPs at the target (END_FOR, POP_ITER) take both away
    pops: bool


# -- calls and intrinsics


class CALL(Instruction):
    """(callable[head], arguments[count] -- result)

    With a head of two slots, one rule serves every version: take the pair, drop the NULL; the first
    that is left is the callable, the second (if any) is the first argument.
    """

    #: arguments, keyword arguments included
    count: int
    head: int
    #: names of the last arguments (KW_NAMES of 3.11 and 3.12)
    names: tuple[str, ...] = ()


class CALL_KW(Instruction):
    """(callable[head], arguments[count], names -- result)"""

    count: int
    head: int


class CALL_FUNCTION_EX(Instruction):
    """(callable[head], arguments, keywords[keywords] -- result)"""

    head: int
    #: a slot for the keyword dict is there (NULL in it means none)
    keywords: bool


class CALL_INTRINSIC_1(Instruction):
    """(value -- result)"""

    #: "print", "import_star", "stopiteration_error", … as CPython's pycore_intrinsics.h, lower case
    function: str


class CALL_INTRINSIC_2(Instruction):
    """(first, second -- result)"""

    function: str


# -- containers, unpacking, formatting


class BUILD_TUPLE(Instruction):
    """(items[count] -- tuple)"""

    count: int


class BUILD_LIST(Instruction):
    """(items[count] -- list)"""

    count: int


class BUILD_SET(Instruction):
    """(items[count] -- set)"""

    count: int


class BUILD_STRING(Instruction):
    """(pieces[count] -- string)"""

    count: int


class BUILD_MAP(Instruction):
    """(keys_and_values[2 * count] -- dict)"""

    count: int


class BUILD_CONST_KEY_MAP(Instruction):
    """(values[count], keys -- dict)"""

    count: int


class LIST_APPEND(Instruction):
    """(list, between[depth - 1], item -- list, between[depth - 1])"""

    depth: int


class SET_ADD(Instruction):
    """(set, between[depth - 1], item -- set, between[depth - 1])"""

    depth: int


class MAP_ADD(Instruction):
    """(dict, between[depth - 1], key, value -- dict, between[depth - 1])"""

    depth: int


class LIST_EXTEND(Instruction):
    """(list, between[depth - 1], iterable -- list, between[depth - 1])"""

    depth: int


class SET_UPDATE(Instruction):
    """(set, between[depth - 1], iterable -- set, between[depth - 1])"""

    depth: int


class DICT_UPDATE(Instruction):
    """(dict, between[depth - 1], mapping -- dict, between[depth - 1])"""

    depth: int


class DICT_MERGE(Instruction):
    """(dict, between[depth - 1], mapping -- dict, between[depth - 1])"""

    depth: int
    #: where the callable is, counted from the top once the mapping is popped: errors name it
    callable_depth: int


class UNPACK_SEQUENCE(Instruction):
    """(sequence -- items[count])"""

    count: int


class UNPACK_EX(Instruction):
    """(sequence -- after[after], rest, before[before])"""

    before: int
    after: int


class CONVERT_VALUE(Instruction):
    """(value -- string)"""

    #: "str", "repr" or "ascii"
    conversion: str


class FORMAT_SIMPLE(Instruction):
    """(value -- string)"""


class FORMAT_WITH_SPEC(Instruction):
    """(value, spec -- string)"""


class BUILD_INTERPOLATION(Instruction):
    """(value, text, spec[spec] -- interpolation)"""

    #: "s", "r", "a" or None
    conversion: str | None
    spec: bool


class BUILD_TEMPLATE(Instruction):
    """(strings, interpolations -- template)"""


# -- functions and imports


class MAKE_FUNCTION(Instruction):
    """(attributes[flags.bit_count()], code, qualname[qualname] -- function)"""

    #: 1 defaults, 2 keyword defaults, 4 annotations, 8 closure, pushed in this order
    flags: int
    #: the qualified name is on the stack (3.10); since, the code object has it
    qualname: bool


class SET_FUNCTION_ATTRIBUTE(Instruction):
    """(value, function -- function)"""

    #: 1 defaults, 2 keyword defaults, 4 annotations, 8 closure, 16 annotate
    flag: int


class IMPORT_NAME(Instruction):
    """(level, fromlist -- module)"""

    name: str
    #: "default", or 3.15's "lazy" and "eager"
    mode: str = "default"


class IMPORT_FROM(Instruction):
    """(module -- module, attribute)"""

    name: str


# -- exceptions. What 3.10 pushes for an exception is six slots, its three of the older one below.


class SETUP_FINALLY(Instruction):
    """( -- )
    jump: ( -- previous[3], exception[3])

    3.10 only, kept for its place: the exception regions of the Program say what it does.
    """

    target: Target


class SETUP_WITH(Instruction):
    """(result -- result)
    jump: (result -- previous[3], exception[3])

    3.10 only, as SETUP_FINALLY: the block begins below the result of `__enter__`.
    """

    target: Target


class POP_BLOCK(Instruction):
    """( -- )"""


class PUSH_EXC_INFO(Instruction):
    """(exception -- previous, exception)"""


class CHECK_EXC_MATCH(Instruction):
    """(exception, type -- kept[keeps], match)"""

    #: the exception stays (3.11+); 3.10 pops both, and has the exception's type there
    keeps: bool


class CHECK_EG_MATCH(Instruction):
    """(group, type -- rest, match)"""


class POP_EXCEPT(Instruction):
    """(previous[slots] -- )"""

    slots: int


class RERAISE(Instruction):
    """(exception[slots] -- )"""

    slots: int
    #: where the lasti is, counted down from below the exception; 0, none: the line is this one's
    lasti: int


class RAISE_VARARGS(Instruction):
    """(values[count] -- )"""

    count: int


# -- with


class BEFORE_WITH(Instruction):
    """(manager -- exit, result)"""


class BEFORE_ASYNC_WITH(Instruction):
    """(manager -- exit, awaitable)"""


class WITH_EXCEPT_START(Instruction):
    """( -- result)"""

    #: where the exit is, counted from the top (1): 7 on 3.10, 4 on 3.11-3.13, 5 since
    exit: int
    #: a self-or-NULL stands above the exit (3.14+)
    pair: bool
    #: where the exception is; on 3.10 it is (tb, value, type) with the type on top
    exception: int


# -- generators and async


class RETURN_GENERATOR(Instruction):
    """( -- sent)"""


class YIELD_VALUE(Instruction):
    """(value -- sent)"""

    #: where the receiver of a `yield from` or `await` is, counted from the top; 0, a plain yield
    receiver: int = 0
    #: an async generator of 3.10 wraps its values here
    wraps: bool = False
    #: where control goes when the receiver ends inside throw() (3.10, 3.11); None since 3.12, where
    #: CLEANUP_THROW's region does it
    end: Target | None = None


class GET_YIELD_FROM_ITER(Instruction):
    """(iterable -- iterator)"""


class SEND(Instruction):
    """(receiver[depth - 1], value -- receiver[depth - 1], yielded)
    jump: (receiver[depth - 1], value -- receiver[0 if pops else depth - 1], result)
    """

    target: Target
    #: slots of receiver and value: 2, on 3.15 3
    depth: int
    #: done: the receiver is popped (3.10, 3.11) or stays for END_SEND
    pops: bool


class CLEANUP_THROW(Instruction):
    """(receiver[slots - 2], sent, exception -- none, null[slots - 3], value)"""

    #: 3, on 3.15 4
    slots: int


class GET_AWAITABLE(Instruction):
    """(iterable -- awaitable)"""

    #: "", or "__aenter__" or "__aexit__": whose result it is, for the text of the error
    after: str = ""


class GET_AITER(Instruction):
    """(iterable -- iterator)"""


class GET_ANEXT(Instruction):
    """(iterator -- iterator, awaitable)"""


class END_ASYNC_FOR(Instruction):
    """(values[slots] -- )"""

    #: 2 (iterator, exception); 7 on 3.10
    slots: int
    #: the SEND it belongs to (3.14+, for events only; it never jumps)
    origin: Target | None = None


# -- match


class GET_LEN(Instruction):
    """(subject -- subject, length)"""


class MATCH_MAPPING(Instruction):
    """(subject -- subject, bool)"""


class MATCH_SEQUENCE(Instruction):
    """(subject -- subject, bool)"""


class MATCH_KEYS(Instruction):
    """(subject, keys -- subject, keys, values_or_none)"""


class MATCH_CLASS(Instruction):
    """(subject, type, names -- attributes_or_none)"""

    #: positional sub-patterns
    count: int


class COPY_DICT_WITHOUT_KEYS(Instruction):
    """(subject, keys -- subject, rest)

    3.10 only; since, the compiler writes it out.
    """
