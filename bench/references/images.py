"""Stencils on byte images: the input has a margin of the window's size, rows are padded to
whole vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bench.inputs import Array, draw
from bench.shapes import HEIGHT, PITCH, WIDTH

Reference = Callable[[list[Array]], Array]


def picture(radius: int) -> Callable[[np.random.Generator], list[Array]]:
    """Return a maker of one padded image."""
    return lambda rng: [draw(rng, (HEIGHT + 2 * radius, PITCH), "uint8")]


def window(image: Array, size: int) -> list[list[Array]]:
    """Return the image shifted by each (row, column) of a ``size`` by ``size`` window, as
    32-bit integers.
    """
    wide = image.astype(np.int32)
    return [[wide[r : r + HEIGHT, c : c + WIDTH] for c in range(size)] for r in range(size)]


def weighted(image: Array, down: Sequence[int], across: Sequence[int]) -> Array:
    """Return the sum of the window under the weights' outer product, in 32 bits."""
    shifted = window(image, len(down))
    return sum(
        (shifted[r][c] * (v * h) for r, v in enumerate(down) for c, h in enumerate(across)),
        np.zeros((HEIGHT, WIDTH), np.int32),
    )


def saturated(values: Array) -> Array:
    """Clamp to a byte."""
    return np.clip(values, 0, 255).astype(np.uint8)


def sobel(smooth: Sequence[int], slope: Sequence[int]) -> Reference:
    """Saturated sum of the absolute gradients."""
    return lambda args: saturated(
        np.abs(weighted(args[0], smooth, slope)) + np.abs(weighted(args[0], slope, smooth))
    )


def dilate(size: int) -> Reference:
    """Greatest value of the window."""
    return lambda args: np.max(
        [shifted for line in window(args[0], size) for shifted in line], axis=0
    ).astype(np.uint8)


def blur(size: int) -> Reference:
    """Mean of the window, rounded down."""
    return lambda args: (weighted(args[0], (1,) * size, (1,) * size) // (size * size)).astype(
        np.uint8
    )


def gaussian(weights: Sequence[int]) -> Reference:
    """Mean of the window under binomial weights, rounded to nearest, halves up."""
    total = sum(weights) ** 2
    return lambda args: ((weighted(args[0], weights, weights) + total // 2) // total).astype(
        np.uint8
    )


def median(args: list[Array]) -> Array:
    """Median of nine."""
    middle: Array = np.sort(
        np.stack([shifted for line in window(args[0], 3) for shifted in line]), axis=0
    )[4]
    return middle.astype(np.uint8)


def masked(rng: np.random.Generator) -> list[Array]:
    """Return a padded image and nine signed weights."""
    return [*picture(1)(rng), draw(rng, (3, 3), "int8")]


def conv3x3a16(args: list[Array]) -> Array:
    """Sum of products modulo 2**16, an arithmetic shift by four, a clamp."""
    image, mask = args
    shifted = window(image, 3)
    total = sum(
        (shifted[r][c] * np.int32(mask[r, c]) for r in range(3) for c in range(3)),
        np.zeros((HEIGHT, WIDTH), np.int32),
    )
    return saturated(total.astype(np.int16) >> 4)
