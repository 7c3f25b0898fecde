"""From the raw values of a sensor with a Bayer filter to a picture: hot pixels, demosaicking,
colours, tone and sharpness, the stages of PITCHFORK's largest benchmark (Halide's ``camera_pipe``).

Values have ten bits and are computed in 16.  A cell of the filter is two by two: green and red
above blue and green.
"""

from __future__ import annotations

import halide as hl

from bench.pipelines.layout import LANES, C, Inputs, X, Y, bounded, param
from bench.shapes import (
    CAMERA_COLOURS,
    CAMERA_HEIGHT,
    CAMERA_MARGIN,
    CAMERA_PITCH,
    CAMERA_SHARPNESS,
    CAMERA_TONES,
    CAMERA_WIDTH,
)

# Rows that one step computes, of each variant.
STEP = (4, 2)


def average(a: hl.Expr, b: hl.Expr) -> hl.Expr:
    """Return the mean of two values, rounded up."""
    kind = (a + b).type()
    wide = hl.i32 if kind.bits() == 16 else hl.u16
    return hl.cast(kind, (wide(a) + wide(b) + wide(1)) >> wide(1))


def smooth(a: hl.Expr, b: hl.Expr, c: hl.Expr) -> hl.Expr:
    """Return neighbours under the weights 1 2 1."""
    return average(average(a, c), b)


def across(even: hl.Func, odd: hl.Func) -> hl.Func:
    """Return the columns of two pictures in turns."""
    out = hl.Func("across")
    out[X, Y] = hl.select(X % 2 == 0, even[X // 2, Y], odd[X // 2, Y])
    return out


def down(even: hl.Func, odd: hl.Func) -> hl.Func:
    """Return the rows of two pictures in turns."""
    out = hl.Func("down")
    out[X, Y] = hl.select(Y % 2 == 0, even[X, Y // 2], odd[X, Y // 2])
    return out


def camera_pipe(variant: int = 0) -> Inputs:
    """Four samples of a cell become three colours each; a table gives the tones."""
    raw = param("raw", hl.UInt(16), CAMERA_HEIGHT + 2 * CAMERA_MARGIN, CAMERA_PITCH)
    curve = param("curve", hl.UInt(8), CAMERA_TONES)

    sensor, clean = hl.Func("sensor"), hl.Func("clean")
    sensor[X, Y] = hl.i16(raw[X + CAMERA_MARGIN, Y + CAMERA_MARGIN])
    near = hl.max(
        hl.max(sensor[X - 2, Y], sensor[X + 2, Y]), hl.max(sensor[X, Y - 2], sensor[X, Y + 2])
    )
    clean[X, Y] = hl.clamp(sensor[X, Y], hl.i16(0), near)

    cells = [hl.Func(name) for name in ("green_red", "red", "blue", "green_blue")]
    for k, cell in enumerate(cells):
        cell[X, Y] = clean[2 * X + k % 2, 2 * Y + k // 2]
    colours = demosaic(*cells)

    corrected = hl.Func("corrected")
    pixel = [hl.i32(colour[X, Y]) for colour in colours]
    corrected[X, Y, C] = hl.mux(
        C,
        [
            hl.i16((sum((w * p for w, p in zip(line[:3], pixel, strict=True)), line[3])) >> 8)
            for line in (tuple(hl.i32(w) for w in line) for line in CAMERA_COLOURS)
        ],
    )
    toned = hl.Func("toned")
    toned[X, Y, C] = curve[
        hl.i32(hl.clamp(corrected[X, Y, C], hl.i16(0), hl.i16(CAMERA_TONES - 1)))
    ]
    column, level = hl.Func("column"), hl.Func("level")
    column[X, Y, C] = smooth(toned[X, Y - 1, C], toned[X, Y, C], toned[X, Y + 1, C])
    level[X, Y, C] = smooth(column[X - 1, Y, C], column[X, Y, C], column[X + 1, Y, C])
    out = hl.Func("camera_pipe")
    detail = hl.i16(toned[X, Y, C]) - hl.i16(level[X, Y, C])
    out[X, Y, C] = hl.u8_sat(
        hl.i16(toned[X, Y, C]) + ((detail * hl.i16(CAMERA_SHARPNESS)) >> hl.i16(5))
    )
    bounded(out, 3, CAMERA_HEIGHT, CAMERA_WIDTH)

    yo, yi = hl.Var("yo"), hl.Var("yi")
    words = LANES // 2
    out.split(Y, yo, yi, STEP[variant]).reorder(X, yi, C, yo).vectorize(X, LANES).unroll(C)
    for stage in (clean, *cells):
        stage.compute_at(out, yo).vectorize(X, words, hl.TailStrategy.RoundUp)
    for colour in colours:
        colour.compute_at(out, yo).align_bounds(X, 2).align_bounds(Y, 2)
        colour.vectorize(X, 2 * words, hl.TailStrategy.RoundUp).unroll(Y, 2)
    corrected.compute_at(out, yo).reorder(C, X, Y).unroll(C)
    corrected.vectorize(X, words, hl.TailStrategy.RoundUp)
    toned.compute_at(out, yo)
    return out, [raw, curve]


def demosaic(
    green_red: hl.Func, red: hl.Func, blue: hl.Func, green_blue: hl.Func
) -> tuple[hl.Func, hl.Func, hl.Func]:
    """Return red, green and blue of every place: green along the side on which it changes less,
    the others by the difference from green.
    """

    def func(name: str, value: hl.Expr) -> hl.Func:
        made = hl.Func(name)
        made[X, Y] = value
        return made

    def flatter(a: hl.Expr, b: hl.Expr, c: hl.Expr, d: hl.Expr) -> hl.Expr:
        """Return the mean of the pair that differs less, of the first where both differ alike."""
        return hl.select(hl.absd(c, d) < hl.absd(a, b), average(c, d), average(a, b))

    def moved(green: hl.Expr, greens: hl.Expr, values: hl.Expr) -> hl.Expr:
        """Return a mean of values, moved as much as green is from the mean of its neighbours."""
        return green - greens + values

    green_at_red = func(
        "green_at_red",
        flatter(green_blue[X, Y - 1], green_blue[X, Y], green_red[X + 1, Y], green_red[X, Y]),
    )
    green_at_blue = func(
        "green_at_blue",
        flatter(green_red[X, Y + 1], green_red[X, Y], green_blue[X - 1, Y], green_blue[X, Y]),
    )
    g, h = green_at_red, green_at_blue
    red_at_green_red = func(
        "red_at_green_red",
        moved(green_red[X, Y], average(g[X, Y], g[X - 1, Y]), average(red[X, Y], red[X - 1, Y])),
    )
    blue_at_green_red = func(
        "blue_at_green_red",
        moved(green_red[X, Y], average(h[X, Y], h[X, Y - 1]), average(blue[X, Y], blue[X, Y - 1])),
    )
    red_at_green_blue = func(
        "red_at_green_blue",
        moved(green_blue[X, Y], average(g[X, Y], g[X, Y + 1]), average(red[X, Y], red[X, Y + 1])),
    )
    blue_at_green_blue = func(
        "blue_at_green_blue",
        moved(green_blue[X, Y], average(h[X, Y], h[X + 1, Y]), average(blue[X, Y], blue[X + 1, Y])),
    )

    def diagonal(here: hl.Func, other: hl.Func, value: hl.Func, dx: int, dy: int) -> hl.Expr:
        """Return a colour where the opposite one is sampled, along the flatter diagonal."""
        a = (value[X, Y], value[X + dx, Y + dy])
        b = (value[X + dx, Y], value[X, Y + dy])
        first = moved(here[X, Y], average(other[X, Y], other[X + dx, Y + dy]), average(*a))
        second = moved(here[X, Y], average(other[X + dx, Y], other[X, Y + dy]), average(*b))
        return hl.select(hl.absd(*a) < hl.absd(*b), first, second)

    red_at_blue = func("red_at_blue", diagonal(h, g, red, -1, 1))
    blue_at_red = func("blue_at_red", diagonal(g, h, blue, 1, -1))
    return (
        down(across(red_at_green_red, red), across(red_at_blue, red_at_green_blue)),
        down(across(green_red, g), across(h, green_blue)),
        down(across(blue_at_green_red, blue_at_red), across(blue, blue_at_green_blue)),
    )
