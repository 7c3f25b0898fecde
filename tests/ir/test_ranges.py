"""Ranges hold every value: against all values at small widths, against samples and a solver above."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir import spans
from isel.ir.domain import Range, both, either, full, literal, reduced
from isel.ir.expr import Expr, const, postorder, term, var
from isel.ir.ops import OPS, apply_integer, signed
from isel.ir.ranges import Ranges, decide, fits, range_of, ranges_where
from isel.ir.transfer import TRANSFER, Transfer
from isel.rules import derived as d
from isel.rules.spans import range_of_operation
from isel.smt.portfolio import default_portfolio
from isel.smt.query import Query, Unsat
from tests.ir.terms import every_application, random_term, random_values, seeds, widths

_SEED = 20260716
A, B = var("a", 8), var("b", 8)
FAR = b.sub(b.sext(A, 16), b.sext(B, 16))
Table = Mapping[str, Transfer]


def holds(r: Range, v: int) -> bool:
    """Tell whether a value is in every part of a range."""
    s = signed(v, r.width)
    inside = r.unsigned[0] <= v <= r.unsigned[1] and r.signed[0] <= s <= r.signed[1]
    return inside and not v & r.zeros and not ~v & r.ones


def values(r: Range) -> list[int]:
    return [v for v in range(1 << r.width) if holds(r, v)]


def known_of(e: Expr, given: Mapping[Expr, Range]) -> dict[Expr, Range]:
    """Return ranges of all parts of a term, where those of leaves are given."""
    known = dict(given)
    for x in postorder([e]):
        if x not in known:
            known[x] = TRANSFER[x.op](x, known) if x.args else literal(x.value, x.width)
    return known


def every_range(width: int) -> list[Range]:
    """Return a range for each unsigned interval, each signed one and all known bits."""
    n = 1 << width
    ends = [(x, y) for x in range(n) for y in range(x, n)]
    found = [reduced(width, u=e) for e in ends]
    found += [reduced(width, s=(x - n // 2, y - n // 2)) for x, y in ends]
    found += [reduced(width, zeros=x, ones=y) for x in range(n) for y in range(n) if not x & y]
    return list(dict.fromkeys(r for r in found if r is not None))


def mixed(rng: random.Random, width: int) -> Range:
    """Return a range that has a random value: intervals around it and some of its bits."""
    n = 1 << width
    v = rng.randrange(n)
    s = signed(v, width)
    bits = rng.randrange(n) & rng.randrange(n)
    u = (rng.randint(0, v), rng.randint(v, n - 1))
    about = (rng.randint(-(n // 2), s), rng.randint(s, n // 2 - 1))
    parts = (u if rng.random() < 0.7 else None, about if rng.random() < 0.5 else None)
    found = reduced(width, *parts, ~v & bits, v & bits)
    assert found is not None
    return found


def applications(width: int) -> Iterator[Expr]:
    """Yield every primitive over variables, choices by what they choose among, slices of shifts."""
    for op, args, attr in every_application(width):
        yield term(op, *args, attr=attr)
    x, y = var("a", width), var("b", width)
    yield term("mul", x, x)
    for op in ("eq", "ult", "ule", "slt", "sle"):
        for c in (term(op, x, y), term("not", term(op, y, x))):
            yield term("ite", c, x, y)
            yield term("ite", c, y, x)
            yield term("ite", c, term("sub", x, y), y)
    for k in range(width):
        shifted = term("lshr", x, const(k, width))
        for w in range(1, width - k + 1):
            yield term("extract", shifted, attr=(0, w))


def wrong(e: Expr, given: Mapping[Expr, Range], table: Table) -> str | None:
    """Return the innermost operator of a term of which the table's range lacks a value."""
    known: dict[Expr, Range] = dict(given)
    order = [x for x in postorder([e]) if x not in known]
    for x in order:
        known[x] = table[x.op](x, known) if x.args else literal(x.value, x.width)
    for point in product(*(values(r) for r in given.values())):
        at = dict(zip(given, point, strict=True))
        for x in order:
            args = [at[a] for a in x.args]
            widths = [a.width for a in x.args]
            at[x] = apply_integer(OPS[x.op], args, widths, x.attr) if x.args else x.value
            if not holds(known[x], at[x]):
                return x.op
    return None


def leaves_of(e: Expr) -> list[Expr]:
    return [x for x in postorder([e]) if x.is_leaf]


def mistakes(table: Table, width: int, count: int) -> set[str]:
    """Return the operators of which a range of some random operands does not hold."""
    rng = random.Random(_SEED + width)
    found: set[str] = set()
    for e in applications(width):
        for _ in range(count):
            op = wrong(e, {x: mixed(rng, x.width) for x in leaves_of(e)}, table)
            if op is not None:
                found.add(op)
                break
    return found


@pytest.mark.parametrize("width", [1, 2, 3])
def test_transfer_functions_hold_at_small_widths(width: int) -> None:
    assert mistakes(TRANSFER, width, 12) == set()


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_transfer_functions_hold_for_all_ranges(width: int) -> None:
    every = {w: every_range(w) for w in (1, width)}
    rng = random.Random(_SEED)
    for e in applications(width):
        leaves = leaves_of(e)
        rows = list(product(*(every[x.width] for x in leaves)))
        for row in rows if len(rows) <= 800 else rng.sample(rows, 800):
            assert wrong(e, dict(zip(leaves, row, strict=True)), TRANSFER) is None, f"{e}: {row}"
    assert mistakes(TRANSFER, width, 100) == set()


@pytest.mark.parametrize("op", sorted(TRANSFER))
def test_a_wrong_transfer_function_is_found(op: str) -> None:
    """One that forgets the greatest value, or where there is one value only, takes another."""

    def forgets(e: Expr, known: Mapping[Expr, Range]) -> Range:
        r = TRANSFER[op](e, known)
        low, high = r.unsigned
        return literal(low ^ 1, r.width) if low == high else reduced(r.width, (low, high - 1)) or r

    assert mistakes({**TRANSFER, op: forgets}, 3, 12) == {op}


def test_what_is_reduced_has_the_same_values() -> None:
    rng = random.Random(_SEED)
    for _ in range(600):
        w = rng.randint(1, 4)
        n = 1 << w
        u, s = (sorted(rng.randrange(n) for _ in range(2)) for _ in range(2))
        zeros, ones = rng.randrange(n) & rng.randrange(n), rng.randrange(n) & rng.randrange(n)
        raw = Range(w, (u[0], u[1]), (s[0] - n // 2, s[1] - n // 2), zeros, ones)
        found = reduced(w, raw.unsigned, raw.signed, zeros, ones)
        assert values(raw) == ([] if found is None else values(found))
        other = mixed(rng, w)
        met = None if found is None else both(found, other)
        assert [v for v in values(raw) if holds(other, v)] == ([] if met is None else values(met))
        if found is not None:
            joined = either(found, other)
            assert all(holds(joined, v) for v in (*values(found), *values(other)))


@given(seeds, widths)
def test_values_lie_in_their_ranges(seed: int, width: int) -> None:
    rng = random.Random(seed)
    e = random_term(rng, width, 4)
    for _ in range(4):
        for x, v in evaluate_all([e], random_values(rng, e), Integer()).items():
            assert holds(range_of(x), v), f"{x} is {v}"


@pytest.mark.parametrize("width", [8, 16, 32])
def test_a_solver_finds_no_value_outside(width: int) -> None:
    """No rule and no range is behind the question: raw terms, as they are."""
    rng, solver = random.Random(_SEED + width), default_portfolio(1)
    asked = 0
    while asked < 60:
        e = random_term(rng, width, 4)
        r = range_of(e)
        if r == full(width):
            continue
        c = [const(v, width) for v in (*r.unsigned, *r.signed, r.zeros, r.zeros | r.ones, r.ones)]
        outside = [
            term("ult", e, c[0]),
            term("ult", c[1], e),
            term("slt", e, c[2]),
            term("slt", c[3], e),
        ]
        outside.append(term("not", term("eq", term("and", e, c[5]), c[6])))
        for bit in outside:
            answer = solver.check(Query((bit,)))
            assert isinstance(answer, Unsat), f"{e} in {r}: {answer}"
        asked += 1


def _sums() -> st.SearchStrategy[Expr]:
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


def _value(e: Expr, x: int, y: int) -> int:
    env = {k: v for k, v in ((A, x), (B, y)) if k in leaves_of(e)}
    return int(evaluate_all([e], env, Integer())[e])


@given(_sums(), _sums(), st.integers(0, 255), st.integers(0, 255))
def test_deciding_keeps_the_value(left: Expr, right: Expr, x: int, y: int) -> None:
    for less in (b.slt, b.ult):
        e = b.ite(less(left, right), left, b.sub(right, left))
        assert _value(decide(e), x, y) == _value(e, x, y)


@given(_sums(), st.integers(0, 255), st.integers(0, 255), st.integers(0, 255), st.integers(0, 255))
def test_deciding_keeps_the_value_where_facts_hold(e: Expr, x: int, y: int, p: int, q: int) -> None:
    lowest, highest = min(x, p), max(x, q)
    fact = b.band(b.ule(const(lowest, 8), A), b.ule(A, const(highest, 8)))
    other = b.bor(b.eq(B, const(y, 8)), b.sle(B, const(-100, 8)))
    known = b.ite(b.slt(e, const(30, 16)), e, b.neg(e))
    assert _value(ranges_where((fact, other)).decide(known), x, y) == _value(known, x, y)


def test_a_clamp_that_cannot_matter_goes() -> None:
    product = b.ashr(b.mul(b.sext(A, 16), b.sext(B, 16)), const(6, 16))
    assert decide(d.smax(product, const(-300, 16))) is product
    assert decide(d.smax(product, const(-200, 16))) is not product


def test_facts_narrow_what_they_are_about() -> None:
    fact = b.band(b.ule(const(3, 8), A), b.ult(A, const(9, 8)))
    assert Ranges([fact]).of(A).unsigned == (3, 8)
    assert Ranges([fact]).of(b.add(A, B)) == full(8)
    assert Ranges([b.bor(b.eq(A, const(4, 8)), b.eq(A, const(6, 8)))]).of(A).unsigned == (4, 6)
    assert Ranges([b.bnot(b.slt(A, const(0, 8)))]).of(b.sext(A, 16)).unsigned == (0, 127)
    assert ranges_where([fact]).decide(d.umin(A, const(9, 8))) is A
    assert ranges_where([fact]).decide(d.umin(A, const(7, 8))) is not A
    assert decide(fact) is fact


@pytest.mark.parametrize(
    ("e", "unsigned", "low_zeros"),
    [
        (b.add(b.zext(A, 16), b.zext(B, 16)), (0, 510), 0),
        (b.sub(b.zext(A, 16), const(300, 16)), (65236, 65491), 0),
        (b.mul(b.shl(A, const(3, 8)), b.shl(B, const(2, 8))), (0, 224), 5),
        (b.mul(b.sext(A, 16), b.sext(A, 16)), (0, 1 << 14), 0),
        (b.concat(b.shl(A, const(3, 8)), const(0, 4)), (0, 0xF80), 7),
        (d.umin(A, const(9, 8)), (0, 9), 0),
        (b.make("urem", (A, const(10, 8))), (0, 9), 0),
        (b.trunc(b.lshr(b.mul(b.zext(A, 16), b.zext(B, 16)), const(8, 16)), 8), (0, 254), 0),
        (b.ashr(b.sext(A, 16), const(15, 16)), (0, 65535), 0),
        (b.bor(b.band(A, const(0x30, 8)), const(0x80, 8)), (0x80, 0xB0), 4),
        (b.ite(b.slt(FAR, const(0, 16)), b.neg(FAR), FAR), (0, 255), 0),
    ],
    ids=str,
)
def test_ranges_are_as_small_as_is_promised(e: Expr, unsigned: spans.Span, low_zeros: int) -> None:
    assert (range_of(e).unsigned, range_of(e).low_zeros) == (unsigned, low_zeros)


CHOICES = [
    (order, turned, swapped)
    for order in ("ult", "ule", "slt", "sle")
    for turned in (0, 1)
    for swapped in (0, 1)
]


@pytest.mark.parametrize(("order", "turned", "swapped"), CHOICES)
def test_a_difference_of_what_is_compared_holds_and_is_small(
    order: str, turned: int, swapped: int
) -> None:
    """``x - y`` where ``x`` is the greater does not wrap; for all operands and ranges of them."""
    x, y = var("x", 4), var("y", 4)
    c = term(order, *((y, x) if turned else (x, y)))
    e = b.ite(c, b.sub(*((y, x) if swapped else (x, y))), const(3, 4))
    small = 0
    for p, q in product(every_range(4)[::7], repeat=2):
        found = known_of(e, {x: p, y: q})[e]
        small += found.unsigned[1] - found.unsigned[0] < 15
        for i, j in product(values(p), values(q)):
            assert holds(found, evaluate_all([e], {x: i, y: j}, Integer())[e]), (p, q, i, j)
    assert small > 100


@pytest.mark.parametrize("swapped", [0, 1])
def test_a_difference_of_what_is_not_equal_may_wrap(swapped: int) -> None:
    x, y = var("x", 4), var("y", 4)
    e = b.ite(b.eq(x, y), const(3, 4), b.sub(*((y, x) if swapped else (x, y))))
    for p, q in product(every_range(4)[::7], repeat=2):
        found = known_of(e, {x: p, y: q})[e]
        for i, j in product(values(p), values(q)):
            assert holds(found, evaluate_all([e], {x: i, y: j}, Integer())[e]), (p, q, i, j)


def test_a_saturating_difference_is_at_most_what_is_subtracted_from() -> None:
    low = reduced(16, (0, 255))
    assert low is not None
    assert range_of_operation("usub_sat", (), (low, full(16))).unsigned == (0, 255)
    assert range_of_operation("uabsdiff", (), (low, low)).unsigned == (0, 255)
    assert range_of_operation("usub_sat", (), (full(16), low)).unsigned == (0, 65535)


def test_a_sum_fits_where_no_value_wraps() -> None:
    x, y = b.zext(A, 9), b.zext(B, 9)
    assert fits("add", x, y, signed=False)
    assert not fits("add", x, y, signed=True)
    assert fits("sub", x, y, signed=True)
    assert not fits("mul", x, y, signed=False)


def _mixture(w: int, c: int, form: str, *, more: int = 0) -> Expr:
    """Return a*x + (c-a)*y of values of two bits in ``w`` bits, with weights at most ``c``."""
    a, x, y = (b.zext(var(n, 2), w) for n in "axy")
    rest = {
        "sub": b.sub(const(c, w), a),
        "xor": b.bxor(a, const(c, w)),
        "not": b.zext(b.bnot(var("a", 2)), w),
    }[form]
    return b.add(b.add(b.mul(a, x), const(more, w)), b.mul(y, rest))


@pytest.mark.parametrize("form", ["sub", "xor", "not"])
@pytest.mark.parametrize("more", [0, 3, 15])
def test_weights_that_sum_to_a_literal_bound_a_sum(form: str, more: int) -> None:
    """Every value is in the range, and where nothing wraps nothing else is."""
    e = _mixture(5, 3, form, more=more)
    found = range_of(e)
    seen = {
        evaluate_all([e], dict(zip((var(n, 2) for n in "axy"), v, strict=True)), Integer())[e]
        for v in product(range(4), repeat=3)
    }
    assert all(holds(found, v) for v in seen)
    assert found.unsigned == (min(seen), max(seen)) == (more, more + 9)


def test_weights_beyond_their_sum_bound_nothing() -> None:
    """(2-a) is negative where a is 3."""
    e = _mixture(5, 2, "sub")
    assert range_of(e).unsigned == (0, 31)


def test_signed_means_are_between_their_values() -> None:
    a, x, y = b.zext(var("a", 2), 8), b.sext(var("x", 2), 8), b.sext(var("y", 2), 8)
    e = b.add(b.mul(a, x), b.mul(b.sub(const(3, 8), a), y))
    assert range_of(e).signed == (-6, 3)
