"""Products of 16-bit matrices with 32-bit sums, in batches."""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import B, Inputs, X, Y, bounded, param
from bench.pipelines.product import product, tile
from bench.shapes import K, M, N


def matmul_b1(variant: int = 0) -> Inputs:
    """One product."""
    return batched("matmul_b1", 1, variant)


def matmul_b2(variant: int = 0) -> Inputs:
    """Two products."""
    return batched("matmul_b2", 2, variant)


def matmul_b4(variant: int = 0) -> Inputs:
    """Four products."""
    return batched("matmul_b4", 4, variant)


def batched(name: str, batch: int, variant: int) -> Inputs:
    """Return the pipeline of ``batch`` products of M x K by K x N."""
    a, b = param("a", hl.Int(16), batch, M, K), param("b", hl.Int(16), batch, K, N)
    total = product(a, b, K, B)
    out = hl.Func(name)
    out[X, Y, B] = total.func[X, Y, B]
    bounded(out, batch, M, N)
    tile(out, total, variant)
    return out, [a, b]
