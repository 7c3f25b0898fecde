"""Elementwise kernels on arrays of ``FLAT`` elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.inputs import Array, draw
from bench.quantised import ADD_A, ADD_B, ADD_SHIFT, MUL_MULTIPLIER, MUL_SHIFT, ZERO_A, ZERO_B
from bench.references.quantise import activated, rounding_shift, scaled
from bench.shapes import FLAT


def streams(*kinds: str) -> Callable[[np.random.Generator], list[Array]]:
    """Return a maker of one array of each type."""
    return lambda rng: [draw(rng, (FLAT,), kind) for kind in kinds]


def wide(args: list[Array]) -> list[Array]:
    """Return the arrays as 64-bit integers."""
    return [a.astype(np.int64) for a in args]


def add(args: list[Array]) -> Array:
    """Quantised addition with 16-bit multipliers."""
    a, b = wide(args)
    return activated(rounding_shift((a - ZERO_A) * ADD_A + (b - ZERO_B) * ADD_B, ADD_SHIFT))


def mul(args: list[Array]) -> Array:
    """Quantised multiplication with a 31-bit multiplier."""
    a, b = wide(args)
    return activated(scaled((a - ZERO_A) * (b - ZERO_B), MUL_MULTIPLIER, MUL_SHIFT))
