"""What the kernels compute, with exact integers, and what they are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from bench.inputs import Array, draw
from bench.kernel import Inputs, Meaning
from bench.references.quantise import narrowed, wide

ROWS, COLUMNS, DEPTH = 64, 64, 256
LENGTH = 4096
WIDTH, HEIGHT = 256, 32
CHANNELS, PIXELS = 64, 16
BLOCKS = 32
# What wider values are drawn from: sums stay within 32 bits, a block's columns within 16.
BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "int16": (-2048, 2047),
    "int32": (-(1 << 20), 1 << 20),
}


def given(*kinds: tuple[str, tuple[int, ...]]) -> Inputs:
    """Return a maker of arrays, each of an element type and a shape."""
    return lambda rng: [draw(rng, shape, kind, *BOUNDS.get(kind, ())) for kind, shape in kinds]


def product(args: list[Array]) -> Array:
    """The second factor in rows."""
    return narrowed(wide(args[0]) @ wide(args[1]), "int32")


def product_of_transposed(args: list[Array]) -> Array:
    """The second factor transposed."""
    return product([args[0], args[1].T])


def product_of_packed(args: list[Array]) -> Array:
    """The second factor as depth / 4, column, depth % 4."""
    return product([args[0], args[1].transpose(0, 2, 1).reshape(DEPTH, COLUMNS)])


def convolved(step: int = 1) -> Meaning:
    """Taps along a row, from every ``step``-th place."""

    def meaning(args: list[Array]) -> Array:
        windows = np.lib.stride_tricks.sliding_window_view(wide(args[0]), args[1].size)
        return narrowed(windows[::step] @ wide(args[1]), "int32")

    return meaning


def convolved_image(args: list[Array]) -> Array:
    """Taps over an image."""
    windows = np.lib.stride_tricks.sliding_window_view(wide(args[0]), args[1].shape)
    return narrowed(np.einsum("yxij,ij->yx", windows, wide(args[1])), "int32")


def upsampled(args: list[Array]) -> Array:
    """Four taps for each of two phases."""
    windows = np.lib.stride_tricks.sliding_window_view(wide(args[0]), 4)
    return narrowed((windows @ wide(args[1])).reshape(-1), "int32")


def transformed(args: list[Array]) -> Array:
    """Columns, rounded, then rows."""
    blocks, matrix = wide(args[0]), wide(args[1])
    columns = wide(narrowed((matrix @ blocks + 2048) >> np.int64(12), "int16"))
    return narrowed(columns @ matrix.T, "int32")


def grey(args: list[Array]) -> Array:
    """Luma by 256ths; the fourth byte is not read."""
    return narrowed((wide(args[0]) @ np.array([77, 150, 29, 0]) + 128) >> np.int64(8), "uint8")


def depthwise(args: list[Array]) -> Array:
    """Each channel under its own taps."""
    windows = np.lib.stride_tricks.sliding_window_view(wide(args[0]), (3, 3), axis=(0, 1))
    return narrowed(np.einsum("yxcij,ijc->yxc", windows, wide(args[1])), "int32")


def layer(args: list[Array]) -> Array:
    """Bias and product, 8 bits dropped, clamped."""
    total = wide(args[0]) @ wide(args[1]).T + wide(args[2])
    return narrowed(np.clip(total >> np.int64(8), 0, 255), "uint8")
