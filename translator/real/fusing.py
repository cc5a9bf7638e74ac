"""Steps of the Interpreter that do several instructions at once, as CPython's own fused instructions do.

    LOAD_FAST a; LOAD_FAST b; BINARY_OP +; STORE_FAST c          locals[c] = locals[a] + locals[b]
    LOAD_FAST a; LOAD_CONST k; COMPARE_OP <; POP_JUMP_IF_FALSE   if not (locals[a] < k): jump

A fused step has operands from locals, constants or the stack, at most one operation that can raise (that
instruction is the step's origin), and one place for the result. It never goes over a jump target or the
edge of a region, so that unwinding finds the same region as without it.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import Frame
from translator.policy import NO_SKIP
from translator.real.containers import host_function
from translator.real.generators import Resumable
from translator.real.names import LazyImportType
from translator.sentinels import ENTERED, NULL, STOP

new_frame = object.__new__
#: what the generated sources name
_NAMED = (FunctionType, Frame, NO_SKIP, NULL, new_frame)
#: instructions that do nothing on real values
_IDLE = {"NOP", "RESUME", "SETUP_FINALLY", "SETUP_WITH", "POP_BLOCK"}
_LOADS = {"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_CONST"}
_BINARY = {"BINARY_OP", "COMPARE_OP", "IS_OP", "CONTAINS_OP"}
_UNARY = {"LOAD_ATTR", "LOAD_METHOD"}
_STORES = {"STORE_ATTR", "STORE_SUBSCR"}
_JUMPS = {
    "POP_JUMP_IF_TRUE": "if {}:",
    "POP_JUMP_IF_FALSE": "if not ({}):",
    "POP_JUMP_IF_NONE": "if ({}) is None:",
    "POP_JUMP_IF_NOT_NONE": "if ({}) is not None:",
}


class Fused:
    """The operands of a fused step: a and b are slots or constants, c the slot of the result."""

    __slots__ = ("a", "b", "body", "c", "name", "opname", "pops", "slots", "target")

    def __init__(self) -> None:
        self.opname = "FUSED"
        self.a = self.b = self.c = self.name = self.target = None


@cache
def step_handler(loads: tuple[str, ...], core: str | None, operator: Any, sink: str | None) -> Any:
    """The handler for loads, an operation (None: the loaded value itself), and where the result goes."""
    lines, operands = [], []
    for place, kind in zip("ab", loads):
        if kind == "LOAD_CONST":
            operands.append(f"instruction.{place}")
            continue
        operands.append(place)
        lines.append(f"{place} = self.locals[instruction.{place}]")
        if kind == "LOAD_FAST_CHECK":
            lines.append(f"if {place} is NULL: self.unbound_operand(instruction.{place})")
    if core in _BINARY:
        if len(operands) == 1:
            operands.insert(0, "self.pop()")
        elif not operands:
            lines.append("b = self.pop()")
            operands = ["self.pop()", "b"]
        left, right = operands
        if operator == "[]":
            value = f"{left}[{right}]"
        elif core == "BINARY_OP" and operator.endswith("="):
            lines += [f"value = {left}", f"value {operator} {right}"]
            value = "value"
        else:
            value = f"{left} {operator} {right}"
    elif core in _UNARY:
        value = f"getattr({operands[0]}, instruction.name)"
    else:
        value = operands[-1]
    lines += _sink(sink, value, core)
    body = "\n ".join(lines)
    return host_function(f"def step(self, instruction):\n {body}", "step")


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
            "back = frame.back",
            "self.frame = back",
            "self.locals = back.locals",
            "self.steps = back.steps",
            "self.push(value)",
            "return True",
        ]
    return [_JUMPS[sink].format(value) + " self.steps.__setstate__(instruction.target)"]


@cache
def call_handler(loads: tuple[str, ...], head: int) -> Any:
    """The handler for a CALL whose last arguments are these loads."""
    lines = []
    for place, kind in zip("abc", loads):
        if kind == "LOAD_CONST":
            lines.append(f"{place} = instruction.{place}")
            continue
        lines.append(f"{place} = self.locals[instruction.{place}]")
        if kind == "LOAD_FAST_CHECK":
            lines.append(f"if {place} is NULL: self.unbound_operand(instruction.{place})")
    values = "".join(f"{place}, " for place in "abc"[: len(loads)])
    lines += [
        "stack = self.stack",
        "arguments = stack[instruction.slots:]",
        "del stack[instruction.slots:]",
    ]
    if values:
        lines.append(f"arguments += ({values})")
    if head == 2:
        lines += _ENTERING.splitlines()
    lines.append(f"return self.{'call_taken' if head == 2 else 'call_single'}(arguments)")
    body = "\n ".join(lines)
    return host_function(f"def step(self, instruction):\n {body}", "step", globals())


#: the common call, of a Python function that gets just its parameters: as `enter_plain`, on the spot
_ENTERING = """\
function = arguments[0]
upper = arguments[1]
if function is NULL:
    function = upper
    upper = NULL
if upper is NULL and type(function) is FunctionType:
    prepared = self.prepared_by_id.get(id(function.__code__))
    if prepared is not None and prepared.plain == len(arguments) - 2 and self.skip is NO_SKIP:
        back = self.frame
        depth = back.depth + 1
        if depth > self.limit:
            self.check_depth(depth)
        del arguments[:2]
        if prepared.unbound:
            arguments += prepared.unbound
        self.frame = frame = new_frame(Frame)
        frame.prepared = prepared
        frame.function = function
        frame.globals = function.__globals__
        self.locals = frame.locals = arguments
        self.steps = frame.steps = iter(prepared.steps)
        frame.base = len(stack)
        frame.back = back
        frame.depth = depth
        return True"""


@cache
def store_handler(loads: tuple[str, ...], store: str) -> Any:
    """The handler for loads and a STORE_ATTR or STORE_SUBSCR."""
    lines = []
    for place, kind in zip("ab", loads):
        where = f"instruction.{place}" if kind == "LOAD_CONST" else f"self.locals[instruction.{place}]"
        lines.append(f"{place} = {where}")
        if kind == "LOAD_FAST_CHECK":
            lines.append(f"if {place} is NULL: self.unbound_operand(instruction.{place})")
    operands = list("ab"[: len(loads)])
    if store == "STORE_ATTR":
        value, owner = operands if len(operands) == 2 else ["self.pop()", *operands]
        lines.append(f"setattr({owner}, instruction.name, {value})")
    else:
        container, key = operands if len(operands) == 2 else ["container", *operands]
        if len(operands) == 1:
            lines.append("container = self.pop()")
        lines.append(f"{container}[{key}] = self.pop()")
    body = "\n ".join(lines)
    return host_function(f"def step(self, instruction):\n {body}", "step")


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
    self.push(NULL)
    self.push(value)


def two_loads(self: Any, instruction: Any) -> None:
    """LOAD_FAST a; LOAD_FAST b."""
    locals_, push = self.locals, self.push
    push(locals_[instruction.a])
    push(locals_[instruction.b])


def copy_two(self: Any, instruction: Any) -> None:
    """COPY 2; COPY 2."""
    stack = self.stack
    stack += stack[-2:]


def rotate_three(self: Any, instruction: Any) -> None:
    """SWAP 3; SWAP 2."""
    stack = self.stack
    stack[-1], stack[-2], stack[-3] = stack[-2], stack[-3], stack[-1]


def for_and_store(self: Any, instruction: Any) -> Any:
    """FOR_ITER; STORE_FAST c. (Also for a JUMP to it.) The STORE_FAST stands after it, for generators."""
    iterator = self.stack[-instruction.slots]
    if type(iterator) is Resumable:
        if iterator.frame.state == "parked":
            self.steps.__setstate__(instruction.body)
            self.resume(iterator.frame, None, instruction)
            return True
        return resumed(self, iterator, instruction)
    value = next(iterator, STOP)
    if value is STOP:
        self.end_loop(instruction)
    else:
        self.locals[instruction.c] = value
        self.steps.__setstate__(instruction.body + 1)
    return None


def jump_to_for(self: Any, instruction: Any) -> Any:
    """JUMP to a FOR_ITER, and the FOR_ITER."""
    iterator = self.stack[-instruction.slots]
    if type(iterator) is Resumable:
        if iterator.frame.state == "parked":
            self.steps.__setstate__(instruction.body)
            self.resume(iterator.frame, None, instruction)
            return True
        return resumed(self, iterator, instruction)
    value = next(iterator, STOP)
    if value is STOP:
        self.end_loop(instruction)
    else:
        self.push(value)
        self.steps.__setstate__(instruction.body)
    return None


def resumed(self: Any, iterator: Any, instruction: Any) -> Any:
    """The same for a generator of ours: it goes on at the instruction after FOR_ITER."""
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


class Fusing:
    """Goes through a Program once and makes its steps.

    Attributes:
        steps: (handler, operand), the operands' targets are places in this list.
        origins: for each step the index of the instruction that it stands for.
        entries: for the index of each instruction the step that begins there.
    """

    def __init__(self, program: Any, handlers: Any, by_operator: Any) -> None:
        self.instructions = program.instructions
        self.handlers, self.by_operator = handlers, by_operator
        self.leaders = {
            place for region in program.regions for place in (region.start, region.end, region.target)
        }
        for one in self.instructions:
            for operand in one.targets:
                self.leaders.add(getattr(one, operand))
        self.steps: list[Any] = []
        self.origins: list[int] = []
        self.entries = [0] * (len(self.instructions) + 1)
        index = 0
        while index < len(self.instructions):
            self.entries[index] = len(self.steps)
            index = self.step(index)
        self.entries[-1] = len(self.steps)
        self.place_targets()

    def add(self, handler: Any, operand: Any, origin: int) -> None:
        """One more step."""
        self.steps.append((handler, operand))
        self.origins.append(origin)

    def run_of(self, index: int, names: set[str], most: int) -> int:
        """How many instructions from `index` on are of these, none but the first a jump target."""
        count, instructions = 0, self.instructions
        while count < most and index + count < len(instructions):
            if (count and index + count in self.leaders) or instructions[index + count].opname not in names:
                break
            count += 1
        return count

    def opname(self, index: int) -> str:
        """The name of an instruction that control comes to only from the one before; "" otherwise."""
        if index >= len(self.instructions) or index in self.leaders:
            return ""
        return self.instructions[index].opname  # type: ignore[no-any-return]

    def is_same(self, index: int, opname: str, depth: int) -> bool:
        """Whether the instruction, come to only from the one before, is this one."""
        return self.opname(index) == opname and self.instructions[index].depth == depth

    def step(self, index: int) -> int:
        """Makes the step that begins at an instruction; gives the index after it."""
        one = self.instructions[index]
        if one.opname in _IDLE:
            return index + 1
        if one.opname == "TO_BOOL" and self.opname(index + 1) in ("POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE"):
            return index + 1  # the jump's handler asks for the truth of any value
        if one.opname == "FOR_ITER" and self.opname(index + 1) == "STORE_FAST":
            self.add(for_and_store, one, index)
            return index + 1
        if one.opname == "LOAD_GLOBAL" and self.opname(index + 1) == "PUSH_NULL":
            self.add(global_with_null, one, index)
            return index + 2
        if one.opname == "PUSH_NULL" and self.opname(index + 1) == "LOAD_GLOBAL":
            self.add(null_with_global, self.instructions[index + 1], index + 1)
            return index + 2
        loads = self.run_of(index, _LOADS, 8)
        if one.opname == "COPY" and one.depth == 2 and self.is_same(index + 1, "COPY", 2):
            self.add(copy_two, one, index)
            return index + 2
        if one.opname == "SWAP" and one.depth == 3 and self.is_same(index + 1, "SWAP", 2):
            self.add(rotate_three, one, index)
            return index + 2
        if one.opname == "CALL" and not one.names:
            return self.call(index, 0)
        if loads or one.opname in _BINARY:
            return self.fuse(index, loads)
        return self.plain(index)

    def fuse(self, index: int, loads: int) -> int:
        """A step that begins with loads, or with an operation on the stack."""
        core_at = index + loads
        core = self.opname(core_at) if loads else self.instructions[index].opname
        if core == "CALL":
            made = self.call(index, loads)
            if made:
                return made
        if core in _STORES:
            return self.store(index, loads)
        wanted = 2 if core in _BINARY else 1
        if loads > wanted:
            return self.load(index, loads - wanted)
        if core not in _BINARY and core not in _UNARY:
            core, at = None, core_at
        else:
            at = core_at + 1
        sink_at = at + (self.opname(at) == "TO_BOOL" and self.opname(at + 1) in _JUMPS)
        sink = self.opname(sink_at)
        if core == "LOAD_METHOD" or (sink not in _JUMPS and sink not in ("STORE_FAST", "RETURN_VALUE")):
            sink, sink_at = None, at - 1
        if sink is None and (core is None or not loads):
            return self.plain(index)
        operation = self.instructions[core_at] if core else None
        if (core, getattr(operation, "name", None)) in self.by_operator:
            return self.plain(index)
        if (core == "LOAD_METHOD" and loads != 1) or (core == "LOAD_ATTR" and loads != 1):
            return self.plain(index)
        operand = Fused()
        kinds = []
        for place, load in zip("ab", self.instructions[index:core_at]):
            kinds.append(load.opname)
            setattr(operand, place, load.value if load.opname == "LOAD_CONST" else load.slot)
        if core in _UNARY:
            operand.name = operation.name
        if sink is not None:
            last = self.instructions[sink_at]
            operand.c = getattr(last, "slot", None)
            operand.target = getattr(last, "target", None)
        handler = step_handler(tuple(kinds), core, _operator(operation), sink)
        self.add(handler, operand, core_at if core else index)
        return sink_at + 1

    def call(self, index: int, loads: int) -> int:
        """Loads and the CALL that takes them; 0 if they do not go together."""
        call = self.instructions[index + loads]
        taken = min(loads, call.count, 3)
        if call.names:
            return 0
        if loads > taken:
            return self.load(index, loads - taken)
        operand = Fused()
        for place, load in zip("abc", self.instructions[index : index + loads]):
            setattr(operand, place, load.value if load.opname == "LOAD_CONST" else load.slot)
        operand.slots = loads - call.count - call.head
        kinds = tuple(load.opname for load in self.instructions[index : index + loads])
        self.add(call_handler(kinds, call.head), operand, index + loads)
        return index + loads + 1

    def store(self, index: int, loads: int) -> int:
        """Loads and the store of an attribute or an item that takes the last two of them, or one."""
        store = self.instructions[index + loads]
        taken = min(loads, 2)
        if loads > taken:
            return self.load(index, loads - taken)
        operand = Fused()
        operand.name = getattr(store, "name", None)
        for place, load in zip("ab", self.instructions[index : index + loads]):
            setattr(operand, place, load.value if load.opname == "LOAD_CONST" else load.slot)
        kinds = tuple([load.opname for load in self.instructions[index : index + loads]])
        self.add(store_handler(kinds, store.opname), operand, index + loads)
        return index + loads + 1

    def load(self, index: int, count: int) -> int:
        """Loads that no operation takes at once: two of them, or one."""
        first, second = self.instructions[index : index + 2]
        if count >= 2 and first.opname == second.opname == "LOAD_FAST":
            operand = Fused()
            operand.a, operand.b = first.slot, second.slot
            self.add(two_loads, operand, index)
            return index + 2
        return self.plain(index)

    def plain(self, index: int) -> int:
        """One instruction as it is."""
        one = self.instructions[index]
        particular = getattr(one, "operator", None) or getattr(one, "name", None)
        handler = self.by_operator.get((one.opname, particular))
        self.add(handler or self.handlers[one.opname], one, index)
        return index + 1

    def place_targets(self) -> None:
        """Targets become places in the list of steps; a JUMP to a FOR_ITER does that too."""
        entries = self.entries
        for place, (handler, operand) in enumerate(self.steps):
            if type(operand) is Fused:
                if operand.target is not None:
                    operand.target = entries[operand.target]
            elif handler is for_and_store:
                self.steps[place] = handler, self.loop_operand(self.origins[place])
            elif operand.targets:
                if operand.opname == "JUMP" and self.instructions[operand.target].opname == "FOR_ITER":
                    self.origins[place] = operand.target
                    loop = self.loop_operand(operand.target)
                    self.steps[place] = (jump_to_for if loop.c is None else for_and_store), loop
                    continue
                changes = {
                    name: entries[getattr(operand, name)]
                    for name in operand.targets
                    if getattr(operand, name) is not None
                }
                self.steps[place] = handler, operand.replace(**changes)

    def loop_operand(self, index: int) -> Fused:
        """The operands of a FOR_ITER, and of the STORE_FAST after it."""
        loop = self.instructions[index]
        operand = Fused()
        operand.opname = "FOR_ITER"
        operand.slots, operand.pops = loop.slots, loop.pops
        operand.target = self.entries[loop.target]
        operand.body = self.entries[index + 1]
        if self.opname(index + 1) == "STORE_FAST":
            operand.c = self.instructions[index + 1].slot
        return operand


def _operator(operation: Any) -> Any:
    if operation is None:
        return None
    if operation.opname == "IS_OP":
        return "is not" if operation.invert else "is"
    if operation.opname == "CONTAINS_OP":
        return "not in" if operation.invert else "in"
    return getattr(operation, "operator", None)
