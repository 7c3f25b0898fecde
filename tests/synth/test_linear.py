"""Sums of products: the normal form equals the term, and overflow is never assumed away."""

from __future__ import annotations

import pytest

from isel.ir import build as b
from isel.ir.expr import var
from isel.rules import derived as d
from isel.synth.values.linear import sum_of_products


@pytest.mark.parametrize(("clamped", "width"), [(False, 32), (True, 16)])
def test_dot_products_are_recognised(clamped: bool, width: int) -> None:
    a, c, e, f = (var(f"x{i}", 8) for i in range(4))
    inner = 18 if clamped else 32
    total = b.add(
        b.mul(b.zext(a, inner), b.sext(c, inner)), b.mul(b.zext(e, inner), b.sext(f, inner))
    )
    shape = sum_of_products(d.sat_s(total, 16) if clamped else total)
    assert shape is not None
    assert (shape.clamped, shape.width, len(shape.products), shape.addends) == (
        clamped,
        width,
        2,
        (),
    )


def test_an_average_is_no_dot_product() -> None:
    assert sum_of_products(d.uavg(var("x0", 8), var("x1", 8))) is None
