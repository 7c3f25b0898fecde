"""A launcher with a cache of its own for all tests here: an equal function is searched once."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from isel.places import cache_folder
from tests.cli.launcher.running import Launcher, launcher_in


@pytest.fixture(scope="session")
def launcher(tmp_path_factory: pytest.TempPathFactory) -> Launcher:
    """Return a launcher whose cache has the indices of targets that there are already."""
    made = launcher_in(tmp_path_factory.mktemp("launcher"))
    for index in (cache_folder(os.environ) or Path("nowhere")).glob("*.index"):
        shutil.copy(index, made.environment["ISEL_CACHE"])
    return made


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the fixture of the other commands' tests, which makes indices of all targets
    first.
    """
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def place() -> Iterator[str]:
    """Return a folder for sockets: their names have at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="isel-") as folder:
        yield folder
