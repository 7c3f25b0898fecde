"""Ask LLVM for the CPUs of AArch64: ``python -m semantics.arm.probe > semantics/arm/cpus.tsv``."""

from __future__ import annotations

import sys
from typing import Final

from frontends.llvm.linked import binding
from semantics.arm.isa import ISA
from semantics.probe import cpus_of, table

_MODES: Final = frozenset[str]()
# what LLVM's generic CPU is tuned for, and its tracing
_WITHOUT: Final = "-ete,-trbe,-fuse-adrp-add,-fuse-aes,-enable-select-opt,-use-postra-scheduler,"


def main() -> None:
    """Print the table."""
    triple = ISA.machine.triple
    cpus, features = cpus_of(triple)
    rows = table(cpus, features, triple, modes=_MODES, needed="neon", without=_WITHOUT)
    sys.stdout.write(
        f"# CPUs and features of AArch64, asked of LLVM {binding.llvm_version()} by python -m "
        "semantics.arm.probe\n"
    )
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
