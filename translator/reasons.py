"""The registry of reasons: every place in the code where a capture gives up, read from the source.

python -m translator.reasons > docs/graph-breaks.md
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from opcodes.own_builtins import OWN as __builtins__  # noqa: F401

#: how a surrender is called: what is said in which argument
_CALLS = {
    "unsupported": ("what", "why", "hint"),
    "give_up": ("tx", "what"),
    "Unimplemented": ("what", "where", "why", "hint"),
    "BackendFailed": ("what", "where", "why", "hint"),
}
_HINT = "the original code runs instead"
_GIVE_UP_WHY = "the translator does not know what this does to {kind}"

_HEAD = """\
# Every reason for a graph break

Where a capture meets something that it cannot carry out for certain, the captured region ends, the original
instructions run, and the next region begins behind them. `translator.explain(fn)(*args)` and
`OPSHIFT_LOGS=graph_breaks` show which of these reasons it was, at which line of the program; with
`fullgraph=True` it is an error with the same text.

Words in braces stand for what is found in the program. This page is made from the code:

    python -m translator.reasons > docs/graph-breaks.md

{count} reasons.
"""


class Reason(NamedTuple):
    """One place where a capture gives up, as it is written in the code."""

    file: str
    function: str
    what: str
    why: str
    hint: str


def reasons(folder: Path | None = None) -> list[Reason]:
    """All of the package, in the order of files and lines."""
    folder = folder or Path(__file__).parent
    found = []
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += _in_tree(tree, path.relative_to(folder.parent).as_posix(), "")
    return found


def _in_tree(node: ast.AST, file: str, function: str) -> Iterator[Reason]:
    for child in ast.iter_child_nodes(node):
        inner = function
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = f"{function}.{child.name}" if function else child.name
        if isinstance(child, ast.Call):
            reason = _of_call(child, file, function)
            if reason is not None:
                yield reason
        yield from _in_tree(child, file, inner)


def _of_call(call: ast.Call, file: str, function: str) -> Reason | None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    parameters = _CALLS.get(name)
    if parameters is None or function.endswith((".unsupported", ".give_up")):
        return None
    said = {parameter: _text(value) for parameter, value in zip(parameters, call.args)}
    said.update({keyword.arg: _text(keyword.value) for keyword in call.keywords if keyword.arg})
    if "what" not in said:
        return None
    what = said["what"]
    if name == "give_up":
        what = f"{what} of {{value}}"
        said["why"] = _GIVE_UP_WHY
    return Reason(file, function, what, said.get("why", ""), said.get("hint", _HINT) or "")


def _text(node: ast.expr) -> str:
    """What an expression says, with its variable parts in braces."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_text, node.values))
    if isinstance(node, ast.FormattedValue):
        return f"{{{_short(node.value)}}}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left) + _text(node.right)
    if isinstance(node, ast.IfExp):
        return f"{_text(node.body)} / {_text(node.orelse)}"
    return f"{{{_short(node)}}}"


def _short(node: ast.expr) -> str:
    """The words that name a variable part."""
    text = ast.unparse(node)
    if text.endswith(".describe()"):
        return text.removesuffix(".describe()").replace("self", "value")
    for word in ("__name__", "__qualname__"):
        if word in text:
            return "name"
    return text if len(text) <= 30 else "…"


def page(found: list[Reason]) -> str:
    """The registry as Markdown: a table a file."""
    distinct = list(dict.fromkeys(found))
    lines = [_HEAD.format(count=len(distinct))]
    file = ""
    for reason in distinct:
        if reason.file != file:
            file = reason.file
            lines += [f"## {file}", "", "| what | why | what to do | in |", "|---|---|---|---|"]
        cells = [reason.what, reason.why, reason.hint, f"`{reason.function}`"]
        lines.append("| " + " | ".join(each.replace("|", "\\|").replace("\n", " ") for each in cells) + " |")
        following = distinct.index(reason) + 1
        if following == len(distinct) or distinct[following].file != file:
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(page(reasons()))
