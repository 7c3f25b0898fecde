"""Median of a 3 by 3 window of a byte image."""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import Inputs, X, Y
from bench.pipelines.stencil import finish, picture


def median3x3(variant: int = 0) -> Inputs:
    """Sort each column; the median is that of the greatest least, the middle of the middles and
    the least greatest.
    """
    image = picture(1)
    top, centre, bottom = (image[X, Y + k] for k in range(3))
    least, middle, greatest = hl.Func("least"), hl.Func("middle"), hl.Func("greatest")
    least[X, Y] = hl.min(hl.min(top, centre), bottom)
    middle[X, Y] = middle_of(top, centre, bottom)
    greatest[X, Y] = hl.max(hl.max(top, centre), bottom)
    low, mid, high = (
        [hl.Expr(column[X + k, Y]) for k in range(3)] for column in (least, middle, greatest)
    )
    out = hl.Func("median3x3")
    out[X, Y] = middle_of(
        hl.max(hl.max(low[0], low[1]), low[2]),
        middle_of(*mid),
        hl.min(hl.min(high[0], high[1]), high[2]),
    )
    return finish(out, image, variant)


def middle_of(a: hl.Expr, b: hl.Expr, c: hl.Expr) -> hl.Expr:
    """Return the middle of three values."""
    return hl.max(hl.min(a, b), hl.min(hl.max(a, b), c))
