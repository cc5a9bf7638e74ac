"""Faults of control: jumps, loops, unwinding, handled exceptions, generators, context managers."""

from __future__ import annotations

from typing import Any

from tests.fuzz.faults.planting import fault, handler, hook, machines, method, operand, unfused
from translator.sentinels import NULL


@fault("a jump taken wrongly")
def jump_if_none_jumps_otherwise() -> None:
    unfused()
    for machine in machines():
        handlers = machine.handlers
        one, other = "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE"
        handlers[one], handlers[other] = handlers[other], handlers[one]


@fault("a jump taken wrongly")
def jump_if_false_jumps_if_true() -> None:
    unfused()
    for machine in machines():
        machine.handlers["POP_JUMP_IF_FALSE"] = machine.handlers["POP_JUMP_IF_TRUE"]


@fault("a jump off by one")
def loop_ends_one_instruction_late() -> None:
    def new(old: Any, self: Any, instruction: Any) -> None:
        old(self, instruction)
        self.jump(instruction.target + 1)

    hook("end_loop", new)


@fault("a jump off by one")
def jump_forward_goes_too_far() -> None:
    operand("JUMP", target=lambda one: one.target + 1)


@fault("a loop")
def loop_leaves_its_first_item_out() -> None:
    seen: set[int] = set()

    def new(old: Any, machine: Any, instruction: Any) -> Any:
        iterator = machine.stack[-instruction.slots]
        if type(iterator).__name__ == "list_iterator" and id(iterator) not in seen:
            seen.add(id(iterator))
            next(iterator, None)
        return old(machine, instruction)

    handler("FOR_ITER", new)


@fault("a wrong unwinding depth")
def handler_finds_one_value_less() -> None:
    from translator.machine import StackMachine

    def new(old: Any, self: Any, exception: Any, frame: Any, region: Any, index: int) -> Any:
        if region.depth and len(self.stack) > frame.base:
            self.stack.pop(frame.base)
            self.stack.insert(frame.base, None)
        return old(self, exception, frame, region, index)

    method(StackMachine, "catch", new)


@fault("a wrong unwinding depth")
def handler_keeps_a_value_too_many() -> None:
    from translator.machine import StackMachine

    def new(old: Any, self: Any, exception: Any, frame: Any, region: Any, index: int) -> Any:
        result = old(self, exception, frame, region, index)
        self.stack.insert(frame.base + region.depth, None)
        return result

    method(StackMachine, "catch", new)


@fault("the handled exception")
def handled_exception_is_not_restored() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> Any:
        machine.take(instruction.slots)
        return machine.handle(None)

    handler("POP_EXCEPT", new)


@fault("the handled exception")
def subclasses_do_not_match() -> None:
    def new(old: Any, self: Any, exception: Any, type_: Any) -> Any:
        return type(exception) in (type_ if type(type_) is tuple else (type_,))

    hook("exception_match", new)


@fault("the handled exception")
def cause_is_lost() -> None:
    hook("raise_", lambda old, self, exception, cause: old(self, exception, NULL))


@fault("the handled exception", needs="PUSH_EXC_INFO")
def context_is_lost() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> None:
        exception = machine.pop()
        machine.push(machine.handled)
        machine.push(exception)

    handler("PUSH_EXC_INFO", new)


@fault("a traceback")
def reraising_adds_an_entry() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> Any:
        try:
            return old(machine, instruction)
        finally:
            machine.reraised = False

    handler("RERAISE", new)


@fault("a traceback")
def traceback_entries_are_left_out() -> None:
    def new(old: Any, self: Any, exception: Any, frame: Any, index: int) -> Any:
        if frame.depth % 3:
            return old(self, exception, frame, index)
        return None

    hook("passing", new)


@fault("the handled exception", needs="CHECK_EG_MATCH")
def rest_of_a_group_is_dropped() -> None:
    hook("group_match", lambda old, self, group, type_: (None, old(self, group, type_)[1]))


@fault("a context manager")
def exit_is_not_told_the_type() -> None:
    def new(old: Any, machine: Any, instruction: Any) -> Any:
        parts = machine.exception_parts
        machine.exception_parts = lambda exception: (None, parts(exception)[1])
        try:
            return old(machine, instruction)
        finally:
            del machine.exception_parts

    handler("WITH_EXCEPT_START", new)


@fault("a generator")
def what_is_sent_is_dropped() -> None:
    def new(old: Any, self: Any, frame: Any, value: Any, resumer: Any) -> Any:
        return old(self, frame, None, resumer)

    hook("resume", new)


@fault("a generator")
def value_of_yield_from_is_lost() -> None:
    hook("sent", lambda old, self, instruction, result: old(self, instruction, None))


@fault("a generator", needs="CLEANUP_THROW")
def value_of_a_thrown_stop_is_lost() -> None:
    hook("cleanup_throw", lambda old, self, receiver, exception: (old(self, receiver, exception), None)[1])


@fault("a generator")
def next_of_an_async_loop_is_asked_twice() -> None:
    hook("async_next", lambda old, self, iterator: (old(self, iterator), old(self, iterator))[1])


@fault("a generator")
def locals_of_a_parked_generator_are_shared() -> None:
    def new(old: Any, self: Any, frame: Any, value: Any) -> Any:
        if len(frame.locals) > 1:
            frame.locals[0] = frame.locals[-1]
        return old(self, frame, value)

    hook("park", new)
