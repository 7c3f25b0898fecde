"""Products over GF(2), which no solver has: what they are asked in place of them."""

from __future__ import annotations

from itertools import product

import pytest

from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import add, clmul
from isel.ir.expr import elem, postorder
from isel.smt.query import Query, in_primitives


def carryless(x: int, y: int, width: int) -> int:
    """Return the lower bits of a product of polynomials, a term by a term."""
    found = 0
    for i, j in product(range(width), repeat=2):
        found ^= (x >> i & y >> j & 1) << (i + j)
    return found & (1 << width) - 1


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_what_is_asked_is_the_product(width: int) -> None:
    a, b = elem("a", 0, width), elem("b", 0, width)
    whole = clmul(a, b)
    plain = in_primitives(whole)
    assert "clmul" not in {e.op for e in postorder([plain])}
    for x, y in product(range(1 << width), repeat=2):
        given = {a: x, b: y}
        wanted = carryless(x, y, width)
        assert evaluate(plain, given, Integer()) == wanted == evaluate(whole, given, Integer())


def test_a_query_has_none() -> None:
    a, b = elem("a", 0, 1), elem("b", 0, 1)
    (asked,) = Query((add(clmul(a, b), b),)).assertions
    assert "clmul" not in {e.op for e in postorder([asked])}
