"""Elementwise kernels on arrays of ``FLAT`` elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.inputs import Array, draw
from bench.shapes import FLAT


def streams(*kinds: str) -> Callable[[np.random.Generator], list[Array]]:
    """Return a maker of one array of each type."""
    return lambda rng: [draw(rng, (FLAT,), kind) for kind in kinds]


def absd(args: list[Array]) -> Array:
    """Absolute difference of bytes."""
    a, b = wide(args)
    distance: Array = np.maximum(a - b, b - a)
    return distance.astype(np.uint8)


def wide(args: list[Array]) -> list[Array]:
    """Return the arrays as 32-bit integers."""
    return [a.astype(np.int32) for a in args]
