"""CPython 3.12: comprehensions inlined, intrinsics, LOAD_METHOD folded into LOAD_ATTR.

Facts from `Lib/opcode.py` and `Python/bytecodes.c` of 3.12."""

from __future__ import annotations

from opcodes import instructions as ins
from opcodes.cpython310 import POP_TOP, TO_BOOL
from opcodes.cpython311 import CPYTHON_311
from opcodes.rows import (
    constant,
    deref,
    fixed,
    flagged,
    indexed,
    jump,
    local,
    named,
    never,
    sequence,
)
from opcodes.special_rows import call, compare, yield_value
from opcodes.table import numbered

INTRINSICS_1 = (
    None,
    *("print", "import_star", "stopiteration_error", "async_gen_wrap", "unary_positive", "list_to_tuple"),
    *("typevar", "paramspec", "typevartuple", "subscript_generic", "typealias"),
)
INTRINSICS_2 = (
    None,
    *("prep_reraise_star", "typevar_with_bound", "typevar_with_constraints", "set_function_type_params"),
)
#: what the specialised comparisons look at: 1 unordered, 2 less, 4 greater, 8 equal
COMPARE_MASKS = (2, 10, 8, 7, 4, 12)


def super_attr(explicit: bool):  # type: ignore[no-untyped-def]
    return named(ins.LOAD_SUPER_ATTR, explicit=explicit)


def super_method(explicit: bool):  # type: ignore[no-untyped-def]
    return named(ins.LOAD_SUPER_METHOD, explicit=explicit)


CPYTHON_312 = CPYTHON_311.evolve(
    version=(3, 12),
    magic=(3531,),
    numbers=numbered(
        {
            0: "CACHE POP_TOP PUSH_NULL INTERPRETER_EXIT END_FOR END_SEND",
            9: "NOP",
            11: "UNARY_NEGATIVE UNARY_NOT",
            15: "UNARY_INVERT",
            17: "RESERVED",
            25: "BINARY_SUBSCR BINARY_SLICE STORE_SLICE",
            30: "GET_LEN MATCH_MAPPING MATCH_SEQUENCE MATCH_KEYS",
            35: "PUSH_EXC_INFO CHECK_EXC_MATCH CHECK_EG_MATCH",
            49: (
                "WITH_EXCEPT_START GET_AITER GET_ANEXT BEFORE_ASYNC_WITH BEFORE_WITH END_ASYNC_FOR "
                "CLEANUP_THROW"
            ),
            60: "STORE_SUBSCR DELETE_SUBSCR",
            68: "GET_ITER GET_YIELD_FROM_ITER",
            71: "LOAD_BUILD_CLASS",
            74: "LOAD_ASSERTION_ERROR RETURN_GENERATOR",
            83: "RETURN_VALUE",
            85: "SETUP_ANNOTATIONS",
            87: "LOAD_LOCALS",
            89: (
                "POP_EXCEPT STORE_NAME DELETE_NAME UNPACK_SEQUENCE FOR_ITER UNPACK_EX STORE_ATTR "
                "DELETE_ATTR STORE_GLOBAL DELETE_GLOBAL SWAP LOAD_CONST LOAD_NAME BUILD_TUPLE BUILD_LIST "
                "BUILD_SET BUILD_MAP LOAD_ATTR COMPARE_OP IMPORT_NAME IMPORT_FROM JUMP_FORWARD"
            ),
            114: (
                "POP_JUMP_IF_FALSE POP_JUMP_IF_TRUE LOAD_GLOBAL IS_OP CONTAINS_OP RERAISE COPY "
                "RETURN_CONST BINARY_OP SEND LOAD_FAST STORE_FAST DELETE_FAST LOAD_FAST_CHECK "
                "POP_JUMP_IF_NOT_NONE POP_JUMP_IF_NONE RAISE_VARARGS GET_AWAITABLE MAKE_FUNCTION "
                "BUILD_SLICE JUMP_BACKWARD_NO_INTERRUPT MAKE_CELL LOAD_CLOSURE LOAD_DEREF STORE_DEREF "
                "DELETE_DEREF JUMP_BACKWARD LOAD_SUPER_ATTR CALL_FUNCTION_EX LOAD_FAST_AND_CLEAR "
                "EXTENDED_ARG LIST_APPEND SET_ADD MAP_ADD"
            ),
            149: "COPY_FREE_VARS YIELD_VALUE RESUME MATCH_CLASS",
            155: "FORMAT_VALUE BUILD_CONST_KEY_MAP BUILD_STRING",
            162: "LIST_EXTEND SET_UPDATE DICT_MERGE DICT_UPDATE",
            171: (
                "CALL KW_NAMES CALL_INTRINSIC_1 CALL_INTRINSIC_2 LOAD_FROM_DICT_OR_GLOBALS "
                "LOAD_FROM_DICT_OR_DEREF"
            ),
        }
    ),
    removed=(
        # one CALL
        "PRECALL",
        # bit 0 of LOAD_ATTR
        "LOAD_METHOD",
        # LOAD_LOCALS and LOAD_FROM_DICT_OR_DEREF
        "LOAD_CLASSDEREF",
        # conditional jumps go forward only
        *("POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_FORWARD_IF_FALSE"),
        *("POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_FORWARD_IF_NOT_NONE"),
        *("POP_JUMP_BACKWARD_IF_TRUE", "POP_JUMP_BACKWARD_IF_FALSE"),
        *("POP_JUMP_BACKWARD_IF_NONE", "POP_JUMP_BACKWARD_IF_NOT_NONE"),
        # COPY, POP_JUMP_IF, POP_TOP
        *("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"),
        # intrinsics
        *(
            "PRINT_EXPR",
            "IMPORT_STAR",
            "LIST_TO_TUPLE",
            "ASYNC_GEN_WRAP",
            "PREP_RERAISE_STAR",
            "UNARY_POSITIVE",
        ),
    ),
    added={
        "INTERPRETER_EXIT": never(),
        "RESERVED": never(),
        "RETURN_CONST": sequence(constant(), fixed(ins.RETURN_VALUE)),
        "LOAD_FAST_CHECK": local(ins.LOAD_FAST_CHECK),
        "LOAD_FAST_AND_CLEAR": local(ins.LOAD_FAST_AND_CLEAR),
        "LOAD_LOCALS": fixed(ins.LOAD_LOCALS),
        "LOAD_FROM_DICT_OR_DEREF": deref(ins.LOAD_FROM_DICT_OR_DEREF),
        "LOAD_FROM_DICT_OR_GLOBALS": named(ins.LOAD_FROM_DICT_OR_GLOBALS),
        # bit 0 a method, bit 1 two arguments
        "LOAD_SUPER_ATTR": flagged(
            clear=flagged(clear=super_attr(False), set=super_attr(True)),
            set=flagged(clear=super_method(False), set=super_method(True)),
        ),
        "BINARY_SLICE": sequence(fixed(ins.BUILD_SLICE, count=2), fixed(ins.BINARY_OP, operator="[]")),
        "STORE_SLICE": sequence(fixed(ins.BUILD_SLICE, count=2), fixed(ins.STORE_SUBSCR)),
        "POP_JUMP_IF_TRUE": sequence(TO_BOOL, jump(ins.POP_JUMP_IF_TRUE, "forward")),
        "POP_JUMP_IF_FALSE": sequence(TO_BOOL, jump(ins.POP_JUMP_IF_FALSE, "forward")),
        "POP_JUMP_IF_NONE": jump(ins.POP_JUMP_IF_NONE, "forward"),
        "POP_JUMP_IF_NOT_NONE": jump(ins.POP_JUMP_IF_NOT_NONE, "forward"),
        "END_FOR": sequence(POP_TOP, POP_TOP),
        "END_SEND": sequence(fixed(ins.SWAP, depth=2), POP_TOP),
        "CLEANUP_THROW": fixed(ins.CLEANUP_THROW, slots=3),
        "CALL_INTRINSIC_1": indexed(ins.CALL_INTRINSIC_1, "function", INTRINSICS_1),
        "CALL_INTRINSIC_2": indexed(ins.CALL_INTRINSIC_2, "function", INTRINSICS_2),
    },
    changed={
        # the compiler says which may be unbound
        "LOAD_FAST": local(ins.LOAD_FAST),
        "LOAD_ATTR": flagged(clear=named(ins.LOAD_ATTR), set=named(ins.LOAD_METHOD)),
        "COMPARE_OP": compare(shift=4, masks=COMPARE_MASKS),
        "FOR_ITER": jump(ins.FOR_ITER, "forward", slots=1, pops=False),
        "CALL": call(head=2, names=True),
        # the argument is the exception depth
        "YIELD_VALUE": yield_value(argument="depth"),
        "SEND": jump(ins.SEND, "forward", depth=2, pops=False),
    },
    caches={
        "BINARY_SUBSCR": 1,
        "LOAD_GLOBAL": 4,
        "LOAD_ATTR": 9,
        "CALL": 3,
        "COMPARE_OP": 1,
        "FOR_ITER": 1,
        "SEND": 1,
        "LOAD_SUPER_ATTR": 1,
    },
    # LOAD_FAST never fails
    facts={"blurs_unbound_loads": False},
    intrinsics_1=INTRINSICS_1,
    intrinsics_2=INTRINSICS_2,
)
