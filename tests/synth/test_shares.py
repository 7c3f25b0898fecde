"""Weights that a slot of a dot product does not hold: shares of them in several slots, what they
multiply being there as often; and sums in the width in which instructions have more slots.
"""

from __future__ import annotations

from functools import reduce

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import add, extract, lshr, mul, sext, zext
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr, const, leaves
from isel.ir.linear import Atom
from isel.ir.ops import signed
from isel.model.window import Window
from isel.synth.edges.fillings import shares
from isel.synth.edges.found import Found, sum_of_two
from isel.synth.edges.sums import dot_edges
from isel.synth.edges.wider import half_edges, wider_edges
from isel.synth.values.lanefn import LaneFn, lane_fn
from isel.synth.values.linear import Monomial, SumOfProducts
from tests.synth.test_bilinear import Extend, searched
from tests.synth.windows import register, window


def dot(width: int, slots: int, extends: tuple[Extend, Extend], *, adds: bool) -> LaneFn:
    """Return a function of 32 bits that adds so many products to what it is given."""
    pairs = [(formal(2 * k, width), formal(2 * k + 1, width)) for k in range(slots)]
    products = [mul(extends[0](x, 32), extends[1](y, 32)) for x, y in pairs]
    total = reduce(add, products)
    return lane_fn(canonical(add(total, formal(2 * slots, 32)) if adds else total)[0])


BYTES = dot(8, 4, (zext, sext), adds=True)
WORDS = dot(16, 2, (sext, sext), adds=False)


def shape_of(fn: LaneFn) -> SumOfProducts:
    assert fn.sum is not None
    return fn.sum


@pytest.mark.parametrize(
    ("fn", "weight", "expected"),
    [
        (BYTES, 127, [127]),
        (BYTES, 128, [64, 64]),
        (BYTES, 150, [75, 75]),
        (BYTES, 254, [127, 127]),
        (BYTES, 255, [85, 85, 85]),
        (BYTES, 256, [85, 85, 86]),
        (BYTES, 508, [127] * 4),
        (BYTES, 509, [509]),
        (BYTES, -128, [-128]),
        (BYTES, -129, [-65, -64]),
        (BYTES, -512, [-128] * 4),
        (BYTES, -513, [-513]),
        (WORDS, 32767, [32767]),
        (WORDS, 46802, [23401, 23401]),
        (WORDS, 65535, [65535]),
        (WORDS, 91881, [91881]),
        (WORDS, -65536, [-32768, -32768]),
    ],
)
def test_the_fewest_like_shares_that_fit(fn: LaneFn, weight: int, expected: list[int]) -> None:
    """More shares than an instruction has slots are none."""
    atom = Atom(formal(0, 8), signed=False)
    found = shares(shape_of(fn), Monomial(weight % (1 << 32), (atom,)), 32)
    assert [signed(m.coefficient, 32) for m in found] == expected
    assert all(m.atoms == (atom,) for m in found)


def test_products_and_literals_are_whole() -> None:
    x, y = (Atom(formal(k, 8), signed=False) for k in range(2))
    for m in (Monomial(150, (x, y)), Monomial(150, ())):
        assert shares(shape_of(BYTES), m, 32) == (m,)


def weighted(weights: list[int], width: int, *, added: int = 0) -> Expr:
    """Return the sum of so many bytes times weights, and a literal."""
    products = [mul(zext(formal(k, 8), width), const(w, width)) for k, w in enumerate(weights)]
    return reduce(add, [*products, const(added, width)])


@pytest.mark.parametrize("fn", [BYTES, WORDS], ids=["bytes", "words"])
@pytest.mark.parametrize(
    "weights",
    [[77, 150, 29], [19595, 38470, 7471], [46802, 22554], [200, 200], [300, -300, 5, 7, 9], [-200]],
)
def test_what_is_left_of_shares_makes_up_the_sum(fn: LaneFn, weights: list[int]) -> None:
    term = weighted(weights, 32, added=3)
    order = {x: (0, 8 * k) for k, x in enumerate(leaves(term))}
    for found in dot_edges([(fn, shape_of(fn))], term, order, lambda e: e):
        value = found.fn.apply(*found.args)
        total = value if found.rest is None else add(value, found.rest)
        for step in range(40):
            env = {x: (step * (37 + 11 * k)) % 256 for k, x in enumerate(leaves(term))}
            assert evaluate(total, env, Integer()) == evaluate(term, env, Integer())


@pytest.mark.parametrize(
    ("term", "count"),
    [
        (weighted([77, 150, 29], 16, added=128), True),
        (extract(lshr(weighted([77, 150, 29], 16, added=128), const(8, 16)), 0, 8), True),
        (extract(lshr(weighted([-38, -74, 112], 16, added=128), const(8, 16)), 0, 8), True),
        (weighted([77, 150, 29], 32, added=128), False),  # in its own width
        (weighted([77, 150], 16), False),
        (weighted([1, 1, 1], 16), False),
        (weighted([77, 150, 29, 90], 16), False),  # five slots
        (lshr(weighted([77, 150, 29], 16), const(8, 16)), False),  # zeros come in
    ],
)
def test_bits_of_a_sum_are_bits_of_it_in_a_greater_width(term: Expr, count: bool) -> None:
    order = {x: (0, 8 * k) for k, x in enumerate(leaves(term))}
    every = list(wider_edges([(BYTES, shape_of(BYTES))], term, order))
    assert bool(every) == count
    for found in every:
        fn, args = found.applications(term.width)[-1]
        for step in range(40):
            env = {x: (step * (37 + 11 * k)) % 256 for k, x in enumerate(leaves(term))}
            made = evaluate(fn.apply(*args), env, Integer())
            assert made == evaluate(term, env, Integer())


def test_bits_of_what_is_found_are_had_by_a_shift_and_a_slice() -> None:
    args = tuple(formal(k, w) for k, w in enumerate(BYTES.widths))
    found = Found(BYTES, args, sum_of_two(32), by=8)
    value = BYTES.apply(*args)
    made = [fn.apply(*given) for fn, given in found.applications(16)]
    assert made == [value, lshr(value, const(8, 32)), extract(lshr(value, const(8, 32)), 0, 16)]
    assert [
        fn.apply(*given) for fn, given in Found(BYTES, args, sum_of_two(32)).applications(32)
    ] == [value]


def test_registers_are_not_interleaved_for_a_greater_width() -> None:
    term = weighted([77, 150, 29], 16, added=128)
    order = {x: (k, 0) for k, x in enumerate(leaves(term))}
    assert not list(wider_edges([(BYTES, shape_of(BYTES))], term, order))


def products(count: int, width: int, extend: Extend, *, added: int = 0) -> Expr:
    """Return a sum of products of elements in 64 bits, and what is added to it."""
    pairs = [(formal(2 * k, width), formal(2 * k + 1, width)) for k in range(count)]
    found = reduce(add, (mul(extend(x, 64), extend(y, 64)) for x, y in pairs))
    return add(found, const(added, 64)) if added else found


@pytest.mark.parametrize(
    ("term", "operand", "rest"),
    [
        (products(2, 16, sext), 2, 0),  # one more than 31 bits and a sign
        (products(4, 16, sext, added=9), 2, 2),
        (products(8, 8, sext), 8, 0),
        (products(2, 8, zext), 2, 0),
        (products(3, 32, sext), 0, 0),  # no two fit
        (extract(products(4, 16, sext), 0, 32), 0, 0),  # instructions of its own width
    ],
)
def test_products_that_fit_in_half_the_width_are_summed_there(
    term: Expr, operand: int, rest: int
) -> None:
    order = {x: (k % 2, 16 * (k // 2)) for k, x in enumerate(leaves(term))}
    every = list(half_edges([(WORDS, shape_of(WORDS))], term, order))
    assert len(every) == bool(operand)
    for found in every:
        assert len(leaves(found.args[0])) == 2 * operand and found.args[0].width == 32
        assert len(leaves(found.rest)) == 2 * rest if found.rest is not None else not rest
        total = found.fn.apply(*found.args)
        total = total if found.rest is None else add(total, found.rest)
        for step in range(40):
            env = {x: (step * (0x3707 + 11 * k)) % 65536 for k, x in enumerate(leaves(term))}
            env = {x: 1 << 15 if step == 1 and x.width == 16 else v for x, v in env.items()}
            env = {x: v % (1 << x.width) for x, v in env.items()}
            assert evaluate(total, env, Integer()) == evaluate(term, env, Integer())


def test_what_a_loop_carries_is_added_last() -> None:
    inner = products(2, 16, sext)
    order = {x: (k % 2, 16 * (k // 2)) for k, x in enumerate(leaves(inner))}
    term = add(inner, formal(4, 64))
    (found,) = half_edges([(WORDS, shape_of(WORDS))], term, {**order, formal(4, 64): (2, 0)})
    assert found.args[0] is formal(4, 64) and found.rest is None
    assert set(leaves(found.args[1])) == set(leaves(inner))


def luma(weights: tuple[int, int, int], by: int, *, lanes: int, width: int) -> Window:
    """Return pixels of three bytes each as the upper bits of their sums by weights."""
    x = register("p", 8, 3 * lanes)
    sums = [
        reduce(
            add, [mul(zext(x[3 * i + k], width), const(w, width)) for k, w in enumerate(weights)]
        )
        for i in range(lanes)
    ]
    rounded = [add(s, const(1 << (by - 1), width)) for s in sums]
    lanes_of = [extract(lshr(s, const(by, width)), 0, 8) for s in rounded]
    return window(lanes_of, ("p", 8, 3 * lanes))


@pytest.mark.parametrize("width", [16, 32])
def test_luma_of_pixels_is_one_dot_product(width: int) -> None:
    """A byte is there twice, as 150 is more than a signed byte holds."""
    w = luma((77, 150, 29), 8, lanes=16, width=width)
    cost, used = searched(w, cpu="znver5", isa="x86", bits=512)
    assert "vpdpbusd" in used and len(used) == 4 and cost <= 260


def colour() -> Window:
    """Return sums of two words times weights of which one is more than a word holds."""
    u, v = register("u", 16, 8), register("v", 16, 8)
    half = const(1 << 15, 32)
    lanes = [
        add(
            add(mul(sext(a, 32), const(46802, 32)), mul(sext(b, 32), const(-22554, 32))),
            half,
        )
        for a, b in zip(u, v, strict=True)
    ]
    return window(lanes, ("u", 16, 8), ("v", 16, 8))


def test_words_are_multiplied_by_more_than_they_hold() -> None:
    cost, used = searched(colour(), cpu="znver4", isa="x86", bits=512)
    assert used.count("vpdpwssd") == 2 and "vpmulld" not in used and cost <= 220, used
