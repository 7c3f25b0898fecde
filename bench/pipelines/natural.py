"""Kernels as a programmer writes them who knows no target: widened, summed in order, with the
loads and stores that the expressions name.
"""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import LANES, SUMS, Inputs, X, Y, bounded, param
from bench.pipelines.stencil import finish, picture
from bench.shapes import STREAM, K, M, N

# Vectors a step of the elementwise kernels, and the columns of a tile of four rows, of each
# variant.
VECTORS = (2, 4)
COLUMNS = (32, 64)
TILE_ROWS = 4

GAINS = (26214, 19661)


def conv3x3(variant: int = 0) -> Inputs:
    """Nine signed weights that are known only when it runs, sums of 32 bits, divided by 64
    rounding to nearest, clamped to a byte.
    """
    image = picture(1)
    mask = param("mask", hl.Int(8), 3, 3)
    total = hl.i32(32)
    for r in range(3):
        for c in range(3):
            total = total + hl.i32(image[X + c, Y + r]) * hl.i32(mask[c, r])
    out = hl.Func("conv3x3")
    out[X, Y] = hl.u8(hl.clamp(total >> 6, 0, 255))
    func, params = finish(out, image, variant)
    return func, [*params, mask]


def alpha_blend(variant: int = 0) -> Inputs:
    """Two images under a mask of 255ths, rounded to nearest, in 16 bits."""
    front, back, mask = images = [
        param(name, hl.UInt(8), STREAM) for name in ("front", "back", "mask")
    ]
    full, half = hl.u16(255), hl.u16(127)
    total = hl.u16(front[X]) * hl.u16(mask[X]) + hl.u16(back[X]) * (full - hl.u16(mask[X]))
    return _stream("alpha_blend", hl.u8((total + half) / full), images, variant)


def audio_mix(variant: int = 0) -> Inputs:
    """Two tracks under gains with 15 fractional bits: each product is rounded, the sum
    saturates.
    """
    tracks = [param(name, hl.Int(16), STREAM) for name in ("a", "b")]
    first, second = (
        (hl.i32(track[X]) * gain + (1 << 14)) >> 15
        for track, gain in zip(tracks, GAINS, strict=True)
    )
    return _stream("audio_mix", hl.i16_sat(first + second), tracks, variant)


def _stream(name: str, value: hl.Expr, params: list[hl.ImageParam], variant: int) -> Inputs:
    out = hl.Func(name)
    out[X] = value
    bounded(out, STREAM)
    out.vectorize(X, LANES // value.type().bytes()).unroll(X, VECTORS[variant])
    return out, params


def matmul_i16(variant: int = 0) -> Inputs:
    """A product of signed 16-bit matrices in tiles of four rows, two products of each sum a
    step.
    """
    return _tiles("matmul_i16", hl.Int(16), hl.Int(16), 2, variant)


def matmul_u8i8(variant: int = 0) -> Inputs:
    """A product of bytes and signed bytes in tiles of four rows, four products of each sum a
    step.
    """
    return _tiles("matmul_u8i8", hl.UInt(8), hl.Int(8), 4, variant)


def _tiles(name: str, left: hl.Type, right: hl.Type, steps: int, variant: int) -> Inputs:
    a, b = param("a", left, M, K), param("b", right, K, N)
    along = hl.RDom([(0, K)], "along")
    total, out = hl.Func("total"), hl.Func(name)
    total[X, Y] = 0
    total[X, Y] += hl.i32(a[along.x, Y]) * hl.i32(b[X, along.x])
    out[X, Y] = total[X, Y]
    bounded(out, M, N)

    xi, yi, ki, ko = hl.Var("xi"), hl.Var("yi"), hl.RVar("ki"), hl.RVar("ko")
    out.tile(X, Y, xi, yi, COLUMNS[variant], TILE_ROWS).vectorize(xi, SUMS).unroll(xi).unroll(yi)
    total.compute_at(out, X).store_in(hl.MemoryType.Stack).vectorize(X, SUMS).unroll(X).unroll(Y)
    total.update().split(along.x, ko, ki, steps).reorder(ki, X, Y, ko).vectorize(X, SUMS).unroll(
        X
    ).unroll(Y).unroll(ki)
    return out, [a, b]
