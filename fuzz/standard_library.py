"""The code objects of the running interpreter's own standard library: what tests and benchmarks read.

`sources()` is a fixed sample of its files, its tests included; with OPSHIFT_PROFILE=full in the
environment, all of them. The sample is chosen by name, not by chance, so that a failure comes again.
"""

from __future__ import annotations

import os
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType

#: Files of the sample besides every STRIDE-th: rich in the rarer instructions.
ALWAYS = (
    "test/test_asyncgen.py",
    "test/test_coroutines.py",
    "test/test_except_star.py",
    "test/test_fstring.py",
    "test/test_generators.py",
    "test/test_grammar.py",
    "test/test_patma.py",
    "test/test_tstring.py",
    "test/test_type_params.py",
    "test/test_unpack_ex.py",
    "test/test_with.py",
)
STRIDE = 12


def all_sources() -> list[Path]:
    """Every Python file of the standard library, tests included, in the order of their names."""
    root = Path(sysconfig.get_path("stdlib"))
    outside = {"site-packages", "dist-packages", "__pycache__"}
    return sorted(
        path
        for path in root.rglob("*.py")
        if outside.isdisjoint(path.relative_to(root).parts) and path.is_file()
    )


def sources() -> list[Path]:
    """The files to look at: the fixed sample, or all with OPSHIFT_PROFILE=full."""
    everything = all_sources()
    if os.environ.get("OPSHIFT_PROFILE") == "full":
        return everything
    root = Path(sysconfig.get_path("stdlib"))
    always = {root / name for name in ALWAYS}
    return [path for i, path in enumerate(everything) if i % STRIDE == 0 or path in always]


def module_codes(paths: Iterable[Path]) -> Iterator[tuple[Path, CodeType]]:
    """Each file compiled. Files meant not to compile (`bad_coding.py` and their kin) are left out."""
    for path in paths:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                yield path, compile(path.read_bytes(), str(path), "exec", dont_inherit=True, optimize=0)
            except (SyntaxError, ValueError):
                continue


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and every one in its constants, the outer before the inner."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested_codes(constant)


def code_objects(paths: Iterable[Path] | None = None) -> Iterator[CodeType]:
    """Every code object of those files (of `sources()`)."""
    for _, code in module_codes(sources() if paths is None else paths):
        yield from nested_codes(code)
