"""Interleaved rounds: every version runs once a round, so that what slows the machine slows all of
them.

The clock is the processor time of this thread: what other processes take is not counted.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Runner: TypeAlias = Callable[[int], object]
_MARGIN: Final = 1.2  # how much longer than asked for a round is planned to be
_LIMIT: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Times:
    """Nanoseconds a call, one number a round; ``repetitions`` calls a round."""

    version: str
    repetitions: int
    rounds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to measure: ``round_ns`` is the least that a round of one version takes."""

    rounds: int = 15
    round_ns: int = 50_000_000


def interleaved(
    runs: Mapping[str, Runner], plan: Plan, clock: Callable[[], int] = time.thread_time_ns
) -> tuple[Times, ...]:
    """Time every version in every round, in an order that turns by one each round; nanoseconds
    a call.
    """
    repetitions = {name: calibrated(run, plan.round_ns, clock) for name, run in runs.items()}
    names = list(runs)
    measured: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(plan.rounds):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            measured[name].append(_round(runs[name], name, repetitions, plan.round_ns, clock))
    return tuple(Times(name, repetitions[name], tuple(measured[name])) for name in names)


def ratio(base: Sequence[float], ours: Sequence[float]) -> float | None:
    """Return how many times faster ``ours`` is: the median over rounds of base time by our
    time; None without pairs of rounds.
    """
    if not base or len(base) != len(ours):
        return None
    return statistics.median(b / o for b, o in zip(base, ours, strict=True))


def calibrated(run: Runner, round_ns: int, clock: Callable[[], int] = time.thread_time_ns) -> int:
    """Return how many calls take ``round_ns`` with a margin; warms caches and clock frequency
    on the way.
    """
    repetitions = 1
    while True:
        taken = _clocked(run, repetitions, clock)
        if taken >= round_ns // 4 or repetitions >= _LIMIT:
            return max(1, min(_LIMIT, int(repetitions * round_ns * _MARGIN / max(taken, 1)) + 1))
        repetitions *= 2


def _round(
    run: Runner, name: str, repetitions: dict[str, int], round_ns: int, clock: Callable[[], int]
) -> float:
    """Return nanoseconds a call; a round that ends too early is run again with more calls."""
    while True:
        taken = _clocked(run, repetitions[name], clock)
        if taken >= round_ns or repetitions[name] >= _LIMIT:
            return taken / repetitions[name]
        repetitions[name] = min(
            _LIMIT, int(repetitions[name] * max(_MARGIN, _MARGIN * round_ns / max(taken, 1))) + 1
        )


def _clocked(run: Runner, repetitions: int, clock: Callable[[], int]) -> int:
    start = clock()
    run(repetitions)
    return clock() - start
