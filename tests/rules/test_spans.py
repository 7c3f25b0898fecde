"""The range of an operation holds what the operation gives, for all values in ranges."""

from __future__ import annotations

import random
from itertools import product

import pytest

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.canon import formal
from isel.ir.domain import Range, both, reduced
from isel.ir.ops import Attr, signed
from isel.rules.spans import operation, range_of_operation, range_of_sum

WIDTH = 4
OPERATIONS: tuple[tuple[str, Attr, int], ...] = (
    *((op, (), 2) for op in ("uadd_sat", "sadd_sat", "usub_sat", "ssub_sat", "uavg", "umulhi")),
    *((op, (), 2) for op in ("mul", "and", "or", "xor", "umin", "smax", "uabsdiff", "shsub")),
    *((op, (), 1) for op in ("abs", "not", "neg")),
    *(("zext", (7,), 1), ("sext", (7,), 1), ("extract", (1, 2), 1), ("sat_s", (3,), 1)),
)


def span(rng: random.Random) -> Range:
    low, high = sorted(rng.randrange(1 << WIDTH) for _ in range(2))
    found = reduced(WIDTH, (low, high))
    assert found is not None
    return found


def values(r: Range) -> list[int]:
    return [v for v in range(1 << r.width) if holds(r, v)]


def holds(r: Range, v: int) -> bool:
    low, high = r.unsigned
    least, most = r.signed
    inside = low <= v <= high and least <= signed(v, r.width) <= most
    return inside and not v & r.zeros and not ~v & r.ones


@pytest.mark.parametrize(("op", "attr", "count"), OPERATIONS)
def test_ranges_of_operations_hold_all_values(op: str, attr: Attr, count: int) -> None:
    rng = random.Random(f"{op} {attr}")
    formals = [formal(k, WIDTH) for k in range(count)]
    term = operation(op, attr, (WIDTH,) * count)
    for _ in range(20):
        args = tuple(span(rng) for _ in range(count))
        found = range_of_operation(op, attr, args)
        for given in product(*map(values, args)):
            got = evaluate_all([term], dict(zip(formals, given, strict=True)), Integer())[term]
            assert holds(found, got), (args, given)


def test_ranges_of_sums_hold_all_values() -> None:
    rng = random.Random(5)
    narrow = 0
    for _ in range(200):
        parts = [(span(rng), rng.randrange(-5, 6)) for _ in range(2)]
        constant = rng.randrange(-8, 8)
        found = range_of_sum(WIDTH, constant, parts)
        narrow += both(found, found) is not None and len(values(found)) < 1 << WIDTH
        for given in product(*(values(r) for r, _ in parts)):
            total = constant + sum(v * f for v, (_, f) in zip(given, parts, strict=True))
            assert holds(found, total & (1 << WIDTH) - 1), (parts, constant, given)
    assert narrow > 50
