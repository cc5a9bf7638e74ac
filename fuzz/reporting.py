"""The report of a campaign: one self-contained HTML page, and the same as Markdown."""

from __future__ import annotations

import html
from pathlib import Path

from fuzz import findings
from fuzz.parting import Parting
from fuzz.store import Kept, Store
from opcodes.table import VERSIONS, OpcodeTable, table

#: what only a module's level, the REPL or tools produce: not in the matrix
_NOT_IN_FUNCTIONS = frozenset(
    ["CACHE", "PRINT_EXPR", "IMPORT_STAR", "INTERPRETER_EXIT", "RESERVED", "ENTER_EXECUTOR", "TRACE_RECORD"]
)


def matrix(store: Store) -> tuple[list[str], list[tuple[str, list[int | None]]]]:
    """(versions, [(instruction, for each version: in how many compared programs it was carried out, or None
    where the version has no such instruction)])."""
    seen = store.coverage()
    versions = sorted(seen, key=lambda text: tuple(map(int, text.split("."))))
    tables = {f"{v[0]}.{v[1]}": table(v) for v in VERSIONS}
    names = sorted({name for version in versions for name in emitted(tables[version])})
    rows = [
        (
            name,
            [
                seen[version].get(name, 0) if name in emitted(tables[version]) else None
                for version in versions
            ],
        )
        for name in names
    ]
    return versions, rows


def emitted(of: OpcodeTable) -> set[str]:
    """The opcodes that the compiler of a version emits for functions and classes."""
    return {
        name
        for name in of.opmap
        if of.rows[name].sequences and name not in _NOT_IN_FUNCTIONS and not name.startswith("INSTRUMENTED_")
    }


def write_report(store: Store, path: Path) -> list[Path]:
    """Writes both files; their paths. ValueError if they cannot be written."""
    other = path.with_suffix(".md")
    try:
        path.write_text(page(store), encoding="utf-8")
        other.write_text(markdown(store), encoding="utf-8")
    except OSError as error:
        raise ValueError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
    return [path, other]


def never(store: Store) -> list[str]:
    """ "3.10: SETUP_ANNOTATIONS, …" for each version, the instructions never carried out."""
    versions, rows = matrix(store)
    found = []
    for index, version in enumerate(versions):
        names = [name for name, counts in rows if counts[index] == 0]
        total = sum(counts[index] is not None for _, counts in rows)
        said = f"{len(names)} of {total} never carried out" + (f": {', '.join(names)}" if names else "")
        found.append(f"CPython {version}: {said}")
    return found


def markdown(store: Store) -> str:
    """The report as Markdown."""
    kept = list(store.findings())
    lines = ["# Fuzz campaign", "", *_summary(store, len(kept)), "", "## Findings", ""]
    if not kept:
        lines.append("None.")
    for each in kept:
        lines += [f"### {each.number}. {each.finding.title}", "", _seen(each), "", "```python"]
        lines += [findings.from_data(each.finding.program).script().rstrip(), "```", ""]
        if each.finding.difference or each.finding.got:
            lines += ["```", (each.finding.difference or each.finding.got)[:2000], "```", ""]
    lines += ["", "## Throughput", "", "| bytecode of | on | target | programs | a second |"]
    lines += ["|---|---|---|---:|---:|"]
    lines += [f"| {' | '.join(row)} |" for row in _throughput(store)]
    versions, rows = matrix(store)
    lines += ["", "## Instructions", "", *never(store), ""]
    lines += [f"| instruction | {' | '.join(versions)} |", f"|---|{'---:|' * len(versions)}"]
    for name, counts in rows:
        cells = ["" if count is None else "**never**" if not count else str(count) for count in counts]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _summary(store: Store, count: int) -> list[str]:
    streams = store.streams()
    programs = sum(stream["programs"] for stream in streams)
    seconds = sum(stream["seconds"] for stream in streams)
    return [
        f"{programs} programs in {seconds:.0f} s of processor time, {count} findings.",
        "An instruction's count is the number of compared programs in which CPython was seen to carry it out"
        " (one program in twelve is watched, and every one with an instruction seldom seen).",
    ]


def _seen(kept: Kept) -> str:
    parted = str(Parting(**kept.finding.parting)) if kept.finding.parting else ""
    where = f" They part: {parted}." if parted else ""
    call = f" Call: `{kept.finding.call}`." if kept.finding.call else ""
    return f"{kept.finding.target}, {kept.times} times, on {', '.join(kept.pythons)}.{call}{where}"


def _throughput(store: Store) -> list[list[str]]:
    return [
        [
            stream["python"],
            stream["host"],
            stream["target"],
            str(stream["programs"]),
            f"{stream['programs'] / stream['seconds']:.0f}" if stream["seconds"] else "",
        ]
        for stream in store.streams()
    ]


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
h1, h2 { font-weight: 600 } pre { background: #f6f6f4; padding: .7rem; overflow-x: auto; font-size: 13px }
table { border-collapse: collapse; font-size: 13px } th, td { padding: .15rem .7rem; text-align: right }
th:first-child, td:first-child { text-align: left; font-family: ui-monospace, monospace }
tr:hover { background: #f3f3ee } th { position: sticky; top: 0; background: #fff }
.never { background: #c0392b; color: #fff; font-weight: 600 } .none { color: #bbb }
.left { text-align: left }
.few { background: #fbe9c6 } details { margin: .4rem 0 } summary { cursor: pointer }
.bar { background: #4a7; height: .7rem; display: inline-block }
"""


def page(store: Store) -> str:
    """The report as HTML; nothing is loaded from elsewhere."""
    kept = list(store.findings())
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Fuzz campaign</title>",
        f"<style>{_STYLE}</style><h1>Fuzz campaign</h1>",
        *(f"<p>{html.escape(line)}</p>" for line in _summary(store, len(kept))),
        f"<h2>Findings</h2>{''.join(map(_finding, kept)) or '<p>None.</p>'}",
        f"<h2>Throughput</h2>{_bars(store)}",
        "<h2>Instructions</h2>",
        *(f"<p>{html.escape(line)}</p>" for line in never(store)),
        _grid(store),
        "</html>\n",
    ]
    return "\n".join(parts)


def _finding(kept: Kept) -> str:
    finding = kept.finding
    script = html.escape(findings.from_data(finding.program).script())
    sides = "".join(
        f"<p>{title}</p><pre>{html.escape(text[:4000])}</pre>"
        for title, text in (
            ("CPython", finding.expected),
            (finding.target, finding.got),
            ("They part", finding.difference),
        )
        if text
    )
    return (
        f"<details><summary>{kept.number}. {html.escape(finding.title)}</summary>"
        f"<p>{html.escape(_seen(kept))}</p><pre>{script}</pre>{sides}</details>"
    )


def _bars(store: Store) -> str:
    rows = _throughput(store)
    most = max([float(row[4] or 0) for row in rows], default=1) or 1
    body = "".join(
        f"<tr><td>{html.escape(f'{python} on {host}' if python != host else python)}"
        f"<td>{html.escape(target)}<td>{programs}<td>{rate}"
        f"<td class=left><span class=bar style='width:{float(rate or 0) / most * 15:.1f}rem'></span>"
        for python, host, target, programs, rate in rows
    )
    return f"<table><tr><th>python<th>target<th>programs<th>a second of a core<th>{body}</table>"


def _grid(store: Store) -> str:
    versions, rows = matrix(store)
    body = []
    for name, counts in rows:
        cells = []
        for count in counts:
            if count is None:
                cells.append("<td class=none>–")
            elif count == 0:
                cells.append("<td class=never>never")
            else:
                cells.append(f"<td{' class=few' if count < 10 else ''}>{count}")
        body.append(f"<tr><td>{name}{''.join(cells)}")
    head = "".join(f"<th>{version}" for version in versions)
    return f"<table><tr><th>instruction{head}{''.join(body)}</table>"
