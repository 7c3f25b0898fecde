"""Lines of vector IR taken apart, and written again for wider vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from frontends.halide.pieces import Lane
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Local, Operand, VectorType

INTRINSIC: Final = re.compile(
    r"(llvm\.(?:smin|smax|umin|umax|abs|sadd\.sat|uadd\.sat|ssub\.sat|usub\.sat|fshl|fshr))\.v\d+(i\d+)$"
)
_ATTACHED: Final = re.compile(r"(?:, ![\w.]+ ![\w.]+)*$")


def attachments(steps: Sequence[Instr]) -> str:
    """Return the metadata that all pieces have alike, as it is written behind an access."""
    found = {_tail(s) for s in steps}
    return found.pop() if len(found) == 1 else ""


def _tail(instr: Instr) -> str:
    found = _ATTACHED.search(instr.text)
    return found[0] if found else ""


def as_shuffle(
    root: Instr, lanes: Sequence[Lane], groups: Sequence[Sequence[Local]], wholes: Sequence[Local]
) -> str:
    """Write the root as a shuffle of what its groups of pieces became."""
    starts: dict[Operand, int] = {}
    total = 0
    for p in (p for g in groups for p in g):
        assert isinstance(p.type, VectorType)
        starts[p] = total
        total += p.type.count
    mask = [None if x is None else starts[x[0]] + x[1] for x in lanes]
    moved = build.shuffle(wholes[0], mask, wholes[1] if wholes[1:] else None)
    return f"  {moved.line(root.name)}"
