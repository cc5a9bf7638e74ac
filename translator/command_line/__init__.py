"""The command `opshift`: what it needs (click, rich, xdis) is loaded when it runs, not before."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command and ends the process: 0 well, 2 bad input (one line on stderr), 130 interrupted.

    A program that the command runs ends it as it would end python: with what it raises, if need be.
    """
    errors = []
    for stream in (sys.stdout, sys.stderr):
        # a name or a constant may hold what the terminal's encoding cannot show
        if hasattr(stream, "reconfigure"):
            errors.append((stream, stream.errors))
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read our output has seen enough; let nothing more be flushed there
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except KeyboardInterrupt:
        status = 130
    if not isinstance(status, int):
        for stream, before in errors:
            stream.reconfigure(errors=before)
        status = status()
    sys.exit(status)


def _run(arguments: Sequence[str] | None) -> int | Callable[[], int]:
    """The exit status, or what is still to be run, as a program of its own."""
    import click

    from opcodes import OpcodesError
    from translator.command_line.commands import opshift
    from translator.errors import TranslatorError

    try:
        # not opshift.main(), which has its own way with broken pipes and errors
        with opshift.make_context(
            "opshift", list(sys.argv[1:] if arguments is None else arguments)
        ) as context:
            program = opshift.invoke(context)
            return program if callable(program) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.Abort:
        return 130
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "opshift"
        _complain(f"{error.format_message()} (see: {where} --help)")
        return 2
    except click.ClickException as error:
        _complain(error.format_message())
        return 2
    except (OpcodesError, TranslatorError) as error:
        _complain(str(error))
        return 2
    return 0


def _complain(text: str) -> None:
    print(f"opshift: {' '.join(text.split())}", file=sys.stderr)
