"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import settings

from tests.sizes import pytest_addoption, pytest_configure

__all__ = ("pytest_addoption", "pytest_configure")

pytest_plugins = ("pytester",)

os.environ["ISEL_SERVER"] = "off"  # nothing survives a test; tests of the server switch it on

settings.register_profile(
    "isel", deadline=None
)  # no test is about time: machines are busy, and the first example loads solvers
settings.load_profile("isel")
