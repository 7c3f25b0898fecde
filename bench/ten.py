"""The registry of ten kernels in natural form: five of the suite, and five as a programmer writes
them who knows no target.

They are those of ``bench.listed`` as pipelines: ``python -m bench.harness --registry bench.ten``
compares LLVM, Halide's own back end and isel in one run.
"""

from __future__ import annotations

from typing import Final

from bench.kernel import Kernel
from bench.kernels import HALIDE, IMAGE, MATRIX, SAMPLES, STREAM, pipeline
from bench.references import images, matrices, plain

__all__ = ["KERNELS", "Kernel"]

_SUITE: Final = ("sobel3x3", "blur3x3", "gaussian3x3", "gaussian5x5", "add")
_NATURAL: Final = pipeline("natural")
KERNELS: Final[tuple[Kernel, ...]] = (
    *(k for k in HALIDE if k.name in _SUITE),
    Kernel(
        "conv3x3", "halide", _NATURAL, "conv3x3", images.masked, IMAGE, plain.conv3x3, "conv3x3"
    ),
    Kernel(
        "alpha_blend",
        "halide",
        _NATURAL,
        "alpha_blend",
        plain.streams(3, "uint8"),
        STREAM,
        plain.alpha_blend,
        "alpha_blend",
        True,
    ),
    Kernel(
        "audio_mix",
        "halide",
        _NATURAL,
        "audio_mix",
        plain.streams(2, "int16"),
        SAMPLES,
        plain.audio_mix,
        "audio_mix",
        True,
    ),
    Kernel(
        "matmul_i16",
        "halide",
        _NATURAL,
        "matmul_i16",
        matrices.factors,
        MATRIX,
        matrices.matmul,
        "matmul_i16",
    ),
    Kernel(
        "matmul_u8i8",
        "halide",
        _NATURAL,
        "matmul_u8i8",
        plain.factors_u8i8,
        MATRIX,
        matrices.matmul,
        "matmul_u8i8",
    ),
)
