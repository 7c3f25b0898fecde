"""Products of 16-bit matrices with what a network does next, in one pipeline."""

from __future__ import annotations

from collections.abc import Callable

import halide as hl

from bench.pipelines.layout import SUMS, Inputs, X, Y, bounded, param
from bench.pipelines.product import TILES, in_registers, product, tile
from bench.pipelines.quantise import gelu
from bench.quantised import HIDDEN_SHIFT
from bench.shapes import K, M, N

Step = Callable[[hl.Expr], hl.Expr]


def matmul_bias_add(variant: int = 0) -> Inputs:
    """The product plus a bias of each column."""
    return single("matmul_bias_add", lambda x: x, variant)


def matmul_bias_add_add(variant: int = 0) -> Inputs:
    """The product plus a bias of each column plus a matrix."""
    other = param("other", hl.Int(32), M, N)
    out, params = single("matmul_bias_add_add", lambda x: x + other[X, Y], variant)
    return out, [*params, other]


def matmul_bias_add_relu(variant: int = 0) -> Inputs:
    """The product plus a bias of each column, negative values replaced by zero."""
    return single("matmul_bias_add_relu", lambda x: hl.max(x, 0), variant)


def matmul_bias_add_gelu(variant: int = 0) -> Inputs:
    """The product plus a bias of each column, brought to 16 bits, through gelu."""
    return single("matmul_bias_add_gelu", lambda x: gelu(hidden(x)), variant)


def matmul_bias_relu_matmul(variant: int = 0) -> Inputs:
    """The product plus bias, brought to 16 bits, without negative values, by a second factor."""
    return chained("matmul_bias_relu_matmul", lambda x: hl.max(hidden(x), hl.i16(0)), variant)


def matmul_bias_gelu_matmul(variant: int = 0) -> Inputs:
    """The product plus bias, brought to 16 bits, through gelu, by a second factor."""
    return chained("matmul_bias_gelu_matmul", lambda x: gelu(hidden(x)), variant)


def hidden(total: hl.Expr) -> hl.Expr:
    """Bring a 32-bit sum to 16 bits: a rounding shift and saturation."""
    return hl.i16_sat(hl.rounding_shift_right(total, hl.u32(HIDDEN_SHIFT)))


def layer() -> list[hl.ImageParam]:
    """Return the two factors and the bias."""
    return [
        param("a", hl.Int(16), M, K),
        param("b", hl.Int(16), K, N),
        param("bias", hl.Int(32), N),
    ]


def single(name: str, step: Step, variant: int) -> Inputs:
    """Return the pipeline of one product, ``step`` of each sum with its bias."""
    a, b, bias = params = layer()
    total = product(a, b, K)
    out = hl.Func(name)
    out[X, Y] = step(total.func[X, Y] + bias[X])
    bounded(out, M, N)
    tile(out, total, variant)
    return out, params


def chained(name: str, step: Step, variant: int) -> Inputs:
    """Return the pipeline of two products; rows of the first are computed for the second's
    tiles.
    """
    a, b, bias = params = layer()
    last = param("c", hl.Int(16), N, N)
    first = product(a, b, K, name="first")
    middle = hl.Func("middle")
    middle[X, Y] = step(first.func[X, Y] + bias[X])
    second = product(middle, last, N)
    out = hl.Func(name)
    out[X, Y] = second.func[X, Y]
    bounded(out, M, N)
    rows = tile(out, second, variant)

    xo, xi = hl.Var("xo"), hl.Var("xi")
    middle.compute_at(out, rows).store_in(hl.MemoryType.Stack)
    middle.split(X, xo, X, TILES[variant][1]).split(X, X, xi, SUMS).reorder(xi, X, Y, xo).vectorize(
        xi
    ).unroll(X).unroll(Y)
    first.func.compute_at(middle, xo)
    in_registers(first)
    return out, [*params, last]
