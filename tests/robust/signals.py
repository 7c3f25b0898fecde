"""Signals at random moments of ``isel opt`` and ``isel verify``: a quiet end, all of the output
or nothing, no files and no processes left.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.robust.run import Ended, files_in, orphans

ROOT: Final = Path(__file__).parents[2]
_MODULES: Final = (
    "examples/multiply_round.ll",
    "examples/q15_multiply.ll",
    "examples/average_down.ll",
    "examples/avx2/dot4.ll",
)
_PAST: Final = 1.05  # of a command's usual time, up to which signals are sent
_SECONDS: Final = 60.0
_INTERRUPTED: Final = 130
_QUIET: Final = ("", "isel: interrupted\n")


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What a command writes, and the seconds that it takes from when it has handlers of signals."""

    output: bytes
    seconds: float


@dataclass(slots=True)
class Totals:
    """How many commands ended with each exit code, by signal, and what was wrong."""

    codes: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the totals, then a line a problem."""
        for (name, code), n in sorted(self.codes.items(), key=str):
            yield f"{name}: {n} commands with exit code {code}"
        yield f"{sum(self.codes.values())} signals, {len(self.problems)} problems"
        yield from (f"  {problem}" for problem in self.problems)


def run(count: int, seed: int, folder: Path, *, progress: bool = False) -> Totals:
    """Send ``count`` signals, each to a command of its own."""
    totals = Totals()
    known: dict[tuple[str, ...], Undisturbed] = {}
    for k in range(count):
        rng = random.Random(f"{seed} {k}")
        place = folder / str(k)
        (place / "temporary").mkdir(parents=True)
        _one(rng, place, totals, known, f"{seed} {k}")
        shutil.rmtree(place)
        if progress and k and k % 20 == 0:
            print(f"{k} signals, {len(totals.problems)} problems", file=sys.stderr, flush=True)
    return totals


def _one(
    rng: random.Random,
    place: Path,
    totals: Totals,
    known: dict[tuple[str, ...], Undisturbed],
    name: str,
) -> None:
    module = str(ROOT / rng.choice(_MODULES))
    words = (
        "opt",
        module,
        "--strict",
        "-S",
        "-o",
        "out.ll",
        "-mcpu=sapphirerapids",
        f"-j{rng.choice((1, 2))}",
        "--stats-json",
        "stats.json",
    )
    if words not in known:
        known[words] = _undisturbed(words, place)
    cache = str(place / "cache") if rng.random() < 0.5 else "off"
    number = rng.choice((signal.SIGINT, signal.SIGTERM))
    process = _process(words, place, cache)
    _wait_for_handlers(process.pid)
    moment = rng.uniform(0, _PAST * known[words].seconds)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(moment)
    to_all = rng.random() < 0.5  # as a terminal does
    if process.poll() is None:
        (os.killpg if to_all else os.kill)(process.pid, number)
    try:
        _, err = process.communicate(timeout=_SECONDS)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        _, err = process.communicate()
        code = None
    left = orphans(process.pid)
    shutil.rmtree(place / "cache", ignore_errors=True)
    files = tuple(f for f in files_in(place) if f != "temporary")
    totals.codes[number.name, code] += 1
    problem = Ended(code, err, files, left).problem((0, _INTERRUPTED), ("out.ll", "stats.json"))
    if not problem and err != _QUIET[code == _INTERRUPTED]:
        problem = f"said {err!r}"
    if not problem and code == 0 and len(files) != 2:
        problem = f"wrote {files}"
    if not problem and "out.ll" in files and (place / "out.ll").read_bytes() != known[words].output:
        problem = "wrote another module"
    if problem:
        totals.problems.append(
            f"{name} {number.name}{' to all' if to_all else ''} {' '.join(words[1:])} cache {cache}: {problem}"
        )


def _undisturbed(words: tuple[str, ...], place: Path) -> Undisturbed:
    process = _process(words, place, "off")
    _wait_for_handlers(process.pid)
    start = time.monotonic()
    _, err = process.communicate(timeout=_SECONDS)
    assert (process.returncode, err) == (0, "")
    found = Undisturbed((place / "out.ll").read_bytes(), time.monotonic() - start)
    for file in ("out.ll", "stats.json"):
        (place / file).unlink()
    return found


def _process(words: tuple[str, ...], place: Path, cache: str) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TMPDIR": str(place / "temporary"),
        "ISEL_CACHE": cache,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "isel", *words],
        cwd=place,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _wait_for_handlers(pid: int) -> None:
    """Wait until the process has handlers of its own: before, it is Python that starts, which
    tells of an interrupt in its own way.
    """
    mask = 1 << signal.SIGTERM - 1
    for _ in range(5000):
        status = Path(f"/proc/{pid}/status").read_text()
        caught = int(
            next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")), 16
        )
        if caught & mask:
            return
        time.sleep(0.001)
