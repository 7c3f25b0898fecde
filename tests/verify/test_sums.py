"""Sums as unknowns within their bounds: what is proved so is right, and what needs only the sum
is proved at once.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isel.ir import build as b
from isel.ir.expr import Expr, const, leaves, var
from isel.model.verdict import Proved, Refuted
from isel.smt.enumeration import enumerate_inputs
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat
from isel.verify.prove import Obligation, prove
from isel.verify.sums import without_sums

_YES = const(1, 1)
_BYTES = [b.zext(var(f"x{i}", 8), 16) for i in range(9)]


class _Silent:
    """A checker that knows nothing."""

    def check(self, _: Query) -> Answer:
        return GaveUp("silent")


def _total(terms: list[Expr]) -> Expr:
    result = terms[0]
    for t in terms[1:]:
        result = b.add(result, t)
    return result


def _high(x: Expr, factor: int) -> Expr:
    return b.extract(b.mul(b.zext(x, 32), const(factor, 32)), 16, 16)


def test_a_mean_of_nine_bytes_needs_no_solver() -> None:
    """The division as Halide writes it, and as one product of the negated sum."""
    total = b.add(_total(_BYTES), const(4, 16))
    halide = b.lshr(_high(total, 58255), const(3, 16))
    negated = b.sub(const(0xFFFF, 16), _total(_BYTES[::-1]))
    other = b.extract(
        b.mul(b.sext(b.sub(negated, const(4, 16)), 32), const(-7281 & 0xFFFFFFFF, 32)), 16, 16
    )
    assert isinstance(prove([Obligation(_YES, halide, other)], checker=_Silent()), Proved)
    wrong = b.lshr(_high(total, 58000), const(3, 16))
    assert isinstance(prove([Obligation(_YES, halide, wrong)], checker=_Silent()), Refuted)


def test_sums_inside_of_what_is_added_up() -> None:
    """A mean of nine bytes is added to a byte, and the sum is halved: both sides have the mean
    in other words.
    """
    total, byte = b.add(_total(_BYTES), const(4, 16)), b.zext(var("y", 8), 16)
    halide = b.lshr(_high(total, 58255), const(3, 16))
    other = _high(total, 7281 + 1)
    left, right = (b.lshr(b.add(m, byte), const(1, 16)) for m in (halide, other))
    assert isinstance(prove([Obligation(_YES, left, right)], checker=_Silent()), Proved)
    freed = without_sums(b.ne(left, right), innermost=True)
    assert freed is not None
    assert sorted(x.width for x in leaves(freed)) == [8, 12]


def test_sums_that_differ_by_a_constant_or_a_factor_share_an_unknown() -> None:
    s = _total(_BYTES[:3])
    twice = b.shl(b.add(b.neg(s), const(5, 16)), const(1, 16))
    freed = without_sums(b.eq(b.lshr(s, const(2, 16)), b.lshr(twice, const(3, 16))))
    assert freed is not None
    assert [x.width for x in leaves(freed)] == [10]


def test_a_sum_that_wraps_before_its_extension_is_no_sum_after_it() -> None:
    x, y = var("x", 8), var("y", 8)
    wrapped, whole = b.zext(b.add(x, y), 16), b.add(b.zext(x, 16), b.zext(y, 16))
    freed = without_sums(b.ne(wrapped, whole))
    assert freed is not None and not freed.is_const
    assert isinstance(prove([Obligation(_YES, wrapped, whole)]), Refuted)
    assert without_sums(b.ne(b.extract(whole, 0, 8), b.add(x, y))) is const(0, 1)


def test_products_in_half_the_width_are_those_of_the_whole() -> None:
    """Two of them are one more than has a sign there; what makes them positive is taken off."""
    pairs = [(var(f"x{i}", 16), var(f"y{i}", 16)) for i in range(4)]
    whole = _total([b.mul(b.sext(x, 64), b.sext(y, 64)) for x, y in pairs])
    half = [b.mul(b.sext(y, 32), b.sext(x, 32)) for x, y in pairs]

    def made(more: int) -> Expr:
        two = [b.add(b.add(*half[k : k + 2]), const(more, 32)) for k in (0, 2)]
        return b.sub(_total([b.zext(x, 64) for x in two]), const(2 * more, 64))

    less = (1 << 31) - 1
    assert isinstance(prove([Obligation(_YES, whole, made(less))], checker=_Silent()), Proved)
    for more in (0, 1 << 31, less - (1 << 17)):
        assert not isinstance(
            prove([Obligation(_YES, whole, made(more))], checker=_Silent()), Proved
        )


def test_without_sums_there_is_nothing_to_do() -> None:
    x, y = var("x", 8), var("y", 8)
    assert without_sums(b.eq(b.band(x, y), b.add(x, const(3, 8)))) is None


_LEAVES = [var(n, 3) for n in "xyz"]


def _terms(width: int, depth: int) -> st.SearchStrategy[Expr]:
    """Terms of linear and other operations over three leaves of three bits."""
    narrow = st.sampled_from(_LEAVES)
    ends = st.builds(
        lambda x, op: op(x, width),
        narrow,
        st.sampled_from([b.zext, b.sext]) if width > 3 else st.just(lambda x, _: x),
    )
    if depth == 0:
        return ends
    smaller = _terms(width, depth - 1)
    two = st.builds(
        lambda op, x, y: op(x, y),
        st.sampled_from([b.add, b.add, b.sub, b.band, b.lshr]),
        smaller,
        smaller,
    )
    scaled = st.builds(
        lambda op, x, k: op(x, const(k, width)),
        st.sampled_from([b.mul, b.shl, b.add, b.ashr]),
        smaller,
        st.integers(0, 7),
    )
    cast = (
        st.builds(
            lambda x, op: op(b.trunc(x, 4), width), smaller, st.sampled_from([b.zext, b.sext])
        )
        if width > 4
        else smaller
    )
    return st.one_of(two, scaled, cast, ends)


@settings(max_examples=30)
@given(
    st.sampled_from([b.eq, b.ult, b.slt]),
    st.sampled_from([3, 5, 6]).flatmap(lambda w: st.tuples(_terms(w, 3), _terms(w, 3))),
)
def test_nothing_that_can_be_is_lost(compare: object, sides: tuple[Expr, Expr]) -> None:
    """Where some input makes a term 1, some value of the unknowns does."""
    assert callable(compare)
    bit = compare(*sides)
    for term, innermost in itertools.product((bit, b.bnot(bit)), (False, True)):
        freed = without_sums(term, innermost=innermost)
        if freed is not None and isinstance(enumerate_inputs(term), Sat):
            assert not isinstance(enumerate_inputs(freed), Unsat)


@pytest.mark.parametrize("high", [254, 255])
def test_bounds_are_those_of_the_sum(high: int) -> None:
    x, y = (b.zext(var(n, 7), 9) for n in "xy")
    verdict = prove(
        [Obligation(_YES, b.ult(const(high, 9), b.add(x, b.add(y, const(1, 9)))), const(0, 1))]
    )
    assert isinstance(verdict, Proved if high == 255 else Refuted)


@pytest.mark.parametrize("op", ["ult", "ule", "slt", "sle"])
@pytest.mark.parametrize("width", [3, 4, 6])
def test_a_comparison_of_sums_is_the_sign_of_their_difference_where_none_wraps(
    op: str, width: int
) -> None:
    """Whatever makes the comparison 1, or 0, does so for some value of the sums; where nothing
    wraps nothing else does.
    """
    x, y, z = (b.zext(var(n, 3), width) for n in "xyz")
    compared = b.make(op, (b.add(x, y), b.add(z, const(2, width))))
    for bit in (compared, b.bnot(compared)):
        freer = without_sums(bit)
        assert isinstance(enumerate_inputs(bit if freer is None else freer), Sat)
    wide = b.make(
        "slt" if op in ("ult", "slt") else "sle",
        (
            b.sub(b.add(b.zext(x, 12), b.zext(y, 12)), b.add(b.zext(z, 12), const(2, 12))),
            const(0, 12),
        ),
    )
    freer = without_sums(b.ne(compared, wide))
    wraps = width == 3 or (width == 4 and op in ("slt", "sle"))
    assert isinstance(enumerate_inputs(b.ne(compared, wide)), Sat if wraps else Unsat)
    assert freer is not None or wraps
    assert isinstance(
        enumerate_inputs(b.ne(compared, wide) if freer is None else freer), Sat if wraps else Unsat
    )
