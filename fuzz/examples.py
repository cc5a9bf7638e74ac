"""The examples of a campaign: recipes of programs that did something new, in a database of hypothesis.

Beside the campaign's own database by default; in Redis where several campaigns share theirs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fuzz.recipes import Recipe


class NoDatabase(ValueError):
    """A database of examples that cannot be used."""


class Examples:
    """Recipes by target.

    Args:
        folder: the campaign's.
        redis: the address of a Redis database instead, such as redis://host:6379/0.
    """

    def __init__(self, folder: Path, redis: str | None = None) -> None:
        self.database: Any = None
        self.why_not = ""
        self._given: dict[str, set[bytes]] = {}
        try:
            from hypothesis.database import DirectoryBasedExampleDatabase
        except ImportError:
            self.why_not = "examples are not kept: hypothesis is not installed (pip install hypothesis)"
            if redis:
                raise NoDatabase(f"--redis needs hypothesis and redis: {self.why_not}") from None
            return
        self.database = DirectoryBasedExampleDatabase(folder / "examples") if redis is None else _redis(redis)

    def save(self, target: str, recipes: list[str]) -> None:
        """Keeps recipes."""
        if self.database is not None:
            for text in recipes:
                self.database.save(_key(target), text.encode())

    def fresh(self, target: str, lane: str, most: int = 50) -> list[str]:
        """Recipes that this lane was not given yet."""
        if self.database is None:
            return []
        given = self._given.setdefault(lane, set())
        found = []
        for data in self.database.fetch(_key(target)):
            if data in given or len(found) >= most:
                continue
            given.add(data)
            try:
                Recipe.from_bytes(data)
            except ValueError:
                continue  # of another version of this program
            found.append(data.decode())
        return found


def _key(target: str) -> bytes:
    return b"opshift fuzz " + target.encode()


def _redis(address: str) -> Any:
    try:
        import redis
        from hypothesis.extra.redis import RedisExampleDatabase
    except ImportError as error:
        raise NoDatabase(
            f"--redis needs the package redis (pip install 'opshift[cluster]'): {error}"
        ) from None
    try:
        connection = redis.Redis.from_url(address)
        connection.ping()
    except (ValueError, redis.RedisError) as error:
        raise NoDatabase(f"no Redis at {address!r}: {error}") from None
    return RedisExampleDatabase(connection)
