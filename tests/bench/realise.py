"""Kernels run without isel: pipelines by Halide's own compiler, C by the clang of ziglang."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import halide as hl
import numpy as np

from bench.inputs import Array
from bench.kernel import Kernel

ROOT = Path(__file__).parents[2]
FLAGS = ("-target", "x86_64-linux-gnu", "-O2", "-fPIC", "-shared", "-fno-sanitize=all", "-Wall", "-Wextra", "-Werror")


def by_halide(kernel: Kernel, variant: int, arguments: list[Array]) -> Array:
    """Compile the pipeline for this machine, run it, and return the output."""
    module = import_module(".".join(kernel.source.relative_to(ROOT).with_suffix("").parts))
    func, params = getattr(module, kernel.entry)(variant)
    for param, argument in zip(params, arguments, strict=True):
        param.set(hl.Buffer(argument))
    out = kernel.empty_output()
    func.realize(hl.Buffer(out))
    return out


def by_clang(kernel: Kernel, folder: Path, arguments: list[Array]) -> Array:
    """Compile the C source, run it, and return the output."""
    library = folder / f"{kernel.name}.so"
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, str(kernel.source), "-o", str(library)]
    subprocess.run(command, check=True)
    out = kernel.empty_output()
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*arguments, out)]
    getattr(ctypes.CDLL(str(library)), kernel.entry)(*pointers, ctypes.c_int(out.size))
    return out


def differences(found: Array, expected: Array) -> str:
    """Name the first elements that differ; empty where none does."""
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return f"{found.dtype}{found.shape}, expected {expected.dtype}{expected.shape}"
    places = np.argwhere(found != expected)
    return f"{len(places)} differ: " + ", ".join(f"{tuple(p)}: {found[tuple(p)]}, expected {expected[tuple(p)]}" for p in places[:5]) if len(places) else ""
