"""Batches in processes of their own: undisturbed, killed at random moments and taken up, and by
a cluster.
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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.batch.cluster import local_cluster
from tests.robust.run import orphans, session

ROOT: Final = Path(__file__).parents[2]
SCRATCH: Final = ".isel-batch"
_WAYS: Final = (
    "a worker",
    "the command",
    "all",
    "SIGINT",
    "SIGTERM",
)  # what is killed, or which signal the command gets
_SECONDS: Final = 7200.0


@dataclass(slots=True)
class Totals:
    """What was run, in how many seconds, and what was wrong."""

    modules: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    kills: Counter[str] = field(default_factory=Counter)
    resumed: list[int] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the totals, then a line a problem."""
        statuses = ", ".join(f"{n} {what}" for what, n in sorted(self.statuses.items()))
        yield f"{self.modules} modules: {statuses}"
        kills = ", ".join(f"{n} x {what}" for what, n in sorted(self.kills.items()))
        yield f"killed {sum(self.kills.values())} times ({kills}), with {', '.join(map(str, self.resumed))} modules done by then"
        yield "; ".join(f"{what} {seconds:.0f} s" for what, seconds in self.seconds.items())
        yield f"{len(self.problems)} problems"
        yield from (f"  {problem}" for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch: inputs and flags, and the folder below which everything is written."""

    folder: Path
    words: tuple[str, ...]

    def start(self, out: str, *more: str) -> subprocess.Popen[str]:
        """Start it with outputs in ``out``."""
        words = [
            sys.executable,
            "-m",
            "isel",
            "batch",
            *self.words,
            "-o",
            str(self.folder / out),
            *more,
        ]
        return subprocess.Popen(
            words,
            cwd=self.folder,
            env=self.environment(out),
            text=True,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def environment(self, out: str) -> dict[str, str]:
        """Return an environment with a cache of its own."""
        return {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "ISEL_CACHE": str(self.folder / f"{out}-cache"),
        }

    def whole(self, out: str, *more: str) -> tuple[int, str, str, float]:
        """Run it to its end; return exit code, standard output and error, and seconds."""
        start = time.monotonic()
        process = self.start(out, *more)
        said, err = process.communicate(timeout=_SECONDS)
        return process.returncode, said.replace(f"/{out}/", "/OUT/"), err, time.monotonic() - start

    def tree(self, out: str) -> dict[str, bytes]:
        """Return what is written, by relative name."""
        top = self.folder / out
        return {
            str(p.relative_to(top)): p.read_bytes()
            for p in sorted(top.rglob("*"))
            if p.is_file() and SCRATCH not in p.parts
        }


def run(batch: Batch, seed: int, kills: int, *, progress: bool = False) -> Totals:
    """Compare all ways with one process that does everything without a pause or a cache.

    Without ``kills`` the cluster is the only other way.
    """

    def told(what: str) -> None:
        if progress:
            print(what, file=sys.stderr, flush=True)

    totals = Totals()
    code, said, err, totals.seconds["one process"] = batch.whole("one", "-j1", "--cache", "off")
    expected = batch.tree("one")
    records = [n for n in expected if n.endswith(".json")]
    totals.modules = len(records)
    totals.statuses.update(_statuses(expected, records))
    if code not in (0, 1) or "summary.html" not in expected:
        totals.problems.append(f"exit code {code}: {err}")
        return totals
    told(f"one process: {totals.modules} modules, {totals.seconds['one process']:.0f} s")
    ends = {}
    if kills:
        _killed(batch, random.Random(f"kills {seed}"), kills, expected, totals)
        told(f"killed {kills} times, {len(totals.problems)} problems; now to the end")
        ends["killed"] = batch.whole("killed", "-j2")
    told("by a cluster")
    with local_cluster(batch.folder / "cluster", batch.environment("workers")) as cluster:
        ends["two Dask workers"] = batch.whole("dask", "--scheduler", cluster.address)
    for way, (*end, seconds) in ends.items():
        name = "killed" if way == "killed" else "dask"
        totals.seconds[way if way != "killed" else "killed, its last run"] = seconds
        if tuple(end) != (code, said, err):
            totals.problems.append(f"{way}: exit code {end[0]}, said {end[2]!r}")
        totals.problems += [
            f"{way}: {problem}" for problem in _differences(batch.tree(name), expected)
        ]
        if (batch.folder / name / SCRATCH).exists():
            totals.problems.append(f"{way}: left {SCRATCH}")
    return totals


def _statuses(tree: dict[str, bytes], records: Sequence[str]) -> list[str]:
    import json

    return [str(json.loads(tree[name])["status"]) for name in records]


def _killed(
    batch: Batch, rng: random.Random, kills: int, expected: dict[str, bytes], totals: Totals
) -> None:
    """Start the batch and kill it, as often as is asked; whatever is there afterwards is as it
    should be in the end.
    """
    rest = totals.seconds["one process"] / 2
    while sum(totals.kills.values()) < kills:
        process = batch.start("killed", "-j2")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0.5, max(1.5, rest / kills * 2)))
        if process.poll() is None:
            way = rng.choice(_WAYS)
            _kill(process, way, rng)
            totals.kills[way] += 1
        _, err = process.communicate(timeout=_SECONDS)
        if left := orphans(process.pid):
            totals.problems.append(f"left processes {left}")
        if process.returncode not in (0, 1, 130, -signal.SIGKILL) or "Traceback" in err:
            totals.problems.append(f"exit code {process.returncode}: {err[-300:]}")
        found = batch.tree("killed")
        totals.resumed.append(
            sum(expected.get(n) == data for n, data in found.items() if n.endswith(".json"))
        )
        lost = {
            n.removesuffix(".json")
            for n, data in found.items()
            if n.endswith(".json") and b'"status": "lost"' in data
        }
        partial = {
            n: data
            for n, data in found.items()
            if n.removesuffix(".json") not in lost and n != "summary.html"
        }
        totals.problems += [
            f"after a kill: {p}"
            for p in _differences(partial, expected)
            if not p.startswith("missing")
        ]
        if process.returncode in (
            0,
            1,
        ):  # it came to its end: from the start, with what the cache knows
            shutil.rmtree(batch.folder / "killed")


def _kill(process: subprocess.Popen[str], way: str, rng: random.Random) -> None:
    if way == "a worker":
        others = [pid for pid in session(process.pid) if pid != process.pid]
        for pid in rng.sample(others, min(1, len(others))):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    elif way == "all":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.send_signal(
            {"the command": signal.SIGKILL, "SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM}[way]
        )


def _differences(found: dict[str, bytes], expected: dict[str, bytes]) -> list[str]:
    missing = [f"missing {n}" for n in expected if n not in found]
    extra = [f"{n} should not be there" for n in found if n not in expected]
    return [
        *missing,
        *extra,
        *(f"{n} differs" for n, data in found.items() if n in expected and expected[n] != data),
    ]
