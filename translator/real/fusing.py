"""Steps of the Interpreter that do several instructions at once, as CPython's own fused instructions do.

    LOAD_FAST a; LOAD_FAST b; BINARY_OP +; STORE_FAST c          locals[c] = locals[a] + locals[b]
    LOAD_FAST a; LOAD_CONST k; COMPARE_OP <; POP_JUMP_IF_FALSE   if not (locals[a] < k): jump
    LOAD_GLOBAL f; PUSH_NULL; LOAD_FAST a; CALL 1                f(locals[a])

A fused step has operands from locals, constants or the stack, few operations, and one place for the result.
It never goes over a jump target; over the edge of a region only with what cannot raise. Each exception is
that of the instruction that raised it, so that unwinding finds the same region as without fusing.
"""

from __future__ import annotations

from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.real.lookahead import LOADS, Fused, Lookahead
from translator.real.steps import (
    BINARY,
    JUMPS,
    STORES,
    UNARY,
    call_handler,
    cell_with_null,
    copied_attribute,
    copied_item,
    copy_free_vars,
    copy_two,
    for_handler,
    global_with_null,
    loads_handler,
    null_with_cell,
    null_with_global,
    rotate_three,
    step_handler,
    store_handler,
)

#: instructions that do nothing on real values
_IDLE = {"NOP", "RESUME", "SETUP_FINALLY", "SETUP_WITH", "POP_BLOCK"}
_STORES = {"STORE_ATTR", "STORE_SUBSCR"}
#: no more arguments than these are taken by a fused call: from the stack, and as loads
MOST_POPPED, MOST_LOADED = 4, 3


class Fusing(Lookahead):
    """Goes through a Program once and makes its steps.

    Attributes:
        steps: (handler, operand), the operands' targets are places in this list.
        origins: for each step the index of the instruction that it stands for.
        entries: for the index of each instruction the step that begins there.
    """

    def __init__(self, program: Any, handlers: Any, by_operator: Any) -> None:
        super().__init__(program)
        self.handlers, self.by_operator = handlers, by_operator
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

    # -- making steps

    def step(self, index: int) -> int:
        """Makes the step that begins at an instruction; gives the index after it."""
        one = self.instructions[index]
        opname = one.opname
        if opname in _IDLE:
            return index + 1
        if opname in LOADS:
            return self.after_loads(index, self.loads_at(index))
        if opname in BINARY:
            return self.fuse(index, 0)
        if opname in _BEGINNING:
            after = _BEGINNING[opname](self, index)
            if after:
                return after
        return self.plain(index)

    def to_bool(self, index: int) -> int:
        """Nothing before a jump: its handler asks for the truth of any value."""
        return index + 1 if self.quiet(index + 1) in ("POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE") else 0

    def loop(self, index: int) -> int:
        """FOR_ITER; STORE_FAST."""
        if self.opname(index + 1) != "STORE_FAST":
            return 0
        self.add(for_handler(False, True), self.instructions[index], index)
        return index + 1

    def pop_and_loop(self, index: int) -> int:
        """POP_TOP; JUMP to a FOR_ITER."""
        if self.quiet(index + 1) != "JUMP" or not self.is_loop(self.instructions[index + 1].target):
            return 0
        self.add(for_handler(True, True), self.instructions[index + 1], index + 1)
        return index + 2

    def of_cell(self, index: int) -> int:
        """LOAD_DEREF; PUSH_NULL."""
        if self.opname(index + 1) != "PUSH_NULL":
            return 0
        self.add(cell_with_null, self.instructions[index], index)
        return index + 2

    def copy_free_vars(self, index: int) -> int:
        """As it is, without a hook."""
        self.add(copy_free_vars, self.instructions[index], index)
        return index + 1

    def of_global(self, index: int) -> int:
        """LOAD_GLOBAL and PUSH_NULL, in the order of the version, and the call if its arguments are loads."""
        null_first = self.instructions[index].opname == "PUSH_NULL"
        if null_first and self.opname(index + 1) == "LOAD_DEREF":
            self.add(null_with_cell, self.instructions[index + 1], index + 1)
            return index + 2
        if self.opname(index + 1) != ("LOAD_GLOBAL" if null_first else "PUSH_NULL"):
            return 0 if null_first else self.call(index, index + 1, "global", 1)
        at = index + null_first
        after = self.call(at, index + 2, "global", 2)
        if not after:
            self.add(null_with_global if null_first else global_with_null, self.instructions[at], at)
        return after or index + 2

    def swap(self, index: int) -> int:
        """What moves the operands of a store to their places, and the store."""
        depth = self.instructions[index].depth
        if depth == 2 and self.opname(index + 1) == "STORE_ATTR":
            operand = Fused()
            operand.store = self.instructions[index + 1].name
            self.add(step_handler((), None, None, "STORE_ATTR"), operand, index + 1)
            return index + 2
        if depth == 3 and self.is_same(index + 1, "SWAP", 2):
            stores = self.opname(index + 2) == "STORE_SUBSCR"
            handler = step_handler((), None, None, "STORE_SUBSCR") if stores else rotate_three
            self.add(handler, self.instructions[index], index + 2 * stores)
            return index + 2 + stores
        return 0

    def copy(self, index: int) -> int:
        """COPY 2; COPY 2."""
        if self.instructions[index].depth != 2 or not self.is_same(index + 1, "COPY", 2):
            return 0
        self.add(copy_two, self.instructions[index], index)
        return index + 2

    def attribute(self, index: int) -> int:
        """LOAD_METHOD of what is on the stack, with its call; LOAD_ATTR with what takes its value."""
        if self.instructions[index].opname == "LOAD_METHOD":
            return self.call(index, index + 1, "attribute", 2)
        return self.fuse(index, 0)

    def after_loads(self, index: int, loads: int) -> int:
        """A step that begins with loads."""
        core_at = index + loads
        core = self.opname(core_at)
        if core == "CALL":
            after = self.call(core_at - loads, index, "", 0)
            if after:
                return after
        if core in _STORES:
            return self.store(index, loads)
        if core == "COPY":
            after = self.copied(index, loads)
            if after:
                return after
        if core == "LOAD_METHOD" and loads == 1 and self.instructions[index].opname != "LOAD_CONST":
            after = self.call(core_at, core_at + 1, "method", 2)
            if after:
                return after
        taken = 2 if core in BINARY else 1
        if loads > taken:
            return self.load(index, loads - taken)
        return self.fuse(index, loads)

    def copied(self, index: int, loads: int) -> int:
        """Loads of what is copied before an augmented assignment to an attribute or an item."""
        at, instructions = index + loads, self.instructions
        item = self.is_same(at, "COPY", 2) and self.is_same(at + 1, "COPY", 2) and loads >= 2
        if item and self.opname(at + 2) == "BINARY_OP" and instructions[at + 2].operator == "[]":
            if loads > 2:
                return self.load(index, loads - 2)
            self.add(copied_item(self.kinds(index, 2)), self.operand(index, 2), at + 2)
            return at + 3
        attribute = self.is_same(at, "COPY", 1) and self.opname(at + 1) == "LOAD_ATTR"
        if attribute:
            if loads > 1:
                return self.load(index, loads - 1)
            operand = self.operand(index, 1)
            operand.name = instructions[at + 1].name
            self.add(copied_attribute(self.kinds(index, 1)), operand, at + 1)
            return at + 2
        return 0

    def fuse(self, index: int, loads: int) -> int:
        """An operation, which at most two loads before it are the operands of, and where its result goes."""
        core_at = index + loads
        core: str | None = self.opname(core_at) if loads else self.instructions[index].opname
        if core not in BINARY and core not in UNARY:
            core, core_at = None, core_at - 1
        operation = self.instructions[core_at] if core else None
        sink, sink_at = (None, core_at) if core == "LOAD_METHOD" else self.sink(core, core_at)
        if core in UNARY and _particular(operation) in self.by_operator:
            return self.plain(index)
        if sink is None and (core is None or not loads):
            return self.plain(index)
        operand = self.operand(index, loads)
        if core in UNARY:
            operand.name = operation.name
        origin = core_at if core else sink_at
        if sink is not None:
            last = self.instructions[sink_at]
            operand.c = getattr(last, "slot", None)
            operand.target = getattr(last, "target", None)
            if sink in STORES:
                operand.first, origin = core_at, sink_at
                operand.store = getattr(last, "name", None)
        self.add(step_handler(self.kinds(index, loads), core, _operator(operation), sink), operand, origin)
        return sink_at + 1

    def sink(self, core: str | None, core_at: int) -> tuple[str | None, int]:
        """Where the result of an operation goes, and the index of that instruction; (None, that of the
        operation) if it is pushed."""
        at = core_at + 1
        if self.quiet(at) == "STORE_FAST":
            return "STORE_FAST", at
        if self.opname(at) == "YIELD_VALUE":
            plain = not self.instructions[at].receiver and not self.instructions[at].wraps
            return ("YIELD_VALUE", at) if plain else (None, core_at)
        if core in BINARY and self.opname(at) == "SWAP":
            if self.instructions[at].depth == 2 and self.opname(at + 1) == "STORE_ATTR":
                return "STORE_ATTR", at + 1
            rotates = self.instructions[at].depth == 3 and self.is_same(at + 1, "SWAP", 2)
            if rotates and self.opname(at + 2) == "STORE_SUBSCR":
                return "STORE_SUBSCR", at + 2
        if self.opname(at) == "TO_BOOL" and self.quiet(at + 1) in JUMPS:
            return self.quiet(at + 1), at + 1
        if self.opname(at) == "RETURN_VALUE" or self.opname(at) in JUMPS:
            return self.opname(at), at
        return None, core_at

    def call(self, callee_at: int, index: int, callee: str, head: int) -> int:
        """The loads from `index` on and the CALL that takes them, together with where the callable comes
        from (the instruction at `callee_at`, "" for the stack); 0 if they do not go together."""
        loads = self.loads_at(index) if not callee or self.opname(index) in LOADS else 0
        at = index + loads
        call = self.instructions[at] if at < len(self.instructions) else None
        if call is None or call.opname != "CALL" or call.names or ((loads or callee) and not self.opname(at)):
            return 0
        below = call.count - loads
        if callee:
            if below or loads > MOST_LOADED or call.head != head:
                return 0
        elif below < 0 or loads > MOST_LOADED:
            return self.load(index, loads - MOST_LOADED if below >= 0 else -below)
        elif below > MOST_POPPED:
            return self.load(index, loads) if loads else 0
        if callee and _particular(self.instructions[callee_at]) in self.by_operator:
            return 0
        operand = self.operand(index, loads)
        if callee:
            operand.first = callee_at
            operand.name = self.instructions[callee_at].name
            if callee == "method":
                operand.owner = self.instructions[callee_at - 1].slot
        kind = callee or ("pair" if call.head == 2 else "single")
        self.add(call_handler(kind, below, self.kinds(index, loads)), operand, at)
        return at + 1

    def call_of_stack(self, index: int) -> int:
        """A CALL whose arguments are all on the stack."""
        return self.call(index, index, "", 0)

    def store(self, index: int, loads: int) -> int:
        """Loads and the store of an attribute or an item that takes the last two of them, or one."""
        store = self.instructions[index + loads]
        taken = min(loads, 2)
        if loads > taken:
            return self.load(index, loads - taken)
        operand = self.operand(index, loads)
        operand.name = getattr(store, "name", None)
        self.add(store_handler(self.kinds(index, loads), store.opname), operand, index + loads)
        return index + loads + 1

    def load(self, index: int, count: int) -> int:
        """Loads that no operation takes at once: three of them, or fewer."""
        if count == 1:
            return self.plain(index)
        count = min(count, 3)
        self.add(loads_handler(self.kinds(index, count)), self.operand(index, count), index)
        return index + count

    def plain(self, index: int) -> int:
        """One instruction as it is."""
        one = self.instructions[index]
        handler = self.by_operator.get(_particular(one))
        self.add(handler or self.handlers[one.opname], one, index)
        return index + 1

    # -- targets

    def place_targets(self) -> None:
        """Targets become places in the list of steps; a JUMP to a FOR_ITER does that too."""
        entries = self.entries
        for place, (handler, operand) in enumerate(self.steps):
            if type(operand) is Fused:
                if operand.target is not None:
                    operand.target = entries[operand.target]
            elif operand.targets:
                pops = handler is for_handler(True, True)
                if operand.opname == "JUMP" and self.is_loop(operand.target):
                    self.origins[place] = operand.target
                    loop = self.loop_operand(operand.target)
                    self.steps[place] = for_handler(pops, loop.c is not None), loop
                    continue
                if handler is for_handler(False, True):
                    self.steps[place] = handler, self.loop_operand(self.origins[place])
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
        operand.slots, operand.pops, operand.at = loop.slots, loop.pops, -loop.slots
        operand.target = self.entries[loop.target]
        operand.body = self.entries[index + 1]
        operand.after = operand.body + 1
        if self.opname(index + 1) == "STORE_FAST":
            operand.c = self.instructions[index + 1].slot
        return operand


#: what an instruction may be the beginning of; each gives the index after it, 0 for none of that
_BEGINNING = {
    "TO_BOOL": Fusing.to_bool,
    "FOR_ITER": Fusing.loop,
    "POP_TOP": Fusing.pop_and_loop,
    "LOAD_GLOBAL": Fusing.of_global,
    "PUSH_NULL": Fusing.of_global,
    "LOAD_DEREF": Fusing.of_cell,
    "COPY_FREE_VARS": Fusing.copy_free_vars,
    "SWAP": Fusing.swap,
    "COPY": Fusing.copy,
    "LOAD_ATTR": Fusing.attribute,
    "LOAD_METHOD": Fusing.attribute,
    "CALL": Fusing.call_of_stack,
}


def _particular(one: Any) -> tuple[str, Any]:
    """An instruction with what may give it a handler of its own."""
    return one.opname, getattr(one, "operator", None) or getattr(one, "name", None)


def _operator(operation: Any) -> Any:
    if operation is None:
        return None
    if operation.opname == "IS_OP":
        return "is not" if operation.invert else "is"
    if operation.opname == "CONTAINS_OP":
        return "not in" if operation.invert else "in"
    return getattr(operation, "operator", None)
