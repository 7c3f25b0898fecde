"""What two runs say together, with made runs and a made clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bench.measure.inputs import NotRun
from bench.measure.timing import Once, compare
from bench.measure.verdict import ROUNDS, Noisy, Timed, judge
from isel.timing import Plan, Runner


def runs(*ratios: float | Once | NotRun) -> tuple[Callable[[int], Once | NotRun], list[int]]:
    """Return runs that say these, and the rounds that they are asked for."""
    left = [Once(r, 1.0) if isinstance(r, float) else r for r in ratios]
    asked: list[int] = []

    def run(rounds: int) -> Once | NotRun:
        asked.append(rounds)
        return left.pop(0)

    return run, asked


@pytest.mark.parametrize(
    ("ratios", "loses"), [((0.97, 0.9), True), ((0.98, 0.99), False), ((1.5, 1.4), False)]
)
def test_two_runs_that_agree(ratios: tuple[float, float], loses: bool) -> None:
    run, asked = runs(*ratios)
    found = judge(run)
    assert isinstance(found, Timed) and found.loses == loses
    assert (found.first, found.second) == ratios
    assert asked == [ROUNDS[0]] * 2


def test_runs_that_do_not_agree_get_more_rounds() -> None:
    run, asked = runs(0.9, 1.1, 0.97, 0.99, 0.95, 0.94)
    found = judge(run)
    assert isinstance(found, Timed) and found.loses
    assert asked == [r for r in ROUNDS for _ in range(2)]


@pytest.mark.parametrize("busy", [(0.9, 1.1), (0.97, 0.985), (1.0, 1.2)])
def test_a_busy_machine_says_nothing(busy: tuple[float, float]) -> None:
    run, _ = runs(*(busy * len(ROUNDS)))
    found = judge(run)
    assert found == Noisy(*busy)
    assert str(found).startswith("noisy, ")


def test_a_copy_of_the_original_that_is_faster_is_noise() -> None:
    run, _ = runs(*[Once(0.9, 1.05)] * 2 * len(ROUNDS))
    assert judge(run) == Noisy(0.9, 0.9)


def test_what_cannot_be_run_is_not_run_again() -> None:
    run, asked = runs(NotRun("it calls g"))
    assert judge(run) == NotRun("it calls g")
    assert len(asked) == 1


@dataclass
class Clock:
    """Time that passes where something runs."""

    now: int = 0

    def __call__(self) -> int:
        return self.now

    def takes(self, *costs: int) -> Runner:
        """Return what takes these nanoseconds a call, in turn."""
        left = list(costs)

        def run(calls: int) -> None:
            self.now += calls * left[0]
            left.append(left.pop(0))

        return run


def test_a_ratio_is_of_the_least_times_and_the_middle_of_the_places() -> None:
    clock = Clock()
    shifts = [
        {
            "before": clock.takes(100, 300),
            "after": clock.takes(after, 900),
            "control": clock.takes(100),
        }
        for after in (50, 125, 125, 200)
    ]
    assert compare(shifts, Plan(9, 1000), clock) == Once(0.8, 1.0)
