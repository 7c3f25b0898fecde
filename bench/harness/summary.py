"""Figures over many kernels: ratios by paired rounds, geometric means, and those with each
group counted once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.harness.records import Record
from bench.harness.versions import BEST, CANDIDATES, COMPARED, Comparison
from bench.measure.verdict import FLOOR
from frontends.halide.candidates import fastest
from isel.timing import Times, ratio


def speed_up(record: Record, comparison: Comparison) -> float | None:
    """Return the speed-up of one comparison on one kernel, None where a version was not timed."""
    if comparison.ours == BEST:
        chosen = best(record)
        return (
            None
            if chosen is None
            else ratio(record.rounds(comparison.base)[1::2], record.rounds(chosen)[1::2])
        )
    return ratio(record.rounds(comparison.base), record.rounds(comparison.ours))


def best(record: Record) -> str | None:
    """Return the candidate that is chosen by every other round, None where one was not timed, or
    for a single round.

    The rounds between tell how fast it is: those that chose it would flatter it.
    """
    times = [t for name in CANDIDATES for t in record.times if t.version == name]
    if len(times) < len(CANDIDATES) or len(times[0].rounds) < 2:
        return None
    return fastest([Times(t.version, t.repetitions, t.rounds[::2]) for t in times])


def geomean(values: Iterable[float]) -> float | None:
    """Return the geometric mean, None of nothing."""
    logs = [math.log(v) for v in values]
    return math.exp(sum(logs) / len(logs)) if logs else None


@dataclass(frozen=True, slots=True)
class Summary:
    """One comparison over all kernels: plain and de-duplicated geometric means, extremes, and who
    is below the floor in each run that there was, with whether its machine code is the same in both
    versions; ``noisy`` are below it in one of two runs.

    De-duplicated: the kernels of a group (one expression several times) count as one, by their own
    geometric mean.
    """

    comparison: Comparison
    kernels: int
    groups: int
    mean: float
    group_mean: float
    least: tuple[float, str]
    most: tuple[float, str]
    below: tuple[tuple[str, float, bool], ...]
    noisy: tuple[str, ...] = ()


def summarise(records: Sequence[Record]) -> tuple[Summary, ...]:
    """Return a summary for each comparison that at least one kernel has."""
    made = (
        _summary(c, [(r, s) for r in records if not r.error and (s := speed_up(r, c)) is not None])
        for c in COMPARED
    )
    return tuple(s for s in made if s is not None)


def _summary(comparison: Comparison, rows: Sequence[tuple[Record, float]]) -> Summary | None:
    if not rows:
        return None
    groups: dict[str, list[float]] = {}
    for record, value in rows:
        groups.setdefault(record.group or record.name, []).append(value)
    mean = geomean(v for _, v in rows)
    group_mean = geomean(m for vs in groups.values() if (m := geomean(vs)) is not None)
    assert mean is not None and group_mean is not None
    ordered = sorted((v, r.name) for r, v in rows)
    same = {r.name for r, _ in rows if comparison.same_ir and comparison.ours in r.same_code}
    noisy = tuple(sorted(r.name for r, v in rows if v < FLOOR and _is_noise(r, comparison)))
    slow = [(v, name) for v, name in ordered if v < FLOOR and name not in noisy]
    below = tuple((name, v, name in same) for v, name in slow)
    means = mean, group_mean, ordered[0], ordered[-1]
    return Summary(comparison, len(rows), len(groups), *means, below, noisy)


def _is_noise(record: Record, comparison: Comparison) -> bool:
    """Tell whether a second run does not find isel slower."""
    base, ours = (record.rounds(v, again=True) for v in (comparison.base, comparison.ours))
    second = ratio(base, ours)
    return second is not None and second >= FLOOR
