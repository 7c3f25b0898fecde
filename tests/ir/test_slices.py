"""Bits of a term are those bits of its value."""

from __future__ import annotations

import random

from hypothesis import given

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir import build as b
from isel.ir.expr import Expr, const, leaves, var
from isel.ir.slices import bits, fields, masked_bits
from tests.ir.terms import random_term, random_values, seeds

X = var("x", 32)


def _are_bits(rng: random.Random, part: Expr, e: Expr, low: int, width: int) -> bool:
    """Tell whether a term is ``width`` bits of another from ``low`` on, for random values."""
    values = random_values(rng, e)
    whole = evaluate_all([e], values, Integer())[e]
    env = {x: values[x] for x in leaves(part)}
    return evaluate_all([part], env, Integer())[part] == whole >> low & (1 << width) - 1


@given(seeds)
def test_bits_are_those_of_the_value(seed: int) -> None:
    rng = random.Random(seed)
    e = random_term(rng, rng.choice((8, 16, 24)), 5)
    width = rng.randint(1, e.width)
    low = rng.randint(0, e.width - width)
    assert _are_bits(rng, bits(e, low, width), e, low, width)


def test_moves_and_masks_are_looked_through() -> None:
    field = b.band(b.lshr(b.band(X, const(0x3F3F3F3F, 32)), const(8, 32)), const(0xFF, 32))
    assert bits(field, 0, 8) is b.band(b.extract(X, 8, 8), const(0x3F, 8))


@given(seeds)
def test_masked_bits_are_those_of_the_value(seed: int) -> None:
    rng = random.Random(seed)
    e = b.band(random_term(rng, 16, 5), const(rng.getrandbits(16), 16))
    width = rng.randint(1, e.width)
    low = rng.randint(0, e.width - width)
    assert _are_bits(rng, masked_bits(e, low, width), e, low, width)


def test_fields_of_two_bytes_are_apart_if_no_bit_is_of_both() -> None:
    pair = b.concat(var("h", 8), var("l", 8))
    moved = b.lshr(pair, const(2, 16))
    low, high = fields(b.band(moved, const(0x3333, 16))) or (X, X)
    assert leaves(low) == (var("l", 8),) and leaves(high) == (var("h", 8),)
    assert fields(b.band(moved, const(0x33FF, 16))) is None and fields(moved) is None
