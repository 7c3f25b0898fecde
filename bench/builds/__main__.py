"""`python -m bench.builds`: CPU seconds of each source of a project, compiled plainly, the first
time behind the launcher, warm, and after `isel batch --journal`; and the windows rewritten.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from bench.builds.home import Home
from bench.builds.table import File, table

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = ROOT / "tests" / "cli" / "launcher" / "images"
BARE: Final = "bare.cpp"  # main.cpp of another machine
_RUNS: Final = 8


def _arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(
        prog="python -m bench.builds", description=__doc__.partition(":")[2].strip()
    )
    p.add_argument(
        "sources", type=Path, nargs="*", help="C and C++ files (default: the tests' project)"
    )
    p.add_argument("--compiler", default="clang-19", help="a clang (default: clang-19)")
    p.add_argument(
        "--flags", default="-O3 -g -march=native", help="(default: -O3 -g -march=native)"
    )
    p.add_argument("--runs", type=int, default=_RUNS, help="of which the least counts, warm")
    p.add_argument("-j", "--jobs", type=int, default=2, help="processes of isel batch (default: 2)")
    p.add_argument(
        "--thorough", action="store_true", help="also compile with --effort=1, for its windows"
    )
    return p.parse_args()


def main() -> int:
    """Measure, print a table, and return 0."""
    a = _arguments()
    sources = a.sources or sorted(
        p for p in PROJECT.iterdir() if p.suffix in (".c", ".cpp") and p.name != BARE
    )
    with tempfile.TemporaryDirectory(prefix="isel-builds-") as place:
        folder = Path(place)
        project = folder / "project"
        shutil.copytree(sources[0].parent, project)
        flags = shlex.split(a.flags)
        files = [File(project / s.name, a.compiler, flags) for s in sources]
        home, other = Home(folder / "home"), Home(folder / "other")
        for file in files:  # clang itself is read from disk once
            home.plain(file)
            file.plain = min(home.plain(file) for _ in range(a.runs))
        for file in files:
            file.first, file.found = home.launched(file)
        for file in files:
            file.warm = min(home.launched(file)[0] for _ in range(a.runs))
        journal = home.journal(a.jobs)
        for file in files:
            file.after, file.later = home.launched(file)
        if a.thorough:
            for file in files:
                file.thorough, file.most = other.launched(file, ISEL_FLAGS="--effort=1")
    sys.stdout.write(table(files, journal))
    return 0


if __name__ == "__main__":
    sys.exit(main())
