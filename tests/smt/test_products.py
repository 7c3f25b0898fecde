"""Products as unknowns within their bounds: quick proofs that need a product's range, and
nothing proved that is wrong.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from isel.ir import build as b
from isel.ir.expr import Expr, const, leaves, var
from isel.model.verdict import Proved, Refuted
from isel.rules import derived as d
from isel.smt.products import without_products
from isel.smt.query import Answer, GaveUp, Query
from isel.verify.prove import Obligation, prove

_A, _B, _C, _D = (b.sext(var(n, 16), 32) for n in "abcd")
_YES = const(1, 1)


def _clamped_by_exception(total: Expr) -> Expr:
    """The only sum of two products that overflows is the greatest: it wraps to the least value."""
    return b.ite(b.eq(total, const(1 << 31, 32)), const((1 << 31) - 1, 32), total)


def _clamped(p: Expr, q: Expr) -> Expr:
    return d.sat_s(b.add(b.sext(p, 33), b.sext(q, 33)), 32)


def test_the_range_of_products_decides() -> None:
    p, q = b.mul(_A, _B), b.mul(_C, _D)
    assert isinstance(
        prove([Obligation(_YES, _clamped_by_exception(b.add(p, q)), _clamped(p, q))]), Proved
    )


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


@pytest.mark.parametrize("signs", ["sext sext", "sext zext", "zext zext"])
def test_a_product_is_one_unknown_at_all_widths(signs: str) -> None:
    """What is exact in few bits is the same number in more: and no bound is lost or wrong."""
    x, y, z = var("x", 8), var("y", 8), var("z", 8)
    extend = [getattr(b, s) for s in signs.split()]

    def product(width: int, p: Expr = x, q: Expr = y) -> Expr:
        return b.mul(extend[0](p, width), extend[1](q, width))

    wider = b.sext if "sext" in signs else b.zext
    for small, large in ((16, 32), (18, 33)):
        freed = without_products(b.ne(wider(product(small), large), product(large)))
        assert freed is not None and freed.is_const and freed.value == 0
    low, high = {
        "sext sext": (-16256, 16384),
        "sext zext": (-32640, 32385),
        "zext zext": (0, 65025),
    }[signs]
    for limit, wrong in ((high, False), (high - 1, True)):
        verdict = prove([Obligation(_YES, b.slt(const(limit, 32), product(32)), const(0, 1))])
        assert isinstance(verdict, Refuted if wrong else Proved)
    below = prove([Obligation(_YES, b.slt(product(32), const(low, 32)), const(0, 1))])
    assert isinstance(below, Proved)
    assert isinstance(prove([Obligation(_YES, product(32), product(32, x, z))]), Refuted)


@pytest.mark.parametrize(("shift", "extend"), [(b.ashr, b.sext), (b.lshr, b.zext)])
@pytest.mark.parametrize("up", [16, 15])
def test_factors_that_are_shifted_up_and_down_are_extensions(
    shift: Callable[[Expr, Expr], Expr], extend: Callable[[Expr, int], Expr], up: int
) -> None:
    """By as many bits: by others the low bits are others."""
    x, y = var("x", 32), var("y", 32)
    low = [shift(b.shl(v, const(up, 32)), const(16, 32)) for v in (x, y)]
    wide = [extend(b.extract(v, 0, 16), 32) for v in (x, y)]
    freed = without_products(b.ne(b.mul(low[0], low[1]), b.mul(wide[0], wide[1])))
    assert freed is not None and (freed.is_const and freed.value == 0) == (up == 16)
    equal = prove([Obligation(_YES, b.mul(low[0], low[1]), b.mul(wide[0], wide[1]))])
    assert isinstance(equal, Proved if up == 16 else Refuted)


def test_the_same_factor_twice() -> None:
    """A square is not the product of two different factors."""
    x, y = var("x", 8), var("y", 8)
    square, mixed = b.mul(b.sext(x, 32), b.sext(x, 32)), b.mul(b.sext(x, 32), b.sext(y, 32))
    freed = without_products(b.ne(square, mixed))
    assert freed is not None and not freed.is_const
    assert isinstance(prove([Obligation(_YES, square, mixed)]), Refuted)


def test_a_product_in_fewer_bits_is_the_low_part_of_the_unknown() -> None:
    """A high product that rounds is cut from 31 bits, its clamp is seen in 32; and what is wrong
    at the one product that overflows is still refuted.
    """
    x, y = var("x", 16), var("y", 16)
    product = b.mul(b.sext(x, 32), b.sext(y, 32))
    rounded = b.add(b.ashr(product, const(15, 32)), b.zext(b.extract(product, 14, 1), 32))
    clamped = b.trunc(d.smin(rounded, const(32767, 32)), 16)
    few = b.mul(b.sext(x, 31), b.sext(y, 31))
    high = b.extract(b.add(b.extract(few, 14, 17), const(1, 17)), 1, 16)
    least = const(1 << 15, 16)
    other = b.ite(b.eq(high, least), const(32767, 16), high)
    freed = without_products(b.ne(clamped, other))
    assert freed is not None and {x.source for x in leaves(freed)} == {"product0"}

    def shifted(e: Expr) -> Expr:
        amount = const(7, 16)
        total = b.add(b.ashr(e, amount), b.zext(b.extract(e, 6, 1), 16))
        return b.trunc(d.umin(d.smax(total, const(0, 16)), const(255, 16)), 8)

    assert isinstance(prove([Obligation(_YES, shifted(clamped), shifted(other))]), Proved)
    assert isinstance(prove([Obligation(_YES, shifted(clamped), shifted(high))]), Refuted)


@pytest.mark.parametrize(
    ("inner", "outer", "as_if"),
    [(9, "sext", "sext"), (10, "sext", "zext"), (9, "zext", "zext"), (12, "zext", "zext")],
)
def test_a_factor_that_is_shifted_up_is_the_product_shifted_up(
    inner: int, outer: str, as_if: str
) -> None:
    """A factor of 9 bits, extended with its sign, keeps that of the byte in it; of 10 bits it has
    none.
    """
    x, y = var("x", 8), b.sext(var("y", 8), 33)
    one = const(1, 33)
    twice = getattr(b, outer)(b.shl(b.zext(x, inner), const(1, inner)), 33)
    for other in ("sext", "zext"):
        shifted = b.shl(b.mul(getattr(b, other)(x, 33), y), one)
        freed = without_products(b.ne(b.mul(twice, y), shifted))
        assert freed is not None
        assert (freed.is_const and freed.value == 0) is (other == as_if)
        verdict = prove([Obligation(_YES, b.mul(twice, y), shifted)])
        assert isinstance(verdict, Proved if other == as_if else Refuted)
    both = b.mul(twice, b.shl(y, const(3, 33)))
    assert isinstance(prove([Obligation(_YES, both, b.shl(b.mul(twice, y), const(3, 33)))]), Proved)


def test_a_rounded_product_of_words_is_the_same_with_one_factor_doubled() -> None:
    """The high half of twice a product, as one instruction has it, and bits of the product."""
    x, y = var("x", 32), var("y", 32)
    twice = b.sext(b.shl(b.zext(x, 33), const(1, 33)), 65)
    high = b.extract(b.add(b.mul(twice, b.sext(y, 65)), const(1 << 31, 65)), 32, 33)
    plain = b.add(b.mul(b.sext(x, 64), b.sext(y, 64)), const(1 << 30, 64))
    assert isinstance(prove([Obligation(_YES, high, b.extract(plain, 31, 33))]), Proved)
