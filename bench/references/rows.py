"""Rows of quantised bytes, normalised one by one."""

from __future__ import annotations

import math

import numpy as np

from bench.inputs import Array, draw
from bench.quantised import BETA, ZERO_IN
from bench.references.quantise import power_of_two, rounding_shift, wide
from bench.shapes import ROW, ROWS


def rows(rng: np.random.Generator) -> list[Array]:
    """Return rows of random bytes, one row of zero points, one of ends, and one that is all but
    flat.
    """
    array = draw(rng, (ROWS, ROW), "uint8")
    array[1] = ZERO_IN
    array[2] = np.where(rng.random(ROW) < 0.5, 0, 255)
    array[3] = ZERO_IN
    array[3, 7] = ZERO_IN + 1
    return [array]


def l2norm(args: list[Array]) -> Array:
    """Each value over the root of the sum of squares, at scale 1 / 128 about 128."""
    centred = wide(args[0]) - ZERO_IN
    roots = np.array(
        [max(math.isqrt(int(t) << 6), 1) for t in (centred * centred).sum(axis=1)], dtype=np.int64
    )
    inverse = ((1 << 22) + roots // 2) // roots
    return np.clip(rounding_shift(centred * inverse[:, None], 12) + 128, 0, 255).astype(np.uint8)


def softmax(args: list[Array]) -> Array:
    """Powers of two over their sum, at scale 1 / 256."""
    values = wide(args[0])
    power = power_of_two((values.max(axis=1, keepdims=True) - values) * BETA)
    total: Array = power.sum(axis=1, keepdims=True)
    inverse = np.minimum(((1 << 30) + total // 2) // total, 32767)
    return np.clip(rounding_shift(rounding_shift(power * inverse, 15), 7), 0, 255).astype(np.uint8)
