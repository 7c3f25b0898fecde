"""The registry: every kernel that is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench.kernel import Kernel, Shape
from bench.references import flat, images, matrices, rows, tensors
from bench.shapes import BATCH, CHANNELS, CONV_HEIGHT, CONV_OUT, CONV_WIDTH, FLAT, HEIGHT, OUT_HEIGHT, OUT_WIDTH, ROW, ROWS, WIDTH, M, N

__all__ = ["KERNELS", "Kernel"]

HERE: Final = Path(__file__).parent
IMAGE: Final[Shape] = ((HEIGHT, WIDTH), "uint8")
BYTES: Final[Shape] = ((FLAT,), "uint8")
POOLED: Final[Shape] = ((OUT_HEIGHT, OUT_WIDTH, CHANNELS), "uint8")
CONVOLVED: Final[Shape] = ((CONV_HEIGHT, CONV_WIDTH, CONV_OUT), "uint8")
CONNECTED: Final[Shape] = ((BATCH, CHANNELS), "uint8")
NORMALISED: Final[Shape] = ((ROWS, ROW), "uint8")
MATRIX: Final[Shape] = ((M, N), "int32")


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
    Kernel("add", "halide", pipeline("flat"), "add", flat.streams("uint8", "uint8"), BYTES, flat.add, "add", True),
    Kernel("mul", "halide", pipeline("flat"), "mul", flat.streams("uint8", "uint8"), BYTES, flat.mul, "mul"),
    Kernel("max_pool", "halide", pipeline("pool"), "max_pool", tensors.pooled, POOLED, tensors.max_pool, "max_pool"),
    Kernel("average_pool", "halide", pipeline("pool"), "average_pool", tensors.pooled, POOLED, tensors.average_pool, "average_pool"),
    Kernel("max_pool_add", "halide", pipeline("pool"), "max_pool_add", tensors.pooled_and_added, POOLED, tensors.max_pool_add, "max_pool_add"),
    Kernel("average_pool_add", "halide", pipeline("pool"), "average_pool_add", tensors.pooled_and_added, POOLED, tensors.average_pool_add, "average_pool_add"),
    Kernel("depthwise_conv", "halide", pipeline("layer"), "depthwise_conv", tensors.depthwise, POOLED, tensors.depthwise_conv, "depthwise_conv"),
    Kernel("conv_nn", "halide", pipeline("layer"), "conv_nn", tensors.convolved, CONVOLVED, tensors.conv_nn, "conv_nn", True),
    Kernel("fully_connected", "halide", pipeline("layer"), "fully_connected", tensors.connected, CONNECTED, tensors.fully_connected, "fully_connected"),
    Kernel("l2norm", "halide", pipeline("normalise"), "l2norm", rows.rows, NORMALISED, rows.l2norm, "l2norm"),
    Kernel("softmax", "halide", pipeline("normalise"), "softmax", rows.rows, NORMALISED, rows.softmax, "softmax"),
    Kernel("matmul_b1", "halide", pipeline("matrix"), "matmul_b1", matrices.batched(1), ((1, M, N), "int32"), matrices.matmul, "matmul", True),
    Kernel("matmul_b2", "halide", pipeline("matrix"), "matmul_b2", matrices.batched(2), ((2, M, N), "int32"), matrices.matmul, "matmul"),
    Kernel("matmul_b4", "halide", pipeline("matrix"), "matmul_b4", matrices.batched(4), ((4, M, N), "int32"), matrices.matmul, "matmul"),
    Kernel("matmul_bias_add", "halide", pipeline("fused"), "matmul_bias_add", matrices.biased, MATRIX, matrices.bias_add, "matmul"),
    Kernel("matmul_bias_add_add", "halide", pipeline("fused"), "matmul_bias_add_add", matrices.biased_and_added, MATRIX, matrices.bias_add_add, "matmul"),
    Kernel("matmul_bias_add_relu", "halide", pipeline("fused"), "matmul_bias_add_relu", matrices.biased, MATRIX, matrices.bias_add_relu, "matmul"),
    Kernel("matmul_bias_add_gelu", "halide", pipeline("fused"), "matmul_bias_add_gelu", matrices.biased, ((M, N), "int16"), matrices.bias_add_gelu, "matmul"),
    Kernel("matmul_bias_relu_matmul", "halide", pipeline("fused"), "matmul_bias_relu_matmul", matrices.chained, MATRIX, matrices.relu_matmul, "matmul"),
    Kernel("matmul_bias_gelu_matmul", "halide", pipeline("fused"), "matmul_bias_gelu_matmul", matrices.chained, MATRIX, matrices.gelu_matmul, "matmul"),
)
C: Final[tuple[Kernel, ...]] = (Kernel("c_absd", "c", plain("absd"), "absd", flat.streams("uint8", "uint8"), BYTES, flat.absd, "absd"),)
KERNELS: Final[tuple[Kernel, ...]] = HALIDE + C
