"""What the proofs share: how many examples, and how a disagreement fails a test."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings

from fuzz.programs import GeneratedFunction
from fuzz.targets import TARGETS

settings.register_profile(
    "proof", parent=settings.default, max_examples=5 * settings.default.max_examples, print_blob=True
)


@pytest.fixture(scope="session")
def agrees() -> Callable[[str, GeneratedFunction], None]:
    """Fails the test with a report when the target and CPython disagree about the program."""

    def check(target: str, function: GeneratedFunction) -> None:
        found = TARGETS[target](function)
        if found is not None:
            pytest.fail(found.report(), pytrace=False)

    return check
