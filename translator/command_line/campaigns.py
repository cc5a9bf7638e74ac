"""What the commands of `opshift fuzz` do."""

from __future__ import annotations

import json
from typing import Any

from fuzz import findings
from fuzz.campaign import Campaign, Options, Progress
from fuzz.processes import WorkerDied, WorkerProcess, main_command
from fuzz.progress import Json, Lines, Table, headline
from fuzz.store import Kept, NoCampaign, Store
from translator.command_line.grid import Column, on_terminal, print_grid

#: what a campaign is, and is the same when it goes on
_SAME = ("pythons", "targets", "seed", "setup")


def options_of(store: Store, resume: bool, given: dict[str, Any]) -> Options:
    """The options, with what the campaign had before. NoCampaign if it is begun twice, or not yet."""
    before = store.setting("options")
    if resume and before is None:
        raise NoCampaign(f"nothing to resume in {str(store.folder)!r}: begin without --resume")
    if not resume and before is not None:
        raise NoCampaign(
            f"{str(store.folder)!r} has a campaign already: go on with --resume, or give another --corpus"
        )
    settings = {name: value for name, value in given.items() if value not in (None, (), "")}
    if before is not None:
        settings = {**before, **settings}
    if settings.get("seconds") is None and settings.get("examples") is None:
        settings["seconds"] = 60.0
    settings["memory"] = settings.get("memory", 2048) << 20
    for name in ("pythons", "targets"):
        if name in settings:
            settings[name] = tuple(settings[name])
    return Options(**settings)


def run_campaign(store: Store, resume: bool, as_json: bool, given: dict[str, Any]) -> int:
    """Runs it; the exit status: 0, 1 with findings, 130 interrupted."""
    options = options_of(store, resume, given)
    progress: Progress = Json() if as_json else Table() if on_terminal() else Lines()
    campaign = Campaign(store, options, progress)
    store.set("options", {name: getattr(options, name) for name in _SAME})
    try:
        campaign.run()
    finally:
        if isinstance(progress, Table):
            progress.end()
    return end(campaign, progress, as_json)


def end(campaign: Campaign, progress: Progress, as_json: bool) -> int:
    """The last words."""
    count = campaign.store.count()
    programs = sum(tally.programs for tally in campaign.tallies.values())
    if as_json:
        print(
            json.dumps({"event": "end", "programs": programs, "findings": count, "stopped": campaign.stopped})
        )
    else:
        text = f"{programs} programs in {campaign.elapsed:.0f} s, {count} findings in {campaign.store.folder}"
        print(f"fuzz: {'stopped; --resume goes on; ' if campaign.stopped else ''}{text}")
    return 130 if campaign.stopped else 1 if count else 0


def print_findings(corpus: str, as_json: bool) -> None:
    """One line a finding."""
    store = Store(corpus, create=False)
    kept = list(store.findings())
    if as_json:
        print(json.dumps([{"id": each.number, **_row(each)} for each in kept], indent=2))
        return
    columns = [
        Column("id", "right", "bold cyan"),
        Column("target"),
        Column("pythons"),
        Column("times", "right"),
    ]
    rows = [
        (each.number, each.finding.target, _few(each.pythons), each.times, each.finding.title)
        for each in kept
    ]
    print_grid(f"{len(kept)} findings in {store.folder}", [*columns, Column("what")], rows)


def _row(kept: Kept) -> dict[str, Any]:
    return {"times": kept.times, "pythons": kept.pythons, "small": kept.small, **kept.finding.to_dict()}


def _few(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 6 else f"{', '.join(names[:5])} and {len(names) - 5} more"


def reproduce_finding(corpus: str, number: int, python: str | None) -> int:
    """Runs it again in a process of its own; 1 if it still fails, 0 if it agrees."""
    store = Store(corpus, create=False)
    kept = store.finding(number)
    finding = kept.finding
    function = findings.from_data(finding.program)
    print(f"finding {number}: {headline(finding)}\nseen {kept.times} times, on {_few(kept.pythons)}\n")
    print(function.script())
    settings = store.setting("options") or {}
    hello = {
        "target": finding.target, "seed": 0, "cpu": 20, "memory": 2 << 30, "setup": settings.get("setup", ""),
    }  # fmt: skip
    again = _again(finding, python, hello, settings.get("pythons", []))
    if again is None:
        print("it does not fail any more")
        return 0
    for title, text in (
        ("CPython", again.expected), (finding.target, again.got), ("they part", again.difference),
        ("where", _where(again)),
    ):  # fmt: skip
        if text:
            print(f"{title}:\n  " + "\n  ".join(text.splitlines()))
    return 1


def _where(finding: findings.Finding) -> str:
    from fuzz.parting import Parting

    return str(Parting(**finding.parting)) if finding.parting else ""


def _again(
    finding: findings.Finding, python: str | None, hello: dict[str, Any], pythons: list[str]
) -> findings.Finding | None:
    def command(version: str) -> list[str]:
        for each in pythons:  # the interpreters that the campaign had, which may have more installed
            process = WorkerProcess(main_command(each), hello)
            about = process.about
            process.close()
            if about["version"] == version:
                return main_command(each)
        return main_command(version)

    try:
        if finding.target != "cross":
            process = WorkerProcess(main_command(python) if python else command(finding.python), hello)
            found = process.ask({"do": "judge", "target": finding.target, "program": finding.program})[
                "finding"
            ]
            process.close()
            return None if found is None else findings.Finding.from_dict(found)
        exporter = WorkerProcess(command(finding.python), hello)
        made = exporter.ask({"do": "one_export", "program": finding.program})
        exporter.close()
        process = WorkerProcess(main_command(python) if python else command(finding.host), hello)
        seen: list[dict[str, Any]] = []
        request = {"do": "cross", "items": [made["item"]], "header": made["header"], "python": finding.python}
        process.ask(request, lambda event: seen.append(event["finding"]) if "finding" in event else None)
        process.close()
        return findings.Finding.from_dict(seen[0]) if seen else None
    except WorkerDied as death:
        return death.finding(finding.target, finding.python, finding.host)
