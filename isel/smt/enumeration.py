"""Terms of few input bits, evaluated for every input: what solvers find hard about products of
bytes is small for numpy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from isel.deferred import deferred
from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.expr import Expr, leaves, postorder
from isel.ir.ops import Lanes, unsigned_dtype
from isel.smt.query import Answer, Sat, Unsat

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")

NAME: Final = "enumeration"
MOST_BITS: Final = 24
_BLOCK_BITS: Final = 16
_BLOCK: Final = 1 << _BLOCK_BITS
MOST_WORK: Final = 1 << 15  # nodes times blocks


def enumerate_inputs(
    bit: Expr, most_bits: int = MOST_BITS, most_work: int = MOST_WORK
) -> Answer | None:
    """Look at a one-bit term under all assignments; None where its leaves have more bits than
    that, or nodes times blocks are more.
    """
    total = sum(x.width for x in leaves(bit))
    if total > most_bits or sum(1 for _ in postorder([bit])) << max(total - 16, 0) > most_work:
        return None
    numbers = np.arange(min(_BLOCK, 1 << total), dtype=np.uint32)
    for env in _blocks(bit, numbers, 1 << total):
        hits = np.flatnonzero(_along(evaluate_all([bit], env, NumpyLanes())[bit], numbers))
        if len(hits):
            return Sat(NAME, {x: int(_along(env[x], numbers)[hits[0]]) for x in leaves(bit)})
    return Unsat(NAME)


def _blocks(bit: Expr, numbers: Lanes, count: int) -> Iterator[dict[Expr, Lanes]]:
    """Yield assignments by their ``numbers``, block by block, with the values of terms that are
    alike in all blocks.
    """
    holes = leaves(bit)
    places = dict(zip(holes, accumulate((x.width for x in holes), initial=0), strict=False))
    low = {x: _bits(numbers, at, x) for x, at in places.items() if at + x.width <= _BLOCK_BITS}
    alike = evaluate_all(_over(bit, low), low, NumpyLanes())
    high = {x: at for x, at in places.items() if x not in low}
    for first in range(0, count, _BLOCK):
        block = numbers + np.uint32(first)
        yield alike | {x: _bits(_varying(block, at), at, x) for x, at in high.items()}


def _over(bit: Expr, low: Mapping[Expr, Lanes]) -> list[Expr]:
    """Return the sub-terms over some leaves alone."""
    return [e for e in postorder([bit]) if e.args and low.keys() >= {*leaves(e)}]


def _varying(block: Lanes, at: int) -> Lanes:
    """Return as many numbers of a block as differ from bit ``at`` on."""
    return block if at < _BLOCK_BITS else block[:1]


def _bits(numbers: Lanes, at: int, x: Expr) -> Lanes:
    """Return the values of a leaf whose bits begin at bit ``at`` of each number."""
    values = numbers >> np.uint32(at) & np.uint32((1 << x.width) - 1)
    return values.astype(unsigned_dtype(x.width))


def _along(values: Lanes, numbers: Lanes) -> Lanes:
    return np.broadcast_to(values, numbers.shape)
