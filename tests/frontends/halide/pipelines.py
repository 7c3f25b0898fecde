"""Pipelines of the tests, as a user writes them: each a function that returns (Func,
[ImageParam, ...]).
"""

from __future__ import annotations

import halide as hl

x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
u8, u16, i16, i32 = hl.UInt(8), hl.UInt(16), hl.Int(16), hl.Int(32)


def blur3x3() -> object:
    """The mean of nine bytes."""
    image = hl.ImageParam(u8, 2, "image")
    out = hl.Func("out")
    total = hl.cast(u16, 0)
    for dy in range(3):
        for dx in range(3):
            total = total + hl.cast(u16, image[x + dx, y + dy])
    out[x, y] = hl.cast(u8, total / 9)
    out.vectorize(x, 64)
    return out, [image]


def sobel3x3() -> object:
    """Both gradients, their absolute values added and saturated."""
    image = hl.ImageParam(u8, 2, "image")

    def at(dx: int, dy: int) -> hl.Expr:
        return hl.cast(i16, image[x + dx, y + dy])

    out = hl.Func("out")
    across = at(2, 0) - at(0, 0) + 2 * (at(2, 1) - at(0, 1)) + at(2, 2) - at(0, 2)
    down = at(0, 2) - at(0, 0) + 2 * (at(1, 2) - at(1, 0)) + at(2, 2) - at(2, 0)
    out[x, y] = hl.cast(u8, hl.clamp(hl.abs(across) + hl.abs(down), 0, 255))
    out.vectorize(x, 64)
    return out, [image]


def dot2() -> object:
    """Products of 16-bit numbers, neighbours added."""
    a, b = hl.ImageParam(i16, 1, "a"), hl.ImageParam(i16, 1, "b")
    out = hl.Func("out")
    out[x] = hl.cast(i32, a[2 * x]) * hl.cast(i32, b[2 * x]) + hl.cast(i32, a[2 * x + 1]) * hl.cast(
        i32, b[2 * x + 1]
    )
    out.vectorize(x, 16)
    return out, [a, b]


def mix() -> object:
    """Q15 products of two signals with a volume each, added with saturation."""
    a, b = hl.ImageParam(i16, 1, "a"), hl.ImageParam(i16, 1, "b")
    p, q = hl.Param(i16, "p"), hl.Param(i16, "q")

    def scaled(value: hl.Expr, by: hl.Expr) -> hl.Expr:
        return (hl.cast(i32, value) * hl.cast(i32, by) + (1 << 14)) >> 15

    out = hl.Func("out")
    out[x] = hl.cast(i16, hl.clamp(scaled(a[x], p) + scaled(b[x], q), -32768, 32767))
    out.vectorize(x, 32)
    return out, [a, b], [p, q]


def average() -> object:
    """The mean of two bytes, rounded up."""
    a, b = hl.ImageParam(u8, 1, "a"), hl.ImageParam(u8, 1, "b")
    out = hl.Func("out")
    out[x] = hl.cast(u8, (hl.cast(u16, a[x]) + hl.cast(u16, b[x]) + 1) >> 1)
    out.vectorize(x, 64)
    return out, [a, b]


def matmul() -> object:
    """A tile of 4 rows and 32 columns a step, sums kept in registers."""
    a, b = hl.ImageParam(i16, 2, "a"), hl.ImageParam(i16, 2, "b")
    out, sums, xi, yi = hl.Func("out"), hl.Func("sums"), hl.Var("xi"), hl.Var("yi")
    k = hl.RDom([(0, a.width())], "k")
    sums[x, y] += hl.cast(i32, a[k, y]) * hl.cast(i32, b[x, k])
    out[x, y] = sums[x, y]
    out.tile(x, y, xi, yi, 32, 4).vectorize(xi, 32).unroll(yi)
    sums.compute_at(out, x).vectorize(x, 32).unroll(y)
    sums.update().reorder(x, y, k).vectorize(x, 32).unroll(y)
    return out, [a, b]


def two_stages() -> object:
    """A separable filter with a heap buffer between its stages, rows in parallel."""
    image = hl.ImageParam(u8, 2, "image")
    rows, out, outer, inner = hl.Func("rows"), hl.Func("out"), hl.Var("outer"), hl.Var("inner")
    rows[x, y] = (
        hl.cast(u16, image[x, y])
        + 2 * hl.cast(u16, image[x + 1, y])
        + hl.cast(u16, image[x + 2, y])
    )
    out[x, y] = hl.cast(u8, (rows[x, y] + 2 * rows[x, y + 1] + rows[x, y + 2] + 8) >> 4)
    out.split(y, outer, inner, 16).parallel(outer).vectorize(x, 32)
    rows.compute_at(out, outer).vectorize(x, 32)
    return out, [image]


def halves() -> object:
    """Two outputs."""
    image = hl.ImageParam(u8, 1, "image")
    out = hl.Func("out")
    out[x] = (hl.cast(u8, image[x] / 2), hl.cast(u16, image[x]) * 3)
    out.vectorize(x, 64)
    return out, [image]


def max_pool() -> object:
    """The largest of 3 by 3 by channel."""
    image = hl.ImageParam(u8, 3, "image")
    out = hl.Func("out")
    r = hl.RDom([(0, 3), (0, 3)])
    out[c, x, y] = hl.cast(u8, 0)
    out[c, x, y] = hl.max(out[c, x, y], image[c, 2 * x + r.x, 2 * y + r.y])
    out.update().reorder(r.x, r.y, c, x, y).unroll(r.x).unroll(r.y).vectorize(c, 64)
    out.vectorize(c, 64)
    return out, [image]


def undefined() -> object:
    """A Func without a definition."""
    return hl.Func("nothing"), []


def number() -> object:
    """No pipeline at all."""
    return 7


def no_parameter() -> object:
    """An argument that is no parameter."""
    out = hl.Func("out")
    out[x] = x
    return out, [5]


def failing() -> object:
    """A mistake of the user's."""
    raise ValueError("two\nlines")


def too_wide() -> object:
    """A schedule that Halide refuses."""
    image = hl.ImageParam(u8, 1, "image")
    out = hl.Func("out")
    out[x] = image[x]
    out.vectorize(y, 8)
    return out, [image]


NUMBER = 7
