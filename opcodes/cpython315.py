"""CPython 3.15: iterators in two slots, lazy imports, more common constants.

Facts from `Lib/_opcode_metadata.py` and `Python/bytecodes.c` of 3.15."""

from __future__ import annotations

from opcodes import instructions as ins
from opcodes.cpython310 import POP_TOP
from opcodes.cpython314 import COMMON_CONSTANTS, CPYTHON_314
from opcodes.rows import constant_of, fixed, indexed, jump, never, sequence
from opcodes.special_rows import import_name, resume, yield_value
from opcodes.table import numbered
from opcodes.texts import TEXTS_315

MORE_CONSTANTS = (*COMMON_CONSTANTS, list, set, None, "", True, False, -1)
KINDS_OF_ITER = ("iter", None, "yield_from_coroutine", "yield_from")

CPYTHON_315 = CPYTHON_314.evolve(
    version=(3, 15),
    magic=(3666,),
    have_argument=42,
    numbers=numbered(
        {
            0: "CACHE BINARY_SLICE BUILD_TEMPLATE",
            4: (
                "CALL_FUNCTION_EX CHECK_EG_MATCH CHECK_EXC_MATCH CLEANUP_THROW DELETE_SUBSCR END_FOR "
                "END_SEND EXIT_INIT_CHECK FORMAT_SIMPLE FORMAT_WITH_SPEC GET_AITER GET_ANEXT GET_LEN "
                "RESERVED INTERPRETER_EXIT LOAD_BUILD_CLASS LOAD_LOCALS MAKE_FUNCTION MATCH_KEYS "
                "MATCH_MAPPING MATCH_SEQUENCE NOP NOT_TAKEN POP_EXCEPT POP_ITER POP_TOP PUSH_EXC_INFO "
                "PUSH_NULL RETURN_GENERATOR RETURN_VALUE SETUP_ANNOTATIONS STORE_SLICE STORE_SUBSCR "
                "TO_BOOL UNARY_INVERT UNARY_NEGATIVE UNARY_NOT WITH_EXCEPT_START BINARY_OP "
                "BUILD_INTERPOLATION BUILD_LIST BUILD_MAP BUILD_SET BUILD_SLICE BUILD_STRING BUILD_TUPLE "
                "CALL CALL_INTRINSIC_1 CALL_INTRINSIC_2 CALL_KW COMPARE_OP CONTAINS_OP CONVERT_VALUE COPY "
                "COPY_FREE_VARS DELETE_ATTR DELETE_DEREF DELETE_FAST DELETE_GLOBAL DELETE_NAME DICT_MERGE "
                "DICT_UPDATE END_ASYNC_FOR EXTENDED_ARG FOR_ITER GET_AWAITABLE GET_ITER IMPORT_FROM "
                "IMPORT_NAME IS_OP JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP_FORWARD LIST_APPEND "
                "LIST_EXTEND LOAD_ATTR LOAD_COMMON_CONSTANT LOAD_CONST LOAD_DEREF LOAD_FAST "
                "LOAD_FAST_AND_CLEAR LOAD_FAST_BORROW LOAD_FAST_BORROW_LOAD_FAST_BORROW LOAD_FAST_CHECK "
                "LOAD_FAST_LOAD_FAST LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_GLOBAL "
                "LOAD_NAME LOAD_SMALL_INT LOAD_SPECIAL LOAD_SUPER_ATTR MAKE_CELL MAP_ADD MATCH_CLASS "
                "POP_JUMP_IF_FALSE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE POP_JUMP_IF_TRUE RAISE_VARARGS "
                "RERAISE SEND SET_ADD SET_FUNCTION_ATTRIBUTE SET_UPDATE STORE_ATTR STORE_DEREF STORE_FAST "
                "STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST STORE_GLOBAL STORE_NAME SWAP UNPACK_EX "
                "UNPACK_SEQUENCE YIELD_VALUE"
            ),
            128: "RESUME",
            254: "ENTER_EXECUTOR TRACE_RECORD",
        }
    ),
    removed=(
        # GET_ITER 2 and 3
        "GET_YIELD_FROM_ITER",
    ),
    added={"TRACE_RECORD": never()},
    changed={
        # bit 3 now is the exception depth; a generator expression calls iter() itself
        "RESUME": resume(7, ("start", "yield", "yield_from", "await", "genexpr")),
        "LOAD_COMMON_CONSTANT": constant_of(MORE_CONSTANTS),
        # (iterator, NULL), or (list or tuple, tagged index)
        "GET_ITER": indexed(ins.GET_ITER, "kind", KINDS_OF_ITER, slots=2),
        "FOR_ITER": jump(ins.FOR_ITER, "forward", slots=2, pops=False),
        "POP_ITER": sequence(POP_TOP, POP_TOP),
        "SEND": jump(ins.SEND, "forward", depth=3, pops=False),
        "END_SEND": sequence(fixed(ins.SWAP, depth=3), POP_TOP, POP_TOP),
        "CLEANUP_THROW": fixed(ins.CLEANUP_THROW, slots=4),
        "YIELD_VALUE": yield_value(depth=3, argument="delegation"),
        "IMPORT_NAME": import_name(("default", "lazy", "eager")),
    },
    caches={"GET_ITER": 1, "CALL_FUNCTION_EX": 1, "RESUME": 1},
    common_constants=MORE_CONSTANTS,
    facts={"annotate_qualname": False, **TEXTS_315},
)
