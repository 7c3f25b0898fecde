"""HVX instructions with their emissions: each is a call of its intrinsic."""

from __future__ import annotations

from typing import Final

from isel.spec.instruction import Instruction
from semantics.emission import join
from semantics.emission.table import emissions
from semantics.entries import Joined

INTRINSICS: Final = "llvm.hexagon.V6."


def joined(i: Instruction) -> Joined:
    """Yield the instruction with its emission, and as calls of its intrinsic apply it."""
    emission = emissions("hvx").get((i.name, ()))
    if emission is not None:
        instruction = join.emitting(i, emission, INTRINSICS)
        own = join.intrinsic_of(instruction, emission, INTRINSICS)
        yield instruction, instruction if instruction.call else own
