"""A user who has not built anything yet: an empty cache, and the launcher of this checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.builds.table import File

ROOT: Final = Path(__file__).parents[2]
_LAUNCHER: Final = "#!{python}\nfrom isel.cli.launcher import entry\n\nentry()\n"
_INDICES: Final = "from semantics import targets\nfor t in targets(): t.instructions()"
_OWN: Final = ("ISEL_", "XDG_", "SOURCE_DATE_EPOCH", "PYTHONDONTWRITEBYTECODE")
_COUNT: Final = re.compile(r": 1 files.*?(\d+) rewritten,")


class Home:
    """Runs compilers with an environment of its own, which begins with the indices of targets, as
    an installed wheel does.
    """

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"
        self.launcher = folder / "isel-cc"
        (folder / "cache").mkdir(mode=0o700, parents=True)
        self.launcher.write_text(_LAUNCHER.format(python=sys.executable))
        self.launcher.chmod(0o755)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(_OWN)}
        self.environment = {
            **kept,
            "PYTHONPATH": str(ROOT),
            "ISEL_CACHE": str(folder / "cache"),
            "XDG_CACHE_HOME": str(folder / "xdg-cache"),
            "XDG_STATE_HOME": str(folder / "xdg-state"),
            "ISEL_LOG": str(self.log),
            "ISEL_SERVER": "off",  # whose time is not that of a child
        }
        self._run([sys.executable, "-c", _INDICES], ROOT)

    def plain(self, file: File) -> float:
        """Return the CPU seconds of a plain compile."""
        return self._run(file.command(), file.source.parent)

    def launched(self, file: File, **more: str) -> tuple[float, int]:
        """Return the CPU seconds of a compile behind the launcher, and the windows rewritten."""
        self.log.unlink(missing_ok=True)
        spent = self._run([str(self.launcher), *file.command()], file.source.parent, **more)
        found = _COUNT.search(self.log.read_text())
        return spent, int(found[1]) if found else 0

    def journal(self, jobs: int) -> float:
        """Return the CPU seconds of searching what was left."""
        return self._run([sys.executable, "-m", "isel", "batch", "--journal", f"-j{jobs}"], ROOT)

    def _run(self, words: list[str], folder: Path, **more: str) -> float:
        environment = {**self.environment, **more}
        process = subprocess.Popen(words, cwd=folder, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
        return used.ru_utime + used.ru_stime
