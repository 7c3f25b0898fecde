"""What an instruction makes of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from frontends.llvm.meaning.lanes import NO, Cannot, Value
from frontends.llvm.meaning.lower import meaning_of
from frontends.llvm.text.ast import Instr, IntType
from isel.ir.expr import const


def number_of(i: Instr, given: Sequence[int | None]) -> int | None:
    """Return the number that an instruction gives of its operands as they are given, None where one
    is not known, or it is poison, no integer, or undefined behaviour.
    """
    kinds = [o.type.bits for o in i.operands if isinstance(o.type, IntType)]
    lanes = [(const(n, w),) for n, w in zip(given, kinds, strict=False) if n is not None]
    if len(lanes) != len(i.operands):
        return None
    with suppress(Cannot):
        found = meaning_of(i, [Value(x[0].width, x, (NO,)) for x in lanes], None)
        (lane,) = found.value.lanes
        if lane.is_const and (found.value.poison, found.undefined) == ((NO,), NO):
            return lane.value
    return None
