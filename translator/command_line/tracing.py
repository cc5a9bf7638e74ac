"""`opshift trace`: a call walked through the capture, printed."""

from __future__ import annotations

import contextlib
import copy
import json
import sys
from types import FunctionType
from typing import Any

import opcodes
from opcodes import OpcodesError, Program
from translator.command_line.disassembly import print_program
from translator.command_line.grid import Column, print_grid, print_text
from translator.command_line.interpreters import dotted
from translator.command_line.modules import (
    CannotCall,
    check_arguments,
    evaluate_arguments,
    find_function,
    load_module,
)
from translator.command_line.places import Place, read_code, select

_COLUMNS = (
    Column("line", "right", "yellow"),
    Column("offset", "right", "dim"),
    Column("instruction", "left", "bold cyan"),
    Column("argument"),
    Column("stack after it", "left", "green"),
    Column("locals that changed", "left", "magenta"),
    Column("graph", "left", "bold yellow"),
)


def trace_call(place: Place, text: str, version: tuple[int, int] | None, as_json: bool) -> None:
    """Traces FILE:FUNCTION called with the arguments in `text`, and prints how."""
    from translator.tracing import trace

    if version is not None:
        opcodes.table(version)
        if place.path.endswith(".pyc") and version != opcodes.HOST:
            raise OpcodesError(f"{place.path!r}: --python {dotted(version)} needs the source, a .py file")
    # what the program prints must not stand in the JSON
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        module = load_module(place.path)
        function = find_function(module, place)
        args, kwargs = evaluate_arguments(text, module)
        check_arguments(function, args, kwargs)
        _check_copies(text, args, kwargs)
        found = trace(function, *args, program=_program(function, place, version), **kwargs)
    if as_json:
        print(json.dumps(found.to_json(), indent=2))
    else:
        print_trace(found)


def _check_copies(text: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    try:
        copy.deepcopy((args, kwargs))
    except Exception as error:
        raise CannotCall(
            f"--args {text!r} cannot be copied ({error}): a trace runs the function more than once, "
            "each time with arguments of its own; give it something that can"
        ) from None


def _program(function: FunctionType, place: Place, version: tuple[int, int] | None) -> Program | None:
    """The function's Program as that version compiles it; None for the running one."""
    if version is None or version == opcodes.HOST:
        return None
    codes = select(read_code(place, version), place)
    first_line = function.__code__.co_firstlineno
    # a name that is defined more than once: the one that the module ended with
    code = next((code for code in codes if code.co_firstlineno == first_line), codes[-1])
    return opcodes.decode(code)


def print_trace(found: Any) -> None:
    """Rows, graph, guards and new bytecode of a translator.Trace."""
    print_text(f"{found.function.__qualname__}, bytecode of CPython {found.python}", "bold")
    for name, rows in _by_function(found.rows):
        print_grid(f"in {name}", _COLUMNS, _cells(rows))
    if found.reason is not None:
        print_text(f"the capture ends here: {found.reason}", "red")
    print()
    headings = (
        Column("op"),
        Column("name", "left", "bold yellow"),
        Column("target", "left", "cyan"),
        Column("args"),
    )
    print_grid(
        "graph",
        headings,
        [(op, name, target, ", ".join(args)) for op, name, target, args in found.graph.rows()],
    )
    print()
    print_text(found.graph.python(), "green")
    print()
    print_text("guards", "bold")
    for guard in found.guards or ["none"]:
        print_text(f"  {guard}")
    print()
    print_text("bytecode before", "bold")
    print_program(found.code_before)
    if found.code_after is not None:
        print()
        print_text("bytecode after", "bold")
        print_program(found.code_after)
    print()
    print_text(found.verdict(), {True: "green", False: "red", None: "yellow"}[found.result_equal])


def _by_function(rows: list[Any]) -> list[tuple[str, list[Any]]]:
    """The rows in stretches of one function: a call that is inlined interrupts its caller."""
    stretches: list[tuple[str, list[Any]]] = []
    for row in rows:
        if not stretches or stretches[-1][0] != row.function:
            stretches.append((row.function, []))
        stretches[-1][1].append(row)
    return stretches


def _cells(rows: list[Any]) -> list[list[object]]:
    cells: list[list[object]] = []
    line: int | None = None
    for row in rows:
        cells.append(
            [
                row.line if row.line != line else None,
                row.offset if row.offset >= 0 else None,
                row.opname,
                row.argrepr,
                f"[{', '.join(row.stack)}]",
                ", ".join(f"{name} = {value}" for name, value in row.locals.items()),
                ", ".join(f"+ {name}" for name in row.graph_nodes),
            ]
        )
        line = row.line
    return cells
