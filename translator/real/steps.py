"""The handlers of fused steps, made from source: one for each shape, whatever the operands.

The operands are attributes of a `Fused`: a, b, c what is loaded (slots or constants), `name` that of an
attribute or a global. At most the last operation of a step may raise as the instruction that the step stands
for; what may raise before it says so (`failed_at`).
"""

from __future__ import annotations

from functools import cache
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import Frame
from translator.real.caller import SENSITIVE
from translator.real.containers import host_function
from translator.real.drivers import Resumable
from translator.real.names import LazyImportType
from translator.sentinels import ENTERED, NULL, STOP

new_frame = object.__new__
#: what the generated sources name
_NAMED = (
    BuiltinFunctionType,
    FunctionType,
    MethodType,
    Frame,
    LazyImportType,
    Resumable,
    SENSITIVE,
    NULL,
    STOP,
)

BINARY = {"BINARY_OP", "COMPARE_OP", "IS_OP", "CONTAINS_OP"}
UNARY = {"LOAD_ATTR", "LOAD_METHOD"}
JUMPS = {
    "POP_JUMP_IF_TRUE": "if {}:",
    "POP_JUMP_IF_FALSE": "if not ({}):",
    "POP_JUMP_IF_NONE": "if ({}) is None:",
    "POP_JUMP_IF_NOT_NONE": "if ({}) is not None:",
}


def _step(lines: list[str]) -> Any:
    """The handler with this body."""
    body = "\n ".join("\n".join(lines).splitlines())
    return host_function(f"def step(self, instruction):\n {body}", "step", globals())


def _loaded(loads: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The statements that fetch what is loaded, and the names of it."""
    lines, values = [], []
    for number, (place, kind) in enumerate(zip("abc", loads)):
        if kind == "LOAD_CONST":
            values.append(f"instruction.{place}")
            continue
        values.append(place)
        lines.append(f"{place} = self.locals[instruction.{place}]")
        if kind == "LOAD_FAST_CHECK":
            lines.append(f"if {place} is NULL: unbound(self, instruction.begins + {number})")
    return lines, values


def unbound(self: Any, index: int) -> None:
    """The error of the LOAD_FAST_CHECK at this index."""
    self.failed_at = index
    self.unbound_local(self.frame.prepared.program[index].name)


def _early(*lines: str) -> list[str]:
    """Statements that may raise as the step's first operation, not as what it stands for."""
    inner = [f" {line}" for each in lines for line in each.splitlines()]
    return ["try:", *inner, "except BaseException:", " self.failed_at = instruction.first", " raise"]


@cache
def step_handler(loads: tuple[str, ...], core: str | None, operator: Any, sink: str | None) -> Any:
    """The handler for loads, an operation (None: the loaded value itself), and where the result goes."""
    lines, operands = _loaded(loads)
    made: list[str] = []
    if core in BINARY:
        if len(operands) == 1:
            operands.insert(0, "self.pop()")
        elif not operands:
            lines.append("b = self.pop()")
            operands = ["self.pop()", "b"]
        left, right = operands
        if operator == "[]":
            value = f"{left}[{right}]"
        elif core == "BINARY_OP" and operator.endswith("="):
            made, value = [f"value = {left}", f"value {operator} {right}"], "value"
        else:
            value = f"{left} {operator} {right}"
    elif core in UNARY:
        value = f"getattr({operands[0] if operands else 'self.pop()'}, instruction.name)"
    else:
        value = operands[-1] if operands else "self.pop()"
    if sink in STORES:
        made = made or [f"value = {value}"]
        return _step(lines + (_early(*made) if core else made) + STORES[sink])
    return _step(lines + made + _sink(sink, value, core))


#: where a result goes that may raise by itself: the stores of `owner.name += …` and `container[key] += …`,
#: and the yield of a generator, which is resumed there
STORES = {
    "STORE_ATTR": ["setattr(self.pop(), instruction.store, value)"],
    "STORE_SUBSCR": ["key = self.pop()", "self.pop()[key] = value"],
    "YIELD_VALUE": ["return self.park(self.frame, value)"],
}


def _sink(sink: str | None, value: str, core: str | None) -> list[str]:
    if sink is None:
        lines = [f"self.push({value})"]
        return [*lines, "self.push(NULL)"] if core == "LOAD_METHOD" else lines
    if sink == "STORE_FAST":
        return [f"self.locals[instruction.c] = {value}"]
    if sink == "RETURN_VALUE":
        return [
            f"value = {value}",
            "frame = self.frame",
            "if frame.ends_otherwise: return frame.end(self, value)",
            "self.frame = back = frame.back",
            "self.locals = back.locals",
            "self.steps = back.steps",
            "self.push(value)",
            "return True",
        ]
    return [JUMPS[sink].format(value) + " self.steps.__setstate__(instruction.target)"]


@cache
def copied_item(loads: tuple[str, ...]) -> Any:
    """Two loads; COPY 2; COPY 2; BINARY_OP [] (as `container[key] += …` begins)."""
    lines, (container, key) = _loaded(loads)
    return _step([*lines, f"self.stack += ({container}, {key}, {container}[{key}])"])


@cache
def copied_attribute(loads: tuple[str, ...]) -> Any:
    """A load; COPY 1; LOAD_ATTR (as `owner.name += …` begins)."""
    lines, (owner,) = _loaded(loads)
    return _step([*lines, f"self.push({owner})", f"self.push(getattr({owner}, instruction.name))"])


# -- calls

#: where the callable comes from
_GLOBAL = """\
namespace = self.frame.globals
if instruction.name in namespace:
    function = namespace[instruction.name]
    if type(function) is LazyImportType:
        function = self.load_global(instruction.name)
elif type(namespace) is dict:
    function = self.load_builtin(instruction.name)
else:
    function = self.load_global(instruction.name)"""
_ATTRIBUTE = "function = getattr(owner, instruction.name)"
_PAIR = """\
upper = self.pop()
function = self.pop()
if function is NULL:
    function = upper
elif upper is not NULL:
    return self.call_direct(function, [upper, {values}])"""

#: the common call, of a Python function that gets just its parameters, on the spot: as `call_direct` and
#: `enter_plain` do it
_CALLING = """\
kind = type(function)
if kind is MethodType:
    arguments = [function.__self__, {values}]
    function = function.__func__
    kind = type(function)
elif kind is BuiltinFunctionType and id(function) not in SENSITIVE:
    return self.push(function({values}))
else:
    arguments = [{values}]
if kind is FunctionType:
    prepared = self.prepared_by_id.get(id(function.__code__))
    if prepared is not None and prepared.plain == len(arguments):
        back = self.frame
        depth = back.depth + 1
        if depth > self.limit:
            self.check_depth(depth)
        if prepared.unbound:
            arguments += prepared.unbound
        frame = new_frame(Frame)
        frame.prepared = prepared
        frame.function = function
        frame.globals = function.__globals__
        frame.locals = arguments
        frame.steps = iter(prepared.steps)
        frame.base = len(self.stack)
        frame.back = back
        frame.depth = depth
        self.frame = frame
        self.locals = arguments
        self.steps = frame.steps
        return True
return self.call_direct(function, arguments)"""


@cache
def call_handler(callee: str, below: int, loads: tuple[str, ...]) -> Any:
    """The handler for a CALL without keywords whose last arguments are these loads, the `below` others on the
    stack.

    The callable is a "pair" on the stack, or "single" there, a "global", or a "method": the attribute of the
    local in slot `owner`, or ("attribute") of the value on the stack.
    """
    lines, values = _loaded(loads)
    popped = [f"value{place}" for place in range(below)]
    given = ", ".join(popped + values)
    if callee == "global":
        lines = _early(_GLOBAL) + lines
    elif callee in ("method", "attribute"):
        owner = "self.locals[instruction.owner]" if callee == "method" else "self.pop()"
        check = ["if owner is NULL: unbound(self, instruction.first - 1)"] if callee == "method" else []
        lines = [f"owner = {owner}", *check, *_early(_ATTRIBUTE), *lines]
    else:
        lines += [f"{name} = self.pop()" for name in reversed(popped)]
        lines.append(_PAIR.format(values=given) if callee == "pair" else "function = self.pop()")
    return _step([*lines, _CALLING.format(values=given)])


@cache
def store_handler(loads: tuple[str, ...], store: str) -> Any:
    """The handler for loads and a STORE_ATTR or STORE_SUBSCR."""
    lines, operands = _loaded(loads)
    if store == "STORE_ATTR":
        value, owner = operands if len(operands) == 2 else ["self.pop()", *operands]
        lines.append(f"setattr({owner}, instruction.name, {value})")
    else:
        container, key = operands if len(operands) == 2 else ["container", *operands]
        if len(operands) == 1:
            lines.append("container = self.pop()")
        lines.append(f"{container}[{key}] = self.pop()")
    return _step(lines)


def global_with_null(self: Any, instruction: Any) -> None:
    """LOAD_GLOBAL; PUSH_NULL."""
    namespace = self.frame.globals
    name = instruction.name
    if name in namespace:
        value = namespace[name]
        if type(value) is LazyImportType:
            value = self.load_global(name)
    elif type(namespace) is dict:
        value = self.load_builtin(name)
    else:
        value = self.load_global(name)
    self.push(value)
    self.push(NULL)


def null_with_global(self: Any, instruction: Any) -> None:
    """PUSH_NULL; LOAD_GLOBAL."""
    self.push(NULL)
    namespace = self.frame.globals
    name = instruction.name
    if name in namespace:
        value = namespace[name]
        if type(value) is LazyImportType:
            value = self.load_global(name)
    elif type(namespace) is dict:
        value = self.load_builtin(name)
    else:
        value = self.load_global(name)
    self.push(value)


# -- closures


def copy_free_vars(self: Any, instruction: Any) -> None:
    """COPY_FREE_VARS."""
    self.locals[-instruction.count :] = self.frame.function.__closure__ or ()


def _cell_and_null(order: str) -> Any:
    return _step(
        [
            "cell = self.locals[instruction.slot]",
            "try:",
            " value = cell.cell_contents",
            "except (AttributeError, ValueError):",
            ' self.handlers["LOAD_DEREF"](self, instruction)',
            f"self.stack += ({order})",
        ]
    )


cell_with_null, null_with_cell = _cell_and_null("value, NULL"), _cell_and_null("NULL, value")

# -- what only moves values


@cache
def loads_handler(loads: tuple[str, ...]) -> Any:
    """Loads, two or three."""
    lines, values = _loaded(loads)
    return _step([*lines, f"self.stack += ({', '.join(values)})"])


def copy_two(self: Any, instruction: Any) -> None:
    """COPY 2; COPY 2."""
    stack = self.stack
    stack += stack[-2:]


def rotate_three(self: Any, instruction: Any) -> None:
    """SWAP 3; SWAP 2."""
    stack = self.stack
    stack[-1], stack[-2], stack[-3] = stack[-2], stack[-3], stack[-1]


# -- loops

_FOR = """\
iterator = self.stack[instruction.at]
if type(iterator) is Resumable:
    return resumed(self, iterator, instruction)
value = next(iterator, STOP)
if value is STOP:
    self.end_loop(instruction)
else:
"""
_STORED = """\
    self.locals[instruction.c] = value
    self.steps.__setstate__(instruction.after)"""
_PUSHED = """\
    self.push(value)
    self.steps.__setstate__(instruction.body)"""


@cache
def for_handler(pops: bool, stores: bool) -> Any:
    """FOR_ITER, or a JUMP to it, POP_TOP before that; STORE_FAST c. (The STORE_FAST stands after FOR_ITER by
    itself, too: for generators.)"""
    return _step([*(["self.pop()"] if pops else ()), _FOR + (_STORED if stores else _PUSHED)])


def resumed(self: Any, iterator: Any, instruction: Any) -> Any:
    """The same for a generator of ours: it goes on at the instruction after FOR_ITER."""
    frame = iterator.frame
    if frame.state == "parked":
        self.steps.__setstate__(instruction.body)
        self.resume(frame, None, instruction)
        return True
    value = self.next(iterator, instruction)
    if value is ENTERED:
        self.frame.back.steps.__setstate__(instruction.body)
        return True
    if value is STOP:
        self.end_loop(instruction)
    else:
        self.push(value)
        self.steps.__setstate__(instruction.body)
    return None
