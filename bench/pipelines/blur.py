"""Box blur of a byte image: the mean of a square window, rounded down."""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import Inputs, X, Y
from bench.pipelines.stencil import column, finish, picture, row


def blur3x3(variant: int = 0) -> Inputs:
    """A window of 3 by 3."""
    return mean("blur3x3", 3, variant)


def blur5x5(variant: int = 0) -> Inputs:
    """A window of 5 by 5."""
    return mean("blur5x5", 5, variant)


def blur7x7(variant: int = 0) -> Inputs:
    """A window of 7 by 7."""
    return mean("blur7x7", 7, variant)


def mean(name: str, size: int, variant: int) -> Inputs:
    """Return the pipeline: sums of columns, then of rows, in 16 bits, and one division."""
    image = picture(size // 2)
    wide, down = hl.Func("wide"), hl.Func("down")
    wide[X, Y] = hl.u16(image[X, Y])
    down[X, Y] = column(wide, (1,) * size)
    out = hl.Func(name)
    out[X, Y] = hl.u8(row(down, (1,) * size) / hl.u16(size * size))
    return finish(out, image, variant, *(() if size == 3 else (down,)))
