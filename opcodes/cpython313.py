"""CPython 3.13: explicit TO_BOOL, NULL above the callable, formatting in two instructions.

Facts from `Lib/_opcode_metadata.py` and `Python/bytecodes.c` of 3.13."""

from __future__ import annotations

from opcodes import instructions as ins
from opcodes.cpython310 import POP_TOP, TO_BOOL
from opcodes.cpython311 import PUSH_NULL
from opcodes.cpython312 import COMPARE_MASKS, CPYTHON_312, INTRINSICS_2
from opcodes.rows import counted, fixed, flagged, indexed, jump, local_pair, named, never, sequence
from opcodes.special_rows import CONVERSIONS, call, compare, dict_merge, yield_value
from opcodes.table import numbered

CPYTHON_313 = CPYTHON_312.evolve(
    version=(3, 13),
    magic=(3571,),
    have_argument=45,
    numbers=numbered(
        {
            0: "CACHE BEFORE_ASYNC_WITH BEFORE_WITH",
            4: (
                "BINARY_SLICE BINARY_SUBSCR CHECK_EG_MATCH CHECK_EXC_MATCH CLEANUP_THROW DELETE_SUBSCR "
                "END_ASYNC_FOR END_FOR END_SEND EXIT_INIT_CHECK FORMAT_SIMPLE FORMAT_WITH_SPEC GET_AITER "
                "RESERVED GET_ANEXT GET_ITER GET_LEN GET_YIELD_FROM_ITER INTERPRETER_EXIT "
                "LOAD_ASSERTION_ERROR LOAD_BUILD_CLASS LOAD_LOCALS MAKE_FUNCTION MATCH_KEYS MATCH_MAPPING "
                "MATCH_SEQUENCE NOP POP_EXCEPT POP_TOP PUSH_EXC_INFO PUSH_NULL RETURN_GENERATOR "
                "RETURN_VALUE SETUP_ANNOTATIONS STORE_SLICE STORE_SUBSCR TO_BOOL UNARY_INVERT "
                "UNARY_NEGATIVE UNARY_NOT WITH_EXCEPT_START BINARY_OP BUILD_CONST_KEY_MAP BUILD_LIST "
                "BUILD_MAP BUILD_SET BUILD_SLICE BUILD_STRING BUILD_TUPLE CALL CALL_FUNCTION_EX "
                "CALL_INTRINSIC_1 CALL_INTRINSIC_2 CALL_KW COMPARE_OP CONTAINS_OP CONVERT_VALUE COPY "
                "COPY_FREE_VARS DELETE_ATTR DELETE_DEREF DELETE_FAST DELETE_GLOBAL DELETE_NAME DICT_MERGE "
                "DICT_UPDATE ENTER_EXECUTOR EXTENDED_ARG FOR_ITER GET_AWAITABLE IMPORT_FROM IMPORT_NAME "
                "IS_OP JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP_FORWARD LIST_APPEND LIST_EXTEND "
                "LOAD_ATTR LOAD_CONST LOAD_DEREF LOAD_FAST LOAD_FAST_AND_CLEAR LOAD_FAST_CHECK "
                "LOAD_FAST_LOAD_FAST LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_GLOBAL "
                "LOAD_NAME LOAD_SUPER_ATTR MAKE_CELL MAP_ADD MATCH_CLASS POP_JUMP_IF_FALSE "
                "POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE POP_JUMP_IF_TRUE RAISE_VARARGS RERAISE "
                "RETURN_CONST SEND SET_ADD SET_FUNCTION_ATTRIBUTE SET_UPDATE STORE_ATTR STORE_DEREF "
                "STORE_FAST STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST STORE_GLOBAL STORE_NAME SWAP "
                "UNPACK_EX UNPACK_SEQUENCE YIELD_VALUE"
            ),
            149: "RESUME",
        }
    ),
    removed=(
        # CONVERT_VALUE, FORMAT_SIMPLE, FORMAT_WITH_SPEC
        "FORMAT_VALUE",
        # CALL_KW
        "KW_NAMES",
        # LOAD_FAST of the slot that holds the cell
        "LOAD_CLOSURE",
    ),
    added={
        "ENTER_EXECUTOR": never(),
        "EXIT_INIT_CHECK": never(),
        "TO_BOOL": TO_BOOL,
        "LOAD_FAST_LOAD_FAST": local_pair(ins.LOAD_FAST, ins.LOAD_FAST),
        "STORE_FAST_LOAD_FAST": local_pair(ins.STORE_FAST, ins.LOAD_FAST),
        "STORE_FAST_STORE_FAST": local_pair(ins.STORE_FAST, ins.STORE_FAST),
        "CALL_KW": counted(ins.CALL_KW, "count", head=2),
        "CONVERT_VALUE": indexed(ins.CONVERT_VALUE, "conversion", CONVERSIONS),
        "FORMAT_SIMPLE": fixed(ins.FORMAT_SIMPLE),
        "FORMAT_WITH_SPEC": fixed(ins.FORMAT_WITH_SPEC),
        "SET_FUNCTION_ATTRIBUTE": counted(ins.SET_FUNCTION_ATTRIBUTE, "flag"),
    },
    changed={
        "LOAD_GLOBAL": flagged(clear=named(ins.LOAD_GLOBAL), set=sequence(named(ins.LOAD_GLOBAL), PUSH_NULL)),
        "UNARY_NOT": fixed(ins.UNARY_NOT),
        # bit 4: the result is made an exact bool
        "COMPARE_OP": flagged(
            clear=compare(shift=5, masks=COMPARE_MASKS),
            set=sequence(compare(shift=5, masks=COMPARE_MASKS), TO_BOOL),
            bit=16,
            shift=0,
        ),
        "POP_JUMP_IF_TRUE": jump(ins.POP_JUMP_IF_TRUE, "forward"),
        "POP_JUMP_IF_FALSE": jump(ins.POP_JUMP_IF_FALSE, "forward"),
        "CALL": call(head=2),
        "CALL_INTRINSIC_2": indexed(
            ins.CALL_INTRINSIC_2, "function", (*INTRINSICS_2, "set_typeparam_default")
        ),
        "DICT_MERGE": dict_merge(callable_distance=3),
        "MAKE_FUNCTION": fixed(ins.MAKE_FUNCTION, flags=0, qualname=False),
        "END_FOR": POP_TOP,
        # the argument is whether it delegates
        "YIELD_VALUE": yield_value(argument="delegation"),
    },
    caches={
        "TO_BOOL": 3,
        "CONTAINS_OP": 1,
        "POP_JUMP_IF_TRUE": 1,
        "POP_JUMP_IF_FALSE": 1,
        "POP_JUMP_IF_NONE": 1,
        "POP_JUMP_IF_NOT_NONE": 1,
        "JUMP_BACKWARD": 1,
    },
    intrinsics_2=(*INTRINSICS_2, "set_typeparam_default"),
    facts={"locals_is_fresh": True},
)
