"""The product of two matrices and its register tile."""

from __future__ import annotations

from dataclasses import dataclass

import halide as hl

from bench.pipelines.layout import SUMS, X, Y

# Rows and columns of the tile whose sums stay in registers, of each variant.
TILES = ((8, 32), (4, 64))


@dataclass(frozen=True, slots=True)
class Product:
    """The 32-bit sums of a product, and the domain over which they are summed."""

    func: hl.Func
    along: hl.RDom


def product(
    a: hl.ImageParam | hl.Func, b: hl.ImageParam, depth: int, *batch: hl.Var, name: str = "total"
) -> Product:
    """Return the sums over ``depth`` of a (k, y) times b (x, k)."""
    total, along = hl.Func(name), hl.RDom([(0, depth)], f"{name}_k")
    total[X, Y, *batch] = hl.i32(0)
    total[X, Y, *batch] += hl.widening_mul(hl.i16(a[along.x, Y, *batch]), b[X, along.x, *batch])
    return Product(total, along)


def tile(out: hl.Func, total: Product, variant: int) -> hl.Var:
    """Compute tiles of ``out``, with the sums of a tile in registers; return the loop over rows
    of tiles.
    """
    rows, columns = TILES[variant]
    xo, yo, xi = hl.Var("xo"), hl.Var("yo"), hl.Var("xi")
    out.split(X, xo, X, columns).split(Y, yo, Y, rows).split(X, X, xi, SUMS)
    out.reorder(xi, X, Y, xo, yo).vectorize(xi).unroll(X).unroll(Y)
    total.func.compute_at(out, xo)
    in_registers(total)
    return yo


def in_registers(total: Product) -> None:
    """Vectorise and unroll the sums, two products a step."""
    xi, ki = hl.Var("xi"), hl.RVar("ki")
    total.func.store_in(hl.MemoryType.Stack).vectorize(X, SUMS).unroll(X).unroll(Y)
    ko, update = hl.RVar("ko"), total.func.update()
    update.split(total.along.x, ko, ki, 2).split(X, X, xi, SUMS).reorder(ki, xi, X, Y, ko)
    update.vectorize(xi).atomic().vectorize(ki).unroll(X).unroll(Y)
