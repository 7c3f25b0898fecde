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
    Kernel("dilate3x3", "halide", pipeline("dilate"), "dilate3x3", images.picture(1), IMAGE, images.dilate(3), "dilate3x3"),
    Kernel("dilate5x5", "halide", pipeline("dilate"), "dilate5x5", images.picture(2), IMAGE, images.dilate(5), "dilate5x5"),
    Kernel("dilate7x7", "halide", pipeline("dilate"), "dilate7x7", images.picture(3), IMAGE, images.dilate(7), "dilate7x7"),
    Kernel("blur3x3", "halide", pipeline("blur"), "blur3x3", images.picture(1), IMAGE, images.blur(3), "blur3x3"),
    Kernel("blur5x5", "halide", pipeline("blur"), "blur5x5", images.picture(2), IMAGE, images.blur(5), "blur5x5"),
    Kernel("blur7x7", "halide", pipeline("blur"), "blur7x7", images.picture(3), IMAGE, images.blur(7), "blur7x7"),
    Kernel("median3x3", "halide", pipeline("median"), "median3x3", images.picture(1), IMAGE, images.median, "median3x3"),
    Kernel("gaussian3x3", "halide", pipeline("gaussian"), "gaussian3x3", images.picture(1), IMAGE, images.gaussian((1, 2, 1)), "gaussian3x3", True),
    Kernel("gaussian5x5", "halide", pipeline("gaussian"), "gaussian5x5", images.picture(2), IMAGE, images.gaussian((1, 4, 6, 4, 1)), "gaussian5x5"),
    Kernel("gaussian7x7", "halide", pipeline("gaussian"), "gaussian7x7", images.picture(3), IMAGE, images.gaussian((1, 6, 15, 20, 15, 6, 1)), "gaussian7x7"),
    Kernel("conv3x3a16", "halide", pipeline("conv3x3"), "conv3x3a16", images.masked, IMAGE, images.conv3x3a16, "conv3x3a16"),
)
C: Final[tuple[Kernel, ...]] = (Kernel("c_absd", "c", plain("absd"), "absd", flat.streams("uint8", "uint8"), BYTES, flat.absd, "absd"),)
KERNELS: Final[tuple[Kernel, ...]] = HALIDE + C
