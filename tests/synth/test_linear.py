"""Sums of products: the normal form equals the term, and overflow is never assumed away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir import derived as d
from isel.ir.expr import Expr, const, leaves, var
from isel.synth.linear import monomials, rebuild, sum_of_products

X, Y, Z = var("x", 8), var("y", 8), var("z", 32)


def _terms() -> st.SearchStrategy[Expr]:
    leaf = st.sampled_from(
        [
            b.zext(X, 32),
            b.sext(Y, 32),
            b.zext(b.mul(b.zext(X, 16), const(3, 16)), 32),
            Z,
            const(7, 32),
            const(-5, 32),
        ]
    )

    def grow(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        two = st.tuples(inner, inner)
        return st.one_of(
            two.map(lambda p: b.add(*p)),
            two.map(lambda p: b.sub(*p)),
            two.map(lambda p: b.mul(*p)),
            inner.map(lambda e: b.shl(e, const(2, 32))),
            inner.map(b.neg),
        )

    return st.recursive(leaf, grow, max_leaves=6)


@given(_terms(), st.integers(0, 255), st.integers(0, 255), st.integers(0, 2**32 - 1))
def test_the_normal_form_equals_the_term(term: Expr, x: int, y: int, z: int) -> None:
    found = monomials(term)
    if found is None:
        return
    env = {X: x, Y: y, Z: z}
    assert evaluate(rebuild(found, 32), {e: env[e] for e in (X, Y, Z)}, Integer()) == evaluate(
        term, {e: env[e] for e in leaves(term)}, Integer()
    )


def test_a_sum_that_may_overflow_stays_one_atom() -> None:
    wraps = b.zext(b.add(X, Y), 16)
    assert [len(m.atoms) for m in monomials(wraps) or ()] == [1]
    exact = b.zext(b.add(b.zext(X, 16), b.zext(Y, 16)), 32)
    assert len(monomials(exact) or ()) == 2


@pytest.mark.parametrize(("clamped", "width"), [(False, 32), (True, 16)])
def test_dot_products_are_recognised(clamped: bool, width: int) -> None:
    a, c, e, f = (var(f"x{i}", 8) for i in range(4))
    inner = 18 if clamped else 32
    total = b.add(
        b.mul(b.zext(a, inner), b.sext(c, inner)), b.mul(b.zext(e, inner), b.sext(f, inner))
    )
    shape = sum_of_products(d.sat_s(total, 16) if clamped else total)
    assert shape is not None
    assert (shape.clamped, shape.width, len(shape.products), shape.addends) == (
        clamped,
        width,
        2,
        (),
    )


def test_an_average_is_no_dot_product() -> None:
    assert sum_of_products(d.uavg(var("x0", 8), var("x1", 8))) is None
