"""What a function of foreign bytecode does when the host calls it: it hands its arguments to a machine.

The body is compiled by the host from a line or two, for each kind of function and number of parameters
once. A generator function is one for the host too, so that `inspect`, `types.coroutine` and `asyncio` know
it; its generator is driven through, entry for entry, by the one that the machine makes.
"""

from __future__ import annotations

from functools import cache
from textwrap import indent
from types import CodeType
from typing import Any

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from translator.frames import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, GENERATES
from translator.real.stubs import HIDDEN, instruction

#: stands in the constants for what takes the arguments: `ENTRY @ (closure, arguments…)`
ENTRY = 0.5

_BODIES = {
    0: """
def body({parameters}):
    return 0.5 @ ({arguments})
""",
    CO_GENERATOR: """
def body({parameters}):
    inner = 0.5 @ ({arguments})
    {forget}
    return (yield from inner)
""",
    CO_COROUTINE: """
async def body({parameters}):
    inner = 0.5 @ ({arguments})
    {forget}
    return await inner
""",
    # an asynchronous generator cannot delegate: what is sent and thrown is handed on
    CO_ASYNC_GENERATOR: """
async def body({parameters}):
    inner = 0.5 @ ({arguments})
    {forget}
    step, argument = inner.asend, None
    while True:
        try:
            result = await step(argument)
        except inner.done:
            return
        step = argument = None
        try:
            step, argument = inner.asend, (yield result)
        except inner.every as exception:
            step, argument = inner.athrow, exception
        result = None
""",
}


@cache
def _compiled(kind: int, count: int, free: int) -> CodeType:
    """The host's code object of a body; its variables are hidden after the parameters.

    A function with the same free variables is given along, for the cells in its closure.
    """
    names = [f"p{place}" for place in range(count)]
    cells = [f"c{place:05}" for place in range(free)]  # (free variables are in the order of their names)
    arguments = [f"lambda: ({', '.join(cells)},)" if cells else "None", *names]
    forget = f"del {', '.join(names)}" if names else "pass"
    body = _BODIES[kind].format(
        parameters=", ".join(names), arguments=", ".join(arguments) + ",", forget=forget
    )
    source = f"def around({', '.join(cells)}):{indent(body, ' ')}\n return body"
    scope: dict[str, Any] = {}
    exec(compile(source, __file__, "exec", dont_inherit=True), scope)
    code: CodeType = scope["around"](*cells).__code__
    return code


def kind_of(flags: int) -> int:
    """Which body: one of the flags of what generates, or 0."""
    return next((kind for kind in _BODIES if flags & kind), 0)


def body_of(twin: CodeType, count: int, entry: Any) -> CodeType:
    """The twin with a body that gives its `count` parameters to the entry."""
    made = _compiled(kind_of(twin.co_flags), count, len(twin.co_freevars))
    own = len(made.co_varnames) - count
    missing = max(len(twin.co_code) - len(made.co_code), 0)  # (see `bare`)
    fields: dict[str, Any] = {}
    if hasattr(made, "co_exceptiontable"):
        fields["co_exceptiontable"] = made.co_exceptiontable
    return twin.replace(
        co_code=made.co_code + instruction("NOP") * (missing // 2),
        co_consts=tuple(entry if value == ENTRY else value for value in made.co_consts),
        co_names=made.co_names,
        co_varnames=(*twin.co_varnames[:count], *(HIDDEN * (place + 1) for place in range(own))),
        co_nlocals=count + own,
        co_cellvars=(),
        co_stacksize=made.co_stacksize,
        co_flags=twin.co_flags & ~GENERATES | made.co_flags,
        **fields,
    )
