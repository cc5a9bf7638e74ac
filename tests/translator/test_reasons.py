"""docs/graph-breaks.md is what the code says."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import translator
from translator.reasons import page, reasons

FOUND = reasons()
ROOT = Path(translator.__file__).parents[1]


def test_the_registry_is_up_to_date():
    written = (ROOT / "docs" / "graph-breaks.md").read_text(encoding="utf-8")
    assert written == page(FOUND), "run: python -m translator.reasons > docs/graph-breaks.md"


def test_every_reason_says_what_and_why():
    assert len(FOUND) > 100 and all(each.what and each.why for each in FOUND)
    assert {each.file.split("/")[0] for each in FOUND} == {"translator"}


def test_a_reason_that_is_met_stands_in_it():
    (reason,) = translator.explain(lambda x: 1 if (x * 2).sum() else 2)(np.ones(3)).reasons
    texts = [(each.what.split("{")[0], each.why, each.hint) for each in FOUND]
    assert any(
        reason.what.startswith(what) and (why, hint) == (reason.why, reason.hint) for what, why, hint in texts
    )
