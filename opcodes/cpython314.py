"""CPython 3.14: borrowed references, BINARY_OP [], LOAD_SPECIAL, template strings.

Facts from `Lib/_opcode_metadata.py` and `Python/bytecodes.c` of 3.14."""

from __future__ import annotations

from opcodes import instructions as ins
from opcodes.cpython310 import POP_TOP
from opcodes.cpython311 import BINARY_OPERATORS
from opcodes.cpython313 import CPYTHON_313
from opcodes.rows import constant_of, fixed, indexed, local, local_pair, small_int
from opcodes.special_rows import build_interpolation, call_function_ex, end_async_for
from opcodes.table import numbered
from opcodes.texts import TEXTS_314

COMMON_CONSTANTS = (AssertionError, NotImplementedError, tuple, all, any)
SPECIAL_METHODS = ("__enter__", "__exit__", "__aenter__", "__aexit__")

#: reads like LOAD_FAST; never written: a store between the load and the use would free the object
BORROW = local(ins.LOAD_FAST)
BORROW.lift = None

CPYTHON_314 = CPYTHON_313.evolve(
    version=(3, 14),
    magic=(3627,),
    have_argument=44,
    numbers=numbered(
        {
            0: "CACHE BINARY_SLICE BUILD_TEMPLATE",
            4: (
                "CALL_FUNCTION_EX CHECK_EG_MATCH CHECK_EXC_MATCH CLEANUP_THROW DELETE_SUBSCR END_FOR "
                "END_SEND EXIT_INIT_CHECK FORMAT_SIMPLE FORMAT_WITH_SPEC GET_AITER GET_ANEXT GET_ITER "
                "RESERVED GET_LEN GET_YIELD_FROM_ITER INTERPRETER_EXIT LOAD_BUILD_CLASS LOAD_LOCALS "
                "MAKE_FUNCTION MATCH_KEYS MATCH_MAPPING MATCH_SEQUENCE NOP NOT_TAKEN POP_EXCEPT POP_ITER "
                "POP_TOP PUSH_EXC_INFO PUSH_NULL RETURN_GENERATOR RETURN_VALUE SETUP_ANNOTATIONS "
                "STORE_SLICE STORE_SUBSCR TO_BOOL UNARY_INVERT UNARY_NEGATIVE UNARY_NOT WITH_EXCEPT_START "
                "BINARY_OP BUILD_INTERPOLATION BUILD_LIST BUILD_MAP BUILD_SET BUILD_SLICE BUILD_STRING "
                "BUILD_TUPLE CALL CALL_INTRINSIC_1 CALL_INTRINSIC_2 CALL_KW COMPARE_OP CONTAINS_OP "
                "CONVERT_VALUE COPY COPY_FREE_VARS DELETE_ATTR DELETE_DEREF DELETE_FAST DELETE_GLOBAL "
                "DELETE_NAME DICT_MERGE DICT_UPDATE END_ASYNC_FOR EXTENDED_ARG FOR_ITER GET_AWAITABLE "
                "IMPORT_FROM IMPORT_NAME IS_OP JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP_FORWARD "
                "LIST_APPEND LIST_EXTEND LOAD_ATTR LOAD_COMMON_CONSTANT LOAD_CONST LOAD_DEREF LOAD_FAST "
                "LOAD_FAST_AND_CLEAR LOAD_FAST_BORROW LOAD_FAST_BORROW_LOAD_FAST_BORROW LOAD_FAST_CHECK "
                "LOAD_FAST_LOAD_FAST LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_GLOBAL "
                "LOAD_NAME LOAD_SMALL_INT LOAD_SPECIAL LOAD_SUPER_ATTR MAKE_CELL MAP_ADD MATCH_CLASS "
                "POP_JUMP_IF_FALSE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE POP_JUMP_IF_TRUE RAISE_VARARGS "
                "RERAISE SEND SET_ADD SET_FUNCTION_ATTRIBUTE SET_UPDATE STORE_ATTR STORE_DEREF STORE_FAST "
                "STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST STORE_GLOBAL STORE_NAME SWAP UNPACK_EX "
                "UNPACK_SEQUENCE YIELD_VALUE"
            ),
            128: "RESUME",
            255: "ENTER_EXECUTOR",
        }
    ),
    removed=(
        # BINARY_OP [], BUILD_MAP, LOAD_COMMON_CONSTANT, LOAD_CONST and RETURN_VALUE
        *("BINARY_SUBSCR", "BUILD_CONST_KEY_MAP", "LOAD_ASSERTION_ERROR", "RETURN_CONST"),
        # LOAD_SPECIAL and CALL
        *("BEFORE_WITH", "BEFORE_ASYNC_WITH"),
    ),
    added={
        "NOT_TAKEN": fixed(ins.NOP),
        "LOAD_SMALL_INT": small_int(),
        "LOAD_COMMON_CONSTANT": constant_of(COMMON_CONSTANTS),
        "LOAD_FAST_BORROW": BORROW,
        "LOAD_FAST_BORROW_LOAD_FAST_BORROW": local_pair(ins.LOAD_FAST, ins.LOAD_FAST),
        "LOAD_SPECIAL": indexed(ins.LOAD_SPECIAL, "name", SPECIAL_METHODS),
        "POP_ITER": POP_TOP,
        "BUILD_INTERPOLATION": build_interpolation(),
        "BUILD_TEMPLATE": fixed(ins.BUILD_TEMPLATE),
    },
    changed={
        "BINARY_OP": indexed(ins.BINARY_OP, "operator", (*BINARY_OPERATORS, "[]")),
        # a slot for the keywords is always there, NULL when there are none
        "CALL_FUNCTION_EX": call_function_ex(head=2, keywords_always=True),
        # the exit is a pair
        "WITH_EXCEPT_START": fixed(ins.WITH_EXCEPT_START, exit=5, pair=True, exception=1),
        "END_ASYNC_FOR": end_async_for(),
    },
    caches={"BINARY_OP": 5, "CALL_KW": 3},
    binary_operators=(*BINARY_OPERATORS, "[]"),
    common_constants=COMMON_CONSTANTS,
    special_methods=SPECIAL_METHODS,
    facts={
        "annotate_qualname": True,
        "annotate_name": "__annotate_func__",
        "docstring_flag": 0x4000000,
        "except_star_adds_entry": True,
        **TEXTS_314,
    },
)
