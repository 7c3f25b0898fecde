"""Fixed-point arithmetic of TensorFlow Lite, in Halide."""

from __future__ import annotations

import halide as hl

from bench.quantised import (
    EXP_LINEAR,
    EXP_SQUARE,
    GELU_BITS,
    GELU_END,
    GELU_SQUARE,
    LEAST,
    MOST,
    ZERO_OUT,
)


def scaled(x: hl.Expr, multiplier: int, shift: int) -> hl.Expr:
    """Multiply 32 bits by ``multiplier / 2**31``, rounded, then divide by ``2**shift``, halves
    away from zero.
    """
    high = hl.rounding_mul_shift_right(x, hl.i32(multiplier), hl.u32(31))
    return hl.rounding_shift_right(high + (high >> 31), hl.u32(shift))


def activated(x: hl.Expr) -> hl.Expr:
    """Saturate 32 bits to 16, add the output's zero point, saturate to a byte and clamp to the
    activation's bounds.
    """
    return clamped(hl.u8_sat(hl.saturating_add(hl.i16_sat(x), hl.i16(ZERO_OUT))))


def clamped(x: hl.Expr) -> hl.Expr:
    """Clamp a byte to the activation's bounds."""
    return hl.clamp(x, hl.u8(LEAST), hl.u8(MOST))


def centred(x: hl.Expr, zero: int) -> hl.Expr:
    """Return a byte less its zero point, in 16 bits."""
    return hl.i16(x) - hl.i16(zero)


def high_product(a: hl.Expr, b: hl.Expr | int) -> hl.Expr:
    """Multiply 16-bit values with 15 fractional bits, rounded."""
    return hl.rounding_mul_shift_right(a, hl.i16(b), hl.u16(15))


def power_of_two(steps: hl.Expr) -> hl.Expr:
    """Return ``2**-steps`` with 15 fractional bits, for 16-bit steps of at least zero with
    eight fractional bits.
    """
    fraction = (steps & hl.i16(255)) << hl.i16(7)
    mantissa = hl.i16(32767) - high_product(
        fraction, hl.i16(EXP_LINEAR) - high_product(fraction, EXP_SQUARE)
    )
    return mantissa >> hl.min(steps >> hl.i16(8), hl.i16(15))


def gelu(x: hl.Expr) -> hl.Expr:
    """Return ``x / 2 * (1 + erf(x / sqrt 2))`` of 16-bit values with 12 fractional bits, erf by
    a parabola.
    """
    distance = hl.i16(hl.min(hl.abs(x), hl.u16(GELU_END))) - hl.i16(GELU_END)
    square = hl.rounding_mul_shift_right(distance, distance, hl.u16(GELU_BITS))
    one = hl.i16(1 << GELU_BITS)
    erf = one - high_product(square, GELU_SQUARE)
    return hl.rounding_mul_shift_right(
        x, one + hl.select(x < hl.i16(0), -erf, erf), hl.u16(GELU_BITS + 1)
    )
