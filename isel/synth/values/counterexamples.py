"""Counterexamples of a window as samples of its lanes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.model.window import Root
from isel.synth.values.abstract import instances
from isel.synth.values.questions import Row

_NUDGES: Final = (0, 1, -1, 2)
_MOST: Final = 8  # samples a lane that one counterexample gives


def samples_of(roots: Sequence[Root], model: Mapping[Expr, int]) -> dict[Expr, list[Row]]:
    """Return what a counterexample gives the leaves of each lane that it concerns, by the lane's
    term; values beside it, too.
    """
    rows: dict[Expr, list[Row]] = {}
    forms = [canonical(e) for r in roots for e in r.lanes if e is not None and e.args]
    forms += [(canonical(e)[0], x) for r in roots for e, x in instances(r.lanes).values()]
    for term, holes in forms:
        values = [value_in(x, model) for x in holes]
        if any(v is not None for v in values):
            known = [
                (formal(i, x.width), v or 0)
                for i, (x, v) in enumerate(zip(holes, values, strict=True))
            ]
            rows.setdefault(term, []).extend(
                {x: v + nudge & (1 << x.width) - 1 for x, v in known} for nudge in _NUDGES
            )
    return {term: found[:_MOST] for term, found in rows.items()}


def value_in(leaf: Expr, model: Mapping[Expr, int]) -> int | None:
    """Return the value of a leaf, or of a piece of one, in a counterexample; None where it says
    nothing.
    """
    for x, value in model.items():
        if x.source == leaf.source and 0 <= leaf.offset - x.offset <= x.width - leaf.width:
            return value >> (leaf.offset - x.offset) & (1 << leaf.width) - 1
    return None
