"""CPython 3.10: the first table. Later ones are written as changes to the one before.

Facts from `Lib/opcode.py`, `Python/ceval.c` and `Python/compile.c` of 3.10."""

from __future__ import annotations

from opcodes import instructions as ins
from opcodes.lowering import slots_of_cells
from opcodes.rows import constant, counted, deref, fixed, indexed, jump, local, named, nothing, sequence
from opcodes.special_rows import (
    call,
    call_function_ex,
    compare,
    dict_merge,
    format_value,
    get_awaitable_by_neighbours,
    load_closure,
    make_function,
    unpack_ex,
    yield_from,
    yield_value,
)
from opcodes.table import OpcodeTable, numbered
from opcodes.texts import TEXTS_310

POP_TOP = fixed(ins.POP_TOP)
TO_BOOL = fixed(ins.TO_BOOL)

#: opcode -> operator; in 3.10 each operator is an opcode of its own
OPERATORS = {
    "ADD": "+",
    "SUBTRACT": "-",
    "MULTIPLY": "*",
    "MATRIX_MULTIPLY": "@",
    "TRUE_DIVIDE": "/",
    "FLOOR_DIVIDE": "//",
    "MODULO": "%",
    "POWER": "**",
    "LSHIFT": "<<",
    "RSHIFT": ">>",
    "AND": "&",
    "OR": "|",
    "XOR": "^",
}


def swap(depth: int):  # type: ignore[no-untyped-def]
    return fixed(ins.SWAP, depth=depth)


def intrinsic(function: str):  # type: ignore[no-untyped-def]
    return fixed(ins.CALL_INTRINSIC_1, function=function)


#: pushes the success flag that MATCH_KEYS and MATCH_CLASS of 3.10 leave on top
MATCHED = (fixed(ins.COPY, depth=1), fixed(ins.LOAD_CONST, value=None), fixed(ins.IS_OP, invert=True))

CPYTHON_310 = OpcodeTable(
    version=(3, 10),
    magic=(3439,),
    deref_slots=slots_of_cells,
    numbers=numbered(
        {
            1: "POP_TOP ROT_TWO ROT_THREE DUP_TOP DUP_TOP_TWO ROT_FOUR",
            9: "NOP UNARY_POSITIVE UNARY_NEGATIVE UNARY_NOT",
            15: "UNARY_INVERT BINARY_MATRIX_MULTIPLY INPLACE_MATRIX_MULTIPLY",
            19: "BINARY_POWER BINARY_MULTIPLY",
            22: (
                "BINARY_MODULO BINARY_ADD BINARY_SUBTRACT BINARY_SUBSCR BINARY_FLOOR_DIVIDE "
                "BINARY_TRUE_DIVIDE INPLACE_FLOOR_DIVIDE INPLACE_TRUE_DIVIDE GET_LEN MATCH_MAPPING "
                "MATCH_SEQUENCE MATCH_KEYS COPY_DICT_WITHOUT_KEYS"
            ),
            49: "WITH_EXCEPT_START GET_AITER GET_ANEXT BEFORE_ASYNC_WITH",
            54: "END_ASYNC_FOR INPLACE_ADD INPLACE_SUBTRACT INPLACE_MULTIPLY",
            59: (
                "INPLACE_MODULO STORE_SUBSCR DELETE_SUBSCR BINARY_LSHIFT BINARY_RSHIFT BINARY_AND "
                "BINARY_XOR BINARY_OR INPLACE_POWER GET_ITER GET_YIELD_FROM_ITER PRINT_EXPR "
                "LOAD_BUILD_CLASS YIELD_FROM GET_AWAITABLE LOAD_ASSERTION_ERROR INPLACE_LSHIFT "
                "INPLACE_RSHIFT INPLACE_AND INPLACE_XOR INPLACE_OR"
            ),
            82: "LIST_TO_TUPLE RETURN_VALUE IMPORT_STAR SETUP_ANNOTATIONS YIELD_VALUE POP_BLOCK",
            89: (
                "POP_EXCEPT STORE_NAME DELETE_NAME UNPACK_SEQUENCE FOR_ITER UNPACK_EX STORE_ATTR "
                "DELETE_ATTR STORE_GLOBAL DELETE_GLOBAL ROT_N LOAD_CONST LOAD_NAME BUILD_TUPLE BUILD_LIST "
                "BUILD_SET BUILD_MAP LOAD_ATTR COMPARE_OP IMPORT_NAME IMPORT_FROM JUMP_FORWARD "
                "JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP JUMP_ABSOLUTE POP_JUMP_IF_FALSE "
                "POP_JUMP_IF_TRUE LOAD_GLOBAL IS_OP CONTAINS_OP RERAISE"
            ),
            121: "JUMP_IF_NOT_EXC_MATCH SETUP_FINALLY",
            124: "LOAD_FAST STORE_FAST DELETE_FAST",
            129: "GEN_START RAISE_VARARGS CALL_FUNCTION MAKE_FUNCTION BUILD_SLICE",
            135: "LOAD_CLOSURE LOAD_DEREF STORE_DEREF DELETE_DEREF",
            141: (
                "CALL_FUNCTION_KW CALL_FUNCTION_EX SETUP_WITH EXTENDED_ARG LIST_APPEND SET_ADD MAP_ADD "
                "LOAD_CLASSDEREF"
            ),
            152: "MATCH_CLASS",
            154: "SETUP_ASYNC_WITH FORMAT_VALUE BUILD_CONST_KEY_MAP BUILD_STRING",
            160: "LOAD_METHOD CALL_METHOD LIST_EXTEND SET_UPDATE DICT_MERGE DICT_UPDATE",
        }
    ),
    rows={
        # stack and bookkeeping
        "NOP": fixed(ins.NOP),
        "EXTENDED_ARG": nothing(),
        "GEN_START": POP_TOP,
        "POP_TOP": POP_TOP,
        "DUP_TOP": fixed(ins.COPY, depth=1),
        "DUP_TOP_TWO": sequence(fixed(ins.COPY, depth=2), fixed(ins.COPY, depth=2)),
        "ROT_TWO": swap(2),
        "ROT_THREE": sequence(swap(3), swap(2)),
        "ROT_FOUR": sequence(swap(4), swap(3), swap(2)),
        "ROT_N": counted(ins.ROTATE, "depth"),
        # constants
        "LOAD_CONST": constant(),
        "LOAD_ASSERTION_ERROR": fixed(ins.LOAD_CONST, value=AssertionError),
        "LOAD_BUILD_CLASS": fixed(ins.LOAD_BUILD_CLASS),
        # locals, cells, globals, names
        "LOAD_FAST": local(ins.LOAD_FAST_CHECK, ins.LOAD_FAST),
        "STORE_FAST": local(ins.STORE_FAST),
        "DELETE_FAST": local(ins.DELETE_FAST),
        "LOAD_CLOSURE": load_closure(),
        "LOAD_DEREF": deref(ins.LOAD_DEREF),
        "STORE_DEREF": deref(ins.STORE_DEREF),
        "DELETE_DEREF": deref(ins.DELETE_DEREF),
        "LOAD_CLASSDEREF": sequence(fixed(ins.LOAD_LOCALS), deref(ins.LOAD_FROM_DICT_OR_DEREF)),
        "LOAD_GLOBAL": named(ins.LOAD_GLOBAL),
        "STORE_GLOBAL": named(ins.STORE_GLOBAL),
        "DELETE_GLOBAL": named(ins.DELETE_GLOBAL),
        "LOAD_NAME": named(ins.LOAD_NAME),
        "STORE_NAME": named(ins.STORE_NAME),
        "DELETE_NAME": named(ins.DELETE_NAME),
        "SETUP_ANNOTATIONS": fixed(ins.SETUP_ANNOTATIONS),
        # attributes and items
        "LOAD_ATTR": named(ins.LOAD_ATTR),
        "LOAD_METHOD": named(ins.LOAD_METHOD),
        "STORE_ATTR": named(ins.STORE_ATTR),
        "DELETE_ATTR": named(ins.DELETE_ATTR),
        "BINARY_SUBSCR": fixed(ins.BINARY_OP, operator="[]"),
        "STORE_SUBSCR": fixed(ins.STORE_SUBSCR),
        "DELETE_SUBSCR": fixed(ins.DELETE_SUBSCR),
        "BUILD_SLICE": counted(ins.BUILD_SLICE, "count"),
        # operators
        **{f"BINARY_{name}": fixed(ins.BINARY_OP, operator=sign) for name, sign in OPERATORS.items()},
        **{f"INPLACE_{name}": fixed(ins.BINARY_OP, operator=f"{sign}=") for name, sign in OPERATORS.items()},
        "UNARY_NEGATIVE": fixed(ins.UNARY_NEGATIVE),
        "UNARY_INVERT": fixed(ins.UNARY_INVERT),
        "UNARY_POSITIVE": intrinsic("unary_positive"),
        "UNARY_NOT": sequence(TO_BOOL, fixed(ins.UNARY_NOT)),
        "COMPARE_OP": compare(shift=0),
        "IS_OP": indexed(ins.IS_OP, "invert", (False, True)),
        "CONTAINS_OP": indexed(ins.CONTAINS_OP, "invert", (False, True)),
        # control flow
        "JUMP_FORWARD": jump(ins.JUMP, "forward"),
        "JUMP_ABSOLUTE": jump(ins.JUMP, "absolute"),
        "POP_JUMP_IF_TRUE": sequence(TO_BOOL, jump(ins.POP_JUMP_IF_TRUE, "absolute")),
        "POP_JUMP_IF_FALSE": sequence(TO_BOOL, jump(ins.POP_JUMP_IF_FALSE, "absolute")),
        "JUMP_IF_TRUE_OR_POP": sequence(
            fixed(ins.COPY, depth=1), TO_BOOL, jump(ins.POP_JUMP_IF_TRUE, "absolute"), POP_TOP
        ),
        "JUMP_IF_FALSE_OR_POP": sequence(
            fixed(ins.COPY, depth=1), TO_BOOL, jump(ins.POP_JUMP_IF_FALSE, "absolute"), POP_TOP
        ),
        "RETURN_VALUE": fixed(ins.RETURN_VALUE),
        # iteration
        "GET_ITER": fixed(ins.GET_ITER, slots=1, kind="iter"),
        "FOR_ITER": jump(ins.FOR_ITER, "forward", slots=1, pops=True),
        # calls and intrinsics
        "CALL_FUNCTION": call(head=1),
        "CALL_FUNCTION_KW": counted(ins.CALL_KW, "count", head=1),
        "CALL_METHOD": call(head=2),
        "CALL_FUNCTION_EX": call_function_ex(head=1, keywords_always=False),
        "PRINT_EXPR": sequence(intrinsic("print"), POP_TOP),
        "IMPORT_STAR": sequence(intrinsic("import_star"), POP_TOP),
        "LIST_TO_TUPLE": intrinsic("list_to_tuple"),
        # containers, unpacking, formatting
        "BUILD_TUPLE": counted(ins.BUILD_TUPLE, "count"),
        "BUILD_LIST": counted(ins.BUILD_LIST, "count"),
        "BUILD_SET": counted(ins.BUILD_SET, "count"),
        "BUILD_STRING": counted(ins.BUILD_STRING, "count"),
        "BUILD_MAP": counted(ins.BUILD_MAP, "count"),
        "BUILD_CONST_KEY_MAP": counted(ins.BUILD_CONST_KEY_MAP, "count"),
        "LIST_APPEND": counted(ins.LIST_APPEND, "depth"),
        "SET_ADD": counted(ins.SET_ADD, "depth"),
        "MAP_ADD": counted(ins.MAP_ADD, "depth"),
        "LIST_EXTEND": counted(ins.LIST_EXTEND, "depth"),
        "SET_UPDATE": counted(ins.SET_UPDATE, "depth"),
        "DICT_UPDATE": counted(ins.DICT_UPDATE, "depth"),
        "DICT_MERGE": dict_merge(callable_distance=2),
        "UNPACK_SEQUENCE": counted(ins.UNPACK_SEQUENCE, "count"),
        "UNPACK_EX": unpack_ex(),
        "FORMAT_VALUE": format_value(),
        # functions and imports
        "MAKE_FUNCTION": make_function(qualname=True),
        "IMPORT_NAME": named(ins.IMPORT_NAME, mode="default"),
        "IMPORT_FROM": named(ins.IMPORT_FROM),
        # exceptions: the block stack; an exception takes three slots, and three of the older one below
        "SETUP_FINALLY": jump(ins.SETUP_FINALLY, "forward"),
        "POP_BLOCK": fixed(ins.POP_BLOCK),
        "JUMP_IF_NOT_EXC_MATCH": sequence(
            fixed(ins.CHECK_EXC_MATCH, keeps=False), jump(ins.POP_JUMP_IF_FALSE, "absolute")
        ),
        "POP_EXCEPT": fixed(ins.POP_EXCEPT, slots=3),
        "RERAISE": counted(ins.RERAISE, "lasti", slots=3),
        "RAISE_VARARGS": counted(ins.RAISE_VARARGS, "count"),
        # with
        "SETUP_WITH": sequence(fixed(ins.BEFORE_WITH), jump(ins.SETUP_WITH, "forward")),
        "BEFORE_ASYNC_WITH": fixed(ins.BEFORE_ASYNC_WITH),
        "SETUP_ASYNC_WITH": jump(ins.SETUP_WITH, "forward"),
        "WITH_EXCEPT_START": fixed(ins.WITH_EXCEPT_START, exit=7, pair=False, exception=2),
        # generators and async
        "YIELD_VALUE": yield_value(delegates=False),
        "YIELD_FROM": yield_from(),
        "GET_YIELD_FROM_ITER": fixed(ins.GET_YIELD_FROM_ITER),
        "GET_AWAITABLE": get_awaitable_by_neighbours(),
        "GET_AITER": fixed(ins.GET_AITER),
        "GET_ANEXT": fixed(ins.GET_ANEXT),
        "END_ASYNC_FOR": fixed(ins.END_ASYNC_FOR, slots=7, origin=None),
        # match
        "GET_LEN": fixed(ins.GET_LEN),
        "MATCH_MAPPING": fixed(ins.MATCH_MAPPING),
        "MATCH_SEQUENCE": fixed(ins.MATCH_SEQUENCE),
        "MATCH_KEYS": sequence(fixed(ins.MATCH_KEYS), *MATCHED),
        "MATCH_CLASS": sequence(counted(ins.MATCH_CLASS, "count"), *MATCHED),
        "COPY_DICT_WITHOUT_KEYS": fixed(ins.COPY_DICT_WITHOUT_KEYS),
    },
    facts={
        # the interpreter makes cells, copies free variables and makes the generator before the first
        # instruction; a table whose version has instructions for that says False
        "implicit_prologue": True,
        # blocks are set up and popped by instructions, not read from a table
        "block_stack": True,
        # locals() of a function gives a new dict each time (False: one dict a frame, brought up to date)
        "locals_is_fresh": False,
        # SET_FUNCTION_ATTRIBUTE names the annotate function after its owner
        "annotate_qualname": False,
        # the group that `except*` makes of a naked exception has a traceback entry there
        "except_star_adds_entry": False,
        # the flag that says that the first constant is the docstring; 0: it is one if it is a string
        "docstring_flag": 0,
        # annotations are evaluated when they are asked for, by the function kept under this name
        "annotate_name": None,
        # the caller's stack holds the arguments until the callee is left
        "caller_keeps_arguments": True,
        # once warm, LOAD_FAST after another of its kind or STORE_FAST is fused with it, and an unbound
        # variable is reported at the place of the first
        "blurs_unbound_loads": False,
        **TEXTS_310,
    },
)
