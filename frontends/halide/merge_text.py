"""Lines of vector IR taken apart, and written again for wider vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from frontends.halide.pieces import Lane
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Local, Operand, VectorType
from frontends.llvm.text.rewording import spell

_CASTS: Final = frozenset(
    ("zext", "sext", "trunc", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp")
)
INTRINSIC: Final = re.compile(
    r"(llvm\.(?:smin|smax|umin|umax|abs|sadd\.sat|uadd\.sat|ssub\.sat|usub\.sat|fshl|fshr))\.v\d+(i\d+)$"
)
_PREFIX: Final = re.compile(r"\s*%\S+ = ([a-z ]+?) <")
_ATTACHED: Final = re.compile(r"(?:, ![\w.]+ ![\w.]+)*$")


def prefix(instr: Instr) -> str:
    """Return opcode and flags of a lane-wise instruction as they are written."""
    found = _PREFIX.match(instr.text)
    return found[1] if found else instr.text


def written_like(model: Instr, operands: Sequence[Operand], kind: VectorType) -> str:
    """Return an instruction like the model, of other operands, which gives ``kind``."""
    typed = [typed_operand(x) for x in operands]
    if model.opcode == "call":
        found = INTRINSIC.match(model.callee)
        assert found is not None
        return f"{prefix(model)} {kind} @{found[1]}.v{kind.count}{found[2]}({', '.join(typed)})"
    if model.opcode in _CASTS:
        return f"{prefix(model)} {typed[0]} to {kind}"
    if model.opcode in ("select", "freeze", "fneg"):
        return f"{prefix(model)} {', '.join(typed)}"
    return f"{prefix(model)} {typed[0]}, {spell(operands[1])}"


def typed_operand(operand: Operand) -> str:
    """Return an operand with its type."""
    return f"{operand.type} {spell(operand)}"


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
