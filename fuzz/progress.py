"""What is shown while a campaign runs: a table on a terminal, lines in a pipe, JSON lines for programs."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from fuzz.campaign import Campaign
from fuzz.findings import Finding


def figures(campaign: Campaign) -> list[dict[str, Any]]:
    """One row an interpreter: programs, how many a second of processor time, findings, instructions seen."""
    rows: dict[str, dict[str, Any]] = {}
    seen = campaign.store.coverage()
    for lane in campaign.lanes:
        tally = campaign.tallies[lane.name]
        row = rows.setdefault(
            lane.python, {"python": lane.python, "programs": 0, "seconds": 0.0, "findings": 0}
        )
        row["programs"] += tally.programs
        row["seconds"] += tally.seconds
        row["findings"] += tally.findings
    for row in rows.values():
        row["per_second"] = round(row["programs"] / row["seconds"], 1) if row["seconds"] else 0.0
        row["seconds"] = round(row["seconds"], 1)
        row["instructions"] = len(seen.get(row["python"], ()))
    return list(rows.values())


class Lines:
    """Plain lines, one every few seconds and one a finding."""

    def __init__(self, every: float = 5.0) -> None:
        self.every = every
        self.last = 0.0

    def started(self, campaign: Campaign) -> None:
        """What is going to be done."""
        options = campaign.options
        pythons = ", ".join(dict.fromkeys(lane.python for lane in campaign.lanes))
        print(
            f"fuzz: {', '.join(options.targets)} on CPython {pythons}, seed {options.seed},"
            f" {options.workers} worker{'s' if options.workers != 1 else ''},"
            f" kept in {campaign.store.folder}",
            flush=True,
        )
        if campaign.examples.why_not:
            print(f"fuzz: {campaign.examples.why_not}", flush=True)

    def changed(self, campaign: Campaign) -> None:
        """A line, if it is time for one."""
        if time.monotonic() - self.last >= self.every:
            self.last = time.monotonic()
            parts = [
                f"{row['python']}: {row['programs']} programs, {row['per_second']:.0f}/s,"
                f" {row['instructions']} instructions"
                for row in figures(campaign)
            ]
            print(
                f"fuzz: {campaign.elapsed:.0f} s, {campaign.store.count()} findings; {'; '.join(parts)}",
                flush=True,
            )

    def found(self, number: int, finding: Finding, small: bool) -> None:
        """A line for a finding."""
        print(f"fuzz: finding {number}{', made small' if small else ''}: {headline(finding)}", flush=True)


class Json:
    """The same as JSON, a line each."""

    def __init__(self, every: float = 5.0) -> None:
        self.every = every
        self.last = 0.0

    def started(self, campaign: Campaign) -> None:
        """The settings."""
        self._say("started", seed=campaign.options.seed, lanes=[lane.name for lane in campaign.lanes])

    def changed(self, campaign: Campaign) -> None:
        """The figures, if it is time."""
        if time.monotonic() - self.last >= self.every:
            self.last = time.monotonic()
            self._say("progress", seconds=round(campaign.elapsed, 1), pythons=figures(campaign))

    def found(self, number: int, finding: Finding, small: bool) -> None:
        """A finding."""
        self._say("finding", id=number, small=small, title=finding.title, **_place(finding))

    def _say(self, event: str, **fields: Any) -> None:
        print(json.dumps({"event": event, **fields}), flush=True)


class Table:
    """A table that is drawn again and again on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self.console = Console(file=sys.stdout, highlight=False)
        self.live = Live(console=self.console, auto_refresh=False, transient=False)

    def started(self, campaign: Campaign) -> None:
        """Begins to draw."""
        if campaign.examples.why_not:
            self.console.print(campaign.examples.why_not, style="yellow")
        self.live.start()
        self.changed(campaign)

    def changed(self, campaign: Campaign) -> None:
        """Draws the figures."""
        from rich import box
        from rich.table import Table as Grid

        count = campaign.store.count()
        title = f"{campaign.elapsed:.0f} s, {count} finding{'s' if count != 1 else ''}"
        grid = Grid(title=title, box=box.SIMPLE_HEAD, title_justify="left")
        for heading in ("python", "programs", "a second", "findings seen", "instructions seen"):
            grid.add_column(heading, justify="left" if heading == "python" else "right")
        for row in figures(campaign):
            grid.add_row(
                row["python"],
                str(row["programs"]),
                f"{row['per_second']:.0f}",
                str(row["findings"]),
                str(row["instructions"]),
            )
        self.live.update(grid, refresh=True)

    def found(self, number: int, finding: Finding, small: bool) -> None:
        """A line above the table."""
        from rich.text import Text

        head = f"finding {number}{', made small' if small else ''}: "
        self.live.console.print(Text(head, style="bold red") + Text(headline(finding)))

    def end(self) -> None:
        """Stops drawing."""
        self.live.stop()


def headline(finding: Finding) -> str:
    """A finding in one line."""
    return f"{' '.join(_place(finding).values())}: {finding.title}"


def _place(finding: Finding) -> dict[str, str]:
    where = finding.python if finding.python == finding.host else f"{finding.python} on {finding.host}"
    return {"target": finding.target, "python": where, "kind": finding.kind}
