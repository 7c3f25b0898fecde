"""What LLVM selects for the instructions of a target, and what that costs.

A row of ``forms.tsv`` has an instruction and the forms of the price tables that its emission,
compiled alone, becomes; ``python -m semantics.ISA.selection`` asks for each.  A row without forms
says that nothing is left to do: another name for a part of a register.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from isel.shipped import rows_of
from isel.spec.instruction import Instruction

if TYPE_CHECKING:
    from semantics.isa import Isa

# an instruction the CPU's table lacks: dearer than any plain operation, so that it is never a gain
# by accident
_UNPRICED: Final = 104
_FREE: Final = 1  # not nothing, so that of equal programs the shorter is cheaper


@cache
def forms(isa: str) -> Mapping[str, tuple[str, ...]]:
    """Return the machine instructions that LLVM selects for each instruction's emission."""
    return {row[0]: tuple(row[1:]) for row in rows_of(__file__, isa, "forms.tsv")}


def instruction_cost(instruction: Instruction, isa: Isa, cpu: str) -> int:
    """Return hundredths of a cycle of reciprocal throughput."""
    selected = forms(isa.name).get(instruction.name)
    if selected is None:
        return _UNPRICED
    prices = isa.prices(cpu)
    known = [prices.hundredths(f) for f in selected]
    return sum(_UNPRICED if k is None else k for k in known) if known else _FREE
