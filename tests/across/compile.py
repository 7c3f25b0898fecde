"""The kernels compiled by clang: C and SSE for x86-64, Neon for AArch64."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.assumed import with_any_alignment, with_defined_loads
from frontends.llvm.refine.options import Options
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.parse import parse_module
from isel.spec.target import Target
from semantics import target_named

KERNELS: Final = Path(__file__).parent / "kernels"
NAMES: Final = tuple(sorted(p.stem for p in KERNELS.glob("*.c")))
CLANG: Final = "clang-19"
X86: Final = ("-march=haswell",)
ARM: Final = ("--target=aarch64-linux-gnu", "-ffreestanding", "-march=armv8.2-a+dotprod+i8mm")
VERSIONS: Final = {
    "c": ("x86", X86),
    "sse": ("x86", (*X86, "-DSSE")),
    "neon": ("arm", (*ARM, "-DNEON")),
    "wrong": ("arm", (*ARM, "-DWRONG")),
}


@cache
def compiled(name: str, version: str) -> str:
    """Return a version of a kernel as LLVM 22 prints it; loops are left as they are written."""
    flags = [*VERSIONS[version][1], "-O2", "-S", "-emit-llvm", "-o", "-"]
    flags += ["-fno-unroll-loops"] if name.startswith("loop_") else []
    command = [CLANG, *flags, str(KERNELS / f"{name}.c")]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return normalise(done.stdout)


def isa_of(version: str) -> Target:
    """Return the machine that a version is for."""
    return target_named(VERSIONS[version][0])


def compare(name: str, first: str, second: str) -> Answer:
    """Decide whether a version of a kernel refines another one, memory being defined and as
    aligned as C says.
    """
    a = parse_module(with_defined_loads(compiled(name, first)))
    b = parse_module(with_any_alignment(compiled(name, second)))
    isas = (isa_of(first), isa_of(second))
    (answer,) = verify_report(a, b, isas[0], Options(isas=isas, defined_memory=True))
    return answer
