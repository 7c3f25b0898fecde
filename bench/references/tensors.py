"""Pools and layers: tensors of bytes, channels innermost."""

from __future__ import annotations

import numpy as np

from bench.inputs import Array, draw, vector_bytes
from bench.quantised import (
    CONNECTED_SHIFT,
    CONV_SHIFT,
    DEPTHWISE_SHIFT,
    LAYER_MULTIPLIER,
    ZERO_FILTER,
    ZERO_IN,
)
from bench.references.quantise import activated, clamped, scaled, wide
from bench.shapes import (
    BATCH,
    CHANNELS,
    CONV_HEIGHT,
    CONV_IN,
    CONV_OUT,
    CONV_WIDTH,
    DEPTH,
    OUT_HEIGHT,
    OUT_WIDTH,
    POOL,
    POOL_HEIGHT,
    POOL_STRIDE,
    POOL_WIDTH,
)

POOLED = (OUT_HEIGHT, OUT_WIDTH, CHANNELS)
BIAS = 1 << 16


def pooled(rng: np.random.Generator) -> list[Array]:
    """Return the input of a pool."""
    return [draw(rng, (POOL_HEIGHT, POOL_WIDTH, CHANNELS), "uint8")]


def pooled_and_added(rng: np.random.Generator) -> list[Array]:
    """Return the input of a pool and what is added to its result."""
    return [*pooled(rng), draw(rng, POOLED, "uint8")]


def windows(image: Array) -> Array:
    """Return the elements under each window, in a new first dimension."""
    ends = POOL_STRIDE * (OUT_HEIGHT - 1) + 1, POOL_STRIDE * (OUT_WIDTH - 1) + 1
    return np.stack(
        [
            wide(image)[r : r + ends[0] : POOL_STRIDE, c : c + ends[1] : POOL_STRIDE]
            for r in range(POOL)
            for c in range(POOL)
        ]
    )


def greatest(image: Array) -> Array:
    """Return the greatest under each window."""
    found: Array = windows(image).max(axis=0)
    return found


def mean(image: Array) -> Array:
    """Return the mean under each window, rounded to nearest."""
    total: Array = windows(image).sum(axis=0)
    return (total + POOL * POOL // 2) // (POOL * POOL)


def max_pool(args: list[Array]) -> Array:
    """Greatest, clamped."""
    return clamped(greatest(args[0]))


def average_pool(args: list[Array]) -> Array:
    """Mean, clamped."""
    return clamped(mean(args[0]))


def max_pool_add(args: list[Array]) -> Array:
    """Greatest plus the other tensor, clamped."""
    return clamped(greatest(args[0]) + wide(args[1]))


def average_pool_add(args: list[Array]) -> Array:
    """Mean plus the other tensor, clamped."""
    return clamped(mean(args[0]) + wide(args[1]))


def depthwise(rng: np.random.Generator) -> list[Array]:
    """Return image, weights and bias of the depthwise convolution."""
    image = draw(rng, (OUT_HEIGHT + 2, OUT_WIDTH + 2, CHANNELS), "uint8")
    return [
        image,
        draw(rng, (3, 3, CHANNELS), "int8"),
        draw(rng, (CHANNELS,), "int32", -BIAS, BIAS),
    ]


def depthwise_conv(args: list[Array]) -> Array:
    """Sum over the window, channel by channel."""
    image, weights, bias = (wide(a) for a in args)
    total = np.broadcast_to(bias, POOLED)
    for r in range(3):
        for c in range(3):
            total = total + (image[r : r + OUT_HEIGHT, c : c + OUT_WIDTH] - ZERO_IN) * weights[r, c]
    return activated(scaled(total, LAYER_MULTIPLIER, DEPTHWISE_SHIFT))


def convolved(rng: np.random.Generator) -> list[Array]:
    """Return image, packed weights and bias of the convolution."""
    image = draw(rng, (CONV_HEIGHT + 2, CONV_WIDTH + 2, CONV_IN), "uint8")
    sums = vector_bytes() // 4
    weights = draw(rng, (3, 3, CONV_OUT // sums, CONV_IN // 4, sums, 4), "int8")
    return [image, weights, draw(rng, (CONV_OUT,), "int32", -BIAS, BIAS)]


def conv_nn(args: list[Array]) -> Array:
    """Sum over window and input channels."""
    image, packed, bias = (wide(a) for a in args)
    weights = packed.transpose(0, 1, 3, 5, 2, 4).reshape(3, 3, CONV_IN, CONV_OUT)
    total = np.broadcast_to(bias, (CONV_HEIGHT, CONV_WIDTH, CONV_OUT))
    for r in range(3):
        for c in range(3):
            total = total + image[r : r + CONV_HEIGHT, c : c + CONV_WIDTH] @ weights[r, c]
    return activated(scaled(total, LAYER_MULTIPLIER, CONV_SHIFT))


def connected(rng: np.random.Generator) -> list[Array]:
    """Return inputs, weights and bias of the fully connected layer."""
    return [
        draw(rng, (BATCH, DEPTH), "uint8"),
        draw(rng, (CHANNELS, DEPTH), "uint8"),
        draw(rng, (CHANNELS,), "int32", -BIAS, BIAS),
    ]


def fully_connected(args: list[Array]) -> Array:
    """Inputs by the transposed weights."""
    inputs, weights, bias = (wide(a) for a in args)
    return activated(
        scaled(
            (inputs - ZERO_IN) @ (weights - ZERO_FILTER).T + bias, LAYER_MULTIPLIER, CONNECTED_SHIFT
        )
    )
