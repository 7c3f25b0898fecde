"""Sums equal their terms, modulo any width, and overflow is never assumed away."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.expr import Expr, const, leaves, unseen, var
from isel.ir.linear import Atom, Linear, linear
from tests.ir.terms import random_term, random_values, seeds, widths

X, Y, Z = var("x", 8), var("y", 8), var("z", 32)
A, B, C = Atom(X, signed=False), Atom(Y, signed=True), Atom(Z, signed=False)


def _sums() -> st.SearchStrategy[Expr]:
    narrow = b.mul(b.zext(X, 16), const(3, 16))
    leaf = st.sampled_from(
        [b.zext(X, 32), b.sext(Y, 32), b.zext(narrow, 32), Z, const(7, 32), const(-5, 32)]
    )

    def grow(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        two = st.tuples(inner, inner)
        return st.one_of(
            two.map(lambda p: b.add(*p)),
            two.map(lambda p: b.sub(*p)),
            two.map(lambda p: b.mul(*p)),
            inner.map(lambda e: b.shl(e, const(2, 32))),
            inner.map(b.neg),
            inner.map(lambda e: b.sext(b.trunc(e, 16), 32)),
            inner.map(lambda e: b.zext(b.trunc(e, 12), 32)),
        )

    return st.recursive(leaf, grow, max_leaves=7)


def _same(e: Expr, made: Expr, width: int, values: dict[Expr, int]) -> bool:
    env = {x: values[x] for x in leaves(e, made)}
    found = evaluate_all([e, made], env, Integer())
    return (found[e] - found[made]) % (1 << width) == 0


@given(_sums(), st.sampled_from([1, 2]), st.sampled_from([5, 12, 16, 32]), seeds)
def test_a_sum_is_its_term(e: Expr, degree: int, width: int, seed: int) -> None:
    values = random_values(random.Random(seed), X, Y, Z)
    assert _same(e, linear(e, degree=degree).term(32), 32, values)
    assert _same(e, linear(e, degree=degree, width=width).term(width), width, values)
    assert _same(e, linear(e, degree=degree).modulo(width).term(width), width, values)


@given(seeds, widths)
def test_a_sum_is_its_term_whatever_that_is(seed: int, width: int) -> None:
    rng = random.Random(seed)
    e = random_term(rng, width, 5)
    values = random_values(rng, e)
    for degree in (1, 2):
        assert _same(e, linear(e, degree=degree).term(width), width, values)


@given(_sums(), seeds)
def test_the_value_is_within_the_bounds(e: Expr, seed: int) -> None:
    form = linear(e, degree=2)
    low, high = form.bounds()
    values = random_values(random.Random(seed), X, Y, Z)
    wide = evaluate_all([form.term(200)], values, Integer())[form.term(200)]
    assert low <= (wide - (1 << 200) if wide >> 199 else wide) <= high


def test_parts_are_collected_in_the_order_of_their_appearance() -> None:
    x, y = b.zext(X, 32), b.sext(Y, 32)
    e = b.sub(
        b.add(b.mul(x, y), b.add(x, const(9, 32))), b.add(b.mul(y, x), b.mul(x, const(3, 32)))
    )
    assert linear(e, degree=2) == Linear({(A,): -2, (): 9})
    product = Atom(b.mul(x, y), signed=False)
    e = b.add(b.mul(x, y), b.shl(x, const(1, 32)))
    assert linear(e) == Linear({(product,): 1, (A,): 2})
    assert list(linear(e).parts) == [p for a in e.args for p in linear(a).parts]
    assert linear(e, degree=2).parts[(A,)] == 2
    assert {frozenset(p) for p in linear(e, degree=2).parts} == {frozenset((A, B)), frozenset((A,))}


def test_a_sum_that_may_overflow_stays_one_atom() -> None:
    wraps, exact = b.add(X, Y), b.add(b.zext(X, 16), b.zext(Y, 16))
    assert linear(b.zext(wraps, 16)) == Linear({(Atom(wraps, signed=False),): 1})
    assert linear(b.zext(wraps, 16), width=8) == linear(wraps)
    assert linear(b.zext(exact, 32)) == linear(b.sext(exact, 32)) == linear(exact)
    less = b.sub(b.zext(X, 16), b.zext(Y, 16))
    assert linear(b.sext(less, 32)) == linear(less)
    assert linear(b.zext(less, 32)) == Linear({(Atom(less, signed=False),): 1})


@pytest.mark.parametrize("count", [512, 513])
def test_a_long_sum_is_an_atom(count: int) -> None:
    e = const(0, 32)
    for k in range(count):
        e = b.add(e, var(f"v{k}", 32))
    assert linear(e).size == (count if count == 512 else 1)


def test_operands_come_before_their_users_and_what_was_seen_does_not() -> None:
    e, seen = b.add(b.mul(X, Y), b.neg(X)), {X: 0}
    for n, x in enumerate(unseen(e, seen)):
        assert set(x.args) <= seen.keys()
        seen[x] = n + 1
    assert seen.keys() == {X, *e.args, *(a for x in e.args for a in x.args), e}
    assert list(unseen(e, seen)) == []


def test_either_of_bits_apart_is_a_sum() -> None:
    low, high = b.band(Z, const(63, 32)), b.shl(b.lshr(Z, const(24, 32)), const(6, 32))
    assert linear(b.bor(low, high)).size == 2
    assert linear(b.bor(low, b.lshr(Z, const(24, 32)))).size == 1
