"""Buffers of fixed size: dense, from zero, aligned, so that no loop has a tail or a check."""

from __future__ import annotations

from typing import TypeAlias

import halide as hl

from bench.inputs import ALIGNMENT, vector_bytes

Inputs: TypeAlias = tuple[hl.Func, list[hl.ImageParam]]
LANES = vector_bytes()
SUMS = LANES // 4  # 32-bit sums in a vector
X, Y, C, B = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Var("b")


def param(name: str, kind: hl.Type, *extents: int) -> hl.ImageParam:
    """Return an input of the given extents, outermost first as numpy writes shapes."""
    image = hl.ImageParam(kind, len(extents), name)
    fix(image, extents)
    return image


def bounded(func: hl.Func, *extents: int) -> hl.Func:
    """Fix the extents of an output, outermost first, and return it."""
    fix(func.output_buffer(), extents)
    for var, extent in zip(func.args(), reversed(extents), strict=True):
        func.bound(var, 0, extent)
    return func


def fix(buffer: hl.ImageParam | hl.OutputImageParam, extents: tuple[int, ...]) -> None:
    """Promise that a buffer is dense, starts at zero in every dimension, and is aligned."""
    buffer.set_host_alignment(ALIGNMENT)
    stride = 1
    for dim, extent in enumerate(reversed(extents)):
        buffer.dim(dim).set_bounds(0, extent)
        buffer.dim(dim).set_stride(stride)
        stride *= extent
