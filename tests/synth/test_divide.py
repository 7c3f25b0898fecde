"""Divisions by constants as products: right for every dividend, and only made where they are."""

from __future__ import annotations

import numpy as np
import pytest

from isel.interp.evaluate import evaluate
from isel.interp.lanes import NumpyLanes
from isel.ir.build import add, band, make, ne, zext
from isel.ir.expr import Expr, const, postorder, var
from isel.ir.ops import Lanes
from isel.smt.enumeration import enumerate_inputs
from isel.synth.instructions.divide import divide
from isel.verify.sums import without_sums


def _right(e: Expr, found: Expr) -> bool:
    (x,) = (t for t in postorder([e]) if t.is_leaf and not t.is_const)
    env: dict[Expr, Lanes] = {
        x: np.arange(1 << x.width, dtype=np.uint32).astype(np.uint8 if x.width <= 8 else np.uint16)
    }
    return bool(np.array_equal(evaluate(e, env, NumpyLanes()), evaluate(found, env, NumpyLanes())))


@pytest.mark.parametrize("width", [4, 5, 8])
def test_every_divisor_of_a_width(width: int) -> None:
    x = var("x", width)
    for d in range(2, 1 << (width - 1)):
        e = make("udiv", (x, const(d, width)))
        found = divide(e)
        assert found is not None and _right(e, found), d
        assert not any(t.op == "udiv" for t in postorder([found]))


@pytest.mark.parametrize("divisor", [3, 5, 7, 9, 10, 25, 49, 100, 255, 1000])
def test_a_bounded_dividend_needs_one_product(divisor: int) -> None:
    """Values below 2**12 need no fix; all 16-bit values may."""
    for x in (var("x", 12), var("x", 16)):
        e = make("udiv", (zext(x, 16), const(divisor, 16)))
        found = divide(e)
        assert found is not None and _right(e, found)
        assert x.width == 16 or not any(t.op == "sub" for t in postorder([found]))


def test_a_narrow_dividend_is_divided_in_its_half() -> None:
    x = var("x", 16)
    e = make("udiv", (zext(x, 32), const(255, 32)))
    found = divide(e)
    assert found is not None and _right(e, found)
    assert max(t.width for t in postorder([found])) == 32


def test_signed_divisions_of_what_is_not_negative() -> None:
    x = var("x", 8)
    e = make("sdiv", (zext(x, 16), const(9, 16)))
    found = divide(e)
    assert found is not None and _right(e, found)
    assert divide(make("sdiv", (var("y", 16), const(9, 16)))) is None


def test_no_divisor_by_zero_one_or_a_term() -> None:
    x, y = var("x", 16), var("y", 16)
    assert [divide(make("udiv", (x, const(d, 16)))) for d in (0, 1, 0x8000)] == [None] * 3
    assert divide(make("udiv", (x, y))) is None


def test_a_blend_is_proved_by_the_values_of_its_sum() -> None:
    a, b, m = (zext(var(n, 8), 16) for n in "abm")
    total = add(
        add(make("mul", (a, m)), make("mul", (b, make("sub", (const(255, 16), m))))), const(127, 16)
    )
    e = make("udiv", (total, const(255, 16)))
    found = divide(e)
    assert found is not None
    freed = without_sums(band(ne(e, found), const(1, 1)))
    assert freed is not None
    assert not hasattr(enumerate_inputs(freed), "model")


@pytest.mark.parametrize(("offered", "amount"), [(True, 32), (False, 33)])
def test_without_a_high_half_products_are_shifted_further(offered: bool, amount: int) -> None:
    """Wide products only: what LLVM sees as a high half it multiplies in two parts."""
    found = divide(make("udiv", (zext(var("x", 17), 32), const(255, 32))), lambda _: offered)
    assert found is not None
    assert [t.args[1].value for t in postorder([found]) if t.op == "lshr"] == [amount]
