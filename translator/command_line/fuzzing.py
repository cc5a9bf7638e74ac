"""`opshift fuzz`: campaigns, and what they found. `fuzz/` is loaded when one of the commands runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import click

FOLDER = "opshift-fuzz"
_CORPUS = click.option(
    "--corpus", metavar="DIR", default=FOLDER, show_default=True, help="Where the campaign is kept."
)


@contextmanager
def plain_errors() -> Iterator[None]:
    """What cannot be done is one line and exit status 2."""
    try:
        yield
    except click.exceptions.Exit:  # a RuntimeError, of all things
        raise
    except (ValueError, RuntimeError) as error:
        raise click.ClickException(str(error)) from None


def plainly(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with `plain_errors`."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with plain_errors():
            return command(*args, **kwargs)

    return wrapped


@click.group(short_help="Campaigns of generated programs against the real CPythons.")
def fuzz() -> None:
    """Campaigns of generated programs, each held against the real CPython, on several Pythons at once.

    \b
    opshift fuzz run --python 3.10 --python 3.13 --seconds 60
    opshift fuzz list                  what was found, one line each
    opshift fuzz reproduce 3           runs finding 3 again, and shows both sides
    opshift fuzz test 3                writes it as a pytest file
    opshift fuzz report                one page: findings, throughput, instruction × version
    """


@fuzz.command(short_help="Runs a campaign, or goes on with one.")
@click.option("--python", "pythons", multiple=True, metavar="VERSION|PATH", help="Whose; several times.")
@click.option(
    "--target", "targets", multiple=True, metavar="TARGET",
    help="interpret, compile, roundtrip, cross (bytecode of each on each other), user:module.function.",
)  # fmt: skip
@click.option("--seconds", type=click.FloatRange(min=0), help="Ends after so long (default: 60).")
@click.option("--examples", type=click.IntRange(min=1), help="Ends after so many programs a stream.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="At once.")
@click.option("--seed", type=int, help="The same programs again (default: 0).")
@click.option("--resume", is_flag=True, help="Goes on with the campaign kept in --corpus.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines, for programs.")
@click.option("--redis", metavar="ADDRESS", help="Shares examples through a Redis, redis://host:6379/0.")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers carry it out.")
@click.option("--memory", type=click.IntRange(min=64), default=2048, show_default=True, help="MiB a worker.")
@click.option("--cpu", type=click.IntRange(min=1), default=20, show_default=True, help="Seconds a program.")
@click.option("--setup", metavar="MODULE.FUNCTION", default="", help="Called in each worker as it begins.")
@_CORPUS
@plainly
def run(corpus: str, resume: bool, as_json: bool, **options: Any) -> None:
    """Runs a campaign: programs are made, carried out by each target, and compared with CPython.

    Findings are kept as they are made, and the campaign goes on with --resume, whatever ended it. The exit
    status is 1 if there are findings.

    \b
    opshift fuzz run --python 3.10 --python 3.15 --target interpret --target cross --seconds 600
    opshift fuzz run --resume --seconds 3600 --workers 2
    opshift fuzz run --target user:my_machine.run --examples 1000
    """
    from fuzz.store import Store
    from translator.command_line.campaigns import run_campaign

    store = Store(Path(corpus))
    try:
        raise click.exceptions.Exit(run_campaign(store, resume, as_json, options))
    finally:
        store.close()


@fuzz.command("list", short_help="What was found.")
@click.option("--json", "as_json", is_flag=True, help="JSON, for programs.")
@_CORPUS
@plainly
def list_findings(corpus: str, as_json: bool) -> None:
    """The findings of a campaign, one line each."""
    from translator.command_line.campaigns import print_findings

    print_findings(corpus, as_json)


@fuzz.command(short_help="Runs a finding again.")
@click.argument("number", metavar="ID", type=int)
@click.option("--python", metavar="VERSION|PATH", help="On another Python than it was found on.")
@_CORPUS
@plainly
def reproduce(number: int, python: str | None, corpus: str) -> None:
    """Runs a finding again: the program, both observations, where the two runs part.

    The exit status is 1 if it still fails, 0 if it does not any more.
    """
    from translator.command_line.campaigns import reproduce_finding

    raise click.exceptions.Exit(reproduce_finding(corpus, number, python))


@fuzz.command(short_help="Writes a finding as a pytest file.")
@click.argument("number", metavar="ID", type=int)
@click.option("--output", "-o", metavar="FILE", help="Where to (default: test_finding_ID.py).")
@_CORPUS
@plainly
def test(number: int, output: str | None, corpus: str) -> None:
    """Writes a pytest file that fails as long as the finding does."""
    from fuzz.store import Store
    from fuzz.written_tests import test_file

    kept = Store(corpus, create=False).finding(number)
    path = Path(output or f"test_finding_{number}.py")
    try:
        path.write_text(test_file(kept), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot write {str(path)!r}: {error.strerror or error}") from None
    click.echo(str(path))


@fuzz.command(short_help="Writes a page about the campaign.")
@click.option("--output", "-o", metavar="FILE", help="The page; beside it, .md (default: in the corpus).")
@_CORPUS
@plainly
def report(output: str | None, corpus: str) -> None:
    """Writes one self-contained HTML page and the same as Markdown: findings, throughput, and which
    instructions of which version were compared how often."""
    from fuzz.reporting import write_report
    from fuzz.store import Store

    store = Store(corpus, create=False)
    for path in write_report(store, Path(output) if output else store.folder / "report.html"):
        click.echo(str(path))
