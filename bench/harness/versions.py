"""The versions of a kernel that are compared, and what is compared with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Version:
    """A way to compile a kernel: its name in tables, and for people."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which version is measured against which; ``same_ir`` where both start from the same LLVM IR."""

    ours: str
    base: str
    title: str
    same_ir: bool = False


VERSIONS: Final = {
    "halide": (
        Version("llvm", "LLVM -O3 of the generic IR, loads merged"),
        Version("halide", "Halide's own back end"),
        Version("isel", "isel on the generic IR, then LLVM -O3"),
    ),
    "c": (
        Version("clang", "clang -O3"),
        Version("clang-512", "clang -O3 -mprefer-vector-width=512"),
        Version("isel", "isel on clang's IR, then code generation"),
        Version("isel-512", "isel on clang's 512-bit IR, then code generation"),
    ),
}
COMPARED: Final = (
    Comparison("isel", "llvm", "isel over LLVM on the same IR (Halide kernels)", True),
    Comparison("isel", "halide", "isel over Halide's own back end"),
    Comparison("isel", "clang", "isel over clang on the same IR (C kernels)", True),
    Comparison("isel-512", "clang-512", "isel over clang, both 512-bit, on the same IR (C kernels)", True),
    Comparison("isel-512", "clang", "isel on 512-bit IR over clang's default (C kernels)"),
)
