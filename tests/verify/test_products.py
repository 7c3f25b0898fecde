"""Products as unknowns within their bounds: quick proofs that need a product's range, and nothing proved that is wrong."""

from __future__ import annotations

from isel.ir import build as b
from isel.ir import derived as d
from isel.ir.expr import Expr, const, var
from isel.smt.query import Answer, GaveUp, Query
from isel.verify.products import without_products
from isel.verify.prove import Obligation, prove
from isel.verify.verdict import Proved, Refuted

_A, _B, _C, _D = (b.sext(var(n, 16), 32) for n in "abcd")
_YES = const(1, 1)


def _clamped_by_exception(total: Expr) -> Expr:
    """The only sum of two products that overflows is the greatest: it wraps to the least value."""
    return b.ite(b.eq(total, const(1 << 31, 32)), const((1 << 31) - 1, 32), total)


def _clamped(p: Expr, q: Expr) -> Expr:
    return d.sat_s(b.add(b.sext(p, 33), b.sext(q, 33)), 32)


def test_the_range_of_products_decides() -> None:
    p, q = b.mul(_A, _B), b.mul(_C, _D)
    assert isinstance(prove([Obligation(_YES, _clamped_by_exception(b.add(p, q)), _clamped(p, q))]), Proved)


def test_no_solver_sees_the_product() -> None:
    class Reads:
        def check(self, query: Query) -> Answer:
            assert "mul" not in repr(query)
            return GaveUp("read")

    freed = without_products(b.ne(b.mul(_A, _B), b.mul(_C, _D)))
    assert freed is not None
    assert isinstance(Reads().check(Query((freed,))), GaveUp)
    assert without_products(b.ne(b.add(_A, _B), b.mul(_A, const(3, 32)))) is None


def test_what_only_holds_for_products_is_left_to_the_solvers() -> None:
    """Unknowns differ where products do not: that is no counterexample."""
    x, y = (b.zext(var(n, 8), 16) for n in "xy")
    left, right = b.mul(b.add(x, const(1, 16)), y), b.add(b.mul(x, y), y)
    assert isinstance(prove([Obligation(_YES, left, right)]), Proved)


def test_a_wrong_clamp_is_refuted() -> None:
    p, q = b.mul(_A, _B), b.mul(_C, _D)
    total = b.add(p, q)
    verdict = prove([Obligation(_YES, total, _clamped(p, q))])
    assert isinstance(verdict, Refuted)
    assert set(verdict.model.values()) == {0x8000}
