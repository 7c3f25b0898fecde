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
    """Which version is measured against which; ``same_ir`` where both start from the same LLVM
    IR.
    """

    ours: str
    base: str
    title: str
    same_ir: bool = False


VERSIONS: Final = {
    "halide": (
        Version(
            "llvm", "LLVM on the generic IR, loads merged, with or without -O3, as the model says"
        ),
        Version("halide", "Halide's own back end"),
        Version("isel-own", "isel on the IR of Halide's own back end, likewise"),
        Version("isel", "isel on the generic IR, likewise"),
    ),
    "c": (
        Version("clang", "clang -O3"),
        Version("clang-512", "clang -O3 -mprefer-vector-width=512"),
        Version("isel", "isel on clang's IR, then code generation"),
        Version("isel-512", "isel on clang's 512-bit IR, then code generation"),
    ),
}
BEST: Final = "best"  # the fastest of CANDIDATES in every other round, timed in the rounds between
CANDIDATES: Final = ("halide", "isel-own", "isel")
COMPARED: Final = (
    Comparison("isel", "llvm", "isel over LLVM on the same IR (Halide kernels)", True),
    Comparison("isel", "halide", "isel over Halide's own back end"),
    Comparison("isel-own", "halide", "isel on the IR of Halide's own back end over that back end"),
    Comparison(
        BEST,
        "halide",
        "the best of Halide's own, isel on its IR and isel on the generic IR, over Halide's own "
        "back end",
    ),
    Comparison("isel", "clang", "isel over clang on the same IR (C kernels)", True),
    Comparison(
        "isel-512", "clang-512", "isel over clang, both 512-bit, on the same IR (C kernels)", True
    ),
    Comparison("isel-512", "clang", "isel on 512-bit IR over clang's default (C kernels)"),
)
