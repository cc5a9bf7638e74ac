"""Hypothesis' profiles: OPSHIFT_PROFILE=full in the environment asks for forty times the examples."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", max_examples=100, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("full", parent=settings.get_profile("ci"), max_examples=4000)
settings.load_profile("full" if os.environ.get("OPSHIFT_PROFILE") == "full" else "ci")
