"""The code in docs/a-machine-of-your-own.md runs."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parent.parent.parent / "docs" / "a-machine-of-your-own.md"


def some_function(a):
    return a(1, 2), a(3, key=a()), [len(a)]


def test_the_machine_on_the_page_counts_calls():
    (source,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    namespace = {"some_function": some_function}
    exec(source, namespace)
    counts = namespace["machine"].counts
    assert counts[2] >= 1 and counts[0] == 1 and counts[1] >= 1
