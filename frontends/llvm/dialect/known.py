"""What LLVM 22 knows that LLVM 15 did not, and since when: ``since.tsv``, which
:mod:`frontends.llvm.dialect.make` writes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("since.tsv")
ELSEWHERE: Final = frozenset(
    {
        "aarch64",
        "amdgcn",
        "arm",
        "arm64ec",
        "bpf",
        "dx",
        "hexagon",
        "loongarch",
        "mips",
        "nvvm",
        "ppc",
        "r600",
        "riscv",
        "s390",
        "spv",
        "ve",
        "wasm",
        "xcore",
    }
)  # targets whose intrinsics are not listed


@cache
def _table() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {"intrinsic": {}, "cpu": {}, "feature": {}}
    for line in FILE.read_text().splitlines():
        if not line.startswith("#"):
            kind, version, names = line.split("\t")
            found[kind].update(dict.fromkeys(names.split(), int(version)))
    return found


def since(intrinsic: str) -> int:
    """Return the first LLVM from 15 on that has an intrinsic, given with the types in its name;
    22 for a target whose intrinsics are not listed.
    """
    table = _table()["intrinsic"]
    parts = intrinsic.removeprefix("llvm.").split(".")
    if parts[0] in ELSEWHERE:
        return 22
    for n in range(len(parts), 0, -1):
        found = table.get(".".join(parts[:n]))
        if found is not None:
            return found
    return 15


def knows_cpu(name: str, version: int) -> bool:
    """Tell whether an LLVM knows an x86 CPU; names that none knows are everybody's."""
    return _table()["cpu"].get(name, 15) <= version


def knows_feature(name: str, version: int) -> bool:
    """Tell whether an LLVM knows an x86 feature."""
    return _table()["feature"].get(name, 15) <= version
