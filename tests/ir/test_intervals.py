"""Intervals hold the values they promise, and deciding comparisons changes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir import derived as d
from isel.ir.expr import Expr, const, leaves, var
from isel.ir.intervals import decide, intervals
from isel.ir.ops import signed

A, B = var("a", 8), var("b", 8)


def _terms() -> st.SearchStrategy[Expr]:
    leaf = st.sampled_from(
        [b.sext(A, 16), b.zext(B, 16), const(3, 16), const(-100, 16), b.zext(b.bnot(A), 16)]
    )

    def grow(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        two = st.tuples(inner, inner)
        ops = st.sampled_from((b.add, b.sub, b.mul, d.smin, d.smax, d.umin, d.umax, b.bxor))
        shifts = st.sampled_from((b.ashr, b.lshr, b.shl))
        return st.one_of(
            st.builds(lambda op, x, y: op(x, y), ops, inner, inner),
            st.builds(lambda op, x: op(x, const(2, 16)), shifts, inner),
            inner.map(lambda e: b.sext(b.trunc(e, 12), 16)),
            inner.map(lambda e: b.sext(b.trunc(b.lshr(e, const(4, 16)), 12), 16)),
            inner.map(lambda e: b.band(e, const(0x70, 16))),
            two.map(lambda p: b.band(*p)),
            two.map(lambda p: b.ite(b.slt(*p), p[1], const(7, 16))),
        )

    return st.recursive(leaf, grow, max_leaves=7)


@given(_terms(), st.integers(0, 255), st.integers(0, 255))
def test_values_lie_in_their_intervals(term: Expr, x: int, y: int) -> None:
    env = {e: {A: x, B: y}[e] for e in leaves(term)}
    values = evaluate_all([term], env, Integer())
    for e, (low, high) in intervals(term).items():
        assert low <= signed(values[e], e.width) <= high


@given(_terms(), _terms(), st.integers(0, 255), st.integers(0, 255))
def test_deciding_keeps_the_value(left: Expr, right: Expr, x: int, y: int) -> None:
    term = b.ite(b.slt(left, right), left, b.sub(right, left))
    env = {A: x, B: y}
    before = evaluate_all([term], {e: env[e] for e in leaves(term)}, Integer())[term]
    after = decide(term)
    assert evaluate_all([after], {e: env[e] for e in leaves(after)}, Integer())[after] == before


def test_a_clamp_that_cannot_matter_goes() -> None:
    product = b.ashr(b.mul(b.sext(A, 16), b.sext(B, 16)), const(6, 16))
    assert decide(d.smax(product, const(-300, 16))) is product
    assert decide(d.smax(product, const(-200, 16))) is not product
