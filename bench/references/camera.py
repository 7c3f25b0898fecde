"""The camera's pipeline on whole arrays of integers."""

from __future__ import annotations

import numpy as np

from bench.inputs import Array, draw
from bench.shapes import (
    CAMERA_COLOURS,
    CAMERA_HEIGHT,
    CAMERA_MARGIN,
    CAMERA_PITCH,
    CAMERA_SHARPNESS,
    CAMERA_TONES,
    CAMERA_WIDTH,
)


def raw(rng: np.random.Generator) -> list[Array]:
    """Return raw samples of ten bits and a table of tones."""
    rows = CAMERA_HEIGHT + 2 * CAMERA_MARGIN
    return [
        draw(rng, (rows, CAMERA_PITCH), "uint16", 0, CAMERA_TONES - 1),
        draw(rng, (CAMERA_TONES,), "uint8"),
    ]


def _shift(a: Array, dx: int, dy: int) -> Array:
    """Return what is ``dx`` columns to the right and ``dy`` rows below each place."""
    return np.roll(a, (-dy, -dx), axis=(0, 1))


def _mean(a: Array, b: Array) -> Array:
    return (a + b + 1) >> 1


def _flatter(a: Array, b: Array, c: Array, d: Array) -> Array:
    return np.where(np.abs(c - d) < np.abs(a - b), _mean(c, d), _mean(a, b))


def _word(a: Array) -> Array:
    """Wrap to 16 bits, as differences of the pipeline are computed."""
    return a.astype(np.int16).astype(np.int32)


def camera_pipe(args: list[Array]) -> Array:
    """Clean, demosaic, correct, tone, sharpen; what wraps around is in the margin, which is cut."""
    sensor, curve = args[0].astype(np.int32), args[1].astype(np.int32)
    sides = (-2, 0), (2, 0), (0, -2), (0, 2)
    near = np.max([_shift(sensor, dx, dy) for dx, dy in sides], axis=0)
    clean = np.clip(sensor, 0, near)
    picture = _demosaic(clean)
    toned = []
    for *weights, more in CAMERA_COLOURS:
        products = (w * p for w, p in zip(weights, picture, strict=True))
        total: Array = sum(products, np.full_like(picture[0], more))
        toned.append(curve[np.clip(_word(total >> 8), 0, CAMERA_TONES - 1)])
    out = []
    for tone in toned:
        column = _mean(_mean(_shift(tone, 0, -1), _shift(tone, 0, 1)), tone)
        level = _mean(_mean(_shift(column, -1, 0), _shift(column, 1, 0)), column)
        out.append(np.clip(tone + ((tone - level) * CAMERA_SHARPNESS >> 5), 0, 255))
    top = CAMERA_MARGIN
    return np.stack(out)[:, top : top + CAMERA_HEIGHT, top : top + CAMERA_WIDTH].astype(np.uint8)


def _demosaic(clean: Array) -> list[Array]:
    """Return red, green and blue of every place."""
    gr, r, b, gb = clean[::2, ::2], clean[::2, 1::2], clean[1::2, ::2], clean[1::2, 1::2]
    g = _flatter(_shift(gb, 0, -1), gb, _shift(gr, 1, 0), gr)  # green at red
    h = _flatter(_shift(gr, 0, 1), gr, _shift(gb, -1, 0), gb)  # green at blue

    def beside(green: Array, greens: Array, values: Array, dx: int, dy: int) -> Array:
        means = _mean(greens, _shift(greens, dx, dy)), _mean(values, _shift(values, dx, dy))
        return _word(green - means[0] + means[1])

    def diagonal(green: Array, greens: Array, values: Array, dx: int, dy: int) -> Array:
        one = values, _shift(values, dx, dy)
        two = _shift(values, dx, 0), _shift(values, 0, dy)
        first = green - _mean(greens, _shift(greens, dx, dy)) + _mean(*one)
        second = green - _mean(_shift(greens, dx, 0), _shift(greens, 0, dy)) + _mean(*two)
        return _word(np.where(np.abs(one[0] - one[1]) < np.abs(two[0] - two[1]), first, second))

    cells = (
        (beside(gr, g, r, -1, 0), r, diagonal(h, g, r, -1, 1), beside(gb, g, r, 0, 1)),
        (gr, g, h, gb),
        (beside(gr, h, b, 0, -1), diagonal(g, h, b, 1, -1), b, beside(gb, h, b, 1, 0)),
    )
    pictures = []
    for cell in cells:
        picture = np.empty_like(clean)
        for k, values in enumerate(cell):
            picture[k // 2 :: 2, k % 2 :: 2] = values
        pictures.append(picture)
    return pictures
