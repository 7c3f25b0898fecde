"""Fixed-point arithmetic of TensorFlow Lite, with exact integers."""

from __future__ import annotations

import numpy as np

from bench.inputs import Array
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


def wide(array: Array) -> Array:
    """Return 64-bit integers."""
    return array.astype(np.int64)


def narrowed(x: Array, dtype: str) -> Array:
    """Convert to a narrower type; raises ``OverflowError`` where a value does not fit, as no
    kernel may overflow.
    """
    limits = np.iinfo(dtype)
    if x.min() < limits.min or x.max() > limits.max:
        raise OverflowError(f"values from {x.min()} to {x.max()} do not fit {dtype}")
    return x.astype(dtype)


def rounding_shift(x: Array, shift: int) -> Array:
    """Divide 64-bit integers by ``2**shift`` to nearest, halves up."""
    return (x + (1 << shift >> 1)) >> np.int64(shift)


def high_multiply(x: Array, multiplier: int) -> Array:
    """SaturatingRoundingDoublingHighMul of gemmlowp: a nudge by sign, a division by 2**31
    towards zero.
    """
    product = x * np.int64(multiplier)
    nudged = product + np.where(product >= 0, 1 << 30, 1 - (1 << 30))
    high: Array = np.sign(nudged) * (np.abs(nudged) >> np.int64(31))
    return high


def divide_by_power(x: Array, shift: int) -> Array:
    """RoundingDivideByPOT of gemmlowp: to nearest, halves away from zero, by comparing the
    remainder.
    """
    mask = (1 << shift) - 1
    threshold = (mask >> 1) + (x < 0)
    return (x >> np.int64(shift)) + ((x & np.int64(mask)) > threshold)


def scaled(x: Array, multiplier: int, shift: int) -> Array:
    """MultiplyByQuantizedMultiplier of TensorFlow Lite, for multipliers below one."""
    return divide_by_power(high_multiply(x, multiplier), shift)


def activated(x: Array) -> Array:
    """Add the output's zero point and clamp to the activation's bounds."""
    return clamped(x + ZERO_OUT)


def clamped(x: Array) -> Array:
    """Clamp to the activation's bounds, as bytes."""
    return np.clip(x, LEAST, MOST).astype(np.uint8)


def power_of_two(steps: Array) -> Array:
    """Return the parabola for ``2**-steps``, 15 fractional bits, from steps with eight."""
    fraction = (steps % 256) * 128
    inner = EXP_LINEAR - rounding_shift(fraction * EXP_SQUARE, 15)
    mantissa = 32767 - rounding_shift(fraction * inner, 15)
    return mantissa >> np.minimum(steps // 256, 15)


def gelu(x: Array) -> Array:
    """Return ``x / 2 * (1 + erf(x / sqrt 2))`` with 12 fractional bits, erf by a parabola."""
    distance = np.minimum(np.abs(x), GELU_END) - GELU_END
    square = rounding_shift(distance * distance, GELU_BITS)
    one = 1 << GELU_BITS
    erf = np.where(x < 0, -1, 1) * (one - rounding_shift(square * GELU_SQUARE, 15))
    return rounding_shift(x * (one + erf), GELU_BITS + 1)
