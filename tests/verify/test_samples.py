"""Samples of leaves, and those that satisfy what is known of them."""

from __future__ import annotations

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir import build as b
from isel.ir.expr import Expr, const, elem
from isel.model.verdict import Refuted
from isel.verify.prove import Obligation, prove
from isel.verify.samples import columns

SUM_OF = 9


def _weights() -> list[tuple[Expr, Expr]]:
    return [(elem(f"w{k}", 0, 32), elem(f"p{k}", 0, 8)) for k in range(SUM_OF)]


def _total(pairs: list[tuple[Expr, Expr]], width: int) -> Expr:
    total = const(32, width)
    for w, p in pairs:
        total = b.add(total, b.mul(b.sext(w, width), b.zext(p, width)))
    return total


def test_some_samples_keep_sums_of_products_from_wrapping_on_either_side_of_zero() -> None:
    # wrong programs for a convolution in C were refuted by a solver in seconds, or not at all: all
    # samples wrapped
    pairs = _weights()
    wide = _total(pairs, 48)
    env = columns([x for pair in pairs for x in pair], 96)
    values = evaluate_all([wide], env, NumpyLanes())[wide].astype(np.int64)
    signed = np.where(values >= 1 << 47, values - (1 << 48), values)
    inside = signed[np.abs(signed) < 1 << 31]
    assert (inside < 0).sum() >= 5 and (inside > 0).sum() >= 5
    assert len(set((inside >> 6).clip(0, 255).tolist())) >= 5


def test_a_clamp_of_a_sum_that_does_not_wrap_is_not_taken_for_a_sign() -> None:
    pairs = _weights()
    wide, low = _total(pairs, 48), _total(pairs, 32)
    no_wrap = b.eq(b.sext(low, 48), wide)
    shifted = b.ashr(low, const(6, 32))
    positive = b.ite(b.slt(shifted, const(0, 32)), const(0, 32), shifted)
    wanted = b.ite(b.ult(positive, const(255, 32)), positive, const(255, 32))
    given = b.ite(b.sle(pairs[0][0], const(6, 32)), const(0, 32), const(255, 32))
    assert isinstance(prove([Obligation(no_wrap, wanted, given)]), Refuted)
