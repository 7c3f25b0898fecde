"""Pools of a tensor of bytes, channels innermost: a window of 3 by 3, moved by 2, and the pools
with a tensor added.
"""

from __future__ import annotations

from functools import reduce

import halide as hl

from bench.pipelines.layout import LANES, C, Inputs, X, Y, bounded, param
from bench.pipelines.quantise import clamped
from bench.shapes import CHANNELS, OUT_HEIGHT, OUT_WIDTH, POOL, POOL_HEIGHT, POOL_STRIDE, POOL_WIDTH

# Columns a step, of each variant.
COLUMNS = (2, 4)


def max_pool(variant: int = 0) -> Inputs:
    """The greatest of the window, clamped."""
    image = tensor()
    return schedule("max_pool", clamped(greatest(image)), [image], variant)


def average_pool(variant: int = 0) -> Inputs:
    """The mean of the window, rounded to nearest, clamped."""
    image = tensor()
    return schedule("average_pool", clamped(mean(image)), [image], variant)


def max_pool_add(variant: int = 0) -> Inputs:
    """The greatest of the window and a second tensor, added with saturation and clamped."""
    image, other = tensor(), addend()
    return schedule(
        "max_pool_add",
        clamped(hl.saturating_add(greatest(image), other[C, X, Y])),
        [image, other],
        variant,
    )


def average_pool_add(variant: int = 0) -> Inputs:
    """The mean of the window and a second tensor, added with saturation and clamped."""
    image, other = tensor(), addend()
    return schedule(
        "average_pool_add",
        clamped(hl.saturating_add(mean(image), other[C, X, Y])),
        [image, other],
        variant,
    )


def tensor() -> hl.ImageParam:
    """Return the input that is pooled."""
    return param("image", hl.UInt(8), POOL_HEIGHT, POOL_WIDTH, CHANNELS)


def addend() -> hl.ImageParam:
    """Return a tensor of the output's shape."""
    return param("other", hl.UInt(8), OUT_HEIGHT, OUT_WIDTH, CHANNELS)


def window(image: hl.ImageParam) -> list[hl.Expr]:
    """Return the elements under the window."""
    return [
        image[C, POOL_STRIDE * X + c, POOL_STRIDE * Y + r] for r in range(POOL) for c in range(POOL)
    ]


def greatest(image: hl.ImageParam) -> hl.Expr:
    """Return the greatest under the window."""
    return reduce(hl.max, window(image))


def mean(image: hl.ImageParam) -> hl.Expr:
    """Return the mean under the window, rounded to nearest: a sum in 16 bits and one division."""
    count = POOL * POOL
    return hl.u8((sum((hl.u16(x) for x in window(image)), hl.u16(count // 2))) / hl.u16(count))


def schedule(name: str, value: hl.Expr, params: list[hl.ImageParam], variant: int) -> Inputs:
    """Compute vectors of channels, a few columns a step."""
    out = hl.Func(name)
    out[C, X, Y] = value
    bounded(out, OUT_HEIGHT, OUT_WIDTH, CHANNELS)
    out.vectorize(C, min(LANES, CHANNELS)).unroll(X, COLUMNS[variant])
    return out, params
