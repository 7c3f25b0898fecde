"""Values that are three or four operations away from a few leaves of their own width, found by
evaluation.

All first-level values of the leaves are combined with each other, and what comes of that with a
leaf once more: a target ``f(x, g(p, q))`` with a leaf ``x`` and first-level values ``p`` and ``q``
is found whatever the functions are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from isel.ir.expr import Expr
from isel.ir.ops import Lanes
from isel.spec.known import Ints
from isel.synth.values.bank import Application, Level, Rows, first_level
from isel.synth.values.lanefn import LaneFn

_MAX_VALUES: Final = 1 << 18
_MAX_PER_FUNCTION: Final = 2
_QUICK: Final = (4, 16)  # samples on which few values, and fewer, agree


@dataclass(frozen=True, slots=True)
class Deep:
    """``fn(args)`` is the target; ``made`` are the operands that no term of the target is, each
    with how it is produced.
    """

    fn: LaneFn
    args: tuple[Expr, ...]
    made: tuple[tuple[Expr, Application], ...]


def third_level(fns: Sequence[LaneFn], leaves: Rows, target: Lanes) -> Iterator[Deep]:
    """Yield ways to produce ``target`` from leaves of one width with functions of two operands
    of that width, by a few samples only.
    """
    width = leaves.terms[0].width
    plain = [f for f in fns if f.width == width and f.widths == (width, width)]
    target = target[: _QUICK[-1]]
    leaves = Rows(leaves.terms, np.ascontiguousarray(leaves.values[:, : _QUICK[-1]]))
    first = first_level(plain, {width: leaves}).get(width)
    if first is None:
        return
    at = _distinct(first)
    known = {fn.apply(*args): (fn, args) for fn, args in (first.made[i] for i in at.tolist())}
    both = Rows((*leaves.terms, *known), np.concatenate([leaves.values, first.values[at]]))
    if len(both.terms) ** 2 * len(plain) > _MAX_VALUES:
        return
    second = first_level(plain, {width: both})[width]
    rows = _distinct(second)
    values = second.values[rows]
    for fn in plain:
        for x, value in zip(leaves.terms, leaves.values, strict=True):
            for swap in (False,) if fn.commutes else (False, True):
                at = np.arange(len(values))
                for n in _QUICK:
                    pair = values[at, :n], value[:n]
                    results = fn.run(*(pair[::-1] if swap else pair))
                    at = at[(results == target[:n]).all(-1)]
                for i in rows[at][:_MAX_PER_FUNCTION].tolist():
                    g, parts = second.made[i]
                    inner = g.apply(*parts)
                    made = ((inner, (g, parts)), *((p, known[p]) for p in parts if p in known))
                    yield Deep(fn, (x, inner) if swap else (inner, x), made)


def _distinct(level: Level) -> Ints:
    """Return where each value of a level is first, without values that are constant."""
    _, at = np.unique(level.hashes, return_index=True)
    at = np.sort(at)
    keep: Ints = at[~(level.values[at] == level.values[at][:, :1]).all(-1)]
    return keep
