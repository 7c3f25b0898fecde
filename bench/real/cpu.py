"""`python -m bench.real.cpu FILES`: processor time of compiles, plain and behind the launcher when
it knows the file.

User and system time of all processes, the minimum of interleaved rounds.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.real.build import environment_in, launcher_in


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds of a compile, plain and behind the launcher, and whether it has vectors."""

    name: str
    plain: float
    ours: float
    has_vectors: bool

    @property
    def limit(self) -> float:
        """What behind the launcher is allowed: issue 15's bounds."""
        more = self.plain + (200.0 if self.has_vectors else 80.0)
        return max(more, 1.5 * self.plain) if self.has_vectors and self.plain > 500.0 else more


def cost(
    words: Sequence[str], launcher: Path, environment: Mapping[str, str], rounds: int, name: str
) -> Cost:
    """Time one compile; raises :class:`subprocess.CalledProcessError` where it fails."""
    log = Path(environment["ISEL_LOG"])
    log.write_text("")
    ours = (str(launcher), *words)
    for _ in range(2):  # the second run finds what the first one left
        log.write_text("")
        _spent(ours, environment)
    has_vectors = ", 1 scalar" not in log.read_text()
    times = [(_spent(words, environment), _spent(ours, environment)) for _ in range(rounds)]
    return Cost(name, min(p for p, _ in times), min(o for _, o in times), has_vectors)


def _spent(words: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return the milliseconds that a command and its children took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(words), env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> int:
    """Print a line a file; exit code 1 if one takes more than it may."""
    p = argparse.ArgumentParser(prog="python -m bench.real.cpu", description=__doc__)
    p.add_argument("files", nargs="+", type=Path)
    p.add_argument("--compiler", default="clang", help="words of the compiler (default: clang)")
    p.add_argument("--flags", default="-O3 -march=haswell -w", help="(default: %(default)s)")
    p.add_argument("--rounds", type=int, default=10, help="(default: 10)")
    p.add_argument(
        "--work", type=Path, help="folder whose cache is used, as by python -m bench.real"
    )
    a = p.parse_args()
    late = 0
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) if a.work is None else a.work.absolute() / "real"
        environment = {**environment_in(home), "ISEL_LOG": os.path.join(scratch, "log")}
        launcher, flags = launcher_in(home), shlex.split(a.flags)
        sys.stdout.write(f"{'plain':>8} {'isel-cc':>8} {'more':>7} {'times':>6}  file (ms)\n")
        for path in a.files:
            words = (*shlex.split(a.compiler), *flags, "-c", str(path), "-o", f"{scratch}/out.o")
            c = cost(words, launcher, environment, a.rounds, path.name)
            late += c.ours > c.limit
            kind = "" if c.has_vectors else " (no vectors)"
            over = "  OVER" if c.ours > c.limit else ""
            sys.stdout.write(
                f"{c.plain:8.0f} {c.ours:8.0f} {c.ours - c.plain:7.0f} {c.ours / c.plain:6.2f}"
                f"  {c.name}{kind}{over}\n"
            )
            sys.stdout.flush()
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
