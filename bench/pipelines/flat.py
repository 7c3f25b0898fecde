"""Elementwise kernels on quantised bytes."""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import LANES, Inputs, X, bounded, param
from bench.pipelines.quantise import activated, centred, scaled
from bench.quantised import ADD_A, ADD_B, ADD_SHIFT, MUL_MULTIPLIER, MUL_SHIFT, ZERO_A, ZERO_B
from bench.shapes import FLAT

# Vectors a step, of each variant.
VECTORS = (2, 4)


def add(variant: int = 0) -> Inputs:
    """Rescale both operands by 16-bit multipliers, add in 32 bits, shift with rounding, and
    activate.
    """
    a, b = operands()
    out = hl.Func("add")
    total = hl.widening_mul(centred(a[X], ZERO_A), hl.i16(ADD_A)) + hl.widening_mul(
        centred(b[X], ZERO_B), hl.i16(ADD_B)
    )
    out[X] = activated(hl.rounding_shift_right(total, hl.u32(ADD_SHIFT)))
    return schedule(out, [a, b], variant)


def mul(variant: int = 0) -> Inputs:
    """Multiply the operands less their zero points, rescale the product by a 31-bit multiplier,
    and activate.
    """
    a, b = operands()
    out = hl.Func("mul")
    out[X] = activated(
        scaled(
            hl.widening_mul(centred(a[X], ZERO_A), centred(b[X], ZERO_B)), MUL_MULTIPLIER, MUL_SHIFT
        )
    )
    return schedule(out, [a, b], variant)


def operands() -> tuple[hl.ImageParam, hl.ImageParam]:
    """Return two inputs of ``FLAT`` bytes."""
    return param("a", hl.UInt(8), FLAT), param("b", hl.UInt(8), FLAT)


def schedule(out: hl.Func, params: list[hl.ImageParam], variant: int) -> Inputs:
    """Compute whole vectors, a few a step."""
    bounded(out, FLAT)
    out.vectorize(X, LANES).unroll(X, VECTORS[variant])
    return out, params
