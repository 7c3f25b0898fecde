"""Prices of instructions: from the CPU's table by the forms that LLVM selects for them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from isel.spec.instruction import Instruction
from semantics.x86.costs import prices_for

# an instruction the CPU's table lacks: dearer than any plain operation, so that it is never a gain
# by accident
_UNPRICED = 104


@cache
def forms() -> dict[str, tuple[str, ...]]:
    """Return the machine instructions that LLVM selects for each instruction's emission, as
    forms of the price tables.
    """
    text = (files("semantics.x86") / "forms.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {row[0]: tuple(row[1:]) for row in rows}


def instruction_cost(instruction: Instruction, cpu: str) -> int:
    """Return hundredths of a cycle of reciprocal throughput."""
    prices = prices_for(cpu)
    selected = forms().get(instruction.name, ())
    known = [prices.hundredths(f) for f in selected]
    if not known:
        return _UNPRICED
    return sum(_UNPRICED if k is None else k for k in known)
