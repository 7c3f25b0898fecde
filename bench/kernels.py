"""The registry: every kernel that is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench.kernel import Kernel, Shape
from bench.references import flat, images
from bench.shapes import FLAT, HEIGHT, WIDTH

__all__ = ["KERNELS", "Kernel"]

HERE: Final = Path(__file__).parent
IMAGE: Final[Shape] = ((HEIGHT, WIDTH), "uint8")
BYTES: Final[Shape] = ((FLAT,), "uint8")


def pipeline(file: str) -> Path:
    """Return the file of a Halide pipeline."""
    return HERE / "pipelines" / f"{file}.py"


def plain(name: str) -> Path:
    """Return the file of a C kernel."""
    return HERE / "c" / f"{name}.c"


HALIDE: Final[tuple[Kernel, ...]] = (
    Kernel("sobel3x3", "halide", pipeline("sobel"), "sobel3x3", images.picture(1), IMAGE, images.sobel((1, 2, 1), (-1, 0, 1)), "sobel3x3", True),
    Kernel("sobel5x5", "halide", pipeline("sobel"), "sobel5x5", images.picture(2), IMAGE, images.sobel((1, 4, 6, 4, 1), (-1, -2, 0, 2, 1)), "sobel5x5"),
)
C: Final[tuple[Kernel, ...]] = (Kernel("c_absd", "c", plain("absd"), "absd", flat.streams("uint8", "uint8"), BYTES, flat.absd, "absd"),)
KERNELS: Final[tuple[Kernel, ...]] = HALIDE + C
