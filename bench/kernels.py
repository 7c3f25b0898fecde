"""The registry: every kernel that is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench.kernel import Kernel, Shape
from bench.references import flat, images, matrices, plain, rows, tensors
from bench.shapes import BATCH, CHANNELS, CONV_HEIGHT, CONV_OUT, CONV_WIDTH, FLAT, HEIGHT, OUT_HEIGHT, OUT_WIDTH, ROW, ROWS, WIDTH, M, N
from bench.shapes import STREAM as LENGTH

__all__ = ["KERNELS", "Kernel"]

HERE: Final = Path(__file__).parent
IMAGE: Final[Shape] = ((HEIGHT, WIDTH), "uint8")
BYTES: Final[Shape] = ((FLAT,), "uint8")
POOLED: Final[Shape] = ((OUT_HEIGHT, OUT_WIDTH, CHANNELS), "uint8")
CONVOLVED: Final[Shape] = ((CONV_HEIGHT, CONV_WIDTH, CONV_OUT), "uint8")
CONNECTED: Final[Shape] = ((BATCH, CHANNELS), "uint8")
NORMALISED: Final[Shape] = ((ROWS, ROW), "uint8")
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
C: Final[tuple[Kernel, ...]] = (
    Kernel("c_sobel", "c", plain_c("sobel"), "sobel", images.picture(1), IMAGE, images.sobel((1, 2, 1), (-1, 0, 1)), "sobel3x3"),
    Kernel("c_box_blur", "c", plain_c("box_blur"), "box_blur", images.picture(1), IMAGE, images.blur(3), "blur3x3"),
    Kernel("c_gaussian", "c", plain_c("gaussian"), "gaussian", images.picture(1), IMAGE, images.gaussian((1, 2, 1)), "gaussian3x3"),
    Kernel("c_dilate", "c", plain_c("dilate"), "dilate", images.picture(1), IMAGE, images.dilate(3), "dilate3x3"),
    Kernel("c_median", "c", plain_c("median"), "median", images.picture(1), IMAGE, images.median, "median3x3"),
    Kernel("c_conv3x3", "c", plain_c("conv3x3"), "conv3x3", images.masked, IMAGE, plain.conv3x3, "conv3x3"),
    Kernel(
        "c_average_pool2x2", "c", plain_c("average_pool2x2"), "average_pool2x2", plain.large, (plain.HALVED, "uint8"), plain.average_pool2x2, "average_pool2x2"
    ),
    Kernel("c_alpha_blend", "c", plain_c("alpha_blend"), "alpha_blend", plain.streams(3, "uint8"), STREAM, plain.alpha_blend, "alpha_blend", True),
    Kernel("c_audio_mix", "c", plain_c("audio_mix"), "audio_mix", plain.streams(2, "int16"), SAMPLES, plain.audio_mix, "audio_mix", True),
    Kernel("c_dot_u8i8", "c", plain_c("dot_u8i8"), "dot_u8i8", plain.dots_u8i8, DOTS, plain.dot, "dot_u8i8", True),
    Kernel("c_dot_i16", "c", plain_c("dot_i16"), "dot_i16", plain.dots_i16, DOTS, plain.dot, "dot_i16"),
    Kernel("c_sad", "c", plain_c("sad"), "sad", plain.blocks, ((plain.BLOCKS,), "int32"), plain.sad, "sad"),
    Kernel("c_absd", "c", plain_c("absd"), "absd", plain.streams(2, "uint8"), STREAM, plain.absd, "absd"),
    Kernel("c_saturating_add", "c", plain_c("saturating_add"), "saturating_add", plain.streams(2, "int16"), SAMPLES, plain.saturating_add, "saturating_add"),
    Kernel("c_rgb_to_gray", "c", plain_c("rgb_to_gray"), "rgb_to_gray", plain.streams(3, "uint8"), STREAM, plain.rgb_to_gray, "rgb_to_gray"),
    Kernel("c_rgb_to_yuv", "c", plain_c("rgb_to_yuv"), "rgb_to_yuv", plain.streams(3, "uint8"), ((3 * LENGTH,), "uint8"), plain.rgb_to_yuv, "rgb_to_yuv"),
    Kernel("c_threshold", "c", plain_c("threshold"), "threshold", plain.streams(1, "uint8"), STREAM, plain.threshold, "threshold"),
    Kernel("c_quantised_add", "c", plain_c("quantised_add"), "quantised_add", flat.streams("uint8", "uint8"), BYTES, flat.add, "add"),
    Kernel("c_matmul_i16", "c", plain_c("matmul_i16"), "matmul_i16", matrices.factors, MATRIX, matrices.matmul, "matmul"),
    Kernel("c_matmul_u8i8", "c", plain_c("matmul_u8i8"), "matmul_u8i8", plain.factors_u8i8, MATRIX, matrices.matmul, "matmul_u8i8"),
)
KERNELS: Final[tuple[Kernel, ...]] = HALIDE + C
