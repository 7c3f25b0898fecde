"""Sizes that pipelines, C sources, inputs and references share; extents are written innermost
last, as numpy has them.
"""

from __future__ import annotations

from typing import Final

# Images of bytes: rows of an input are padded to whole vectors so that every row starts aligned.
WIDTH: Final = 256
HEIGHT: Final = 64
PITCH: Final = WIDTH + 64

# Elementwise kernels; three arrays stay within a first-level cache of 48 KiB.
FLAT: Final = 12288
STREAM: Final = 8192

# Rows that are normalised one by one.
ROWS: Final = 32
ROW: Final = 256

# Tensors, channels innermost.
CHANNELS: Final = 64
OUT_WIDTH: Final = 16
OUT_HEIGHT: Final = 8
POOL: Final = 3
POOL_STRIDE: Final = 2
POOL_WIDTH: Final = (OUT_WIDTH - 1) * POOL_STRIDE + POOL
POOL_HEIGHT: Final = (OUT_HEIGHT - 1) * POOL_STRIDE + POOL

# The convolution layer: 3x3 taps, weights packed by four input and sixteen output channels.
CONV_IN: Final = 32
CONV_OUT: Final = 64
CONV_WIDTH: Final = 16
CONV_HEIGHT: Final = 4

# The fully connected layer.
DEPTH: Final = 256
BATCH: Final = 4

# Products of matrices: M x K times K x N.
M: Final = 32
N: Final = 64
K: Final = 64

# The camera: raw samples of ten bits with a margin around the picture, a matrix of colours with
# eight fractional bits and what is added, tones of a table, the weight of details in 32nds.
CAMERA_WIDTH: Final = 128
CAMERA_HEIGHT: Final = 32
CAMERA_MARGIN: Final = 8
CAMERA_PITCH: Final = 2 * CAMERA_WIDTH
CAMERA_TONES: Final = 1024
CAMERA_COLOURS: Final = (
    (430, -103, -32, -5120),
    (-62, 374, -51, -3840),
    (-21, -146, 461, -4608),
)
CAMERA_SHARPNESS: Final = 48
