"""CPython 3.11: inline caches, exception tables, one BINARY_OP, calls in three instructions.

Facts from `Lib/opcode.py`, `Python/ceval.c` and `Objects/exception_handling_notes.txt` of 3.11."""

from __future__ import annotations

from opcodes import instructions as ins
from opcodes.cpython310 import CPYTHON_310, OPERATORS, POP_TOP, TO_BOOL, intrinsic
from opcodes.lowering import slots_of_localsplus
from opcodes.rows import counted, fixed, flagged, indexed, jump, local, named, never, nothing, sequence
from opcodes.special_rows import call, call_function_ex, kw_names, make_function, resume, yield_value
from opcodes.table import numbered
from opcodes.texts import TEXTS_311

BINARY_OPERATORS = (
    *("+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^"),
    *("+=", "&=", "//=", "<<=", "@=", "*=", "%=", "|=", "**=", ">>=", "-=", "/=", "^="),
)
PUSH_NULL = fixed(ins.PUSH_NULL)

CPYTHON_311 = CPYTHON_310.evolve(
    version=(3, 11),
    magic=(3495,),
    numbers=numbered(
        {
            0: "CACHE POP_TOP PUSH_NULL",
            9: "NOP UNARY_POSITIVE UNARY_NEGATIVE UNARY_NOT",
            15: "UNARY_INVERT",
            25: "BINARY_SUBSCR",
            30: "GET_LEN MATCH_MAPPING MATCH_SEQUENCE MATCH_KEYS",
            35: "PUSH_EXC_INFO CHECK_EXC_MATCH CHECK_EG_MATCH",
            49: "WITH_EXCEPT_START GET_AITER GET_ANEXT BEFORE_ASYNC_WITH BEFORE_WITH END_ASYNC_FOR",
            60: "STORE_SUBSCR DELETE_SUBSCR",
            68: "GET_ITER GET_YIELD_FROM_ITER PRINT_EXPR LOAD_BUILD_CLASS",
            74: "LOAD_ASSERTION_ERROR RETURN_GENERATOR",
            82: (
                "LIST_TO_TUPLE RETURN_VALUE IMPORT_STAR SETUP_ANNOTATIONS YIELD_VALUE ASYNC_GEN_WRAP "
                "PREP_RERAISE_STAR POP_EXCEPT STORE_NAME DELETE_NAME UNPACK_SEQUENCE FOR_ITER UNPACK_EX "
                "STORE_ATTR DELETE_ATTR STORE_GLOBAL DELETE_GLOBAL SWAP LOAD_CONST LOAD_NAME BUILD_TUPLE "
                "BUILD_LIST BUILD_SET BUILD_MAP LOAD_ATTR COMPARE_OP IMPORT_NAME IMPORT_FROM JUMP_FORWARD "
                "JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP"
            ),
            114: (
                "POP_JUMP_FORWARD_IF_FALSE POP_JUMP_FORWARD_IF_TRUE LOAD_GLOBAL IS_OP CONTAINS_OP RERAISE "
                "COPY"
            ),
            122: "BINARY_OP SEND LOAD_FAST STORE_FAST DELETE_FAST",
            128: (
                "POP_JUMP_FORWARD_IF_NOT_NONE POP_JUMP_FORWARD_IF_NONE RAISE_VARARGS GET_AWAITABLE "
                "MAKE_FUNCTION BUILD_SLICE JUMP_BACKWARD_NO_INTERRUPT MAKE_CELL LOAD_CLOSURE LOAD_DEREF "
                "STORE_DEREF DELETE_DEREF JUMP_BACKWARD"
            ),
            142: "CALL_FUNCTION_EX",
            144: "EXTENDED_ARG LIST_APPEND SET_ADD MAP_ADD LOAD_CLASSDEREF COPY_FREE_VARS",
            151: "RESUME MATCH_CLASS",
            155: "FORMAT_VALUE BUILD_CONST_KEY_MAP BUILD_STRING",
            160: "LOAD_METHOD",
            162: "LIST_EXTEND SET_UPDATE DICT_MERGE DICT_UPDATE PRECALL",
            171: (
                "CALL KW_NAMES POP_JUMP_BACKWARD_IF_NOT_NONE POP_JUMP_BACKWARD_IF_NONE "
                "POP_JUMP_BACKWARD_IF_FALSE POP_JUMP_BACKWARD_IF_TRUE"
            ),
        }
    ),
    removed=(
        # one BINARY_OP for all of them
        *(f"{kind}_{name}" for name in OPERATORS for kind in ("BINARY", "INPLACE")),
        # COPY and SWAP
        *("DUP_TOP", "DUP_TOP_TWO", "ROT_TWO", "ROT_THREE", "ROT_FOUR", "ROT_N"),
        # PRECALL and CALL
        *("CALL_FUNCTION", "CALL_FUNCTION_KW", "CALL_METHOD"),
        # the exception table
        *("SETUP_FINALLY", "SETUP_WITH", "SETUP_ASYNC_WITH", "POP_BLOCK", "JUMP_IF_NOT_EXC_MATCH"),
        # SEND, RETURN_GENERATOR
        *("YIELD_FROM", "GEN_START"),
        # relative jumps
        *("JUMP_ABSOLUTE", "POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE"),
        # written out by the compiler
        "COPY_DICT_WITHOUT_KEYS",
    ),
    added={
        "CACHE": never(),
        "RESUME": resume(3, ("start", "yield", "yield_from", "await")),
        "PUSH_NULL": PUSH_NULL,
        "COPY": counted(ins.COPY, "depth"),
        "SWAP": counted(ins.SWAP, "depth"),
        "MAKE_CELL": local(ins.MAKE_CELL),
        "COPY_FREE_VARS": counted(ins.COPY_FREE_VARS, "count"),
        "BINARY_OP": indexed(ins.BINARY_OP, "operator", BINARY_OPERATORS),
        "PRECALL": nothing(),
        "KW_NAMES": kw_names(),
        "CALL": call(head=2, before="PRECALL", names=True),
        "ASYNC_GEN_WRAP": intrinsic("async_gen_wrap"),
        "PREP_RERAISE_STAR": fixed(ins.CALL_INTRINSIC_2, function="prep_reraise_star"),
        "JUMP_BACKWARD": jump(ins.JUMP, "backward"),
        "JUMP_BACKWARD_NO_INTERRUPT": jump(ins.JUMP, "backward"),
        "POP_JUMP_FORWARD_IF_TRUE": sequence(TO_BOOL, jump(ins.POP_JUMP_IF_TRUE, "forward")),
        "POP_JUMP_FORWARD_IF_FALSE": sequence(TO_BOOL, jump(ins.POP_JUMP_IF_FALSE, "forward")),
        "POP_JUMP_FORWARD_IF_NONE": jump(ins.POP_JUMP_IF_NONE, "forward"),
        "POP_JUMP_FORWARD_IF_NOT_NONE": jump(ins.POP_JUMP_IF_NOT_NONE, "forward"),
        "POP_JUMP_BACKWARD_IF_TRUE": sequence(TO_BOOL, jump(ins.POP_JUMP_IF_TRUE, "backward")),
        "POP_JUMP_BACKWARD_IF_FALSE": sequence(TO_BOOL, jump(ins.POP_JUMP_IF_FALSE, "backward")),
        "POP_JUMP_BACKWARD_IF_NONE": jump(ins.POP_JUMP_IF_NONE, "backward"),
        "POP_JUMP_BACKWARD_IF_NOT_NONE": jump(ins.POP_JUMP_IF_NOT_NONE, "backward"),
        "PUSH_EXC_INFO": fixed(ins.PUSH_EXC_INFO),
        "CHECK_EXC_MATCH": fixed(ins.CHECK_EXC_MATCH, keeps=True),
        "CHECK_EG_MATCH": fixed(ins.CHECK_EG_MATCH),
        "BEFORE_WITH": fixed(ins.BEFORE_WITH),
        "RETURN_GENERATOR": fixed(ins.RETURN_GENERATOR),
        "SEND": jump(ins.SEND, "forward", depth=2, pops=True),
    },
    changed={
        "LOAD_GLOBAL": flagged(clear=named(ins.LOAD_GLOBAL), set=sequence(PUSH_NULL, named(ins.LOAD_GLOBAL))),
        "JUMP_IF_TRUE_OR_POP": sequence(
            fixed(ins.COPY, depth=1), TO_BOOL, jump(ins.POP_JUMP_IF_TRUE, "forward"), POP_TOP
        ),
        "JUMP_IF_FALSE_OR_POP": sequence(
            fixed(ins.COPY, depth=1), TO_BOOL, jump(ins.POP_JUMP_IF_FALSE, "forward"), POP_TOP
        ),
        "CALL_FUNCTION_EX": call_function_ex(head=2, keywords_always=False),
        "MAKE_FUNCTION": make_function(qualname=False),
        "POP_EXCEPT": fixed(ins.POP_EXCEPT, slots=1),
        "RERAISE": counted(ins.RERAISE, "lasti", slots=1),
        "WITH_EXCEPT_START": fixed(ins.WITH_EXCEPT_START, exit=4, pair=False, exception=1),
        "YIELD_VALUE": yield_value(ends=True),
        "GET_AWAITABLE": indexed(ins.GET_AWAITABLE, "after", ("", "__aenter__", "__aexit__")),
        "END_ASYNC_FOR": fixed(ins.END_ASYNC_FOR, slots=2, origin=None),
        # without the success flag
        "MATCH_KEYS": fixed(ins.MATCH_KEYS),
        "MATCH_CLASS": counted(ins.MATCH_CLASS, "count"),
    },
    caches={
        "BINARY_SUBSCR": 4,
        "STORE_SUBSCR": 1,
        "UNPACK_SEQUENCE": 1,
        "STORE_ATTR": 4,
        "LOAD_ATTR": 4,
        "COMPARE_OP": 2,
        "LOAD_GLOBAL": 5,
        "BINARY_OP": 1,
        "LOAD_METHOD": 10,
        "PRECALL": 1,
        "CALL": 4,
    },
    binary_operators=BINARY_OPERATORS,
    deref_slots=slots_of_localsplus,
    facts={
        "implicit_prologue": False,
        "block_stack": False,
        "caller_keeps_arguments": False,
        "blurs_unbound_loads": True,
        **TEXTS_311,
    },
)
