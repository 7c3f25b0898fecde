"""Rows of quantised bytes, normalised: by their length, and to probabilities."""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import LANES, Inputs, X, Y, bounded, param
from bench.pipelines.quantise import centred, high_product, power_of_two
from bench.quantised import BETA, ZERO_IN
from bench.shapes import ROW, ROWS

# Vectors a step, of each variant.
VECTORS = (2, 4)


def l2norm(variant: int = 0) -> Inputs:
    """Divide by the root of the sum of squares; the result's scale is 1 / 128 and its zero
    point 128.
    """
    rows = param("rows", hl.UInt(8), ROWS, ROW)
    pairs, across = (
        hl.RDom([(0, 2), (0, ROW // LANES)], "pairs"),
        hl.RDom([(0, LANES // 2)], "across"),
    )
    lane = hl.Var("lane")
    lanes, total, inverse = hl.Func("lanes"), hl.Func("total"), hl.Func("inverse")
    value = centred(rows[LANES * pairs.y + 2 * lane + pairs.x, Y], ZERO_IN)
    lanes[lane, Y] = hl.i32(0)
    lanes[lane, Y] += hl.widening_mul(value, value)
    total[Y] = hl.i32(0)
    total[Y] += lanes[across.x, Y]
    root = hl.max(square_root(hl.Expr(total[Y]) << 6), 1)
    inverse[Y] = ((1 << 22) + root // 2) // root
    out = hl.Func("l2norm")
    scaled = hl.rounding_shift_right(hl.i32(centred(rows[X, Y], ZERO_IN)) * inverse[Y], hl.u32(12))
    out[X, Y] = hl.u8_sat(hl.saturating_add(hl.i16_sat(scaled), hl.i16(128)))
    bounded(out, ROWS, ROW)

    out.vectorize(X, LANES).unroll(X, VECTORS[variant])
    inverse.compute_at(out, Y)
    total.compute_at(out, Y).update().atomic().vectorize(across.x)
    lanes.compute_at(out, Y).store_in(hl.MemoryType.Stack).vectorize(lane)
    lanes.update().reorder(pairs.x, lane, pairs.y).atomic().vectorize(pairs.x).vectorize(
        lane
    ).unroll(pairs.y)
    return out, [rows]


def softmax(variant: int = 0) -> Inputs:
    """Powers of two of the distances to the greatest of the row, over their sum; the result's
    scale is 1 / 256.
    """
    rows = param("rows", hl.UInt(8), ROWS, ROW)
    along, across = hl.RDom([(0, ROW // LANES)], "along"), hl.RDom([(0, LANES)], "across")
    halves, half = hl.RDom([(0, 2 * ROW // LANES)], "halves"), hl.RDom([(0, LANES // 2)], "half")
    lane = hl.Var("lane")
    high, greatest, power, sums, total, inverse = (
        hl.Func(n) for n in ("high", "greatest", "power", "sums", "total", "inverse")
    )
    high[lane, Y] = hl.u8(0)
    high[lane, Y] = hl.max(high[lane, Y], rows[LANES * along.x + lane, Y])
    greatest[Y] = hl.u8(0)
    greatest[Y] = hl.max(greatest[Y], high[across.x, Y])
    power[X, Y] = power_of_two((hl.i16(greatest[Y]) - hl.i16(rows[X, Y])) * hl.i16(BETA))
    sums[lane, Y] = hl.i32(0)
    sums[lane, Y] += hl.i32(power[LANES // 2 * halves.x + lane, Y])
    total[Y] = hl.i32(0)
    total[Y] += sums[half.x, Y]
    inverse[Y] = hl.i16_sat(((1 << 30) + total[Y] // 2) // total[Y])
    out = hl.Func("softmax")
    share = high_product(hl.Expr(power[X, Y]), hl.Expr(inverse[Y]))
    out[X, Y] = hl.u8_sat(hl.rounding_shift_right(share, hl.u16(7)))
    bounded(out, ROWS, ROW)

    out.vectorize(X, LANES).unroll(X, VECTORS[variant])
    for func in (greatest, total):
        func.compute_at(out, Y)
    inverse.compute_at(out, Y)
    greatest.update().atomic().vectorize(across.x)
    total.update().atomic().vectorize(half.x)
    for func, domain in ((high, along), (sums, halves)):
        func.compute_at(out, Y).store_in(hl.MemoryType.Stack).vectorize(lane).update().reorder(
            lane, domain.x
        ).vectorize(lane).unroll(domain.x)
    power.compute_at(out, Y).store_in(hl.MemoryType.Stack).vectorize(X, LANES // 2).unroll(
        X, VECTORS[variant]
    )
    return out, [rows]


def square_root(x: hl.Expr) -> hl.Expr:
    """Return the root of an integer below 2**30, rounded down, a bit at a time."""
    root = hl.i32(0)
    for bit in reversed(range(15)):
        trial = root + (1 << bit)
        root = hl.select(trial * trial <= x, trial, root)
    return root
