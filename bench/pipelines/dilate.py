"""Dilation of a byte image: the greatest value of a square window."""

from __future__ import annotations

from functools import reduce

import halide as hl

from bench.pipelines.layout import Inputs, X, Y
from bench.pipelines.stencil import finish, picture


def dilate3x3(variant: int = 0) -> Inputs:
    """A window of 3 by 3."""
    return greatest("dilate3x3", 3, variant)


def dilate5x5(variant: int = 0) -> Inputs:
    """A window of 5 by 5."""
    return greatest("dilate5x5", 5, variant)


def dilate7x7(variant: int = 0) -> Inputs:
    """A window of 7 by 7."""
    return greatest("dilate7x7", 7, variant)


def greatest(name: str, size: int, variant: int) -> Inputs:
    """Return the pipeline: the greatest of each column, then of a row of columns."""
    image = picture(size // 2)
    tallest = hl.Func("tallest")
    tallest[X, Y] = reduce(hl.max, [image[X, Y + k] for k in range(size)])
    out = hl.Func(name)
    out[X, Y] = reduce(hl.max, [hl.Expr(tallest[X + k, Y]) for k in range(size)])
    return finish(out, image, variant, *(() if size == 3 else (tallest,)))
