"""The commands themselves: what they are called, take, and teach."""

from __future__ import annotations

from typing import Any

import click

import opcodes


class VersionType(click.ParamType):
    """A CPython version as it is written: 3.13."""

    name = "version"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, tuple):
            return value
        major, _, minor = str(value).partition(".")
        if not (major.isdecimal() and minor.isdecimal()):
            self.fail(f"{value!r} is no version: write it like 3.13", param, ctx)
        return int(major), int(minor)


VERSION = VersionType()


class Commands(click.Group):
    """The commands of this file, and groups that are loaded when they are asked for."""

    lazy = {"fuzz": ("translator.command_line.fuzzing", "fuzz")}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them."""
        return sorted([*super().list_commands(ctx), *self.lazy])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The one of that name."""
        if cmd_name in self.lazy:
            from importlib import import_module

            module, name = self.lazy[cmd_name]
            return getattr(import_module(module), name)  # type: ignore[no-any-return]
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option("--version", is_flag=True, help="The version, and the Pythons it knows.")
@click.pass_context
def opshift(context: click.Context, version: bool) -> None:
    """One bytecode interpreter for every CPython from 3.10 to 3.15.

    \b
    opshift dis module.py                  the bytecode, beside what each instruction means
    opshift dis module.py:f --python 3.10  the same function as CPython 3.10 compiles it
    opshift tables --diff 3.12 3.13        what changed between two Pythons
    """
    if version:
        click.echo(_version())
        context.exit()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    known = ", ".join(".".join(map(str, each)) for each in opcodes.VERSIONS)
    try:
        own = version("opshift")
    except PackageNotFoundError:
        own = "(not installed)"
    return f"opshift {own}, bytecode of CPython {known}"


@opshift.command(short_help="The bytecode of a file or function, and what it means.")
@click.argument("place", metavar="FILE[:FUNCTION]")
@click.option("--python", "version", type=VERSION, metavar="VERSION", help="Whose bytecode: 3.10 to 3.15.")
@click.option("--json", "as_json", is_flag=True, help="JSON, for programs.")
def dis(place: str, version: tuple[int, int] | None, as_json: bool) -> None:
    """The bytecode of a file or function, each instruction beside what it lowers to.

    FILE is a source, compiled by the running interpreter or by the one --python names (which must be
    installed: on PATH, in pyenv, or beside this one), or a .pyc file of any version. FUNCTION may be
    dotted: Class.method, outer.inner. Without it the whole module is shown.

    \b
    opshift dis module.py
    opshift dis module.py:Class.method
    opshift dis module.py:f --python 3.10
    opshift dis __pycache__/module.cpython-310.pyc --json
    """
    from translator.command_line.disassembly import disassemble
    from translator.command_line.places import parse_place

    disassemble(parse_place(place), version, as_json)


@opshift.command(short_help="The opcode tables, and what changed between two Pythons.")
@click.argument("version", type=VERSION, metavar="[VERSION]", required=False)
@click.option("--diff", nargs=2, type=VERSION, metavar="OLD NEW", help="What changed between two versions.")
@click.option("--skeleton", is_flag=True, help="For a Python without table: the overlay to be filled in.")
@click.option("--json", "as_json", is_flag=True, help="JSON, for programs.")
@click.option("--without", type=VERSION, hidden=True, help="As if this version and later ones had no table.")
def tables(
    version: tuple[int, int] | None,
    diff: tuple[tuple[int, int], tuple[int, int]] | None,
    skeleton: bool,
    as_json: bool,
    without: tuple[int, int] | None,
) -> None:
    """The opcode tables: all versions, one of them, or what changed between two.

    \b
    opshift tables                     the versions there are
    opshift tables 3.13                its opcodes, and what each lowers to
    opshift tables --diff 3.12 3.13    gone, new, changed
    opshift tables --skeleton          (on a Python that has no table) a table to begin with;
                                       docs/adding-a-version.md tells the rest
    """
    from opcodes.skeleton import skeleton as overlay
    from translator.command_line.tables import print_difference, print_table, print_versions

    if sum((version is not None, bool(diff), skeleton)) > 1:
        raise click.UsageError("VERSION, --diff and --skeleton exclude each other")
    if skeleton:
        if as_json:
            raise click.UsageError("--skeleton prints Python; it has no --json")
        known = [each for each in opcodes.VERSIONS if without is None or each < without]
        click.echo(overlay(known), nl=False)
    elif diff:
        print_difference(opcodes.table(diff[0]), opcodes.table(diff[1]), as_json)
    elif version is not None:
        print_table(opcodes.table(version), as_json)
    else:
        print_versions(as_json)


_ARGS = click.option(
    "--args", "text", default="", metavar="TEXT", help='The arguments, as in a call: "np.ones(3), scale=2".'
)


@opshift.command(short_help="How a call is captured, instruction by instruction.")
@click.argument("place", metavar="FILE:FUNCTION")
@_ARGS
@click.option("--python", "version", type=VERSION, metavar="VERSION", help="Walk the bytecode it compiles.")
@click.option("--json", "as_json", is_flag=True, help="JSON, for programs.")
def trace(place: str, text: str, version: tuple[int, int] | None, as_json: bool) -> None:
    """How a call is captured: the walk, the graph, the guards, the new bytecode.

    One row an instruction: the raw instruction and its argument, the stack after it, the locals that
    changed, the graph node it added. FILE is run as a module first (not as __main__); --args is evaluated
    with its globals, and np for NumPy. --python walks the bytecode of that version, on this interpreter;
    that version must be installed, to compile it.

    \b
    opshift trace module.py:f --args "np.ones(3), np.ones(3)"
    opshift trace module.py:f --args "np.ones(3), 2" --python 3.10
    opshift trace module.py:f --args "np.arange(6), axis=0" --json
    """
    from translator.command_line.places import parse_place
    from translator.command_line.tracing import trace_call

    trace_call(parse_place(place), text, version, as_json)


@opshift.command(short_help="What of a call is captured, and what is not and why.")
@click.argument("place", metavar="FILE:FUNCTION")
@_ARGS
@click.option("--backend", default="eager", metavar="NAME", help="What compiles the graphs (eager).")
@click.option("--calls", default=1, type=click.IntRange(1), metavar="N", help="Call it so often (1).")
@click.option("--json", "as_json", is_flag=True, help="JSON, for programs.")
def explain(place: str, text: str, backend: str, calls: int, as_json: bool) -> None:
    """What of a call is captured: graphs, guards, graph breaks with their reasons, time.

    FILE is run as a module first (not as __main__); --args is evaluated with its globals, and np for NumPy,
    anew for each call. The function is run, compiled.

    \b
    opshift explain module.py:f --args "np.ones(3), np.ones(3)"
    opshift explain module.py:f --args "np.ones(3), 2" --json
    """
    from translator.command_line.explaining import explain_call
    from translator.command_line.places import parse_place

    explain_call(parse_place(place), text, backend, calls, as_json)


class ProgramCommand(click.Command):
    """A command whose own options end where the program begins: what follows is the program's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, target, rest = _split(list(args))
        ctx.meta["opshift.program"] = target, rest
        return super().parse_args(ctx, own)


def _split(args: list[str]) -> tuple[list[str], tuple[str, str] | None, list[str]]:
    """Our own options, ("-m", "-c" or "" for a file; which), what the program gets. No program: a call, whose
    options may stand anywhere."""
    from translator.command_line.places import parse_place

    place = 0
    while place < len(args):
        one = args[place]
        if one in ("--skip", "--args"):
            place += 2
        elif one[:2] in ("-m", "-c"):
            if len(one) > 2:
                return args[:place], (one[:2], one[2:]), args[place + 1 :]
            if place + 1 == len(args):
                raise click.UsageError(f"Option '{one}' requires an argument.")
            return args[:place], (one, args[place + 1]), args[place + 2 :]
        elif one.startswith("-") and one != "-":
            place += 1
        elif parse_place(one).function is not None:
            return args, None, []
        else:
            return args[:place], ("", one), args[place + 1 :]
    return args, None, []


@opshift.command(
    cls=ProgramCommand,
    short_help="Runs a program, or a function, in the interpreter.",
    options_metavar="[OPTIONS]",
)
@click.argument("place", metavar="[FILE | -m MODULE | -c CODE] [ARG]... | FILE:FUNCTION", required=False)
@_ARGS
@click.option("--trace", "tracing", is_flag=True, help="Print what it does, on the standard error stream.")
@click.option("--stats", is_flag=True, help="Print what it has run: instructions, calls, depth.")
@click.option(
    "--skip", multiple=True, metavar="NAME", help="A module or file pattern to run natively (repeatable)."
)
@click.pass_context
def run(
    context: click.Context, place: str | None, text: str, tracing: bool, stats: bool, skip: tuple[str, ...]
) -> Any:
    """Runs a program in opshift's interpreter as python would: arguments, streams, exit status, traceback.

    FILE is a script, a .pyc file of any version from 3.10 to 3.15, a folder or archive with a __main__, or
    "-" for the standard input. What stands after it is the program's own.

    With FILE:FUNCTION one call is run, and what it returns printed: FILE is run as a module first (not as
    __main__), natively; --args is evaluated with its globals, and np for NumPy.

    \b
    opshift run script.py --flag value
    opshift run --stats -m json.tool data.json
    opshift run -c "print(6 * 7)"
    opshift run __pycache__/module.cpython-310.pyc
    opshift run module.py:f --args "3, [1, 2], key=None"
    """
    from translator.command_line.places import parse_place
    from translator.command_line.running import Options, program_runner, run_call

    options = Options(tracing, stats, skip)
    target, arguments = context.meta["opshift.program"]
    if target is not None:
        if text:
            raise click.UsageError("--args is for FILE:FUNCTION; a program's arguments stand after it")
        return program_runner(target[0], target[1], arguments, options)
    if place is None:
        raise click.UsageError("What is to be run? Give FILE, -m MODULE, -c CODE or FILE:FUNCTION")
    raise click.exceptions.Exit(run_call(parse_place(place), text, options))
