"""Clamped sums become saturating operations only where they are."""

from __future__ import annotations

import random

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import add, ashr, lit, sext, sub, trunc, zext
from isel.ir.canon import formal
from isel.ir.derived import sadd_sat, smax, smin, ssub_sat, uadd_sat
from isel.ir.expr import Expr, leaves
from isel.rewrite.saturate import saturating

X, Y = formal(0, 16), formal(1, 16)
WIDE = formal(2, 32)


def clamp(e: Expr, low: int | None, high: int | None) -> Expr:
    e = e if high is None else smin(e, lit(high, e))
    return e if low is None else smax(e, lit(low, e))


SUM = add(sext(X, 32), sext(Y, 32))
DIFFERENCE = sub(sext(X, 32), sext(Y, 32))
BYTES = add(zext(trunc(X, 8), 32), zext(trunc(Y, 8), 32))
ARE = {
    "signed sum": (trunc(clamp(SUM, -32768, 32767), 16), sadd_sat(X, Y)),
    "signed difference": (
        trunc(smin(smax(DIFFERENCE, lit(-32768, DIFFERENCE)), lit(32767, DIFFERENCE)), 16),
        ssub_sat(X, Y),
    ),
    "unsigned sum": (trunc(clamp(BYTES, None, 255), 8), uadd_sat(trunc(X, 8), trunc(Y, 8))),
    "a bound that is never reached": (
        trunc(
            clamp(add(sext(X, 32), sext(ashr(zext(trunc(Y, 15), 16), lit(1, X)), 32)), None, 32767),
            16,
        ),
        None,
    ),
}
ARE_NOT = {
    "no lower bound": trunc(clamp(SUM, None, 32767), 16),
    "another bound": trunc(clamp(SUM, -32767, 32767), 16),
    "bounds of bytes": trunc(clamp(SUM, 0, 255), 8),
    "an operand that is too wide": trunc(clamp(add(WIDE, sext(Y, 32)), -32768, 32767), 16),
    "no bound at all": trunc(SUM, 16),
    "lower than the lower bound": trunc(smin(smax(SUM, lit(-32768, SUM)), lit(-40000, SUM)), 16),
}


@pytest.mark.parametrize("name", ARE)
def test_they_are_found_and_equal(name: str) -> None:
    e, wanted = ARE[name]
    found = saturating(e)
    assert found is not None
    assert wanted is None or found is wanted
    rng = random.Random(3)
    for _ in range(300):
        env = {x: rng.choice((rng.getrandbits(16), 0, 0x7FFF, 0x8000, 0xFFFF)) for x in leaves(e)}
        assert evaluate(found, {x: env[x] for x in leaves(found)}, Integer()) == evaluate(
            e, env, Integer()
        )


@pytest.mark.parametrize("name", ARE_NOT)
def test_others_are_left_alone(name: str) -> None:
    assert saturating(ARE_NOT[name]) is None
