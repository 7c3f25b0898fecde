"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile(
    "isel", deadline=None
)  # no test is about time: machines are busy, and the first example loads solvers
settings.load_profile("isel")
