"""Sums of products as pipelines: widened, summed in order, vectors along the output's rows."""

from __future__ import annotations

from collections.abc import Callable

import halide as hl

from bench.matrix import references as r
from bench.pipelines.layout import SUMS, C, Inputs, X, Y, bounded, param

# Vectors of sums, and rows, that a step computes, of each variant.
VECTORS = (2, 4)
ROWS = (4, 2)
TAPS = hl.Int(8)


def mm_row(variant: int = 0) -> Inputs:
    """The second factor in rows."""
    b = param("b", hl.Int(8), r.DEPTH, r.COLUMNS)
    return _product("mm_row", hl.UInt(8), b, lambda x, k: b[x, k], variant)


def mm_trans(variant: int = 0) -> Inputs:
    """The second factor transposed."""
    b = param("b", hl.Int(8), r.COLUMNS, r.DEPTH)
    return _product("mm_trans", hl.UInt(8), b, lambda x, k: b[k, x], variant)


def mm_i16_row(variant: int = 0) -> Inputs:
    """Values of 16 bits, the second factor in rows."""
    b = param("b", hl.Int(16), r.DEPTH, r.COLUMNS)
    return _product("mm_i16_row", hl.Int(16), b, lambda x, k: b[x, k], variant)


def _product(
    name: str,
    kind: hl.Type,
    b: hl.ImageParam,
    element: Callable[[hl.Var, hl.RVar], hl.Expr],
    variant: int,
) -> Inputs:
    a, out = param("a", kind, r.ROWS, r.DEPTH), hl.Func(name)
    along = hl.RDom([(0, r.DEPTH)], "along")
    total = hl.Func("total")
    total[X, Y] = 0
    total[X, Y] += hl.i32(a[along.x, Y]) * hl.i32(element(X, along.x))
    out[X, Y] = total[X, Y]
    _tiled(out, r.ROWS, r.COLUMNS, variant)
    ki, ko = hl.RVar("ki"), hl.RVar("ko")
    total.compute_at(out, X).store_in(hl.MemoryType.Stack).vectorize(X, SUMS).unroll(X).unroll(Y)
    total.update().split(along.x, ko, ki, 4).reorder(ki, X, Y, ko).vectorize(X, SUMS).unroll(
        X
    ).unroll(Y).unroll(ki)
    return out, [a, b]


def conv7(variant: int = 0) -> Inputs:
    """7 taps."""
    return _row("conv7", 7, 1, variant)


def conv16(variant: int = 0) -> Inputs:
    """16 taps."""
    return _row("conv16", 16, 1, variant)


def down2(variant: int = 0) -> Inputs:
    """Eight taps, of every second place."""
    return _row("down2", 8, 2, variant)


def _row(name: str, count: int, step: int, variant: int) -> Inputs:
    source = param("source", hl.UInt(8), (r.LENGTH - 1) * step + count)
    taps = param("taps", TAPS, count)
    total = hl.i32(0)
    for k in range(count):
        total = total + hl.i32(source[step * X + k]) * hl.i32(taps[k])
    return _stream(name, total, variant), [source, taps]


def up2(variant: int = 0) -> Inputs:
    """Four taps for each of two phases."""
    source, taps = param("source", hl.UInt(8), r.LENGTH // 2 + 3), param("taps", TAPS, 4, 2)
    total = hl.i32(0)
    for k in range(4):
        total = total + hl.i32(source[X // 2 + k]) * hl.i32(taps[X % 2, k])
    return _stream("up2", total, variant), [source, taps]


def grey(variant: int = 0) -> Inputs:
    """Luma by 256ths."""
    pixels = param("pixels", hl.UInt(8), r.LENGTH, 4)
    total = hl.u16(128)
    for c, weight in enumerate((77, 150, 29)):
        total = total + hl.u16(pixels[c, X]) * hl.u16(weight)
    return _stream("grey", hl.u8(total >> 8), variant), [pixels]


def _stream(name: str, value: hl.Expr, variant: int) -> hl.Func:
    out = hl.Func(name)
    out[X] = value
    bounded(out, r.LENGTH)
    return out.vectorize(X, SUMS * 4 // value.type().bytes()).unroll(X, VECTORS[variant])


def taps3x3(variant: int = 0) -> Inputs:
    """Nine taps over an image."""
    source = param("source", hl.UInt(8), r.HEIGHT + 2, r.WIDTH + 2)
    taps = param("taps", TAPS, 3, 3)
    total, out = hl.i32(0), hl.Func("taps3x3")
    for i in range(3):
        for j in range(3):
            total = total + hl.i32(source[X + j, Y + i]) * hl.i32(taps[j, i])
    out[X, Y] = total
    return _tiled(out, r.HEIGHT, r.WIDTH, variant), [source, taps]


def _tiled(out: hl.Func, rows: int, columns: int, variant: int) -> hl.Func:
    bounded(out, rows, columns)
    xi, yi = hl.Var("xi"), hl.Var("yi")
    out.tile(X, Y, xi, yi, SUMS * VECTORS[variant], ROWS[variant])
    return out.vectorize(xi, SUMS).unroll(xi).unroll(yi)


def depthwise(variant: int = 0) -> Inputs:
    """Each channel under its own taps."""
    rows, columns = r.PIXELS // 2, r.PIXELS
    source = param("source", hl.UInt(8), rows + 2, columns + 2, r.CHANNELS)
    taps = param("taps", TAPS, 3, 3, r.CHANNELS)
    total, out = hl.i32(0), hl.Func("depthwise")
    for i in range(3):
        for j in range(3):
            total = total + hl.i32(source[C, X + j, Y + i]) * hl.i32(taps[C, j, i])
    out[C, X, Y] = total
    bounded(out, rows, columns, r.CHANNELS)
    out.vectorize(C, SUMS).unroll(C).unroll(X, VECTORS[variant])
    return out, [source, taps]
