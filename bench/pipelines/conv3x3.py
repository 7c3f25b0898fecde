"""Convolution of a byte image with nine signed weights that are known only when it runs."""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import Inputs, X, Y, param
from bench.pipelines.stencil import finish, picture


def conv3x3a16(variant: int = 0) -> Inputs:
    """Accumulate modulo 2**16, divide by 16 rounding down, clamp to a byte."""
    image = picture(1)
    mask = param("mask", hl.Int(8), 3, 3)
    total = sum(
        (hl.i16(image[X + c, Y + r]) * hl.i16(mask[c, r]) for r in range(3) for c in range(3)),
        hl.i16(0),
    )
    out = hl.Func("conv3x3a16")
    out[X, Y] = hl.u8(hl.clamp(total >> hl.i16(4), hl.i16(0), hl.i16(255)))
    func, params = finish(out, image, variant)
    return func, [*params, mask]
