"""Counterexamples of a window as samples of its lanes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from isel.ir.canon import canonical, formal
from isel.ir.expr import Expr
from isel.model.window import Root
from isel.synth.values.abstract import Instance, instances
from isel.synth.values.questions import Row

_NUDGES: Final = (0, 1, -1, 2)
_MOST: Final = 8  # samples a lane that one counterexample gives


def samples_of(roots: Sequence[Root], model: Mapping[Expr, int]) -> dict[Expr, list[Row]]:
    """Return what a counterexample gives the leaves of each lane that it concerns, by the lane's
    term; values beside it, too.
    """
    rows: dict[Expr, list[Row]] = {}
    for term, holes in _forms(roots):
        given = [(formal(i, x.width), value_in(x, model)) for i, x in enumerate(holes)]
        if any(v is not None for _, v in given):
            rows.setdefault(term, []).extend(_near([(x, v or 0) for x, v in given]))
    return {term: found[:_MOST] for term, found in rows.items()}


def _forms(roots: Sequence[Root]) -> Iterator[Instance]:
    """Yield the lanes over formals with their leaves, then those that are instances of others."""
    yield from (canonical(e) for r in roots for e in r.lanes if e is not None and e.args)
    for r in roots:
        yield from ((canonical(e)[0], holes) for e, holes in instances(r.lanes).values())


def _near(known: Sequence[tuple[Expr, int]]) -> Iterator[Row]:
    """Yield values, and those beside them."""
    for nudge in _NUDGES:
        yield {x: v + nudge & (1 << x.width) - 1 for x, v in known}


def value_in(leaf: Expr, model: Mapping[Expr, int]) -> int | None:
    """Return the value of a leaf, or of a piece of one, in a counterexample; None where it says
    nothing.
    """
    for x, value in model.items():
        if x.source == leaf.source and 0 <= leaf.offset - x.offset <= x.width - leaf.width:
            return value >> (leaf.offset - x.offset) & (1 << leaf.width) - 1
    return None
