"""What pipelines on byte images share: the padded input, weighted sums of neighbours, the
schedule.
"""

from __future__ import annotations

from collections.abc import Sequence

import halide as hl

from bench.pipelines.layout import LANES, Inputs, X, Y, bounded, param
from bench.shapes import HEIGHT, PITCH, WIDTH

# Rows that one step computes, so that neighbouring rows share what they load: of each variant.
ROWS = (4, 2)


def picture(radius: int) -> hl.ImageParam:
    """Return a byte image with ``2 * radius`` rows more than the output; output (x, y) is
    centred on input (x + radius, y + radius).
    """
    return param("image", hl.UInt(8), HEIGHT + 2 * radius, PITCH)


def column(source: hl.Func, weights: Sequence[int]) -> hl.Expr:
    """Return the weighted sum of a column of neighbours, first weight on top."""
    return weighted([hl.Expr(source[X, Y + k]) for k in range(len(weights))], weights)


def row(source: hl.Func, weights: Sequence[int]) -> hl.Expr:
    """Return the weighted sum of a row of neighbours, first weight leftmost."""
    return weighted([hl.Expr(source[X + k, Y]) for k in range(len(weights))], weights)


def weighted(values: Sequence[hl.Expr], weights: Sequence[int]) -> hl.Expr:
    """Return the sum of the products, in the values' own type."""
    terms = [
        value if weight == 1 else value * hl.cast(value.type(), weight)
        for value, weight in zip(values, weights, strict=True)
        if weight
    ]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def finish(out: hl.Func, image: hl.ImageParam, variant: int, *stages: hl.Func) -> Inputs:
    """Fix the sizes and schedule whole vectors, several rows a step; ``stages`` are computed
    once for each strip of rows.
    """
    xi, yi = hl.Var("xi"), hl.Var("yi")
    bounded(out, HEIGHT, WIDTH)
    out.tile(X, Y, xi, yi, LANES, ROWS[variant]).vectorize(xi).unroll(yi)
    for stage in stages:
        lanes = LANES // stage.type().bytes()
        stage.compute_at(out, Y).store_in(hl.MemoryType.Stack).vectorize(
            X, lanes, hl.TailStrategy.RoundUp
        ).unroll(Y)
    return out, [image]
