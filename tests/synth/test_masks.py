"""Integers as bits, bits of integers as lanes, and which integers are no masks."""

from __future__ import annotations

from functools import reduce

import pytest

from isel.ir.build import band, bnot, bor, concat, eq, extract, ite, ne, sext, shl, slt, zext
from isel.ir.expr import Expr, const, elem
from isel.model.window import Leaf, Root, Window
from isel.synth.values.masks import in_bits, in_tests, is_number

ZERO, YES = const(0, 8), const(1, 1)
TESTS = [eq(elem("a", 8 * k, 8), const(7, 8)) for k in range(8)]
SCALAR = elem("v", 0, 32)


def _root(e: Expr) -> Root:
    return Root(e.width, (e,), (YES,))


JOINED = reduce(bor, (shl(zext(c, 8), const(k, 8)) for k, c in enumerate(TESTS)))
CHOSEN = reduce(bor, (ite(c, const(1 << k, 8), ZERO) for k, c in enumerate(TESTS)))
LEAVES = [elem("a", 8 * k, 8) for k in range(8)]
SIGNS = reduce(concat, [slt(x, ZERO) for x in reversed(LEAVES)])

# a bit of a value above its own bits, which is its sign
NARROW = elem("b", 0, 5)
BEYOND = bor(band(JOINED, const(0x7F, 8)), band(sext(NARROW, 8), const(0x80, 8)))


@pytest.mark.parametrize(
    ("lane", "bits"),
    [
        (JOINED, TESTS),
        (CHOSEN, TESTS),
        (reduce(concat, reversed(TESTS)), TESTS),
        (band(JOINED, const(0x7F, 8)), [*TESTS[:7], const(0, 1)]),
        (SIGNS, [extract(x, 7, 1) for x in LEAVES]),
        (BEYOND, [*TESTS[:7], extract(NARROW, 4, 1)]),
    ],
    ids=["shifted", "chosen", "joined", "one cleared", "signs", "sign beyond"],
)
def test_bits_of_a_mask(lane: Expr, bits: list[Expr]) -> None:
    found = in_bits(_root(lane))
    assert (found.width, list(found.lanes), found.defined) == (1, bits, (YES,) * 8)
    assert in_bits(found) is found and not is_number(found)


@pytest.mark.parametrize(
    "lane",
    [
        elem("a", 0, 8),
        zext(TESTS[0], 8),
        ite(TESTS[0], elem("b", 0, 8), elem("c", 0, 8)),
        shl(elem("a", 0, 8), const(1, 8)),
        bor(zext(TESTS[0], 8), shl(zext(TESTS[0], 8), const(1, 8))),
    ],
    ids=["a value", "one bit", "a choice", "a shift", "a bit twice"],
)
def test_what_is_no_mask_stays(lane: Expr) -> None:
    root = _root(lane)
    assert in_bits(root) is root and is_number(root)


def _window(*lanes: Expr) -> Window:
    leaf = Leaf("v", 32, 8, "v", period=32, scalar=True)
    return Window((leaf,), (Root(8, lanes, (YES,) * len(lanes)),))


def test_a_bit_of_a_scalar_is_tested_in_its_byte_or_is_a_lane() -> None:
    tested = ne(band(SCALAR, const(1 << 10, 32)), const(0, 32))
    window = _window(zext(tested, 8), zext(bnot(tested), 8))
    near = band(elem("v", 8, 8), const(4, 8))
    by_bytes = (zext(eq(near, const(4, 8)), 8), zext(eq(near, ZERO), 8))
    assert in_tests(window, masks=False).roots[0].lanes == by_bytes
    bit = elem("v", 10, 1)
    assert in_tests(window, masks=True).roots[0].lanes == (zext(bit, 8), zext(bnot(bit), 8))


def test_a_scalar_that_is_read_otherwise_stays() -> None:
    window = _window(zext(extract(SCALAR, 3, 1), 8), extract(SCALAR, 0, 8))
    assert in_tests(window, masks=False) == window
