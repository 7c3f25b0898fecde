"""Samples near where a term turns: what is compared is about to be equal, what is cut off about to
carry.

Few values are there by chance: of products of 32 bits one in billions is a tie that two roundings
and one tell apart.  So inner terms are solved for one leaf each, for values on both sides of such a
place (:mod:`isel.verify.invert`), the others being samples.  What comes of it is only looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from isel.deferred import deferred
from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import add
from isel.ir.expr import Expr, const, leaves, postorder
from isel.ir.ops import Lanes
from isel.verify.invert import between, solve
from isel.verify.limits import NEAR_LEAST, NEAR_PLACES, NEAR_ROWS, NEAR_WIDE, NEAR_WORK
from isel.verify.samples import columns, first_hit

if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")

_COMPARED: Final = ("eq", "ult", "ule", "slt", "sle")


def near_model(failing: Expr) -> dict[Expr, int] | None:
    """Look for an assignment that makes a one-bit term 1 among thousands of samples, those near
    the places where it turns first.
    """
    terms = list(postorder([failing]))
    work = len(terms) * (NEAR_WIDE if any(e.width > 64 for e in terms) else 1)
    holes, rows = leaves(failing), min(NEAR_ROWS, NEAR_WORK // (work * NEAR_PLACES))
    if not holes or rows < NEAR_LEAST:
        return None
    base = columns(holes, rows)
    found = list(islice(_solve_places(terms), NEAR_PLACES))
    values = evaluate_all([e for _, e in found], base, NumpyLanes())
    plain = columns(holes, rows * NEAR_PLACES // 2)
    env: dict[Expr, Lanes] = {}
    for x in holes:
        parts = (values[e] if x is y else base[x] for y, e in found)
        env[x] = np.concatenate([*(np.broadcast_to(p, rows) for p in parts), plain[x]])
    return first_hit(failing, env)


def _solve_places(terms: list[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """Yield leaves, and for which value of each an inner term is at such a place."""
    for inner, wanted in (x for e in terms for x in _turns(e)):
        for x in leaves(inner):
            found: dict[Expr, Expr] = {}
            solve(inner, wanted, frozenset((x,)), {}, found)
            yield from found.items()


def _turns(e: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Yield what a term looks at, and the values of it on both sides of where the term turns."""
    if e.op in _COMPARED and e.args[0].width > 1:
        for x, y in (e.args, e.args[::-1]):
            yield from ((x, add(y, const(by, y.width))) for by in (0, 1, -1))
    z, cut = e.args[0] if e.args else e, _cut(e)
    if 0 < cut < z.width:
        half = 1 << (cut - 1)
        for low in (0, -1, half, half - 1):
            yield z, between(const(low, cut), 0, z)


def _cut(e: Expr) -> int:
    """Return how many of the low bits of what a term looks at it has not."""
    if e.op == "extract":
        return e.int_attr(0)
    return e.args[1].value if e.op in ("lshr", "ashr") and e.args[1].is_const else 0
