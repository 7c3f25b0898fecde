"""Products of matrices, and what is fused with them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.inputs import Array, draw
from bench.quantised import BIAS, FACTOR, HIDDEN_SHIFT
from bench.references.quantise import gelu, narrowed, rounding_shift, wide
from bench.shapes import K, M, N


def factors(rng: np.random.Generator, *batch: int) -> list[Array]:
    """Return two 16-bit factors, the second within ``FACTOR`` so that sums stay within 32 bits."""
    return [draw(rng, (*batch, M, K), "int16"), draw(rng, (*batch, K, N), "int16", -FACTOR, FACTOR)]


def batched(batch: int) -> Callable[[np.random.Generator], list[Array]]:
    """Return a maker of ``batch`` pairs of factors."""
    return lambda rng: factors(rng, batch)


def matmul(args: list[Array]) -> Array:
    """The product of each pair."""
    return narrowed(wide(args[0]) @ wide(args[1]), "int32")


def biased(rng: np.random.Generator) -> list[Array]:
    """Return two factors and a bias of each column."""
    return [*factors(rng), draw(rng, (N,), "int32", -BIAS, BIAS)]


def biased_and_added(rng: np.random.Generator) -> list[Array]:
    """Return two factors, a bias of each column and a matrix that is added."""
    return [*biased(rng), draw(rng, (M, N), "int32", -BIAS, BIAS)]


def chained(rng: np.random.Generator) -> list[Array]:
    """Return two factors, a bias of each column and the factor of the second product."""
    return [*biased(rng), draw(rng, (N, N), "int16", -FACTOR, FACTOR)]


def bias_add(args: list[Array]) -> Array:
    """Product plus bias."""
    a, b, bias = (wide(x) for x in args[:3])
    return narrowed(a @ b + bias, "int32")


def bias_add_add(args: list[Array]) -> Array:
    """Product plus bias plus a matrix."""
    return narrowed(wide(bias_add(args)) + wide(args[3]), "int32")


def bias_add_relu(args: list[Array]) -> Array:
    """Product plus bias, negative values replaced by zero."""
    return np.maximum(bias_add(args), 0)


def hidden(args: list[Array]) -> Array:
    """Product plus bias, brought to 16 bits."""
    return np.clip(rounding_shift(wide(bias_add(args)), HIDDEN_SHIFT), -32768, 32767)


def bias_add_gelu(args: list[Array]) -> Array:
    """Gelu of the product plus bias, in 16 bits."""
    return narrowed(gelu(hidden(args)), "int16")


def relu_matmul(args: list[Array]) -> Array:
    """The hidden layer without negative values, by a second factor."""
    return narrowed(np.maximum(hidden(args), 0) @ wide(args[3]), "int32")


def gelu_matmul(args: list[Array]) -> Array:
    """Gelu of the hidden layer, by a second factor."""
    return narrowed(gelu(hidden(args)) @ wide(args[3]), "int32")
