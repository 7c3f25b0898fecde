"""A Halide pipeline: the product of two arrays in 15 fractional bits, rounded."""

from __future__ import annotations

import halide as hl

COUNT = 192


def piped(variant: int = 0) -> tuple[hl.Func, list[hl.ImageParam]]:
    a, b = (hl.ImageParam(hl.Int(16), 1, name) for name in "ab")
    x = hl.Var("x")
    out = hl.Func("piped")
    out[x] = hl.i16((hl.i32(a[x]) * hl.i32(b[x]) + 16384) >> 15)
    out.bound(x, 0, COUNT).vectorize(x, 32)
    if variant:
        out.unroll(x, 2)
    return out, [a, b]
