"""What a campaign keeps, in one folder: `campaign.sqlite`, and beside it hypothesis' database of examples.

Every write is committed as it is made, in write-ahead mode: a process killed in the middle loses nothing
that was found.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fuzz.findings import Finding

_SCHEMA = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS streams (
    python TEXT NOT NULL, host TEXT NOT NULL, target TEXT NOT NULL,
    next INTEGER NOT NULL DEFAULT 0, programs INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (python, host, target));
CREATE TABLE IF NOT EXISTS findings (
    id INTEGER PRIMARY KEY, signature TEXT NOT NULL, small INTEGER NOT NULL DEFAULT 0,
    found REAL NOT NULL, data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS roughs (rough TEXT PRIMARY KEY, finding INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS sightings (
    finding INTEGER NOT NULL REFERENCES findings (id), python TEXT NOT NULL, host TEXT NOT NULL,
    times INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (finding, python, host));
CREATE TABLE IF NOT EXISTS coverage (
    python TEXT NOT NULL, target TEXT NOT NULL, instruction TEXT NOT NULL,
    programs INTEGER NOT NULL, PRIMARY KEY (python, target, instruction));
"""


#: on so many versions a finding is made small, in case it is another one that fails alike
_LOOKED_AT = 2


class NoCampaign(ValueError):
    """A folder without a campaign, a campaign that cannot be used, a finding that there is not."""


class Store:
    """The database of one campaign.

    Args:
        folder: made if it is not there.
        create: whether a campaign may begin here; else there must be one.
    """

    def __init__(self, folder: str | Path, *, create: bool = True) -> None:
        self.folder = Path(folder)
        path = self.folder / "campaign.sqlite"
        if not create and not path.exists():
            raise NoCampaign(
                f"no campaign in {str(folder)!r}: begin one with `opshift fuzz run --corpus {folder}`"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.database = sqlite3.connect(path, isolation_level=None, timeout=30)
            self.database.execute("PRAGMA journal_mode = WAL")
            self.database.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise NoCampaign(f"cannot keep a campaign in {str(folder)!r}: {error}") from None

    def close(self) -> None:
        """Lets go of the file."""
        self.database.close()

    # -- settings

    def setting(self, name: str) -> Any:
        """A setting of the campaign, or None."""
        row = self.database.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def set(self, name: str, value: Any) -> None:
        """Keeps a setting."""
        self.database.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, json.dumps(value)))

    # -- streams

    def next_number(self, python: str, host: str, target: str) -> int:
        """Where a stream of programs goes on."""
        row = self.database.execute(
            "SELECT next FROM streams WHERE python = ? AND host = ? AND target = ?", (python, host, target)
        ).fetchone()
        return 0 if row is None else row[0]  # type: ignore[no-any-return]

    def progress(self, python: str, host: str, target: str, done: dict[str, Any]) -> None:
        """A slice of work is done; what it carried out is counted."""
        with self.database:
            self.database.execute("BEGIN")
            self.database.execute(
                "INSERT INTO streams VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " next = max(next, excluded.next), programs = programs + excluded.programs,"
                " refused = refused + excluded.refused, seconds = seconds + excluded.seconds",
                (python, host, target, done["next"], done["programs"], done["refused"], done["seconds"]),
            )
            self.database.executemany(
                "INSERT INTO coverage VALUES (?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET programs = programs + excluded.programs",
                [(python, target, name, count) for name, count in done["coverage"].items()],
            )

    def streams(self) -> list[dict[str, Any]]:
        """Every stream with its figures."""
        rows = self.database.execute(
            "SELECT python, host, target, programs, refused, seconds FROM streams"
            " ORDER BY target, python, host"
        )
        return [
            dict(zip(("python", "host", "target", "programs", "refused", "seconds"), row)) for row in rows
        ]

    def coverage(self) -> dict[str, dict[str, int]]:
        """python -> instruction -> in how many compared programs it was seen carried out."""
        found: dict[str, dict[str, int]] = {}
        for python, name, programs in self.database.execute(
            "SELECT python, instruction, sum(programs) FROM coverage GROUP BY python, instruction"
        ):
            found.setdefault(python, {})[name] = programs
        return found

    # -- findings

    def found(self, finding: Finding) -> tuple[int, bool]:
        """Keeps a finding, or counts it. (its id, whether it should be made small)"""
        with self.database:
            self.database.execute("BEGIN IMMEDIATE")
            row = self.database.execute(
                "SELECT finding FROM roughs WHERE rough = ?", (finding.rough,)
            ).fetchone()
            if row is None:
                number = self._insert(finding, 0)
                self.database.execute("INSERT INTO roughs VALUES (?, ?)", (finding.rough, number))
            else:
                number = row[0]
            seen = self._seen(number, finding)
            places = self.database.execute(
                "SELECT count(*) FROM sightings WHERE finding = ?", (number,)
            ).fetchone()[0]
        return number, row is None or (seen == 1 and places <= _LOOKED_AT)

    def made_small(self, number: int, finding: Finding) -> int:
        """The finding as it was made small: in place of the first, or, if it fails elsewhere, one more. Its
        id."""
        with self.database:
            self.database.execute("BEGIN IMMEDIATE")
            same = self.database.execute(
                "SELECT id FROM findings WHERE signature = ? AND small = 1", (finding.signature,)
            ).fetchone()
            first = self.database.execute("SELECT small FROM findings WHERE id = ?", (number,)).fetchone()
            if same is not None:
                if same[0] != number and first is not None and not first[0]:
                    self._merge(number, same[0])
                return same[0]  # type: ignore[no-any-return]
            if first is None or first[0]:
                number = self._insert(finding, 1)
                self._seen(number, finding)
                return number
            self.database.execute(
                "UPDATE findings SET signature = ?, small = 1, data = ? WHERE id = ?",
                (finding.signature, json.dumps(finding.to_dict()), number),
            )
            return number

    def _insert(self, finding: Finding, small: int) -> int:
        cursor = self.database.execute(
            "INSERT INTO findings (signature, small, found, data) VALUES (?, ?, ?, ?)",
            (finding.signature, small, time.time(), json.dumps(finding.to_dict())),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _seen(self, number: int, finding: Finding) -> int:
        self.database.execute(
            "INSERT INTO sightings VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1",
            (number, finding.python, finding.host),
        )
        row = self.database.execute(
            "SELECT times FROM sightings WHERE finding = ? AND python = ? AND host = ?",
            (number, finding.python, finding.host),
        ).fetchone()
        return row[0]  # type: ignore[no-any-return]

    def _merge(self, number: int, into: int) -> None:
        for python, host, times in self.database.execute(
            "SELECT python, host, times FROM sightings WHERE finding = ?", (number,)
        ).fetchall():
            self.database.execute(
                "INSERT INTO sightings VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET times = times + ?",
                (into, python, host, times, times),
            )
        self.database.execute("UPDATE roughs SET finding = ? WHERE finding = ?", (into, number))
        self.database.execute("DELETE FROM sightings WHERE finding = ?", (number,))
        self.database.execute("DELETE FROM findings WHERE id = ?", (number,))

    def findings(self) -> Iterator[Kept]:
        """All findings, as they were found."""
        for number, small, found, data in self.database.execute(
            "SELECT id, small, found, data FROM findings ORDER BY id"
        ).fetchall():
            yield self._kept(number, small, found, data)

    def finding(self, number: int) -> Kept:
        """One finding. NoCampaign if there is none of that number."""
        row = self.database.execute(
            "SELECT id, small, found, data FROM findings WHERE id = ?", (number,)
        ).fetchone()
        if row is None:
            last = self.database.execute("SELECT max(id) FROM findings").fetchone()[0]
            known = "there are none" if last is None else f"they go up to {last}; see `opshift fuzz list`"
            raise NoCampaign(f"no finding {number} in {str(self.folder)!r}: {known}")
        return self._kept(*row)

    def _kept(self, number: int, small: int, found: float, data: str) -> Kept:
        seen = self.database.execute(
            "SELECT python, host, times FROM sightings WHERE finding = ? ORDER BY python, host", (number,)
        ).fetchall()
        return Kept(number, Finding.from_dict(json.loads(data)), bool(small), found, seen)

    def count(self) -> int:
        """How many findings there are."""
        return self.database.execute("SELECT count(*) FROM findings").fetchone()[0]  # type: ignore[no-any-return]


class Kept:
    """A finding in the database, and where it was seen: (python, host, times)."""

    def __init__(
        self, number: int, finding: Finding, small: bool, found: float, seen: list[tuple[str, str, int]]
    ) -> None:
        self.number, self.finding, self.small, self.found, self.seen = number, finding, small, found, seen

    @property
    def times(self) -> int:
        """How often it was seen."""
        return sum(times for _, _, times in self.seen)

    @property
    def pythons(self) -> list[str]:
        """The versions it was seen on, "3.10 on 3.13" for bytecode carried to another."""
        return [python if python == host else f"{python} on {host}" for python, host, _ in self.seen]
