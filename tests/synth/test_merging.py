"""Even and odd lanes computed apart, in lanes twice as wide."""

from __future__ import annotations

from isel.ir.build import add, extract, lshr, mul, sext, shl
from isel.ir.expr import Expr, const, elem
from isel.synth.layout.elements import wider_of


def _rounded_high(x: Expr, y: Expr) -> Expr:
    return extract(
        lshr(add(mul(sext(x, 64), sext(y, 64)), const(1 << 30, 64)), const(31, 64)), 0, 32
    )


def test_what_holds_a_slice_in_its_low_and_in_its_high_half() -> None:
    x, y = elem("a", 0, 32), elem("b", 0, 32)
    value = _rounded_high(x, y)
    found = wider_of(value)
    assert found is not None
    low, high = found
    assert extract(low, 0, 32) is value
    total = add(mul(sext(x, 64), sext(y, 64)), const(1 << 30, 64))
    assert high is shl(total, const(1, 64)) or high.op == "shl"


def test_terms_that_have_narrower_forms_are_not_widened() -> None:
    x = elem("a", 0, 16)
    assert wider_of(add(x, x)) is None
    assert wider_of(extract(mul(sext(x, 32), const(3, 32)), 8, 16)) is None
    assert wider_of(extract(add(sext(x, 32), const(3, 32)), 8, 16)) is None
