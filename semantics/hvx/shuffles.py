"""Shuffles of a pair by the bits of a general register, as calls have them: one instruction each,
of which that register is an immediate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from isel.ir.expr import Expr
from isel.spec.instruction import Immediate, Instruction
from semantics.hvx.importer.spec import SWAPS

_ENTRIES: Final[Mapping[str, str]] = {
    "llvm.hexagon.V6.vshuffvdd.128B": "Q6_W_vshuff_VVR",
    "llvm.hexagon.V6.vdealvdd.128B": "Q6_W_vdeal_VVR",
}


def shuffle(intrinsic: str, by_name: Mapping[str, Instruction]) -> Instruction | None:
    """Return the instruction of an intrinsic that shuffles by constants, None for any other."""
    name = _ENTRIES.get(intrinsic)
    if name is None:
        return None
    some = {v: by_name[f"{name}_{v}"] for v in SWAPS}
    call = f"%r = call <64 x i32> @{intrinsic}(<32 x i32> %Vu, <32 x i32> %Vv, i32 $Rt)"
    return replace(
        some[SWAPS[0]],
        name=name,
        immediates=(Immediate("Rt", 32, SWAPS),),
        emission=(call,),
        call=intrinsic,
        lane=partial(_lane, some),
    )


def _lane(some: Mapping[int, Instruction], i: int, immediates: Mapping[str, int]) -> Expr:
    return some[immediates["Rt"]].lane(i, {})
