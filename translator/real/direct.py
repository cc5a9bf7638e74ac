"""The hottest handlers once more, for real values alone: no hook in between, for speed.

Each does what the handler of its name in `translator.handlers` does with the Interpreter's hooks; the
tests run both. What is not here was measured not to pay.
"""

from __future__ import annotations

from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import Frame
from translator.handlers.attributes import AttributeHandlers
from translator.policy import NO_SKIP
from translator.real.caller import SENSITIVE
from translator.real.constructing import NOT_PLAIN
from translator.real.containers import host_function
from translator.real.drivers import Resumable
from translator.real.names import LazyImportType
from translator.real.operators import BINARY, COMPARE
from translator.real.parked import NAMES
from translator.sentinels import ENTERED, NULL, STOP


def _operator(operator: str) -> Any:
    """A handler of one binary operator, in place ones too."""
    if operator == "[]":
        body = "stack[-1] = stack[-1][right]"
    elif operator in COMPARE or not operator.endswith("="):
        body = f"stack[-1] = stack[-1] {operator} right"
    else:
        body = f"left = stack[-1]; left {operator} right; stack[-1] = left"
    source = f"def operate(self, instruction):\n right = self.pop(); stack = self.stack\n {body}"
    return host_function(source, "operate")


new_frame = object.__new__

#: (instruction, operator or name) -> handler
BY_OPERATOR = {
    ("LOAD_METHOD", "run"): AttributeHandlers.LOAD_METHOD,  # what `Context.run` calls is interpreted
    **{("LOAD_ATTR", name): AttributeHandlers.LOAD_ATTR for name in NAMES},
    **{("BINARY_OP", operator): _operator(operator) for operator in BINARY},
    **{("COMPARE_OP", operator): _operator(operator) for operator in COMPARE},
}


class DirectHandlers:
    """Overrides of handlers in the Interpreter."""

    def LOAD_CONST(self, instruction: Any) -> Any:
        """( -- value)"""
        self.push(instruction.value)

    def LOAD_GLOBAL(self, instruction: Any) -> Any:
        """( -- value)"""
        namespace = self.frame.globals
        name = instruction.name
        if name in namespace:
            value = namespace[name]
            if type(value) is not LazyImportType:
                return self.push(value)
        elif type(namespace) is dict:
            return self.push(self.load_builtin(name))
        self.push(self.load_global(name))

    def LOAD_ATTR(self, instruction: Any) -> Any:
        """(owner -- attribute)"""
        stack = self.stack
        stack[-1] = getattr(stack[-1], instruction.name)

    def LOAD_METHOD(self, instruction: Any) -> Any:
        """(owner -- callable, self_or_null)"""
        stack = self.stack
        stack[-1] = getattr(stack[-1], instruction.name)
        self.push(NULL)

    def STORE_ATTR(self, instruction: Any) -> Any:
        """(value, owner -- )"""
        setattr(self.pop(), instruction.name, self.pop())

    def STORE_SUBSCR(self, instruction: Any) -> Any:
        """(value, container, key -- )"""
        key, container = self.pop(), self.pop()
        container[key] = self.pop()

    def TO_BOOL(self, instruction: Any) -> Any:
        """(value -- bool)"""
        stack = self.stack
        stack[-1] = not not stack[-1]

    def POP_JUMP_IF_TRUE(self, instruction: Any) -> Any:
        """(bool -- )
        jump: (bool -- )
        """
        if self.pop():
            self.steps.__setstate__(instruction.target)

    def POP_JUMP_IF_FALSE(self, instruction: Any) -> Any:
        """(bool -- )
        jump: (bool -- )
        """
        if not self.pop():
            self.steps.__setstate__(instruction.target)

    def JUMP(self, instruction: Any) -> Any:
        """( -- )
        jump: ( -- )
        """
        self.steps.__setstate__(instruction.target)

    def FOR_ITER(self, instruction: Any) -> Any:
        """(iterator, index[slots - 1] -- iterator, index[slots - 1], next)
        jump: (iterator, index[slots - 1] -- iterator[not pops], index[slots - 1], dummy[not pops])
        """
        iterator = self.stack[-instruction.slots]
        if type(iterator) is Resumable:
            value = self.next(iterator, instruction)
            if value is ENTERED:
                return True
        else:
            value = next(iterator, STOP)
        if value is STOP:
            self.end_loop(instruction)
        else:
            self.push(value)

    def SEND(self, instruction: Any) -> Any:
        """(receiver[depth - 1], value -- receiver[depth - 1], yielded)
        jump: (receiver[depth - 1], value -- receiver[0 if pops else depth - 1], result)
        """
        receiver = self.stack[-instruction.depth]
        if type(receiver) is Resumable and receiver.frame.state == "parked":
            self.resume(receiver.frame, self.pop(), instruction)
            return True
        return super().SEND(instruction)

    def LOAD_DEREF(self, instruction: Any) -> Any:
        """( -- value)"""
        try:
            self.push(self.locals[instruction.slot].cell_contents)
            return
        except ValueError:
            pass
        except AttributeError:
            self.no_cell(self.locals[instruction.slot])
        self.unbound_cell(instruction.name, self.is_free(instruction.slot))

    def STORE_DEREF(self, instruction: Any) -> Any:
        """(value -- )"""
        try:
            self.locals[instruction.slot].cell_contents = self.pop()
        except AttributeError:
            self.no_cell(self.locals[instruction.slot])

    def LIST_APPEND(self, instruction: Any) -> Any:
        """(list, between[depth - 1], item -- list, between[depth - 1])"""
        item = self.pop()
        self.stack[-instruction.depth].append(item)

    def UNPACK_SEQUENCE(self, instruction: Any) -> Any:
        """(sequence -- items[count])"""
        sequence = self.stack[-1]
        if type(sequence) is tuple and len(sequence) == instruction.count:
            self.stack[-1:] = sequence[::-1]
        else:
            self.stack += self.unpack(self.pop(), instruction.count)[::-1]

    def CALL(self, instruction: Any) -> Any:
        """(callable[head], arguments[count] -- result)"""
        if instruction.names:
            return super().CALL(instruction)
        stack = self.stack
        begin = -instruction.count - instruction.head
        arguments = stack[begin:]
        del stack[begin:]
        return self.call_taken(arguments) if instruction.head == 2 else self.call_single(arguments)

    def call_single(self, arguments: list[Any]) -> Any:
        """Calls what was taken off the stack: the callable and its arguments."""
        callable_ = arguments[0]
        if type(callable_) is MethodType:
            arguments[0] = callable_.__self__
            callable_ = callable_.__func__
        else:
            del arguments[0]
        return self.call_direct(callable_, arguments)

    def call_taken(self, arguments: list[Any]) -> Any:
        """Calls what was taken off the stack: a pair that is the callable, and its arguments."""
        callable_, upper = arguments[0], arguments[1]
        if upper is NULL:
            pass
        elif callable_ is NULL:
            callable_ = upper
        else:
            del arguments[0]
            return self.call_direct(callable_, arguments)
        kind = type(callable_)
        if kind is MethodType:
            arguments[1] = callable_.__self__
            del arguments[0]
            callable_ = callable_.__func__
        else:
            del arguments[:2]
        return self.call_direct(callable_, arguments)

    def call_direct(self, callable_: Any, arguments: list[Any]) -> Any:
        """Calls without keywords; the value is pushed, or a frame entered (true)."""
        kind = type(callable_)
        if kind is FunctionType:
            if self.skip is NO_SKIP:
                prepared = self.prepared_by_id.get(id(callable_.__code__))
                if prepared is not None and prepared.plain >= 0:
                    missing = prepared.plain - len(arguments)
                    if missing:
                        defaults = callable_.__defaults__
                        if missing < 0 or not defaults or missing > len(defaults):
                            return self.call_bound(callable_, arguments, None)
                        arguments += defaults[-missing:]
                    return self.enter_plain(prepared, callable_, arguments)
        elif (kind is BuiltinFunctionType or (kind is type and not callable_.__flags__ & NOT_PLAIN)) and id(
            callable_
        ) not in SENSITIVE:
            return self.push(callable_(*arguments))
        return self.call_bound(callable_, arguments, None)

    def enter_plain(self, prepared: Any, function: Any, slots: list[Any]) -> bool:
        """A frame whose parameters are filled; it is whole when it becomes the running one, so that an
        interrupt in between finds either."""
        back = self.frame
        depth = back.depth + 1
        if depth > self.limit:
            self.check_depth(depth)
        if prepared.unbound:
            slots += prepared.unbound
        frame = new_frame(Frame)
        frame.prepared = prepared
        frame.function = function
        frame.globals = function.__globals__
        frame.locals = slots
        frame.steps = iter(prepared.steps)
        frame.base = len(self.stack)
        frame.back = back
        frame.depth = depth
        self.frame = frame
        self.locals = slots
        self.steps = frame.steps
        return True

    def call_bound(self, callable_: Any, arguments: list[Any], keywords: Any) -> Any:
        """The same by the hook."""
        result = self.call(callable_, arguments, keywords)
        if result is ENTERED:
            return True
        self.push(result)
        return None

    def call_with(self, head: int, arguments: list[Any], names: tuple[str, ...]) -> Any:
        """Calls with keywords: a plain function's parameters are filled here."""
        callable_ = self.pop()
        if head == 2:
            lower = self.pop()
            if callable_ is NULL:
                callable_ = lower
            elif lower is not NULL:
                arguments.insert(0, callable_)
                callable_ = lower
        if type(callable_) is MethodType:
            arguments.insert(0, callable_.__self__)
            callable_ = callable_.__func__
        if not names:
            return self.call_direct(callable_, arguments)
        if type(callable_) is FunctionType and self.skip is NO_SKIP:
            prepared = self.prepared_by_id.get(id(callable_.__code__))
            if prepared is not None and prepared.plain >= 0:
                slots = fill(prepared, callable_, arguments, names)
                if slots is not None:
                    return self.enter_plain(prepared, callable_, slots)
        keywords = dict(zip(names, arguments[-len(names) :]))
        del arguments[-len(names) :]
        return self.call_bound(callable_, arguments, keywords)

    def RETURN_VALUE(self, instruction: Any) -> Any:
        """(value -- )"""
        frame = self.frame
        if frame.ends_otherwise:
            return frame.end(self, self.pop())
        back = frame.back
        self.frame = back
        self.locals = back.locals
        self.steps = back.steps
        return True


def fill(prepared: Any, function: Any, arguments: list[Any], names: tuple[str, ...]) -> list[Any] | None:
    """The slots of a plain function's parameters; None where it is not that simple (errors, too)."""
    positional = len(arguments) - len(names)
    missing = prepared.plain - positional
    if missing < 0:
        return None
    slots = arguments[:positional] + [NULL] * missing
    places = prepared.places
    for name, value in zip(names, arguments[positional:]):
        place = places.get(name, -1)
        if place < positional or slots[place] is not NULL:
            return None
        slots[place] = value
    if missing > len(names):
        defaults = function.__defaults__ or ()
        first = prepared.plain - len(defaults)
        for place in range(positional, prepared.plain):
            if slots[place] is NULL:
                if place < first:
                    return None
                slots[place] = defaults[place - first]
    return slots
