"""What a ``.sem`` entry says for concrete operands, many at once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from isel.interp.evaluate import evaluate
from isel.interp.lanes import NumpyLanes
from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.ir.ops import Lanes, unsigned_dtype
from isel.spec.instruction import Instruction

_ALGEBRA = NumpyLanes()


def results(
    instruction: Instruction,
    immediates: Mapping[str, int],
    operands: Mapping[str, Lanes],
    count: int,
) -> Lanes:
    """Return the result lanes, shape (count, lanes); operands have shape (count, their lanes).

    Lanes with one canonical function are evaluated together.
    """
    groups: dict[Expr, tuple[list[int], list[tuple[Expr, ...]]]] = {}
    for i in range(instruction.lanes):
        fn, holes = canonical(instruction.lane(i, immediates))
        where, leaves = groups.setdefault(fn, ([], []))
        where.append(i)
        leaves.append(holes)
    out = np.zeros((count, instruction.lanes), dtype=unsigned_dtype(instruction.width))
    for fn, (where, leaves) in groups.items():
        env = {
            formal(k, e.width): _stacked([holes[k] for holes in leaves], operands)
            for k, e in enumerate(leaves[0])
        }
        out[:, where] = np.broadcast_to(evaluate(fn, env, _ALGEBRA), (len(where), count)).T
    return out


def _stacked(holes: list[Expr], operands: Mapping[str, Lanes]) -> Lanes:
    return np.stack([operands[e.source][:, e.offset // e.width] for e in holes])
