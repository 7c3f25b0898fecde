"""A Halide pipeline: average pairs of rows of an image, rounded, and darken the result without
going below black.
"""

from __future__ import annotations

import sys

import halide as hl

NAME = "average_down"
# A target without vector instructions: what Halide writes for it uses no instruction set's
# intrinsics.
TARGET = "arm-64-linux-no_neon-no_runtime-no_asserts-no_bounds_query"


def write(path: str, lanes: int = 16) -> None:
    """Write the pipeline's LLVM IR, vectorised by ``lanes`` bytes, to ``path``."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    x, y = hl.Var("x"), hl.Var("y")
    upper, lower = (hl.cast(hl.UInt(16), image[x, 2 * y + k]) for k in (0, 1))
    mean = (upper + lower + 1) // 2
    out = hl.Func(NAME)
    out[x, y] = hl.cast(hl.UInt(8), hl.max(hl.cast(hl.Int(16), mean) - 16, 0))
    out.vectorize(x, lanes)
    out.compile_to_llvm_assembly(path, [image], NAME, hl.Target(TARGET))


if __name__ == "__main__":
    write(sys.argv[1])
