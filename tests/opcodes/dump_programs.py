"""Run by each interpreter: compiles sources to `.pyc` files, and says what they decode to there.

    python3.13 dump_programs.py FOLDER SOURCE…

For each source it writes FOLDER/<name>.pyc, and beside it <name>.json: every Program in it.
"""

import json
import pathlib
import py_compile
import sys
import warnings


def programs(program):
    """The Program and those of all the code objects in its constants, outer ones first."""
    import opcodes

    yield program
    for constant in program.code.co_consts:
        if hasattr(constant, "co_code"):
            yield from programs(opcodes.decode(constant))


def dump(program):
    """All of them as one text. Types and signs of constants show in it."""
    return json.dumps([each.to_dict() for each in programs(program)], indent=0)


def main(folder, *sources):
    import opcodes

    warnings.simplefilter("ignore")
    for source in map(pathlib.Path, sources):
        compiled = pathlib.Path(folder, source.stem + ".pyc")
        py_compile.compile(str(source), str(compiled), dfile=source.name, doraise=True)
        compiled.with_suffix(".json").write_text(dump(opcodes.load(compiled)), encoding="ascii")


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2]))
    main(*sys.argv[1:])
