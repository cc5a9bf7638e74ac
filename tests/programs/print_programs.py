"""Run by each CPython: compiles programs, and writes what each prints when it runs natively.

    python print_programs.py FOLDER PROGRAM…

FOLDER gets NAME.pyc and NAME.out.
"""

import contextlib
import importlib.util
import io
import marshal
import pathlib
import sys
import warnings


def main(folder, programs):
    warnings.simplefilter("ignore")
    for path in programs:
        code = compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True)
        compiled = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
        (folder / (path.stem + ".pyc")).write_bytes(compiled)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, {"__name__": "__main__", "__file__": str(path)})
        (folder / (path.stem + ".out")).write_text(out.getvalue(), encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]])
