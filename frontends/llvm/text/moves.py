"""Where a lane comes from that shuffles, inserts and extracts move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from frontends.llvm.text.limits import MOVES_MOST
from frontends.llvm.text.syntax import Instr, Operand, VectorType, number
from frontends.llvm.text.view import View

_OF_ONE_LANE: Final = ("insertelement", "extractelement")


def follow(view: View, o: Operand | None, k: int) -> Iterator[tuple[Instr, int]]:
    """Yield the instructions through which a lane of an operand comes, each with the lane of it
    that this is, up to the one that makes it.
    """
    way = None if o is None else (o, k)
    for _ in range(MOVES_MOST):
        i = None if way is None else view.definition(way[0])
        if way is None or i is None or not i.known:
            return
        yield i, way[1]
        way = origin(i, way[1])


def origin(i: Instr, k: int) -> tuple[Operand, int] | None:
    """Return the operand and the lane of it that lane ``k`` of an instruction is, None if it is
    something new, or poison.
    """
    kind = i.operands[0].type if i.operands else None
    count = kind.count if isinstance(kind, VectorType) else 0
    if i.opcode == "shufflevector":
        m = i.mask[k]
        return None if m is None else (i.operands[m // count], m % count)
    at = number(i.operands[-1]) if i.opcode in _OF_ONE_LANE else None
    if at is None or at >= count:
        return None
    if i.opcode == "extractelement":
        return i.operands[0], at
    return (i.operands[1], 0) if at == k else (i.operands[0], k)
