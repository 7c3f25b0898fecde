"""Kernels run without isel: pipelines by Halide's own compiler, C by the clang of ziglang."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.inputs import Array
from bench.kernel import Kernel

if TYPE_CHECKING:
    from bench.pipelines.layout import Inputs

ROOT = Path(__file__).parents[2]
FLAGS = (
    "-target",
    "x86_64-linux-gnu",
    "-O2",
    "-fPIC",
    "-shared",
    "-fno-sanitize=all",
    "-Wall",
    "-Wextra",
    "-Werror",
)
Run = Callable[[list[Array]], Array]


def pipeline(kernel: Kernel, variant: int) -> Inputs:
    """Return function and parameters of a kernel of kind ``halide``."""
    module = import_module(".".join(kernel.source.relative_to(ROOT).with_suffix("").parts))
    made: Inputs = getattr(module, kernel.entry)(variant)
    return made


def by_halide(kernel: Kernel, variant: int) -> Run:
    """Compile the pipeline for this machine; the result runs it and returns the output."""
    import halide as hl

    func, params = pipeline(kernel, variant)

    def run(arguments: list[Array]) -> Array:
        for param, argument in zip(params, arguments, strict=True):
            param.set(hl.Buffer(argument))
        out = kernel.empty_output()
        func.realize(hl.Buffer(out))
        return out

    return run


def by_clang(kernel: Kernel, folder: Path) -> Run:
    """Compile the C source; the result runs it and returns the output."""
    library = folder / f"{kernel.name}.so"
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        *FLAGS,
        str(kernel.source),
        "-o",
        str(library),
    ]
    subprocess.run(command, check=True)
    function = getattr(ctypes.CDLL(str(library)), kernel.entry)

    def run(arguments: list[Array]) -> Array:
        out = kernel.empty_output()
        function(
            *(ctypes.c_void_p(a.ctypes.data) for a in (*arguments, out)), ctypes.c_int(out.size)
        )
        return out

    return run


def differences(found: Array, expected: Array) -> str:
    """Name the first elements that differ; empty where none does."""
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return f"{found.dtype}{found.shape}, expected {expected.dtype}{expected.shape}"
    places = [tuple(int(i) for i in p) for p in np.argwhere(found != expected)]
    return (
        f"{len(places)} differ: "
        + ", ".join(f"{p}: {found[p]}, expected {expected[p]}" for p in places[:5])
        if places
        else ""
    )
