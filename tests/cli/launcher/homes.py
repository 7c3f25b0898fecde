"""Users of their own on one machine: a cache, a state folder with a key, and a log for each."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.cli.launcher.running import ROOT, Launcher, Ran

_CPU: Final = 'attributes #0 = { "target-cpu"="haswell" }\n'


def home_in(folder: Path, launcher: Launcher, **more: str) -> Launcher:
    """Return a launcher without settings, whose user has the indices of targets and no results;
    ``more`` is added to its environment.
    """
    folder.mkdir(mode=0o700)
    state = Path(launcher.environment["XDG_STATE_HOME"])
    if (state / "isel-key").exists():  # it signs the indices
        shutil.copytree(state / "isel-key", folder / "state" / "isel-key")
    (folder / "kept").mkdir(mode=0o700)
    for index in Path(launcher.environment["ISEL_CACHE"]).glob("*.index"):
        shutil.copy(index, folder / "kept")
    own = {
        "ISEL_CACHE": str(folder / "kept"),
        "ISEL_LOG": str(folder / "log"),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    kept = {k: v for k, v in launcher.environment.items() if k != "ISEL_FLAGS"}
    return replace(launcher, environment={**kept, **own, **more})


def isel(home: Launcher, folder: Path, *words: str | Path) -> Ran:
    """Run ``isel`` as a user."""
    return home.plain(sys.executable, "-m", "isel", *words, cwd=folder, PYTHONPATH=str(ROOT))


def ir(folder: Path) -> str:
    """Return a file of IR."""
    path = folder / "machine.ll"
    path.write_text(f'; ModuleID = "a"\ntarget triple = "x86_64-pc-linux-gnu"\n{_CPU}')
    return str(path)
