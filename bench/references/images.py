"""Stencils on byte images: the input has a margin of the window's size, rows are padded to whole vectors."""

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
    """Return the image shifted by each (row, column) of a ``size`` by ``size`` window, as 32-bit integers."""
    wide = image.astype(np.int32)
    return [[wide[r : r + HEIGHT, c : c + WIDTH] for c in range(size)] for r in range(size)]


def weighted(image: Array, down: Sequence[int], across: Sequence[int]) -> Array:
    """Return the sum of the window under the weights' outer product, in 32 bits."""
    shifted = window(image, len(down))
    return sum((shifted[r][c] * (v * h) for r, v in enumerate(down) for c, h in enumerate(across)), np.zeros((HEIGHT, WIDTH), np.int32))


def saturated(values: Array) -> Array:
    """Clamp to a byte."""
    return np.clip(values, 0, 255).astype(np.uint8)


def sobel(smooth: Sequence[int], slope: Sequence[int]) -> Reference:
    """Saturated sum of the absolute gradients."""
    return lambda args: saturated(np.abs(weighted(args[0], smooth, slope)) + np.abs(weighted(args[0], slope, smooth)))
