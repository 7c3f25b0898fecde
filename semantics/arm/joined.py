"""Instructions of Arm's list with the emissions learned for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from isel.spec.instruction import Instruction
from semantics.arm.stated import stated
from semantics.emission import join
from semantics.emission.table import emissions
from semantics.entries import Joined

INTRINSICS: Final = "llvm.aarch64."


def joined(i: Instruction) -> Joined:
    """Yield the instruction with its emission, and as calls of its intrinsic apply it."""
    emission = emissions("arm").get((i.name, ()))
    if emission is None:
        lines = stated(i)
        if lines:
            yield replace(i, emission=lines), None
    else:
        instruction = join.emitting(i, emission, INTRINSICS)
        own = join.intrinsic_of(instruction, emission, INTRINSICS)
        yield instruction, instruction if instruction.call else own
