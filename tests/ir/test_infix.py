"""Terms as formulas: brackets where they are needed and nowhere else, long terms that are used
twice named.
"""

from __future__ import annotations

import pytest

from isel.ir.build import (
    add,
    band,
    bnot,
    bor,
    concat,
    eq,
    extract,
    ite,
    lshr,
    mul,
    neg,
    sext,
    slt,
    sub,
    trunc,
    ult,
    zext,
)
from isel.ir.expr import Expr, const, elem
from isel.ir.infix import infix

A, B, W = elem("a", 0, 8), elem("b", 8, 8), elem("w", 0, 16)
NAMES = {A: "x[0]", B: "y[1]", W: "w"}


@pytest.mark.parametrize(
    ("term", "said"),
    [
        (A, "x[0]"),
        (elem("c", 16, 8), "c[16]"),
        (add(mul(A, B), const(7, 8)), "y[1] * x[0] + 7"),
        (mul(add(A, B), const(7, 8)), "(y[1] + x[0]) * 7"),
        (add(A, const(-7, 8)), "x[0] - 7"),
        (sub(A, add(B, A)), "x[0] - (y[1] + x[0])"),
        (lshr(add(zext(A, 16), zext(B, 16)), const(1, 16)), "(u16(y[1]) + u16(x[0])) >>u 1"),
        (trunc(mul(sext(A, 16), W), 8), "u8(s16(x[0]) * w)"),
        (extract(W, 4, 8), "w[11:4]"),
        (ite(ult(A, B), A, B), "umin(x[0], y[1])"),
        (ite(slt(A, B), B, A), "smax(y[1], x[0])"),
        (ite(eq(A, B), A, const(255, 8)), "y[1] == x[0] ? x[0] : -1"),
        (bor(band(A, bnot(B)), neg(A)), "(~y[1] & x[0]) | -x[0]"),
        (concat(A, B), "concat(x[0], y[1])"),
    ],
)
def test_formulas(term: Expr, said: str) -> None:
    (line,) = infix(term, NAMES)
    assert line == said


def test_what_is_used_twice_has_a_line() -> None:
    long = add(mul(zext(A, 32), zext(B, 32)), const(1 << 14, 32))
    assert infix(mul(long, lshr(long, const(3, 32))), NAMES) == [
        "t0 = u32(y[1]) * u32(x[0]) + 16384",
        "(t0 >>u 3) * t0",
    ]
