"""Ask LLVM for the CPUs of x86-64: ``python -m semantics.x86.probe > semantics/x86/cpus.tsv``."""

from __future__ import annotations

import sys
from typing import Final

from frontends.llvm.linked import binding
from semantics.probe import cpus_of, table

TRIPLE: Final = "x86_64-unknown-linux-gnu"
_MODES: Final = frozenset({"64bit", "64bit-mode", "32bit-mode", "16bit-mode", "soft-float"})
_WIDE: Final = """target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr %p) "min-legal-vector-width"="0" {
  %a = load <16 x i32>, ptr %p, align 64
  %b = add <16 x i32> %a, %a
  store <16 x i32> %b, ptr %p, align 64
  ret void
}
"""


def prefers_256(cpu: str) -> bool:
    """Tell whether LLVM tunes for vectors of 256 bits on a CPU that has 512."""
    return "zmm" not in binding.assembly(_WIDE, triple=TRIPLE, cpu=cpu, features="")


def tuned(cpu: str, has: frozenset[str]) -> frozenset[str]:
    """Return what a CPU is tuned for beyond its features."""
    wide = "avx512f" in has and prefers_256(cpu)
    return frozenset({"prefer-256-bit"}) if wide else frozenset()


def main() -> None:
    """Print the table."""
    cpus, features = cpus_of(TRIPLE)
    rows = table(cpus, features, TRIPLE, modes=_MODES, needed="sse2", tuned=tuned)
    sys.stdout.write(
        f"# CPUs and features of x86-64, asked of LLVM {binding.llvm_version()} by python -m "
        "semantics.x86.probe" + "\n"
    )
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
