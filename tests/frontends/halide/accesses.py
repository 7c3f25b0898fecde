"""The accesses of a module by type: what merging made of it."""

from __future__ import annotations

from collections.abc import Iterator

from frontends.llvm.text.ast import VectorType
from frontends.llvm.text.parse import parse_module


def parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield how often loads, stores and phis of each vector type occur in a module."""
    counts: dict[str, int] = {}
    for f in parse_module(text).functions:
        for i in (i for b in f.blocks for i in b.instrs if i.opcode in ("load", "store", "phi")):
            kind = i.operands[0].type if i.opcode == "store" else i.type
            if isinstance(kind, VectorType):
                counts[f"{i.opcode} {kind}"] = counts.get(f"{i.opcode} {kind}", 0) + 1
    yield from ((n, name) for name, n in sorted(counts.items()))
