"""Plots of a run: speed-up bars, compile times, memory."""

from __future__ import annotations

from bench.harness.records import Run, When
from bench.harness.summary import speed_up
from bench.harness.versions import COMPARED
from isel.page import Html, Series, bars, dots


def plots(run: Run) -> tuple[tuple[str, Html], ...]:
    """Return title and picture of each plot that has something to show; the same run gives the
    same text.
    """
    made: list[tuple[str, Html]] = []
    for c in COMPARED:
        found = sorted(
            ((s, r.name) for r in run.records if (s := speed_up(r, c)) is not None), reverse=True
        )
        if found:
            made.append(
                (
                    f"Times faster: {c.title}",
                    bars([name for _, name in found], [s for s, _ in found], one=1.0),
                )
            )
    timed = [r for r in run.records if r.compiled(When.COLD)]
    if timed:
        names = [r.name for r in timed]
        series = [
            Series(
                str(w),
                [sum(c.seconds for c in r.compiled(w)) if r.compiled(w) else None for r in timed],
            )
            for w in When
        ]
        series.append(
            Series(
                "LLVM alone", [sum(c.llvm_seconds for c in r.compiled(When.COLD)) for r in timed]
            )
        )
        made.append(("Compile time", dots(names, series, " s")))
        made.append(
            (
                "Peak memory of the largest process, MiB",
                bars(names, [max(c.peak_mib for c in r.compiles) for r in timed]),
            )
        )
    return tuple(made)
