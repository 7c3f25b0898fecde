"""C kernels that have no pipeline of the same meaning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.inputs import Array, draw
from bench.references.images import saturated, window
from bench.references.quantise import narrowed, rounding_shift, wide
from bench.shapes import HEIGHT, STREAM, WIDTH, K, M, N

LENGTH = 256
BLOCK = 64
DOTS = 64
BLOCKS = 192
HALVED = (HEIGHT // 2, WIDTH)


def streams(count: int, kind: str) -> Callable[[np.random.Generator], list[Array]]:
    """Return a maker of ``count`` arrays of ``STREAM`` elements."""
    return lambda rng: [draw(rng, (STREAM,), kind) for _ in range(count)]


def conv3x3(args: list[Array]) -> Array:
    """Sum of products with signed weights, rounded to 64ths and clamped."""
    image, weights = args
    shifted = window(image, 3)
    total = sum(
        (shifted[r][c] * np.int32(weights[r, c]) for r in range(3) for c in range(3)),
        np.zeros((HEIGHT, WIDTH), np.int32),
    )
    return saturated((total + 32) >> 6)


def large(rng: np.random.Generator) -> list[Array]:
    """Return an image of twice the output's extents."""
    return [draw(rng, (2 * HALVED[0], 2 * HALVED[1]), "uint8")]


def average_pool2x2(args: list[Array]) -> Array:
    """Mean of two by two, rounded to nearest."""
    image = wide(args[0])
    total = image[0::2, 0::2] + image[0::2, 1::2] + image[1::2, 0::2] + image[1::2, 1::2]
    return narrowed((total + 2) >> np.int64(2), "uint8")


def alpha_blend(args: list[Array]) -> Array:
    """Blend by a mask of 255ths, rounded to nearest."""
    front, back, mask = (wide(a) for a in args)
    return narrowed((front * mask + back * (255 - mask) + 127) // 255, "uint8")


def audio_mix(args: list[Array]) -> Array:
    """Rounded products with 15 fractional bits, a saturating sum."""
    a, b = (wide(x) for x in args)
    return sample(rounding_shift(a * 26214, 15) + rounding_shift(b * 19661, 15))


def absd(args: list[Array]) -> Array:
    """Absolute difference of bytes."""
    a, b = (wide(x) for x in args)
    return np.where(a > b, a - b, b - a).astype(np.uint8)


def saturating_add(args: list[Array]) -> Array:
    """Sum saturated to 16 bits."""
    a, b = (wide(x) for x in args)
    return sample(a + b)


def sample(values: Array) -> Array:
    """Clamp to 16 bits."""
    clamped: Array = np.clip(values, -32768, 32767)
    return clamped.astype(np.int16)


def dots_u8i8(rng: np.random.Generator) -> list[Array]:
    """Return rows of bytes and a vector of signed bytes."""
    return [draw(rng, (DOTS, LENGTH), "uint8"), draw(rng, (LENGTH,), "int8")]


def dots_i16(rng: np.random.Generator) -> list[Array]:
    """Return rows and a vector of 16-bit values, the vector within bounds that let sums stay
    within 32 bits.
    """
    return [draw(rng, (DOTS, LENGTH), "int16"), draw(rng, (LENGTH,), "int16", -255, 255)]


def dot(args: list[Array]) -> Array:
    """Product of each row with the vector."""
    return narrowed(wide(args[0]) @ wide(args[1]), "int32")


def blocks(rng: np.random.Generator) -> list[Array]:
    """Return two arrays of blocks of bytes."""
    return [draw(rng, (BLOCKS, BLOCK), "uint8") for _ in range(2)]


def sad(args: list[Array]) -> Array:
    """Sum of the absolute differences of each block."""
    a, b = (wide(x) for x in args)
    total: Array = np.abs(a - b).sum(axis=1)
    return narrowed(total, "int32")


def rgb_to_gray(args: list[Array]) -> Array:
    """Luma by 256ths."""
    red, green, blue = (wide(a) for a in args)
    return narrowed((77 * red + 150 * green + 29 * blue + 128) // 256, "uint8")


def rgb_to_yuv(args: list[Array]) -> Array:
    """Luma and chromas of BT.601, plane behind plane."""
    weights = np.array([[66, 129, 25], [-38, -74, 112], [112, -94, -18]], dtype=np.int64)
    planes = (weights @ np.stack([wide(a) for a in args]) + 128) // 256 + np.array(
        [[16], [128], [128]], dtype=np.int64
    )
    return narrowed(planes.reshape(-1), "uint8")


def threshold(args: list[Array]) -> Array:
    """White above the level."""
    return np.where(args[0] > 97, 255, 0).astype(np.uint8)


def factors_u8i8(rng: np.random.Generator) -> list[Array]:
    """Return factors of bytes and of signed bytes."""
    return [draw(rng, (M, K), "uint8"), draw(rng, (K, N), "int8")]
