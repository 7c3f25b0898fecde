"""Simplifying constructors equal the raw terms, exhaustively for small widths and on random
terms.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.interp.lanes import NumpyLanes, pack
from isel.ir.build import all_of, any_of, make
from isel.ir.canon import canonical, instantiate, matched, rename
from isel.ir.expr import Expr, const, elem, leaves, substitute, term, var
from isel.ir.ops import OPS, WidthError, signed
from isel.rules import derived
from tests.ir.terms import (
    COMPARE,
    SAME,
    every_application,
    random_term,
    random_values,
    seeds,
    widths,
)


@given(seeds, widths)
def test_simplified_equals_raw(seed: int, width: int) -> None:
    rng = random.Random(seed)
    raw = random_term(rng, width, 5)
    simple = substitute(raw, {}, make)
    assert simple.width == raw.width
    for _ in range(8):
        env = random_values(rng, raw)
        assert evaluate(simple, env, Integer()) == evaluate(raw, env, Integer())


@pytest.mark.parametrize("op", [*SAME, *COMPARE])
def test_constant_operands_exhaustively(op: str) -> None:
    """Every rule that fires on a constant operand holds for every value of the other one."""
    for w in (1, 2, 3):
        a = var("a", w)
        for v, x in itertools.product(range(1 << w), repeat=2):
            for args in ((a, const(v, w)), (const(v, w), a)):
                assert evaluate(make(op, args), {a: x}, Integer()) == evaluate(
                    term(op, *args), {a: x}, Integer()
                ), (op, args, x)


@pytest.mark.parametrize("op", [*SAME, *COMPARE])
def test_equal_operands(op: str) -> None:
    for w in (1, 2, 4):
        a = var("a", w)
        for x in range(1 << w):
            assert evaluate(make(op, (a, a)), {a: x}, Integer()) == evaluate(
                term(op, a, a), {a: x}, Integer()
            )


@pytest.mark.parametrize("outer", ["extract", "zext", "sext"])
@pytest.mark.parametrize("inner", ["extract", "zext", "sext", "concat"])
def test_casts_of_casts_exhaustively(inner: str, outer: str) -> None:
    w = 3
    for name, args, attr in every_application(w):
        if name != inner:
            continue
        below = make(name, args, attr)
        outers = (
            [(low, n) for low in range(below.width) for n in range(1, below.width - low + 1)]
            if outer == "extract"
            else [(below.width + 1,), (below.width + 3,)]
        )
        for a2 in outers:
            simple, raw = (
                make(outer, (below,), a2),
                term(outer, term(name, *args, attr=attr), attr=a2),
            )
            names = leaves(raw)
            for values in itertools.product(range(1 << w), repeat=len(names)):
                env = dict(zip(names, values, strict=True))
                assert evaluate(simple, env, Integer()) == evaluate(raw, env, Integer()), (raw, env)


@pytest.mark.parametrize("op", ["shl", "lshr", "ashr"])
def test_stacked_shifts(op: str) -> None:
    for w in (1, 2, 3, 4):
        a = var("a", w)
        for i, j, x in itertools.product(range(1 << w), repeat=3):
            simple = make(op, (make(op, (a, const(i, w))), const(j, w)))
            raw = term(op, term(op, a, const(i, w)), const(j, w))
            assert evaluate(simple, {a: x}, Integer()) == evaluate(raw, {a: x}, Integer()), (
                op,
                w,
                i,
                j,
                x,
            )


def _value(e: Expr, **values: int) -> int:
    return evaluate(e, {x: values[x.source] & ((1 << x.width) - 1) for x in leaves(e)}, Integer())


def _clamp(v: int, low: int, high: int) -> int:
    return max(low, min(high, v))


def test_derived_operations_against_python() -> None:
    w, top = 4, 15
    a, b = var("a", w), var("b", w)
    meanings: dict[Callable[[Expr, Expr], Expr], Callable[[int, int], int]] = {
        derived.umin: lambda x, y: min(x, y),
        derived.umax: lambda x, y: max(x, y),
        derived.smin: lambda x, y: min(signed(x, w), signed(y, w)),
        derived.smax: lambda x, y: max(signed(x, w), signed(y, w)),
        derived.sadd_sat: lambda x, y: _clamp(signed(x, w) + signed(y, w), -8, 7),
        derived.ssub_sat: lambda x, y: _clamp(signed(x, w) - signed(y, w), -8, 7),
        derived.uadd_sat: lambda x, y: min(x + y, top),
        derived.usub_sat: lambda x, y: max(x - y, 0),
        derived.uavg: lambda x, y: (x + y + 1) // 2,
        derived.uabsdiff: lambda x, y: abs(x - y),
        derived.smulhi: lambda x, y: (signed(x, w) * signed(y, w)) >> w,
        derived.umulhi: lambda x, y: (x * y) >> w,
        derived.smulhrs: lambda x, y: (((signed(x, w) * signed(y, w)) >> (w - 2)) + 1) >> 1,
        derived.sign: lambda x, y: x if signed(y, w) > 0 else 0 if y == 0 else -x,
    }
    for fn, meaning in meanings.items():
        e = fn(a, b)
        for x, y in itertools.product(range(1 << w), repeat=2):
            assert _value(e, a=x, b=y) == meaning(x, y) & top, (fn.__name__, x, y)


def test_derived_bit_operations_against_python() -> None:
    w = 8
    a = var("a", w)
    for x in range(1 << w):
        bits = f"{x:08b}"
        assert _value(derived.sabs(a), a=x) == abs(signed(x, w)) & 255
        assert _value(derived.popcount(a), a=x) == x.bit_count()
        assert _value(derived.ctlz(a), a=x) == len(bits) - len(bits.lstrip("0"))
        assert _value(derived.cttz(a), a=x) == len(bits) - len(bits.rstrip("0"))
        assert _value(derived.bitreverse(a), a=x) == int(bits[::-1], 2)
    assert _value(derived.bswap(var("a", 32)), a=0x01020304) == 0x04030201


@pytest.mark.parametrize("w", [3, 4])
def test_funnel_shifts_against_python(w: int) -> None:
    a, b, c = var("a", w), var("b", w), var("c", w)
    for x, y, n in itertools.product(range(1 << w), repeat=3):
        k, wide = n % w, x << w | y
        assert _value(derived.fshl(a, b, c), a=x, b=y, c=n) == (wide << k >> w) & ((1 << w) - 1)
        assert _value(derived.fshr(a, b, c), a=x, b=y, c=n) == (wide >> k) & ((1 << w) - 1)


def test_saturating_narrowing_against_python() -> None:
    a = var("a", 6)
    for x in range(64):
        s = signed(x, 6)
        assert _value(derived.sat_s(a, 4), a=x) == _clamp(s, -8, 7) & 15
        assert _value(derived.sat_su(a, 4), a=x) == _clamp(s, 0, 15)
        assert _value(derived.sat_u(a, 4), a=x) == min(x, 15)


def test_truth_tables_and_picks() -> None:
    a, b, c = var("a", 1), var("b", 1), var("c", 1)
    for table in range(256):
        for x, y, z in itertools.product((0, 1), repeat=3):
            assert (
                _value(derived.truth(a, b, c, table), a=x, b=y, c=z)
                == table >> (4 * x + 2 * y + z) & 1
            )
    entries = [const(v, 8) for v in (9, 4, 1, 7)]
    for i, entry in enumerate(entries):
        assert _value(derived.pick(entries, var("i", 2)), i=i) == entry.value


def test_any_and_all() -> None:
    a, b = var("a", 1), var("b", 1)
    assert any_of() is const(0, 1)
    assert all_of() is const(1, 1)
    for x, y in itertools.product((0, 1), repeat=2):
        assert _value(any_of(a, b, a), a=x, b=y) == (x | y)
        assert _value(all_of(a, b, a), a=x, b=y) == (x & y)


@given(seeds, widths)
def test_canonical_terms_are_shared_up_to_renaming(seed: int, width: int) -> None:
    e = random_term(random.Random(seed), width, 4)
    form, holes = canonical(e)
    moved = rename(e, {x: var(f"other{i}", x.width) for i, x in enumerate(holes)})
    assert canonical(moved)[0] is form
    assert (matched(form, e), matched(form, moved)) == (holes, leaves(moved))
    back = rename(form, dict(zip(leaves(form), holes, strict=True)))
    assert back is e


@given(seeds, seeds)
def test_terms_match_their_own_canonical_term_only(seed: int, other: int) -> None:
    """Small terms of two leaves, so that many pairs are equal, or equal but for which leaves
    are one.
    """
    a, b = (
        rename(random_term(random.Random(s), 1, 2), {var("p.x", 1): elem("v", s % 2, 1)})
        for s in (seed, other)
    )
    assert matched(canonical(a)[0], b) == (
        leaves(b) if canonical(b)[0] is canonical(a)[0] else None
    )


def test_leaves_that_are_one_in_only_one_of_two_terms_do_not_match() -> None:
    x, y, z = (elem("v", 8 * k, 8) for k in range(3))
    two, one = canonical(term("add", x, y))[0], canonical(term("add", x, x))[0]
    assert matched(two, term("add", y, z)) == (y, z) and matched(one, term("add", z, z)) == (z,)
    assert matched(two, term("add", z, z)) is None and matched(one, term("add", x, y)) is None
    assert (
        matched(two, term("sub", x, y)) is None
        and matched(two, term("add", x, const(1, 8))) is None
        and matched(two, x) is None
    )


def test_instantiate_simplifies() -> None:
    x, y = var("x", 8), var("y", 8)
    assert instantiate(term("add", x, y), {y: const(0, 8)}) is x


def test_commuted_operands_meet() -> None:
    a, b = var("a", 8), elem("b", 16, 8)
    for op, row in OPS.items():
        if row.commutes:
            assert make(op, (a, b)) is make(op, (b, a))


@pytest.mark.parametrize(
    ("op", "widths_", "attr"),
    [
        ("add", (8, 9), ()),
        ("add", (8,), ()),
        ("zext", (8,), (8,)),
        ("zext", (8,), (4,)),
        ("extract", (8,), (4, 5)),
        ("extract", (8,), (0, 0)),
        ("ite", (2, 8, 8), ()),
    ],
)
def test_ill_typed_terms_are_refused(
    op: str, widths_: tuple[int, ...], attr: tuple[int, ...]
) -> None:
    with pytest.raises(WidthError):
        term(op, *(var(f"x{i}", w) for i, w in enumerate(widths_)), attr=attr)


def test_wide_values_in_numpy() -> None:
    a = var("a", 128)
    e = make("mul", (a, a))
    big = (1 << 127) | 12345
    assert int(evaluate(e, {a: pack([big], 128)}, NumpyLanes())[0]) == big * big % (1 << 128)
    assert np.asarray(pack([3], 8)).dtype == np.uint8
