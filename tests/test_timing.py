"""Rounds are interleaved, long enough and complete; by a clock that only the runs advance."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from isel.timing import Plan, calibrated, interleaved


class Machine:
    """A clock and versions that take a fixed number of nanoseconds a call."""

    def __init__(self) -> None:
        self.now = 0
        self.ran: list[str] = []

    def clock(self) -> int:
        return self.now

    def version(self, name: str, cost: Callable[[], int]) -> Callable[[int], None]:
        def run(repetitions: int) -> None:
            self.ran.append(name)
            self.now += repetitions * cost()

        return run


def test_times_are_per_call_and_every_round_is_long_enough() -> None:
    machine = Machine()
    runs = {"a": machine.version("a", lambda: 100), "b": machine.version("b", lambda: 7)}
    times = interleaved(runs, Plan(5, 10_000), machine.clock)
    assert [(t.version, t.rounds) for t in times] == [("a", (100.0,) * 5), ("b", (7.0,) * 5)]
    assert all(t.repetitions * t.rounds[0] >= 10_000 for t in times)


def test_the_order_turns() -> None:
    machine = Machine()
    runs = {name: machine.version(name, lambda: 1000) for name in "abc"}
    interleaved(runs, Plan(3, 1000), machine.clock)
    assert machine.ran[-9:] == ["a", "b", "c", "b", "c", "a", "c", "a", "b"]


def test_a_round_that_ends_too_early_is_run_again() -> None:
    """The calls become ten times faster after calibration, as they do when a neighbour process
    ends.
    """
    machine = Machine()
    speeds = iter([1000])
    times = interleaved(
        {"a": machine.version("a", lambda: next(speeds, 100))}, Plan(4, 100_000), machine.clock
    )
    assert times[0].rounds == (100.0,) * 4
    assert times[0].repetitions * 100 >= 100_000


@pytest.mark.parametrize("cost", [0, 1, 10**9])
def test_calibration_ends(cost: int) -> None:
    machine = Machine()
    count = calibrated(machine.version("a", lambda: cost), 50_000_000, machine.clock)
    assert count * cost >= 50_000_000 or cost == 0
