"""A launcher with a cache of its own for all tests here: an equal function is searched once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.launcher.running import Launcher, launcher_in


@pytest.fixture(scope="session")
def launcher(tmp_path_factory: pytest.TempPathFactory, indices: tuple[Path, ...]) -> Launcher:
    made = launcher_in(tmp_path_factory.mktemp("launcher"))
    for index in indices:
        shutil.copy(index, made.environment["ISEL_CACHE"])
    return made


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the fixture of the other commands' tests, which makes indices of all targets first."""
    monkeypatch.chdir(tmp_path)
