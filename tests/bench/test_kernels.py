"""Every kernel, compiled without isel, computes what its reference says; the registry is
complete and well formed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from bench.inputs import ALIGNMENT, Array, aligned
from bench.kernel import Kernel
from bench.kernels import HALIDE, KERNELS, C
from bench.matrix import kernels as matrix
from bench.ten import KERNELS as TEN
from tests.bench.realise import Run, by_clang, by_halide, differences

SEEDS = (1, 2, 3)
PUBLISHED = [
    "sobel3x3",
    "sobel5x5",
    "dilate3x3",
    "dilate5x5",
    "dilate7x7",
    "blur3x3",
    "blur5x5",
    "blur7x7",
    "median3x3",
    "gaussian3x3",
    "gaussian5x5",
    "gaussian7x7",
    "l2norm",
    "conv_nn",
    "conv3x3a16",
    "depthwise_conv",
    "average_pool",
    "max_pool",
    "fully_connected",
    "add",
    "mul",
    "softmax",
    "matmul_b1",
    "matmul_b2",
    "matmul_b4",
    "average_pool_add",
    "max_pool_add",
    "matmul_bias_add",
    "matmul_bias_add_add",
    "matmul_bias_add_relu",
    "matmul_bias_add_gelu",
    "matmul_bias_relu_matmul",
    "matmul_bias_gelu_matmul",
    "camera_pipe",
]


def named(kernel: Kernel) -> str:
    return kernel.name


def cases(kernel: Kernel) -> Iterator[tuple[str, list[Array]]]:
    """Random inputs, then every choice of the least and the greatest value for each whole input."""
    for seed in SEEDS:
        yield f"seed {seed}", kernel.inputs(np.random.default_rng(seed))
    drawn = kernel.inputs(np.random.default_rng(0))
    for ends in product((np.min, np.max), repeat=len(drawn)):
        filled = []
        for array, end in zip(drawn, ends, strict=True):
            constant = aligned(array.shape, array.dtype.name)
            constant[...] = end(array)
            filled.append(constant)
        yield f"filled with {[end.__name__ for end in ends]}", filled


def wrong(kernel: Kernel, run: Run) -> list[str]:
    """Return the cases that fail, each with the first elements that differ."""
    found = (
        (case, differences(run(arguments), kernel.reference(arguments)))
        for case, arguments in cases(kernel)
    )
    return [f"{case}: {difference}" for case, difference in found if difference]


@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize("kernel", dict.fromkeys((*HALIDE, *TEN, *matrix.HALIDE)), ids=named)
def test_pipelines_compute_their_reference(kernel: Kernel, variant: int) -> None:
    assert wrong(kernel, by_halide(kernel, variant)) == []


@pytest.mark.parametrize("kernel", [*C, *matrix.C], ids=named)
def test_c_kernels_compute_their_reference(kernel: Kernel, tmp_path: Path) -> None:
    assert wrong(kernel, by_clang(kernel, tmp_path)) == []


def test_a_wrong_element_is_found() -> None:
    kernel = C[0]

    def off_by_one(arguments: list[Array]) -> Array:
        out = kernel.reference(arguments)
        out[3, 5] += 1
        return out

    found = wrong(kernel, off_by_one)
    assert len(found) == len(list(cases(kernel)))
    assert found[0].startswith("seed 1: 1 differ: (3, 5): ")


def test_all_published_benchmarks_are_there() -> None:
    assert sorted(k.name for k in HALIDE) == sorted(PUBLISHED)
    assert len(set(PUBLISHED)) == 34
    assert len(C) == 20
    assert sum(k.quick for k in KERNELS) == 8
    assert len({k.name for k in KERNELS}) == len(KERNELS)
    assert len({k.name for k in TEN}) == 10
    assert (len(matrix.C), len(matrix.HALIDE), len({k.name for k in matrix.KERNELS})) == (
        20,
        10,
        30,
    )


@pytest.mark.parametrize("kernel", [*KERNELS, *matrix.KERNELS], ids=named)
def test_inputs_are_seeded_and_aligned(kernel: Kernel) -> None:
    arguments, again = (kernel.inputs(np.random.default_rng(1)) for _ in range(2))
    assert kernel.source.exists()
    for array, same in zip(
        [*arguments, kernel.empty_output()], [*again, kernel.empty_output()], strict=True
    ):
        assert array.ctypes.data % ALIGNMENT == 0
        assert array.flags.c_contiguous
        assert np.array_equal(array, same)


@pytest.mark.parametrize("kernel", [*KERNELS, *matrix.KERNELS], ids=named)
def test_references_depend_on_every_input(kernel: Kernel) -> None:
    arguments, others = (kernel.inputs(np.random.default_rng(seed)) for seed in (1, 9))
    expected = kernel.reference(arguments)
    assert (expected.shape, expected.dtype) == (kernel.output[0], np.dtype(kernel.output[1]))
    for at, other in enumerate(others):
        changed = [*arguments[:at], other, *arguments[at + 1 :]]
        assert not np.array_equal(kernel.reference(changed), expected)


@pytest.mark.parametrize("kernel", [*KERNELS, *matrix.KERNELS], ids=named)
def test_working_sets_stay_in_the_caches_of_one_core(kernel: Kernel) -> None:
    size = (
        sum(a.nbytes for a in kernel.inputs(np.random.default_rng(1)))
        + kernel.empty_output().nbytes
    )
    assert size <= 96 * 1024
