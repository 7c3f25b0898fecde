"""Runs commands with and without the launcher, with a cache and counters of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
PROJECT: Final = Path(__file__).parent / "project"
CLANGS: Final = ("clang-14", "clang-15", "clang-16", "clang-19", "isel-clang")
_ZIG_CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zig"
_SECONDS: Final = 900  # a machine may be busy
_SCRIPT: Final = (
    "#!/bin/sh\nexec '{python}' -c 'from isel.cli.launcher import entry; entry()' \"$@\"\n"
)


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Launcher:
    """An executable ``isel-cc``, and the environment in which it keeps its files in a folder of
    its own.
    """

    path: Path
    environment: dict[str, str]

    @property
    def log(self) -> Path:
        return Path(self.environment["ISEL_LOG"])

    def plain(self, *words: str | Path, cwd: Path, **more: str) -> Ran:
        """Run a command."""
        done = subprocess.run(
            [str(w) for w in words],
            cwd=cwd,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def __call__(self, *words: str | Path, cwd: Path, **more: str) -> Ran:
        """Run a command behind the launcher."""
        return self.plain(self.path, *words, cwd=cwd, **more)

    def stats(self, cwd: Path) -> dict[str, float]:
        """Return what ``--show-stats`` prints, by its words."""
        lines = self("--show-stats", cwd=cwd).out.splitlines()
        return {name.strip(): float(n) for name, _, n in (line.rpartition(" ") for line in lines)}


def launcher_in(folder: Path) -> Launcher:
    """Return a launcher that keeps its files in a folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "isel-cc"
    path.write_text(_SCRIPT.format(python=sys.executable))
    path.chmod(0o755)
    own = {
        "ISEL_CACHE": "kept",
        "XDG_STATE_HOME": "state",
        "XDG_CACHE_HOME": "cache",
        "ISEL_LOG": "log",
    }
    removed = ("ISEL_DISABLE", "ISEL_FLAGS", "CFLAGS", "CXXFLAGS", "CC", "CXX", "MAKEFLAGS")
    inherited = {
        "ZIG_GLOBAL_CACHE_DIR": str(_ZIG_CACHE),
        **{k: v for k, v in os.environ.items() if k not in removed},
    }
    (folder / "kept").mkdir(mode=0o700, exist_ok=True)
    return Launcher(
        path,
        {
            **inherited,
            "PYTHONPATH": str(ROOT),
            "ISEL_FLAGS": "--effort=0",
            **{k: str(folder / v) for k, v in own.items()},
        },
    )


def compilers(name: str) -> tuple[list[str], list[str]]:
    """Return the words that run a C and a C++ compiler without the launcher."""
    if name == "isel-clang":
        return [sys.executable, "-m", "ziglang", "cc"], [sys.executable, "-m", "ziglang", "c++"]
    return [name], [name.replace("clang", "clang++")]


def files_in(folder: Path, but: Sequence[str] = ()) -> list[str]:
    """Return the files below a folder, those left out whose names match a regular expression."""
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    return [n for n in names if not any(re.search(pattern, n) for pattern in but)]
