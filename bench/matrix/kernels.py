"""The registry of sums of products: 20 C loops, and 10 of them as Halide pipelines."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench.kernel import Inputs, Kernel, Meaning, Shape
from bench.matrix import references as r

__all__ = ["KERNELS", "Kernel"]

_HERE: Final = Path(__file__).parent
_LEFT: Final = (r.ROWS, r.DEPTH)
_ROWS: Final = (r.DEPTH, r.COLUMNS)
_TRANSPOSED: Final = (r.COLUMNS, r.DEPTH)
_PACKED: Final = (r.DEPTH // 4, r.COLUMNS, 4)
_PRODUCT: Final[Shape] = ((r.ROWS, r.COLUMNS), "int32")
_ROW: Final[Shape] = ((r.LENGTH,), "int32")
_IMAGE: Final[Shape] = ((r.HEIGHT, r.WIDTH), "int32")


def _taps(count: int, step: int = 1) -> Inputs:
    return r.given(("uint8", ((r.LENGTH - 1) * step + count,)), ("int8", (count,)))


def _side(side: int) -> Inputs:
    image = (r.HEIGHT + side - 1, r.WIDTH + side - 1)
    return r.given(("uint8", image), ("int8", (side, side)))


# Name, inputs, output, meaning.
_TABLE: Final[tuple[tuple[str, Inputs, Shape, Meaning], ...]] = (
    ("mm_row", r.given(("uint8", _LEFT), ("int8", _ROWS)), _PRODUCT, r.product),
    (
        "mm_trans",
        r.given(("uint8", _LEFT), ("int8", _TRANSPOSED)),
        _PRODUCT,
        r.product_of_transposed,
    ),
    ("mm_packed", r.given(("uint8", _LEFT), ("int8", _PACKED)), _PRODUCT, r.product_of_packed),
    ("mm_i8_row", r.given(("int8", _LEFT), ("int8", _ROWS)), _PRODUCT, r.product),
    (
        "mm_i8_trans",
        r.given(("int8", _LEFT), ("int8", _TRANSPOSED)),
        _PRODUCT,
        r.product_of_transposed,
    ),
    ("mm_i16_row", r.given(("int16", _LEFT), ("int16", _ROWS)), _PRODUCT, r.product),
    (
        "mm_i16_trans",
        r.given(("int16", _LEFT), ("int16", _TRANSPOSED)),
        _PRODUCT,
        r.product_of_transposed,
    ),
    ("conv7", _taps(7), _ROW, r.convolved()),
    ("conv16", _taps(16), _ROW, r.convolved()),
    ("conv32", _taps(32), _ROW, r.convolved()),
    ("conv49", _taps(49), _ROW, r.convolved()),
    ("taps3x3", _side(3), _IMAGE, r.convolved_image),
    ("taps5x5", _side(5), _IMAGE, r.convolved_image),
    ("taps16x16", _side(16), _IMAGE, r.convolved_image),
    ("down2", _taps(8, 2), _ROW, r.convolved(2)),
    (
        "up2",
        r.given(("uint8", (r.LENGTH // 2 + 3,)), ("int8", (4, 2))),
        _ROW,
        r.upsampled,
    ),
    (
        "dct8x8",
        r.given(("int16", (r.BLOCKS, 8, 8)), ("int16", (8, 8))),
        ((r.BLOCKS, 8, 8), "int32"),
        r.transformed,
    ),
    ("grey", r.given(("uint8", (r.LENGTH, 4))), ((r.LENGTH,), "uint8"), r.grey),
    (
        "depthwise",
        r.given(
            ("uint8", (r.PIXELS // 2 + 2, r.PIXELS + 2, r.CHANNELS)), ("int8", (3, 3, r.CHANNELS))
        ),
        ((r.PIXELS // 2, r.PIXELS, r.CHANNELS), "int32"),
        r.depthwise,
    ),
    (
        "layer64",
        r.given(
            ("uint8", (r.LENGTH // r.CHANNELS, r.CHANNELS)),
            ("int8", (r.CHANNELS, r.CHANNELS)),
            ("int32", (r.CHANNELS,)),
        ),
        ((r.LENGTH // r.CHANNELS, r.CHANNELS), "uint8"),
        r.layer,
    ),
)
_PIPELINES: Final = (
    "mm_row",
    "mm_trans",
    "mm_i16_row",
    "conv7",
    "conv16",
    "taps3x3",
    "down2",
    "up2",
    "grey",
    "depthwise",
)
C: Final = tuple(
    Kernel(f"c_{name}", "c", _HERE / "c" / f"{name}.c", name, inputs, output, meaning, name)
    for name, inputs, output, meaning in _TABLE
)
HALIDE: Final = tuple(
    Kernel(name, "halide", _HERE / "pipelines.py", name, inputs, output, meaning, name)
    for name, inputs, output, meaning in _TABLE
    if name in _PIPELINES
)
KERNELS: Final[tuple[Kernel, ...]] = C + HALIDE
