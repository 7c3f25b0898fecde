"""Every kernel, compiled without isel, computes what its reference says; the registry is complete and well formed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench.inputs import ALIGNMENT
from bench.kernel import Kernel
from bench.kernels import HALIDE, KERNELS, C
from tests.bench.realise import by_clang, by_halide, differences

SEEDS = (1, 2)


def named(kernel: Kernel) -> str:
    return kernel.name


@pytest.mark.slow
@pytest.mark.parametrize("variant", [0, 1])
@pytest.mark.parametrize("kernel", HALIDE, ids=named)
def test_pipelines_compute_their_reference(kernel: Kernel, variant: int) -> None:
    for seed in SEEDS:
        arguments = kernel.inputs(np.random.default_rng(seed))
        assert differences(by_halide(kernel, variant, arguments), kernel.reference(arguments)) == "", f"seed {seed}"


@pytest.mark.slow
@pytest.mark.parametrize("kernel", C, ids=named)
def test_c_kernels_compute_their_reference(kernel: Kernel, tmp_path: Path) -> None:
    for seed in SEEDS:
        arguments = kernel.inputs(np.random.default_rng(seed))
        assert differences(by_clang(kernel, tmp_path, arguments), kernel.reference(arguments)) == "", f"seed {seed}"


def test_names_are_unique() -> None:
    assert len({k.name for k in KERNELS}) == len(KERNELS)


@pytest.mark.parametrize("kernel", KERNELS, ids=named)
def test_inputs_are_seeded_aligned_and_meet_the_ends_of_their_range(kernel: Kernel) -> None:
    arguments, again = (kernel.inputs(np.random.default_rng(1)) for _ in range(2))
    assert kernel.source.exists()
    for array, same in zip(arguments, again, strict=True):
        assert array.ctypes.data % ALIGNMENT == 0
        assert array.flags.c_contiguous
        assert np.array_equal(array, same)
        assert array.max() > array.min()


@pytest.mark.parametrize("kernel", KERNELS, ids=named)
def test_references_depend_on_every_input(kernel: Kernel) -> None:
    """A reference of the declared shape and type, whose value no input can be taken from."""
    arguments = kernel.inputs(np.random.default_rng(1))
    expected = kernel.reference(arguments)
    assert (expected.shape, expected.dtype) == (kernel.output[0], np.dtype(kernel.output[1]))
    assert len(np.unique(expected)) > 1
    for at, array in enumerate(arguments):
        changed = [*arguments[:at], kernel.inputs(np.random.default_rng(9))[at], *arguments[at + 1 :]]
        assert not np.array_equal(array, changed[at])
        assert not np.array_equal(kernel.reference(changed), expected)
