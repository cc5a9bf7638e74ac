"""Hypothesis' profiles.

In CI (the variable CI is set) the examples are the same in each run, so that a change is judged by what
it changed. Everywhere else they are new ones; OPSHIFT_PROFILE=full asks for forty times as many.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick", max_examples=100, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", parent=settings.get_profile("quick"), derandomize=True)
settings.register_profile("full", parent=settings.get_profile("quick"), max_examples=4000)
if os.environ.get("OPSHIFT_PROFILE") == "full":
    settings.load_profile("full")
else:
    settings.load_profile("ci" if os.environ.get("CI") else "quick")
