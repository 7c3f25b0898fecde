"""A registry of small kernels, most of them wrong in one way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench.inputs import Array, draw
from bench.kernel import Kernel

HERE = Path(__file__).parent
COUNT = 200  # no multiple of a vector
PIPED = 192


def two(rng: np.random.Generator) -> list[Array]:
    return [draw(rng, (COUNT,), "int16"), draw(rng, (COUNT,), "int16")]


def product(inputs: list[Array]) -> Array:
    a, b = (x.astype(np.int32) for x in inputs)
    return ((a * b + 16384) >> 15).astype(np.int16)


def total(inputs: list[Array]) -> Array:
    return np.asarray(inputs[0] + inputs[1])


def nearly(inputs: list[Array]) -> Array:
    right = total(inputs)
    right[17] ^= 1
    return right


def kernel(
    name: str,
    entry: str,
    reference: Callable[[list[Array]], Array] = product,
    *,
    quick: bool = False,
) -> Kernel:
    return Kernel(
        name, "c", HERE / f"{entry}.c", entry, two, ((COUNT,), "int16"), reference, "product", quick
    )


def even(rng: np.random.Generator) -> list[Array]:
    return [a[:PIPED].copy() for a in two(rng)]


KERNELS = (
    kernel("right", "product", quick=True),
    kernel("differs", "total", nearly),
    kernel("rejected", "rejected"),
    kernel("dies", "dies"),
    kernel("oversteps", "oversteps", total),
    kernel("right_again", "product"),
    Kernel(
        "piped", "halide", HERE / "pipes.py", "piped", even, ((PIPED,), "int16"), product, "product"
    ),
)
