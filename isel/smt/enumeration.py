"""Terms of few input bits, evaluated for every input: what solvers find hard about products of
bytes is small for numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from isel.deferred import deferred
from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.expr import Expr, leaves, postorder
from isel.ir.ops import unsigned_dtype
from isel.smt.query import Answer, Sat, Unsat

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")

NAME: Final = "enumeration"
MOST_BITS: Final = 24
_BLOCK: Final = 1 << 16
MOST_WORK: Final = 1 << 15  # nodes times blocks


def enumerate_inputs(
    bit: Expr, most_bits: int = MOST_BITS, most_work: int = MOST_WORK
) -> Answer | None:
    """Look at a one-bit term under all assignments; None where its leaves have more bits than
    that, or nodes times blocks are more.
    """
    holes = leaves(bit)
    total = sum(x.width for x in holes)
    if total > most_bits or sum(1 for _ in postorder([bit])) << max(total - 16, 0) > most_work:
        return None
    for first in range(0, 1 << total, _BLOCK):
        numbers = np.arange(first, min(first + _BLOCK, 1 << total), dtype=np.uint32)
        env = {}
        at = 0
        for x in holes:
            env[x] = (numbers >> np.uint32(at) & np.uint32((1 << x.width) - 1)).astype(
                unsigned_dtype(x.width)
            )
            at += x.width
        hits = np.flatnonzero(
            np.broadcast_to(evaluate_all([bit], env, NumpyLanes())[bit], numbers.shape)
        )
        if len(hits):
            return Sat(NAME, {x: int(v[hits[0]]) for x, v in env.items()})
    return Unsat(NAME)
