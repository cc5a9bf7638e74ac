"""What is held against CPython, by name, and the report of a disagreement.

TARGETS["interpret"](function) -> Disagreement | None
"""

from __future__ import annotations

import dis
import io
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from fuzz.generated import GeneratedFunction
from fuzz.oracle import Observation, native, observe, observe_calls

#: Calls of a compiled function: each as often, so that guards are met, missed and met again.
_ROUNDS = 2


@dataclass(frozen=True)
class Disagreement:
    """One call of one program for which a target and CPython were seen to differ."""

    target: str
    function: GeneratedFunction
    call: str
    expected: Observation
    got: Observation

    @property
    def difference(self) -> str:
        """Where the two parted first."""
        return self.expected.difference(self.got) or "nothing"

    def report(self) -> str:
        """Source, bytecode, where the two parted, and how to run it again."""
        return "\n".join(
            [
                f"{self.target} and CPython part at {self.call}",
                f"  CPython   {self.difference}   {self.target}".replace(
                    "\n  against", f"\n  {self.target:9}"
                ),
                "",
                self.function.script(),
                bytecode(self.function),
                "To run it again, save the program above (its '#:' lines too) as program.py:",
                f"    python -m fuzz.replay program.py --target {self.target}",
            ]
        )


def bytecode(function: GeneratedFunction) -> str:
    """What `dis` shows of the function."""
    out = io.StringIO()
    entry = function.function()
    dis.dis(entry if isinstance(entry, FunctionType) else function.code(), file=out)
    return out.getvalue()


def interpret(function: GeneratedFunction) -> Disagreement | None:
    """The Interpreter against CPython, each of the calls on fresh globals."""
    import translator

    return _each_call("interpret", function, translator.run, None)


def unfused(function: GeneratedFunction) -> Disagreement | None:
    """The machine with every instruction's handler as it is written, none of them fused, against CPython."""
    from translator.interpreter import RealMachine

    def run(called: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return RealMachine().run(called, *args, **kwargs)

    return _each_call("unfused", function, run, None)


def roundtrip(function: GeneratedFunction) -> Disagreement | None:
    """The module's code objects decoded and encoded again, against themselves."""
    return _each_call("roundtrip", function, native, recoded)


def spliced(function: GeneratedFunction) -> Disagreement | None:
    """The same with a NOP before each instruction that may have one."""
    return _each_call("spliced", function, native, with_nops)


def compiled(function: GeneratedFunction) -> Disagreement | None:
    """The compiled function against CPython, the calls one after the other on the same globals."""
    import translator

    calls = function.calls * _ROUNDS
    expected = observe_calls(lambda original: original, function, calls)
    translator.reset()
    got = observe_calls(translator.compile, function, calls)
    for call, mine, other in zip(calls, expected, got):
        if mine != other:
            return Disagreement("compile", function, call, mine, other)
    return None


def against(target: str, function: GeneratedFunction, run: Callable[..., Any]) -> Disagreement | None:
    """Any run `run(function, *args, **kwargs)` against CPython, each of the calls on fresh globals."""
    return _each_call(target, function, run, None)


def _each_call(
    target: str,
    function: GeneratedFunction,
    run: Callable[..., Any],
    rewrite: Callable[[CodeType], CodeType] | None,
) -> Disagreement | None:
    for call in function.calls:
        expected = observe(native, function, call)
        got = observe(run, function, call, rewrite=rewrite)
        if expected != got:
            return Disagreement(target, function, call, expected, got)
    return None


def recoded(code: CodeType) -> CodeType:
    """`encode(decode(code))`, the code objects in its constants too."""
    from opcodes.decode import decode
    from opcodes.encode import encode

    return encode(decode(_with_constants(code, recoded)))


def with_nops(code: CodeType) -> CodeType:
    """The code with a NOP spliced in before every instruction but those of atomic groups."""
    from opcodes.decode import decode
    from opcodes.encode import encode
    from opcodes.instructions import NOP
    from opcodes.splice import splice_all

    program = decode(_with_constants(code, with_nops))
    places = {index: [NOP()] for index in range(len(program)) if not program.atomic(index)}
    return encode(splice_all(program, places))


def _with_constants(code: CodeType, change: Callable[[CodeType], CodeType]) -> CodeType:
    if not any(isinstance(constant, CodeType) for constant in code.co_consts):
        return code
    return code.replace(
        co_consts=tuple(change(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    )


#: Each takes a program and gives the first disagreement with CPython, or None.
TARGETS: dict[str, Callable[[GeneratedFunction], Disagreement | None]] = {
    "interpret": interpret,
    "unfused": unfused,
    "compile": compiled,
    "roundtrip": roundtrip,
    "spliced": spliced,
}
