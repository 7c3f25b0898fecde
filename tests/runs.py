"""Runs of ``isel opt`` in processes of their own, for tests that compare them."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Run:
    """How to run: ``cache`` is a folder or ``off``, ``jobs`` the number of workers, ``seed``
    that of Python's hashes.
    """

    cache: str
    jobs: int
    seed: int


def ways(cache: Path) -> tuple[Run, ...]:
    """Return runs that must not differ: two hash seeds, one and two workers, cache off, cold
    and warm.
    """
    return (
        Run("off", 1, 0),
        Run("off", 2, 1),
        Run(str(cache), 2, 2),
        Run(str(cache), 1, 3),
        Run(str(cache), 2, 4),
    )


def digest(module: Path, run: Run, folder: Path) -> str:
    """Return a hash of every output of ``isel opt`` on a module that must be deterministic."""
    outputs = [folder / name for name in ("out.ll", "stats.json", "remarks.yaml")]
    words = [
        "opt",
        str(module),
        "--strict",
        "-S",
        "-o",
        str(outputs[0]),
        "-mcpu=sapphirerapids",
        f"-j{run.jobs}",
        "--cache",
        run.cache,
    ]
    words += ["--stats-json", str(outputs[1]), "--remarks", str(outputs[2])]
    environment = {**os.environ, "PYTHONHASHSEED": str(run.seed)}
    done = subprocess.run(
        [sys.executable, "-m", "isel", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return hashlib.sha256(b"\0".join(p.read_bytes() for p in outputs)).hexdigest()
