"""Rewriting into widths that instructions have: equal values, and the forms that are wanted."""

from __future__ import annotations

import random

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import add, ashr, band, extract, lshr, mul, sext, sub, zext
from isel.ir.canon import formal
from isel.ir.expr import Expr, const, leaves, postorder
from isel.rules.derived import sadd_sat, smax, smin
from isel.synth.instructions.narrow import Narrower

X, Y = formal(0, 16), formal(1, 16)
UNSIGNED = extract(mul(zext(X, 32), zext(Y, 32)), 16, 16)
SIGNED = extract(mul(sext(X, 32), sext(Y, 32)), 16, 16)
A, B = formal(0, 8), formal(1, 8)
SUM = add(zext(A, 16), zext(B, 16))
WIDE = mul(sext(A, 32), const(13107, 32))
BIT = band(lshr(extract(WIDE, 0, 16), const(13, 16)), const(1, 16))
ROUNDED = sadd_sat(extract(lshr(WIDE, const(14, 32)), 0, 16), BIT)


def _shifted(e: Expr) -> Expr:
    return ashr(mul(sext(e, 32), const(26214, 32)), const(15, 32))


TERMS = {
    "ninth": extract(lshr(mul(zext(SUM, 32), const(58255, 32)), const(19, 32)), 0, 8),
    "whole": lshr(mul(zext(X, 32), zext(Y, 32)), const(16, 32)),
    "signed": ashr(mul(sext(X, 32), const(-1234, 32)), const(20, 32)),
    "logical of signed": lshr(mul(sext(X, 32), sext(Y, 32)), const(18, 32)),
    "low sum": extract(add(zext(X, 32), band(zext(Y, 32), const(1, 32))), 0, 16),
    "low product": extract(sub(mul(sext(X, 32), sext(Y, 32)), zext(X, 32)), 0, 16),
    "rounded": extract(
        add(
            band(lshr(mul(zext(X, 32), zext(Y, 32)), const(8, 32)), const(1, 32)),
            lshr(mul(zext(X, 32), zext(Y, 32)), const(9, 32)),
        ),
        0,
        16,
    ),
    "rounded to the end": extract(
        add(band(lshr(zext(X, 32), const(15, 32)), const(1, 32)), ashr(zext(X, 32), const(16, 32))),
        0,
        16,
    ),
    "rounded and saturated": sadd_sat(ROUNDED, const(121, 16)),
    "another bit": extract(
        add(
            sext(extract(lshr(WIDE, const(9, 32)), 0, 16), 17),
            sext(band(lshr(extract(WIDE, 0, 16), const(7, 16)), const(1, 16)), 17),
        ),
        0,
        16,
    ),
    "kept": extract(lshr(add(zext(A, 16), zext(B, 16)), const(1, 16)), 0, 8),
    "too far": lshr(mul(zext(X, 32), zext(Y, 32)), const(15, 32)),
    "too wide a factor": lshr(mul(zext(X, 32), const(70000, 32)), const(16, 32)),
}


def _narrowed(e: Expr, *offered: Expr) -> Expr:
    return Narrower(lambda fn: fn in offered)(e)


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize(
    "offered",
    [(), (UNSIGNED,), (SIGNED,), (UNSIGNED, SIGNED)],
    ids=["none", "unsigned", "signed", "both"],
)
def test_values_do_not_change(name: str, offered: tuple[Expr, ...]) -> None:
    e = TERMS[name]
    made = _narrowed(e, *offered)
    rng = random.Random(5)
    for _ in range(200):
        env = {
            x: rng.choice((rng.getrandbits(x.width), 0, (1 << x.width) - 1, 1 << (x.width - 1)))
            for x in leaves(e)
        }
        assert evaluate(made, env, Integer()) == evaluate(e, env, Integer())


def test_a_product_shifted_far_becomes_its_high_half_where_that_is_offered() -> None:
    assert _narrowed(TERMS["ninth"]) is TERMS["ninth"]
    made = _narrowed(TERMS["ninth"], UNSIGNED)
    assert made is extract(
        lshr(extract(mul(zext(SUM, 32), const(58255, 32)), 16, 16), const(3, 16)), 0, 8
    )
    assert _narrowed(TERMS["signed"], UNSIGNED) is TERMS["signed"]
    assert _narrowed(TERMS["too wide a factor"], UNSIGNED) is TERMS["too wide a factor"]


def test_a_shift_that_rounds_by_its_last_bit_is_a_slice_of_a_sum() -> None:
    product = mul(zext(X, 32), zext(Y, 32))
    assert _narrowed(TERMS["rounded"]) is extract(
        ashr(add(product, const(256, 32)), const(9, 32)), 0, 16
    )


def test_rounding_is_seen_through_saturation_that_cannot_happen() -> None:
    made = _narrowed(TERMS["rounded and saturated"])
    assert made is add(
        extract(ashr(add(WIDE, const(1 << 13, 32)), const(14, 32)), 0, 16), const(121, 16)
    )
    assert not any(e.op == "ashr" for e in postorder([_narrowed(TERMS["another bit"])]))


def test_low_parts_need_no_wide_operations() -> None:
    made = _narrowed(TERMS["low product"])
    assert max(e.width for e in postorder([made])) == 16
    assert _narrowed(TERMS["kept"]) is TERMS["kept"]


def test_a_clamped_sum_of_computed_operands_saturates() -> None:
    """Whether an instruction gives the operands as well is not asked."""
    x, y = _shifted(X), _shifted(Y)
    clamped = smin(smax(add(x, y), const(-32768, 32)), const(32767, 32))
    parts = (_narrowed(extract(e, 0, 16)) for e in (x, y))
    assert _narrowed(extract(clamped, 0, 16)) is sadd_sat(*parts)
