"""The code in docs/putting-code-in.md runs, and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parent.parent.parent / "docs" / "putting-code-in.md"


def test_the_function_on_the_page(capsys):
    (source,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    exec(source, {})
    (said,) = re.findall(r"print\(.*# (.*)", source)
    assert capsys.readouterr().out.strip() == said
