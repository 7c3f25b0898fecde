"""Layers of quantised networks: convolutions and a fully connected layer, 32-bit sums scaled
back to bytes.
"""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import LANES, SUMS, B, C, Inputs, X, Y, bounded, param
from bench.pipelines.quantise import activated, centred, scaled
from bench.quantised import (
    CONNECTED_SHIFT,
    CONV_SHIFT,
    DEPTHWISE_SHIFT,
    LAYER_MULTIPLIER,
    ZERO_FILTER,
    ZERO_IN,
)
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
)


def depthwise_conv(variant: int = 0) -> Inputs:
    """Each channel under its own 3 by 3 signed filter; the input's zero point is subtracted
    before.
    """
    image = param("image", hl.UInt(8), OUT_HEIGHT + 2, OUT_WIDTH + 2, CHANNELS)
    weights = param("weights", hl.Int(8), 3, 3, CHANNELS)
    bias = param("bias", hl.Int(32), CHANNELS)
    total = bias[C]
    for r in range(3):
        for c in range(3):
            total = total + hl.widening_mul(
                centred(image[C, X + c, Y + r], ZERO_IN), hl.i16(weights[C, c, r])
            )
    out = hl.Func("depthwise_conv")
    out[C, X, Y] = activated(scaled(total, LAYER_MULTIPLIER, DEPTHWISE_SHIFT))
    bounded(out, OUT_HEIGHT, OUT_WIDTH, CHANNELS)
    out.vectorize(C, min(LANES, CHANNELS)).unroll(X, (2, 1)[variant])
    return out, [image, weights, bias]


def conv_nn(variant: int = 0) -> Inputs:
    """All channels under 3 by 3 signed filters, packed by 4 input and 16 output channels; the
    bias holds what the input's zero point adds.
    """
    image = param("image", hl.UInt(8), CONV_HEIGHT + 2, CONV_WIDTH + 2, CONV_IN)
    weights = param("weights", hl.Int(8), 3, 3, CONV_OUT // SUMS, CONV_IN // 4, SUMS, 4)
    bias = param("bias", hl.Int(32), CONV_OUT)
    taps = hl.RDom([(0, CONV_IN), (0, 3), (0, 3)], "taps")
    total = hl.Func("total")
    total[C, X, Y] = bias[C]
    weight = weights[taps.x % 4, C % SUMS, taps.x // 4, C // SUMS, taps.y, taps.z]
    total[C, X, Y] += hl.i32(image[taps.x, X + taps.y, Y + taps.z]) * hl.i32(weight)
    out = hl.Func("conv_nn")
    out[C, X, Y] = activated(scaled(hl.Expr(total[C, X, Y]), LAYER_MULTIPLIER, CONV_SHIFT))
    bounded(out, CONV_HEIGHT, CONV_WIDTH, CONV_OUT)

    xo, co, inner, outer = hl.Var("xo"), hl.Var("co"), hl.RVar("inner"), hl.RVar("outer")
    out.split(X, xo, X, (4, 2)[variant]).reorder(C, X, xo, Y).vectorize(
        C, min(LANES, CONV_OUT)
    ).unroll(X)
    total.compute_at(out, xo).store_in(hl.MemoryType.Stack).vectorize(C, SUMS).unroll(C).unroll(X)
    total.update().split(taps.x, outer, inner, 4).split(C, co, C, SUMS).reorder(
        inner, C, co, X, outer, taps.y, taps.z
    )
    total.update().vectorize(C).atomic().vectorize(inner).unroll(co).unroll(X)
    return out, [image, weights, bias]


def fully_connected(variant: int = 0) -> Inputs:
    """Rows of inputs by rows of filters, both bytes with zero points: sums along the rows in
    lanes, then across lanes.
    """
    inputs = param("inputs", hl.UInt(8), BATCH, DEPTH)
    weights = param("weights", hl.UInt(8), CHANNELS, DEPTH)
    bias = param("bias", hl.Int(32), CHANNELS)
    lane = hl.Var("lane")
    along, across = (
        hl.RDom([(0, 2), (0, DEPTH // (2 * SUMS))], "along"),
        hl.RDom([(0, SUMS)], "across"),
    )
    at = 2 * SUMS * along.y + 2 * lane + along.x
    lanes, total = hl.Func("lanes"), hl.Func("total")
    lanes[lane, C, B] = hl.i32(0)
    lanes[lane, C, B] += hl.widening_mul(
        centred(inputs[at, B], ZERO_IN), centred(weights[at, C], ZERO_FILTER)
    )
    total[C, B] = bias[C]
    total[C, B] += lanes[across.x, C, B]
    out = hl.Func("fully_connected")
    out[C, B] = activated(scaled(hl.Expr(total[C, B]), LAYER_MULTIPLIER, CONNECTED_SHIFT))
    bounded(out, BATCH, CHANNELS)

    co, ci = hl.Var("co"), hl.Var("ci")
    total.compute_root().vectorize(C, SUMS)
    total.update().reorder(C, B).split(C, co, ci, (4, 2)[variant]).reorder(ci, B, co).unroll(
        ci
    ).unroll(B).atomic().vectorize(across.x)
    lanes.compute_at(total, co).store_in(hl.MemoryType.Stack).vectorize(lane).unroll(C).unroll(B)
    lanes.update().reorder(along.x, lane, C, B, along.y).atomic().vectorize(along.x).vectorize(
        lane
    ).unroll(C).unroll(B)
    out.vectorize(C, min(LANES, CHANNELS))
    return out, [inputs, weights, bias]
