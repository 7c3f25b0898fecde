"""Long sums and the like, part by part: what is proved so is right, at widths where everything can
be tried, and what is wrong in one part is not.
"""

from __future__ import annotations

import random

import pytest

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.expr import Expr, const, leaves, var
from isel.model.verdict import Proved
from isel.smt.query import Answer, GaveUp, Query
from isel.verify.partition import joined, parts_of, replaced
from isel.verify.prove import Obligation, prove

_YES = const(1, 1)
_JOINS = ("add", "xor", "and", "or", "umin", "umax", "smin", "smax")


class _Silent:
    """A checker that knows nothing."""

    def check(self, _: Query) -> Answer:
        return GaveUp("silent")


def _value(e: Expr, values: dict[Expr, int]) -> int:
    return evaluate_all([e], {x: values[x] for x in leaves(e)}, Integer())[e]


def _distance(a: Expr, c: Expr, width: int) -> Expr:
    d = b.sub(b.zext(a, width), b.zext(c, width))
    return b.ite(b.slt(d, const(0, width)), b.neg(d), d)


def _other_distance(a: Expr, c: Expr, width: int) -> Expr:
    return b.zext(b.ite(b.ult(a, c), b.sub(c, a), b.sub(a, c)), width)


@pytest.mark.parametrize("join", _JOINS)
def test_parts_are_the_whole(join: str) -> None:
    rng = random.Random(join)
    xs = [var(f"x{i}", 8) for i in range(12)]
    left = joined(join, [b.zext(x, 16) for x in xs])
    right = joined(join, [b.zext(x, 16) for x in rng.sample(xs, len(xs))])
    parts = parts_of(_YES, left, right)
    assert len(parts) == len(xs)
    for _ in range(50):
        values = {x: rng.choice((0, 1, 127, 128, 255)) for x in xs}
        for side, whole in ((1, left), (2, right)):
            again = joined(join, [p[side] for p in parts])
            assert _value(again, values) == _value(whole, values)


def test_distances_in_wider_lanes() -> None:
    """Sixteen absolute differences, in groups of eight in lanes of 64 bits, without any solver for
    the whole.
    """
    pairs = [(var(f"a{i}", 8), var(f"b{i}", 8)) for i in range(16)]
    left = joined("add", [_distance(a, c, 32) for a, c in pairs])
    lanes = [
        joined("add", [b.zext(_other_distance(a, c, 16), 64) for a, c in pairs[k : k + 8]])
        for k in (0, 8)
    ]
    right = b.extract(joined("add", lanes), 0, 32)
    assert isinstance(prove([Obligation(_YES, left, right)]), Proved)
    wrong = b.extract(joined("add", [lanes[0], lanes[0]]), 0, 32)
    assert not isinstance(prove([Obligation(_YES, left, wrong)]), Proved)


@pytest.mark.parametrize("join", _JOINS)
def test_one_wrong_part_is_no_proof(join: str) -> None:
    xs = [var(f"x{i}", 8) for i in range(8)]
    left = joined(join, xs)
    right = joined(join, [*xs[:-1], b.bxor(xs[-1], const(1, 8))])
    assert not isinstance(prove([Obligation(_YES, left, right)], checker=_Silent()), Proved)


def test_what_is_subtracted_is_a_part() -> None:
    xs = [var(f"x{i}", 8) for i in range(8)]
    one, wrong = (
        joined("add", [b.sub(*pair), *xs[2:7], b.neg(xs[7])]) for pair in (xs[:2], xs[1::-1])
    )
    other = b.sub(joined("add", [xs[0], *xs[2:7]]), b.add(xs[1], xs[7]))
    assert isinstance(prove([Obligation(_YES, one, other)], checker=_Silent()), Proved)
    assert not isinstance(prove([Obligation(_YES, one, wrong)], checker=_Silent()), Proved)


@pytest.mark.parametrize("join", ["and", "umin", "smax"])
def test_nothing_stands_for_a_part_that_one_side_lacks(join: str) -> None:
    """Where it is 0 it still counts."""
    xs = [var(f"x{i}", 8) for i in range(8)]
    left, right = joined(join, xs), joined(join, xs[1:])
    premise = b.eq(xs[0], const(0, 8))
    assert not isinstance(prove([Obligation(premise, left, right)]), Proved)


def test_twice_the_same_is_nothing_to_xor() -> None:
    xs = [var(f"x{i}", 8) for i in range(8)]
    doubled = joined("xor", [*xs, xs[0]])
    assert not isinstance(
        prove([Obligation(_YES, joined("xor", xs), doubled)], checker=_Silent()), Proved
    )
    assert isinstance(prove([Obligation(_YES, joined("xor", xs[1:]), doubled)]), Proved)


def test_an_extended_maximum_of_signed_values_is_not_unsigned() -> None:
    xs = [var(f"x{i}", 8) for i in range(8)]
    signed = joined("smax", [b.sext(x, 16) for x in xs])
    assert isinstance(prove([Obligation(_YES, signed, b.sext(joined("smax", xs), 16))]), Proved)
    assert not isinstance(prove([Obligation(_YES, signed, b.sext(joined("umax", xs), 16))]), Proved)


@pytest.mark.parametrize("join", _JOINS)
def test_lanes_that_are_together_are_replaced(join: str) -> None:
    xs, whole, other = [var(f"x{i}", 8) for i in range(4)], var("m", 8), var("y", 8)
    lanes = frozenset(xs)
    assert replaced(joined(join, [*xs, other]), join, lanes, whole) is not None
    assert replaced(joined(join, [*xs[1:], other]), join, lanes, whole) is None, "one is missing"
    seen = joined(join, [*xs, b.lshr(xs[0], const(1, 8))])
    assert replaced(seen, join, lanes, whole) is None, "one is seen elsewhere"


def test_a_lane_that_counts_twice_is_not_replaced() -> None:
    xs, whole = [var(f"x{i}", 8) for i in range(4)], var("m", 8)
    assert replaced(joined("add", [*xs, xs[0]]), "add", frozenset(xs), whole) is None


def test_a_high_part_of_a_sum_is_not_its_low_one() -> None:
    leaves_ = [var(f"x{k}", 8) for k in range(12)]
    whole = joined("add", [b.zext(x, 16) for x in leaves_])
    y = var("y", 8)
    low, high = (b.add(b.extract(whole, at, 8), y) for at in (0, 8))
    assert isinstance(prove([Obligation(_YES, low, b.add(joined("add", leaves_), y))]), Proved)
    assert not isinstance(prove([Obligation(_YES, high, low)], effort=0), Proved)


def _counts(width: int, other: int) -> tuple[Expr, Expr]:
    """Return how many of 32 bytes are above a bound that all share, by comparisons and by what
    saturating subtraction leaves of each, ``other`` at most.
    """
    bound = var("bound", 8)
    xs = [var(f"x{i}", 8) for i in range(32)]
    left = [b.zext(b.ult(bound, x), width) for x in xs]
    over = [b.ite(b.ult(x, bound), const(0, 8), b.sub(x, bound)) for x in xs]
    right = [b.zext(b.ite(b.ult(d, const(other, 8)), d, const(other, 8)), width) for d in over]
    return joined("add", left), joined("add", right)


def test_a_leaf_that_all_parts_share_does_not_keep_them_together() -> None:
    left, right = _counts(32, 1)
    assert len(parts_of(_YES, left, right)) == 32
    assert isinstance(prove([Obligation(_YES, left, right)]), Proved)


def test_parts_that_share_a_leaf_and_differ_are_not_proved() -> None:
    left, right = _counts(32, 2)
    assert not isinstance(prove([Obligation(_YES, left, right)]), Proved)
