"""A library built by its own build system, plainly or behind the launcher, in its own folder."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.real.library import Library

_SECONDS: Final = 7200
_LAUNCHER: Final = (
    "#!/bin/sh\nexec '{python}' -c 'from isel.cli.launcher import entry; entry()' \"$@\"\n"
)


class Failed(Exception):
    """A command of a build that failed, with the last lines that it said."""


@dataclass(frozen=True, slots=True)
class Way:
    """How a library is built: the compiler's words, its flags, processes, and the launcher before
    them, None for a plain build.
    """

    compiler: tuple[str, ...]
    flags: str
    jobs: int
    launcher: Path | None = None

    @property
    def name(self) -> str:
        """The name of the folder."""
        return "isel" if self.launcher else "plain"


@dataclass(frozen=True, slots=True)
class Build:
    """A built library: its folder, and the environment in which its programs run."""

    library: Library
    folder: Path
    environment: Mapping[str, str]

    def run(self, words: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        """Run a command in the folder."""
        return subprocess.run(
            list(words),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )

    def must(self, words: Sequence[str]) -> str:
        """Run a command and return what it printed; raises :class:`Failed`."""
        done = self.run(words)
        said = (done.stdout + done.stderr).decode(errors="replace")
        if done.returncode:
            last = "\n".join(said.splitlines()[-12:])
            raise Failed(f"{self.library.name}: {shlex.join(words)}: {done.returncode}\n{last}")
        return said


def built(library: Library, work: Path, way: Way) -> Build:
    """Configure and build a library anew; raises :class:`Failed`."""
    folder = work / "real" / library.name / way.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    build = Build(library, folder, _environment(library, work, way))
    launcher = str(way.launcher or "")
    places = {"src": str(work / "src" / library.source), "flags": way.flags, "launcher": launcher}
    build.must([word.format(**places) for word in library.configure])
    build.must([*library.build, f"-j{way.jobs}"])
    return build


def launcher_in(folder: Path) -> Path:
    """Return an executable `isel-cc` of this checkout."""
    path = folder / "isel-cc"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(_LAUNCHER.format(python=sys.executable))
    path.chmod(0o755)
    return path


def environment_in(folder: Path) -> dict[str, str]:
    """Return an environment in which the launcher keeps its files in a folder, and Python what it
    compiles, as where it is installed.
    """
    own = {"ISEL_CACHE": "kept", "XDG_STATE_HOME": "state", "PYTHONPYCACHEPREFIX": "compiled"}
    removed = ("ISEL_DISABLE", "PYTHONDONTWRITEBYTECODE", "CFLAGS", "CXXFLAGS", "MAKEFLAGS")
    (folder / "kept").mkdir(mode=0o700, parents=True, exist_ok=True)
    inherited = {k: v for k, v in os.environ.items() if k not in removed}
    root = str(Path(__file__).parents[2])
    places = {k: str(folder / v) for k, v in own.items()}
    log = {"PYTHONPATH": root, "ISEL_LOG": str(folder / "log")}
    server = {"ISEL_SERVER": "off"}  # whose time is not that of a child
    return {**inherited, **log, **server, **places}


def _environment(library: Library, work: Path, way: Way) -> Mapping[str, str]:
    by_name = any("{launcher}" in word for word in library.configure)
    before = () if way.launcher is None or by_name else (str(way.launcher),)
    return {**environment_in(work / "real"), "CC": shlex.join((*before, *way.compiler))}
