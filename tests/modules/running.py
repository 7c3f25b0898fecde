"""The command line in processes of its own, with the processor seconds that it took."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from frontends.halide.targets import HalideTarget

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Ran:
    """The exit code, standard output and error, and processor seconds of the command and of what
    it waited for.
    """

    code: int
    out: str
    err: str
    seconds: float

    @property
    def said(self) -> str:
        """The first line of the error, or the exit code."""
        return next(iter(self.err.splitlines()), f"exit code {self.code}")


def run(command: Sequence[str]) -> Ran:
    """Run a command in the repository's folder."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return Ran(process.returncode, texts[0], texts[1], usage.ru_utime + usage.ru_stime)


def isel(*words: str | Path) -> Ran:
    """Run ``isel`` on one processor at a time."""
    return run([sys.executable, "-m", "isel", *map(str, words)])


@dataclass(frozen=True, slots=True)
class Rewriter:
    """``isel opt`` for a CPU, with an effort and a cache."""

    target: HalideTarget
    effort: int
    cache: Path

    def __call__(self, source: Path, out: Path, *words: str) -> tuple[Ran, int]:
        """Rewrite a module; return the run, and how many windows were rewritten."""
        stats = out.with_name(f"{out.name}.json")
        flags = [f"-mcpu={self.target.cpu}", f"--effort={self.effort}", "-j1", "--strict"]
        report: list[str | Path] = ["--cache", self.cache, "--stats-json", stats]
        done = isel("opt", source, "-o", out, *report, *flags, *words)
        return done, 0 if done.code else int(json.loads(stats.read_text())["windows_rewritten"])
