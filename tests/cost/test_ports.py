"""The port-subset bound on cases worked out by hand, and against a search over distributions."""

from __future__ import annotations

import itertools
import random

import pytest

from isel.cost.ports import Usage, busiest, port_bound
from tests.cost.static import group_bound

P0, P1, P5 = 0b001, 0b010, 0b100


@pytest.mark.parametrize(
    ("uses", "ports", "groups"),
    [
        ([], 0.0, 0.0),
        (
            [(P0 | P5, 1), (P0 | P5, 1), (P5, 1)],
            1.5,
            1.0,
        ),  # three operations on two ports; no group alone holds more than two
        ([(P5, 1), (P5, 1), (P0 | P5, 1)], 2.0, 2.0),  # the third goes to port 0
        ([(P5, 2), (P0, 1), (P0 | P5, 1)], 2.0, 2.0),
        ([(P5, 2), (P0, 2), (P0 | P5, 1)], 2.5, 2.0),
        ([(P0, 1), (P1, 1), (P5, 1)], 1.0, 1.0),
        ([(P0 | P1, 1), (P1 | P5, 1), (P0 | P5, 1), (P0 | P1, 1)], 4 / 3, 1.0),
    ],
)
def test_by_hand(uses: list[tuple[int, float]], ports: float, groups: float) -> None:
    usages = [Usage(mask, cycles) for mask, cycles in uses]
    assert port_bound(usages) == pytest.approx(ports)
    assert group_bound(usages) == pytest.approx(groups)


@pytest.mark.parametrize(
    ("uses", "ports"),
    [
        ([], 0),
        ([(P5, 1)], P5),
        ([(P5, 2), (P0, 1), (P0 | P5, 1)], P5),
        ([(P5, 2), (P0, 2), (P0 | P5, 1)], P0 | P5),
        ([(P0, 1), (P1, 1)], P0),
        ([(P0, 1), (P1 | P5, 4)], P1 | P5),
    ],
)
def test_the_busiest_ports(uses: list[tuple[int, float]], ports: int) -> None:
    assert busiest(Usage(mask, cycles) for mask, cycles in uses) == ports


def _every_subset(usages: list[Usage], width: int) -> float:
    subsets = range(1, 1 << width)
    return max(sum(u.cycles for u in usages if u.ports & ~s == 0) / s.bit_count() for s in subsets)


@pytest.mark.parametrize("seed", range(60))
def test_equals_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    usages = [Usage(rng.randrange(1, 64), rng.randrange(1, 4)) for _ in range(rng.randrange(1, 9))]
    assert port_bound(usages) == pytest.approx(_every_subset(usages, 6)), f"seed {seed}"
    assert group_bound(usages) <= port_bound(usages) + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_no_integral_schedule_is_faster(seed: int) -> None:
    rng = random.Random(seed)
    masks = [rng.randrange(1, 8) for _ in range(5)]
    choices = [[p for p in range(3) if m >> p & 1] for m in masks]
    best = min(max(picked.count(p) for p in range(3)) for picked in itertools.product(*choices))
    assert (
        port_bound(Usage(m, 1) for m in masks) <= best < port_bound(Usage(m, 1) for m in masks) + 1
    )
