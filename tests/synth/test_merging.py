"""Even and odd lanes computed apart, in lanes twice as wide."""

from __future__ import annotations

from typing import Final

from isel.ir.build import add, extract, lshr, mul, sext, shl, zext
from isel.ir.expr import Expr, const, elem
from isel.synth.edges.highs import upper_halves
from isel.synth.layout.elements import wider_of

WIDE: Final = frozenset({64})  # products whose upper half no instruction gives


def _rounded_high(x: Expr, y: Expr) -> Expr:
    return extract(
        lshr(add(mul(sext(x, 64), sext(y, 64)), const(1 << 30, 64)), const(31, 64)), 0, 32
    )


def test_what_holds_a_slice_in_its_low_and_in_its_high_half() -> None:
    x, y = elem("a", 0, 32), elem("b", 0, 32)
    value = _rounded_high(x, y)
    found = wider_of(value, WIDE)
    assert found is not None
    low, high = found
    assert extract(low, 0, 32) is value
    total = add(mul(sext(x, 64), sext(y, 64)), const(1 << 30, 64))
    assert high is shl(total, const(1, 64)) or high.op == "shl"


def test_terms_that_have_narrower_forms_are_not_widened() -> None:
    x = elem("a", 0, 16)
    assert wider_of(add(x, x), WIDE) is None
    assert wider_of(extract(mul(sext(x, 32), const(3, 32)), 8, 16), WIDE) is None
    assert wider_of(extract(add(sext(x, 32), const(3, 32)), 8, 16), WIDE) is None


def test_products_by_literals_are_widened_where_nothing_gives_their_upper_half() -> None:
    x = elem("a", 0, 16)
    high = extract(mul(zext(x, 32), const(58255, 32)), 16, 16)
    assert wider_of(high, WIDE) is None
    assert wider_of(high, frozenset({32})) is not None


def test_upper_halves_of_what_is_shifted_further() -> None:
    x = elem("a", 0, 16)
    product = mul(zext(x, 32), const(58255, 32))
    term = extract(lshr(product, const(19, 32)), 0, 8)
    assert dict(upper_halves(term, frozenset({32}))) == {extract(product, 16, 16): 3}
    assert not dict(upper_halves(term, WIDE))
