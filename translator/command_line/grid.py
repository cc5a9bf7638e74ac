"""Tables of text: with rules and colours on a terminal, plain and aligned in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple


class Column(NamedTuple):
    """A column's heading, how it is aligned, and its colour on a terminal."""

    heading: str
    align: Literal["left", "right"] = "left"
    style: str = ""


def print_grid(title: str, columns: Sequence[Column], rows: Iterable[Sequence[object]]) -> None:
    """Prints a title and rows of cells; None is an empty cell."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    if on_terminal():
        _print_rich(title, columns, cells)
    else:
        print(title)
        print("\n".join(plain_lines(columns, cells)))


def on_terminal() -> bool:
    """Whether standard output is a terminal (or is said to be one: FORCE_COLOR)."""
    from rich.console import Console

    return Console(file=sys.stdout).is_terminal


def print_text(text: str, style: str = "") -> None:
    """A line of its own, in that style on a terminal."""
    if style and on_terminal():
        from rich.console import Console
        from rich.text import Text

        Console(file=sys.stdout, highlight=False).print(Text(text, style=style))
    else:
        print(text)


def plain_lines(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[str]:
    """The heading and the rows, each column as wide as its widest cell."""
    table = [[column.heading for column in columns], *cells]
    widths = [max(len(row[index]) for row in table) for index in range(len(columns))]
    lines = []
    for row in table:
        parts = [
            cell.rjust(width) if column.align == "right" else cell.ljust(width)
            for cell, width, column in zip(row, widths, columns)
        ]
        lines.append("  ".join(parts).rstrip())
    return lines


def _print_rich(title: str, columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column.heading, justify=column.align, style=column.style, overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    console = Console(file=sys.stdout, highlight=False)
    console.print(Text(title, style="bold"), soft_wrap=True)
    console.print(table)
