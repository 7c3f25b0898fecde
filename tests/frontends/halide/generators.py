"""Generators and pipelines of several outputs, as users write them."""

from __future__ import annotations

import halide as hl

x, y = hl.Var("x"), hl.Var("y")


@hl.alias(brighter_by_nine={"by": 9})
@hl.generator(name="brighter")
class Brighter(hl.Generator):  # type: ignore[misc]
    """A picture and a scalar added, twice if asked for; the schedule depends on the target
    unless Halide makes it.
    """

    by = hl.GeneratorParam(3)
    twice = hl.GeneratorParam(False)
    image = hl.InputBuffer(hl.UInt(8), 2)
    more = hl.InputScalar(hl.Int(32))
    out = hl.OutputBuffer(None, 2)
    mask = hl.OutputBuffer(hl.Bool(), 2)

    def generate(self) -> None:
        """Define and schedule."""
        g = self
        g.out[x, y] = hl.cast(
            g.out.types()[0],
            hl.cast(hl.Int(32), g.image[x, y]) + g.by * (2 if g.twice else 1) + g.more,
        )
        g.mask[x, y] = g.image[x, y] > 7
        for buffer in (g.image, g.out, g.mask):
            buffer.set_estimates([(0, 128), (0, 32)])
        if not g.using_autoscheduler():
            g.out.vectorize(x, g.natural_vector_size(hl.UInt(8)))
            g.mask.vectorize(x, 16)


def several() -> tuple[object, object, object]:
    """Two outputs of different types, one of them a pair, and every type of scalar that numpy
    has.
    """
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    kinds = [
        hl.Bool(),
        *(make(n) for make in (hl.Int, hl.UInt) for n in (8, 16, 32, 64)),
        hl.Float(32),
        hl.Float(64),
    ]
    scalars = [hl.Param(kind, f"s{k}") for k, kind in enumerate(kinds)]
    total = hl.cast(hl.Int(32), 0)
    for s in scalars:
        total = total + hl.cast(hl.Int(32), s)
    first, second = hl.Func("first"), hl.Func("second")
    first[x, y] = hl.cast(hl.Int(32), image[x, y]) + total
    second[x, y] = (image[x, y], hl.cast(hl.UInt(16), image[x, y]) * 2)
    for f in (first, second):
        f.vectorize(x, 16)
    first.set_estimates([(0, 64), (0, 4)])
    second.set_estimates([(0, 64), (0, 4)])
    return [first, second], [image], scalars


def as_pipeline() -> object:
    """The same as a ``Pipeline``."""
    funcs, images, scalars = several()
    return hl.Pipeline(funcs), images, scalars


def plain() -> object:
    """A blur without a schedule, reading from -1."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    out = hl.Func("out")
    out[x, y] = hl.cast(
        hl.UInt(8), (hl.cast(hl.UInt(16), image[x - 1, y]) + image[x, y] + image[x + 1, y]) / 3
    )
    out.set_estimates([(0, 256), (0, 64)])
    image.set_estimates([(-1, 258), (0, 64)])
    return out, [image]


def odd() -> object:
    """Scalars that numpy does not have."""
    image, half = hl.ImageParam(hl.Float(32), 1, "image"), hl.Param(hl.BFloat(16), "half")
    out = hl.Func("out")
    out[x] = image[x] * hl.cast(hl.Float(32), half)
    out.set_estimates([(0, 64)])
    return out, [image], [half]


def unsized() -> object:
    """An output whose size nobody says."""
    image, out = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("out")
    out[x] = image[x] + 1
    return out, [image]
