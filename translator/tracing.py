"""`translator.trace`: one row an instruction as the capture walks, then graph, guards and new code."""

from __future__ import annotations

import copy
import linecache
from types import FunctionType
from typing import Any

import opcodes
from opcodes import Program
from opcodes.own_builtins import OWN as __builtins__  # noqa: F401
from opcodes.program import PROLOGUE
from translator import logs
from translator.backends import eager
from translator.codegen import FAILED, MISS, Piece, RunnerReference, entry_piece, with_pieces
from translator.compiling import bound_values, check_function, compile, copy_of
from translator.convert_frame import Capture, parameter_names, refusal
from translator.errors import Unimplemented
from translator.graph import Graph
from translator.instruction_translator import InstructionTranslator, RootFunction
from translator.runner import Runner
from translator.same import outcome, same, text_of
from translator.sentinels import NULL
from translator.variables.tracker import VariableTracker


def shown(value: Any) -> str:
    """A symbolic value as one short text."""
    if value is NULL:
        return "NULL"
    text = value.describe() if isinstance(value, VariableTracker) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class Row:
    """What one instruction did.

    Attributes:
        offset, line, opname, argrepr: the instruction, as `dis` shows it.
        function: whose it is.
        stack: the function's stack after it, bottom to top.
        locals: the local variables that changed.
        graph_nodes: names of the nodes it added.
    """

    __slots__ = ("argrepr", "function", "graph_nodes", "line", "locals", "offset", "opname", "stack")

    def __init__(self, offset: int, line: int | None, opname: str, argrepr: str, function: str) -> None:
        self.offset = offset
        self.line = line
        self.opname = opname
        self.argrepr = argrepr
        self.function = function
        self.stack: list[str] = []
        self.locals: dict[str, str] = {}
        self.graph_nodes: list[str] = []

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        parts = [f"{self.offset:>5}  {self.opname:<34} {self.argrepr:<16} [{', '.join(self.stack)}]"]
        parts += [f"{name} = {value}" for name, value in self.locals.items()]
        if self.graph_nodes:
            parts.append(f"+ {', '.join(self.graph_nodes)}")
        return "  ".join(parts).rstrip()


class TracingTranslator(InstructionTranslator):
    """The translator, writing a row an instruction."""

    def __init__(self, root: RootFunction) -> None:
        super().__init__(root)
        self.rows: list[Row] = []
        self._last: Any = None
        self._frame: Any = None
        self._locals: list[Any] = []
        self._nodes = 0

    loop = InstructionTranslator.watched_loop

    def before(self, instruction: Any) -> None:
        frame = self._frame = self.frame
        self._locals = list(self.locals)
        raw = instruction.raw
        merged = raw is not None and self._last == (id(raw), id(frame))
        self._last = (id(raw), id(frame))
        if not merged:
            self.rows.append(self._row(instruction, frame))

    def _row(self, instruction: Any, frame: Any) -> Row:
        raw, code = instruction.raw, frame.code
        if raw is None or raw is PROLOGUE:
            return Row(-1, None, instruction.opname, "", code.co_name)
        from opcodes.argrepr import argrepr

        return Row(raw.offset, raw.line, raw.opname, argrepr(frame.prepared.program, raw), code.co_name)

    def after(self, instruction: Any) -> None:
        row, frame = self.rows[-1], self.frame
        row.stack = [] if frame.is_entry else [shown(value) for value in self.stack[frame.base :]]
        if frame is self._frame:
            names = frame.prepared.program.localsplus
            for name, old, new in zip(names, self._locals, frame.locals):
                if new is not old:
                    row.locals[name] = shown(new)
        nodes = [node for node in self.graph.nodes if node.op != "placeholder"]
        row.graph_nodes += [node.name for node in nodes[self._nodes :]]
        self._nodes = len(nodes)


class LiveTranslator(TracingTranslator):
    """The translator that prints as it walks (OPSHIFT_LOGS=trace_source,trace_call,trace_bytecode)."""

    def __init__(self, root: RootFunction) -> None:
        super().__init__(root)
        self._shown: tuple[Any, Any] = (None, None)

    def before(self, instruction: Any) -> None:
        super().before(instruction)
        raw = instruction.raw
        if logs.on.trace_source and raw is not None and raw is not PROLOGUE and raw.line is not None:
            code = self.frame.code
            if self._shown != (code, raw.line):
                self._shown = code, raw.line
                text = linecache.getline(code.co_filename, raw.line).rstrip()
                logs.write("trace_source", f"{code.co_filename}:{raw.line}, in {code.co_name}", text)

    def after(self, instruction: Any) -> None:
        super().after(instruction)
        if logs.on.trace_bytecode:
            logs.write("trace_bytecode", self.rows[-1].function, str(self.rows[-1]))

    def enter_function(
        self, function: Any, arguments: list[Any], keywords: dict[str, Any], making: Any = None
    ) -> Any:
        if logs.on.trace_call:
            texts = [shown(value) for value in arguments]
            texts += [f"{name}={shown(value)}" for name, value in keywords.items()]
            logs.write("trace_call", self.where(), f"{function.name()}({', '.join(texts)})")
        return super().enter_function(function, arguments, keywords, making)


class Trace:
    """How a call is captured: rows, graph, guards, bytecode before and after.

    Attributes:
        reason: why the capture ended before the return; None if it did not.
        result, result_equal: what the compiled function gave, and whether the original gave the same
            (None: the original does not give the same twice).
    """

    def __init__(self, function: FunctionType, program: Program, tx: TracingTranslator) -> None:
        self.function = function
        self.version = program.version
        self.rows = tx.rows
        self.graph: Graph = tx.graph
        self.guards: list[str] = []
        self.code_before = program
        self.code_after: Program | None = None
        self.reason: Unimplemented | None = None
        self.result: Any = None
        self.result_equal: bool | None = False

    @property
    def python(self) -> str:
        """The version of the bytecode that was walked: "3.13"."""
        return ".".join(map(str, self.version))

    def to_json(self) -> dict[str, Any]:
        """JSON-ready data."""
        return {
            "python": self.python,
            "rows": [row.to_dict() for row in self.rows],
            "graph": [dict(zip(("op", "name", "target", "args"), row)) for row in self.graph.rows()],
            "guards": self.guards,
            "result_equal": self.result_equal,
            "reason": None if self.reason is None else str(self.reason),
            "code_before": str(self.code_before),
            "code_after": None if self.code_after is None else str(self.code_after),
        }

    def verdict(self) -> str:
        """The result in a line, and whether it is the original's."""
        if self.result_equal is None:
            which = "not to be compared (two runs without opshift differ)"
        else:
            which = f"{'the same as' if self.result_equal else 'NOT the same as'} without opshift"
        return f"result, {which}: {text_of(self.result)}"

    def __str__(self) -> str:
        parts = [f"{self.function.__qualname__}, bytecode of CPython {self.python}", ""]
        line = None
        for row in self.rows:
            if row.line != line and row.line is not None:
                line = row.line
                parts.append(f"line {line}, in {row.function}")
            parts.append(str(row))
        if self.reason is not None:
            parts += ["", f"ends here: {self.reason}"]
        parts += ["", "graph", str(self.graph), "", self.graph.python(), "", "guards"]
        parts += [f"  {guard}" for guard in self.guards] or ["  none"]
        parts += ["", "bytecode before", str(self.code_before)]
        if self.code_after is not None:
            parts += ["", "bytecode after", str(self.code_after)]
        parts += ["", self.verdict()]
        return "\n".join(parts)


def trace(fn: Any, *args: Any, program: Program | None = None, **kwargs: Any) -> Trace:
    """Walks a call through the capture, and tells what was seen on the way.

    Args:
        fn: a function written in Python.
        program: its bytecode as another CPython compiles it (`opcodes.decode` of foreign code); by
            default the function's own.

    Raises Unimplemented for a generator or coroutine: it is captured in parts, none of which is a call.
    """
    from translator.frames import Prepared

    function = copy_of(check_function(fn))
    refused = refusal(function.__code__)
    if refused is not None:
        raise refused
    values = bound_values(function, args, kwargs)
    original = function.__code__
    own = opcodes.decode(original) if program is None else program
    tx = TracingTranslator(RootFunction(function, original, values))
    found = Trace(function, own, tx)
    capture = None
    try:
        prepared = None if program is None else Prepared(program, TracingTranslator.handlers)
        capture = Capture(tx, tx.capture(prepared))
    except Unimplemented as reason:
        found.reason = reason
    found.guards = [str(guard) for guard in (capture.guards if capture else tx.guards.ordered())]
    if capture is not None and capture.graph.operations:
        found.code_after = _code_after(function, capture)
    _compare_runs(found, args, kwargs, None if program is None else capture)
    return found


def _entry(function: FunctionType, capture: Capture) -> tuple[Piece, Runner]:
    """The entry for a capture; it lives as long as the runner."""
    runner = capture.runner(eager, failed)
    code = function.__code__
    run = RunnerReference(runner.function)
    return entry_piece(capture.guards, run, runner.arguments, parameter_names(code), code.co_freevars), runner


def _code_after(function: FunctionType, capture: Capture) -> Program:
    piece, _ = _entry(function, capture)
    return opcodes.decode(with_pieces(function.__code__, [piece])[1])


def failed() -> Any:
    """What a runner that raises gives in a trace."""
    return FAILED


def _compare_runs(found: Trace, args: Any, kwargs: Any, foreign: Capture | None) -> None:
    """Runs the original, and what was captured, on copies of the arguments.

    The compiled function, or (of foreign bytecode) the entry that the capture gives.
    """
    function = found.function
    expected = outcome(function, *copy.deepcopy((args, kwargs)))
    if foreign is None:
        got = outcome(compile(function), *copy.deepcopy((args, kwargs)))
    else:
        piece, runner = _entry(function, foreign)
        values = bound_values(function, *copy.deepcopy((args, kwargs)))
        got = outcome(piece.function(function), tuple(values), {})
        if got[1] is FAILED or got[1] is MISS:
            got = expected if not foreign.graph.operations else ("left to the original", None)
        del runner
    found.result = got[1]
    found.result_equal = same(expected, got)
    if not found.result_equal and not same(expected, outcome(function, *copy.deepcopy((args, kwargs)))):
        found.result_equal = None
