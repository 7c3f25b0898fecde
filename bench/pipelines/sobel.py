"""Sobel edges of a byte image: the sum of the absolute horizontal and vertical gradients,
saturated to a byte.
"""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import Inputs, X, Y
from bench.pipelines.stencil import column, finish, picture, row

SMOOTH3, SLOPE3 = (1, 2, 1), (-1, 0, 1)
SMOOTH5, SLOPE5 = (1, 4, 6, 4, 1), (-1, -2, 0, 2, 1)


def sobel3x3(variant: int = 0) -> Inputs:
    """Weights 1 2 1 across the gradient and -1 0 1 along it; the gradient stays within 16 bits."""
    return gradients("sobel3x3", SMOOTH3, SLOPE3, variant)


def sobel5x5(variant: int = 0) -> Inputs:
    """Weights 1 4 6 4 1 across the gradient and -1 -2 0 2 1 along it; the gradient stays within
    16 bits.
    """
    return gradients("sobel5x5", SMOOTH5, SLOPE5, variant)


def gradients(name: str, smooth: tuple[int, ...], slope: tuple[int, ...], variant: int) -> Inputs:
    """Return the pipeline for the separable weights ``smooth`` and ``slope``."""
    image = picture(len(smooth) // 2)
    wide = hl.Func("wide")
    wide[X, Y] = hl.i16(image[X, Y])
    down, level = hl.Func("down"), hl.Func("level")
    down[X, Y] = column(wide, slope)
    level[X, Y] = column(wide, smooth)
    out = hl.Func(name)
    out[X, Y] = hl.u8_sat(hl.abs(row(level, slope)) + hl.abs(row(down, smooth)))
    return finish(out, image, variant, *(() if len(smooth) == 3 else (down, level)))
