"""Permutes by index: by what a lane becomes, the least index that makes it so, computed from
the lanes or remembered by an index of the target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from isel.deferred import deferred
from isel.interp.evaluate import evaluate
from isel.interp.lanes import NumpyLanes, pack
from isel.ir.canon import formal, rename
from isel.ir.expr import Expr, elem, leaves
from isel.spec.instruction import Instruction, Role
from isel.spec.known import Permute, remembered

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")

_MOST: Final = 256  # indices that are tried


def index_operand(i: Instruction) -> int | None:
    """Return the number of the operand that holds indices."""
    return next((n for n, o in enumerate(i.operands) if o.role is Role.INDEX), None)


def permute_of(i: Instruction) -> Permute | None:
    """Return the tables of an instruction; None where it is no permute by its index operand
    lane by lane, of registers of its own element width.
    """
    known = remembered(i)
    return known.permute if known is not None else read_permute(i)


def read_permute(i: Instruction) -> Permute | None:
    """Return the tables of an instruction, by evaluating its lanes at every index."""
    at = index_operand(i)
    if at is None or i.operands[at].lanes != i.lanes or i.immediates:
        return None
    index = i.operands[at]
    tables = [o for n, o in enumerate(i.operands) if n != at]
    if (
        any(o.width != i.width for o in tables)
        or sum(o.lanes for o in tables) >= (1 << i.width) - 1
    ):
        return None
    elements = [elem(o.name, n * o.width, o.width) for o in tables for n in range(o.lanes)]
    numbers = {e: n for n, e in enumerate(elements, 1)}
    here = formal(0, index.width)
    values = pack(list(range(min(1 << index.width, _MOST))), index.width)
    seen: dict[Expr, int] = {}  # lanes that read the same elements differ in the index only
    found: dict[tuple[int, ...], int] = {}
    by_lane: list[int] = []
    for lane in range(i.lanes):
        e = rename(i.lane(lane, {}), {elem(index.name, lane * index.width, index.width): here})
        if e not in seen:
            used = [x for x in leaves(e) if x is not here]
            if any(x not in numbers for x in used):
                return None
            env = {x: pack([numbers[x]], x.width) for x in used}
            result = np.broadcast_to(
                evaluate(e, {**env, here: values}, NumpyLanes()), values.shape
            ).tolist()
            least = {number: k for k, number in reversed(list(enumerate(result)))}
            table = tuple(least.get(number, -1) for number in range(len(elements) + 1))
            seen[e] = found.setdefault(table, len(found))
        by_lane.append(seen[e])
    return Permute(tuple(by_lane), tuple(found))
