"""The registry: every kernel that is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench.kernel import Inputs, Kernel, Meaning, Shape
from bench.references import camera, flat, images, matrices, plain, rows, tensors
from bench.shapes import (
    BATCH,
    CAMERA_HEIGHT,
    CAMERA_WIDTH,
    CHANNELS,
    CONV_HEIGHT,
    CONV_OUT,
    CONV_WIDTH,
    FLAT,
    HEIGHT,
    OUT_HEIGHT,
    OUT_WIDTH,
    ROW,
    ROWS,
    WIDTH,
    M,
    N,
)
from bench.shapes import STREAM as LENGTH

__all__ = ["KERNELS", "Kernel"]

HERE: Final = Path(__file__).parent
IMAGE: Final[Shape] = ((HEIGHT, WIDTH), "uint8")
BYTES: Final[Shape] = ((FLAT,), "uint8")
POOLED: Final[Shape] = ((OUT_HEIGHT, OUT_WIDTH, CHANNELS), "uint8")
CONVOLVED: Final[Shape] = ((CONV_HEIGHT, CONV_WIDTH, CONV_OUT), "uint8")
CONNECTED: Final[Shape] = ((BATCH, CHANNELS), "uint8")
NORMALISED: Final[Shape] = ((ROWS, ROW), "uint8")
COLOURS: Final[Shape] = ((3, CAMERA_HEIGHT, CAMERA_WIDTH), "uint8")
MATRIX: Final[Shape] = ((M, N), "int32")
STREAM: Final[Shape] = ((LENGTH,), "uint8")
SAMPLES: Final[Shape] = ((LENGTH,), "int16")
DOTS: Final[Shape] = ((plain.DOTS,), "int32")


def pipeline(file: str) -> Path:
    """Return the file of a Halide pipeline."""
    return HERE / "pipelines" / f"{file}.py"


def plain_c(name: str) -> Path:
    """Return the file of a C kernel."""
    return HERE / "c" / f"{name}.c"


def _halide(
    file: str,
    name: str,
    inputs: Inputs,
    output: Shape,
    meaning: Meaning,
    group: str = "",
    *,
    quick: bool = False,
) -> Kernel:
    return Kernel(
        name, "halide", pipeline(file), name, inputs, output, meaning, group or name, quick
    )


def _c(
    name: str,
    inputs: Inputs,
    output: Shape,
    meaning: Meaning,
    group: str = "",
    *,
    quick: bool = False,
) -> Kernel:
    return Kernel(
        f"c_{name}", "c", plain_c(name), name, inputs, output, meaning, group or name, quick
    )


# Of a group of its own where none is named.
HALIDE: Final[tuple[Kernel, ...]] = (
    _halide(
        "sobel",
        "sobel3x3",
        images.picture(1),
        IMAGE,
        images.sobel((1, 2, 1), (-1, 0, 1)),
        quick=True,
    ),
    _halide(
        "sobel",
        "sobel5x5",
        images.picture(2),
        IMAGE,
        images.sobel((1, 4, 6, 4, 1), (-1, -2, 0, 2, 1)),
    ),
    _halide("dilate", "dilate3x3", images.picture(1), IMAGE, images.dilate(3)),
    _halide("dilate", "dilate5x5", images.picture(2), IMAGE, images.dilate(5)),
    _halide("dilate", "dilate7x7", images.picture(3), IMAGE, images.dilate(7)),
    _halide("blur", "blur3x3", images.picture(1), IMAGE, images.blur(3)),
    _halide("blur", "blur5x5", images.picture(2), IMAGE, images.blur(5)),
    _halide("blur", "blur7x7", images.picture(3), IMAGE, images.blur(7)),
    _halide("median", "median3x3", images.picture(1), IMAGE, images.median),
    _halide(
        "gaussian", "gaussian3x3", images.picture(1), IMAGE, images.gaussian((1, 2, 1)), quick=True
    ),
    _halide("gaussian", "gaussian5x5", images.picture(2), IMAGE, images.gaussian((1, 4, 6, 4, 1))),
    _halide(
        "gaussian",
        "gaussian7x7",
        images.picture(3),
        IMAGE,
        images.gaussian((1, 6, 15, 20, 15, 6, 1)),
    ),
    _halide("conv3x3", "conv3x3a16", images.masked, IMAGE, images.conv3x3a16),
    _halide("flat", "add", flat.streams("uint8", "uint8"), BYTES, flat.add, quick=True),
    _halide("flat", "mul", flat.streams("uint8", "uint8"), BYTES, flat.mul),
    _halide("pool", "max_pool", tensors.pooled, POOLED, tensors.max_pool),
    _halide("pool", "average_pool", tensors.pooled, POOLED, tensors.average_pool),
    _halide("pool", "max_pool_add", tensors.pooled_and_added, POOLED, tensors.max_pool_add),
    _halide("pool", "average_pool_add", tensors.pooled_and_added, POOLED, tensors.average_pool_add),
    _halide("layer", "depthwise_conv", tensors.depthwise, POOLED, tensors.depthwise_conv),
    _halide("layer", "conv_nn", tensors.convolved, CONVOLVED, tensors.conv_nn, quick=True),
    _halide("layer", "fully_connected", tensors.connected, CONNECTED, tensors.fully_connected),
    _halide("normalise", "l2norm", rows.rows, NORMALISED, rows.l2norm),
    _halide("normalise", "softmax", rows.rows, NORMALISED, rows.softmax),
    _halide(
        "matrix",
        "matmul_b1",
        matrices.batched(1),
        ((1, M, N), "int32"),
        matrices.matmul,
        "matmul",
        quick=True,
    ),
    _halide(
        "matrix", "matmul_b2", matrices.batched(2), ((2, M, N), "int32"), matrices.matmul, "matmul"
    ),
    _halide(
        "matrix", "matmul_b4", matrices.batched(4), ((4, M, N), "int32"), matrices.matmul, "matmul"
    ),
    _halide("fused", "matmul_bias_add", matrices.biased, MATRIX, matrices.bias_add, "matmul"),
    _halide(
        "fused",
        "matmul_bias_add_add",
        matrices.biased_and_added,
        MATRIX,
        matrices.bias_add_add,
        "matmul",
    ),
    _halide(
        "fused", "matmul_bias_add_relu", matrices.biased, MATRIX, matrices.bias_add_relu, "matmul"
    ),
    _halide(
        "fused",
        "matmul_bias_add_gelu",
        matrices.biased,
        ((M, N), "int16"),
        matrices.bias_add_gelu,
        "matmul",
    ),
    _halide(
        "fused", "matmul_bias_relu_matmul", matrices.chained, MATRIX, matrices.relu_matmul, "matmul"
    ),
    _halide(
        "fused", "matmul_bias_gelu_matmul", matrices.chained, MATRIX, matrices.gelu_matmul, "matmul"
    ),
    _halide("camera", "camera_pipe", camera.raw, COLOURS, camera.camera_pipe),
)
C: Final[tuple[Kernel, ...]] = (
    _c("sobel", images.picture(1), IMAGE, images.sobel((1, 2, 1), (-1, 0, 1)), "sobel3x3"),
    _c("box_blur", images.picture(1), IMAGE, images.blur(3), "blur3x3"),
    _c("gaussian", images.picture(1), IMAGE, images.gaussian((1, 2, 1)), "gaussian3x3"),
    _c("dilate", images.picture(1), IMAGE, images.dilate(3), "dilate3x3"),
    _c("median", images.picture(1), IMAGE, images.median, "median3x3"),
    _c("conv3x3", images.masked, IMAGE, plain.conv3x3),
    _c("average_pool2x2", plain.large, (plain.HALVED, "uint8"), plain.average_pool2x2),
    _c("alpha_blend", plain.streams(3, "uint8"), STREAM, plain.alpha_blend, quick=True),
    _c("audio_mix", plain.streams(2, "int16"), SAMPLES, plain.audio_mix, quick=True),
    _c("dot_u8i8", plain.dots_u8i8, DOTS, plain.dot, quick=True),
    _c("dot_i16", plain.dots_i16, DOTS, plain.dot),
    _c("sad", plain.blocks, ((plain.BLOCKS,), "int32"), plain.sad),
    _c("absd", plain.streams(2, "uint8"), STREAM, plain.absd),
    _c("saturating_add", plain.streams(2, "int16"), SAMPLES, plain.saturating_add),
    _c("rgb_to_gray", plain.streams(3, "uint8"), STREAM, plain.rgb_to_gray),
    _c("rgb_to_yuv", plain.streams(3, "uint8"), ((3 * LENGTH,), "uint8"), plain.rgb_to_yuv),
    _c("threshold", plain.streams(1, "uint8"), STREAM, plain.threshold),
    _c("quantised_add", flat.streams("uint8", "uint8"), BYTES, flat.add, "add"),
    _c("matmul_i16", matrices.factors, MATRIX, matrices.matmul, "matmul"),
    _c("matmul_u8i8", plain.factors_u8i8, MATRIX, matrices.matmul),
)
KERNELS: Final[tuple[Kernel, ...]] = HALIDE + C
