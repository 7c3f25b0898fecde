"""Terms of odd widths are computed in natural ones where nothing wraps, and only there."""

from __future__ import annotations

import random

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import add, ite, lshr, mul, sext, slt, sub, trunc, zext
from isel.ir.canon import formal
from isel.ir.expr import Expr, const, leaves, postorder
from isel.rules.derived import sadd_sat, smax, smin
from isel.synth.instructions.narrow import widen

X, Y = formal(0, 32), formal(1, 32)


def clamp(e: Expr) -> Expr:
    return trunc(smax(smin(e, const((1 << 31) - 1, e.width)), const(-(1 << 31), e.width)), 32)


ARE = {
    "a saturating sum in 33 bits": sadd_sat(X, Y),
    "a clamped sum in 34 bits": clamp(add(sext(X, 34), sext(Y, 34))),
    "a clamped difference in 35 bits": clamp(sub(sext(X, 35), sext(mul(X, Y), 35))),
    "a choice between literals": trunc(
        ite(slt(sext(X, 33), zext(Y, 33)), const(-1, 33), const(5, 33)), 8
    ),
}
ARE_NOT = {
    "a sum that wraps": trunc(lshr(add(zext(X, 33), const(1 << 32, 33)), const(1, 33)), 32),
    "a product that wraps": clamp(mul(sext(X, 40), sext(Y, 40))),
    "a natural width": clamp(add(sext(X, 64), sext(Y, 64))),
    "no slice": add(sext(X, 33), sext(Y, 33)),
}


@pytest.mark.parametrize("name", ARE)
def test_they_are_found_and_equal(name: str) -> None:
    e = ARE[name]
    found = widen(e)
    assert found is not None
    assert {x.width for x in postorder([found])} <= {1, 8, 32, 64}
    rng = random.Random(3)
    for _ in range(300):
        env = {
            x: rng.choice((rng.getrandbits(32), 0, (1 << 31) - 1, 1 << 31, (1 << 32) - 1))
            for x in leaves(e)
        }
        assert evaluate(found, env, Integer()) == evaluate(e, env, Integer())


@pytest.mark.parametrize("name", ARE_NOT)
def test_others_are_left_alone(name: str) -> None:
    assert widen(ARE_NOT[name]) is None
