"""Gaussian blur of a byte image: binomial weights, the sum rounded to nearest."""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import Inputs, X, Y
from bench.pipelines.stencil import column, finish, picture, row


def gaussian3x3(variant: int = 0) -> Inputs:
    """Weights 1 2 1; sums of 16 bits."""
    return binomial("gaussian3x3", (1, 2, 1), hl.UInt(16), variant)


def gaussian5x5(variant: int = 0) -> Inputs:
    """Weights 1 4 6 4 1; sums of 16 bits, which 255 * 256 + 128 just fits."""
    return binomial("gaussian5x5", (1, 4, 6, 4, 1), hl.UInt(16), variant)


def gaussian7x7(variant: int = 0) -> Inputs:
    """Weights 1 6 15 20 15 6 1; columns are summed in 16 bits, rows in 32."""
    return binomial("gaussian7x7", (1, 6, 15, 20, 15, 6, 1), hl.UInt(32), variant)


def binomial(name: str, weights: tuple[int, ...], total: hl.Type, variant: int) -> Inputs:
    """Return the pipeline with column sums in 16 bits and row sums of type ``total``."""
    image = picture(len(weights) // 2)
    wide, down, level = hl.Func("wide"), hl.Func("down"), hl.Func("level")
    wide[X, Y] = hl.u16(image[X, Y])
    down[X, Y] = column(wide, weights)
    level[X, Y] = hl.cast(total, down[X, Y])
    shift = 2 * (sum(weights).bit_length() - 1)
    out = hl.Func(name)
    out[X, Y] = hl.u8(
        (row(level, weights) + hl.cast(total, 1 << (shift - 1))) >> hl.cast(total, shift)
    )
    return finish(out, image, variant, *(() if len(weights) == 3 else (down,)))
