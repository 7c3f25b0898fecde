"""Ask LLVM for the CPUs of Hexagon: ``python -m semantics.hvx.probe > semantics/hvx/cpus.tsv``."""

from __future__ import annotations

import re
import sys
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.names import target_names
from semantics.hvx.isa import ISA

_VERSION: Final = re.compile(r"hexagonv(\d+)$")
_FEATURE: Final = re.compile(r"hvxv(\d+)$")
_LENGTHS: Final = ("hvx-length64b", "hvx-length128b")


def main() -> None:
    """Print the table.

    A version of HVX implies the earlier ones; LLVM ends the process where one is asked for without
    a length of vectors, so its inliner cannot be asked.
    """
    sys.stdout.write(
        f"# CPUs and features of Hexagon, asked of LLVM {binding.llvm_version()} by python -m "
        "semantics.hvx.probe\n"
    )
    sys.stdout.write("\n".join([*_features(), *_cpus()]) + "\n")


def _features() -> list[str]:
    """Return the rows of vectors: their length, and their versions, each with the earlier ones."""
    names = target_names(ISA.machine.triple)
    versions = sorted(int(m[1]) for f in names.features if (m := _FEATURE.match(f)))
    rows = ["feature\thvx\t"]
    rows += [f"feature\t{length}\thvx" for length in _LENGTHS]
    for version in versions:
        implied = ["hvx", *(f"hvxv{v}" for v in versions if v < version)]
        rows.append(f"feature\thvxv{version}\t{' '.join(implied)}")
    return rows


def _cpus() -> list[str]:
    """Return the rows of features of another kind, and of CPUs."""
    names = target_names(ISA.machine.triple)
    others = [f for f in names.features if f not in (*_LENGTHS, "hvx") and not _FEATURE.match(f)]
    rows = [f"tuning\t{f}\t" for f in sorted(others)]
    return [*rows, *(f"cpu\t{c}\t" for c in names.cpus if _VERSION.match(c))]


if __name__ == "__main__":
    main()
